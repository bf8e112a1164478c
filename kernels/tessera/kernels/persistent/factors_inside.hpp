// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Two triangular factors, made ready for solves within one launch.
#pragma once

#include "tessera/kernels/persistent/detail/factor_steps.hpp"
#include "tessera/kernels/sptrsv/level_order.hpp"

namespace tessera::kernels {

/// How a device solves with triangles within one launch.
enum class FactorMode {
  automatic,  ///< estimated from the number and size of the levels
  one_block,  ///< level after level by one block while the others wait
  synchronization_free  ///< by all, each row as soon as those that it needs are there
};

/// L and U of a preconditioner z = U^-1 L^-1 r, L having ones on its diagonal: copies in the order
/// of their levels, and the vectors between them. It serves one solve at a time.
template <class Scalar, class Space>
class FactorsInside {
 public:
  FactorsInside() = default;
  /// Of triangles of as many rows; waits.
  /// @throws Error where they are not a lower and an upper one of as many rows; OffsetOverflow
  /// where one of them has more entries than an Ordinal counts.
  template <class Offset>
  FactorsInside(const Space& exec, const TriangleView<Scalar, Space, Offset>& L,
                const TriangleView<Scalar, Space, Offset>& U,
                FactorMode mode = FactorMode::automatic);

  /// Other values in the same patterns. Nothing waits.
  template <class Offset>
  void refill(const Space& exec, const TriangleView<Scalar, Space, Offset>& L,
              const TriangleView<Scalar, Space, Offset>& U) const {
    kernels::refill(exec, L, m_L);
    kernels::refill(exec, U, m_U);
  }

  Ordinal num_rows() const { return m_L.num_rows; }
  const LevelOrder<Scalar, Space>& lower() const { return m_L; }
  const LevelOrder<Scalar, Space>& upper() const { return m_U; }
  /// Which of the two ways a device takes where it has several blocks.
  bool by_one_block() const { return m_by_one_block; }

  detail::FactorSteps<Scalar> inside() const;
  /// Bytes of shared memory that a block fills that solves by itself: with the vector alone, and
  /// with all else.
  std::size_t vector_bytes() const;
  std::size_t all_bytes() const;

 private:
  LevelOrder<Scalar, Space> m_L, m_U;
  Array<Scalar, Space> m_vectors;  ///< r, y and z
  int m_lanes = 1;
  int m_walkers = 32;
  int m_warps = 1;
  bool m_by_one_block = false;
};

}  // namespace tessera::kernels
