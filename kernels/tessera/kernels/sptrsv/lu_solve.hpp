// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves with the two factors of a matrix, one after the other.
#pragma once

#include "tessera/kernels/sptrsv/sptrsv.hpp"

namespace tessera::kernels {

/// z = U^-1 L^-1 r, L having ones on its diagonal, for two triangles whose patterns stay and whose
/// values may change. By counters, each solve prepares the other one's vectors with the sentinel,
/// and an application is two launches. It serves one application at a time.
template <class Scalar, class Space, class Offset = std::int32_t>
class LuSolve {
 public:
  using Triangle = TriangleView<Scalar, Space, Offset>;
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;

  LuSolve() = default;
  /// Analyses both; waits. `automatic` picks one algorithm for each of them.
  LuSolve(const Space& exec, const Triangle& L, const Triangle& U,
          SptrsvAlgorithm algorithm = SptrsvAlgorithm::automatic);

  /// Makes room for `k` columns, so that `apply` allocates nothing.
  void prepare(const Space& exec, int k);

  /// L and U: of the patterns that were analysed. r and z: num_rows by k, not overlapping; z is
  /// overwritten.
  void apply(const Space& exec, const Triangle& L, const Triangle& U, const ConstVectors& r,
             const Vectors& z);

  const SptrsvPlan<Space, Offset>& lower() const { return m_lower; }
  const SptrsvPlan<Space, Offset>& upper() const { return m_upper; }

 private:
  SptrsvPlan<Space, Offset> m_lower, m_upper;
  MultiVector<Scalar, Space> m_y;  ///< L^-1 r; the sentinel between applications by counters
};

}  // namespace tessera::kernels
