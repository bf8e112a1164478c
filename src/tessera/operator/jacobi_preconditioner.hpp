// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// D^-1, of single entries and of blocks, as preconditioners.
#pragma once

#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/kernels/format/inverse_blocks.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/linear_operator.hpp"

#include <cstdint>
#include <string>

namespace tessera {

/// z = D^-1 r, 0 where the diagonal entry is zero.
template <class Scalar, class Space>
class JacobiPreconditioner : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  /// Takes the diagonal out of A, which it does not keep.
  template <class Offset>
  JacobiPreconditioner(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A)
      : m_inverse_diagonal(kernels::inverse_diagonal(exec, A)) {}

  ArrayView<const Scalar, Space> inverse_diagonal() const { return m_inverse_diagonal; }

  void prepare(const Space&, int) override {}
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    kernels::multiply<Scalar, Space>(exec, Scalar(1), m_inverse_diagonal, r, z);
  }

 private:
  Array<const Scalar, Space> m_inverse_diagonal;
};

/// For a setup's notes, of so many blocks without an inverse; empty: all have one.
inline std::string singular_blocks_note(std::int64_t count) {
  if (count == 0) return {};
  if (count == 1) return "1 block of block_jacobi has no inverse: its diagonal is used instead";
  return std::to_string(count) +
         " blocks of block_jacobi have no inverse: their diagonals are used instead";
}

/// z = B^-1 r, B being the blocks of so many consecutive rows on A's diagonal. Blocks without an
/// inverse give way to their diagonals.
template <class Scalar, class Space>
class BlockJacobiPreconditioner : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  /// Takes the blocks out of A, which it does not keep. `block_rows`: 1 to
  /// `kernels::max_block_rows`.
  template <class Offset>
  BlockJacobiPreconditioner(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                            int block_rows)
      : m_block_rows(block_rows),
        m_blocks(kernels::inverse_blocks(exec, A, block_rows, &m_singular)) {}

  /// As `kernels::inverse_blocks` has them.
  ArrayView<const Scalar, Space> blocks() const { return m_blocks; }
  int block_rows() const { return m_block_rows; }
  /// How many blocks had no inverse.
  Ordinal num_singular() const { return m_singular; }
  /// The same for the setup's notes; empty: all have one.
  std::string note() const { return singular_blocks_note(m_singular); }

  void prepare(const Space&, int) override {}
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    kernels::multiply_blocks<Scalar, Space>(exec, m_blocks, m_block_rows, r, z);
  }

 private:
  int m_block_rows;
  Ordinal m_singular = 0;
  Array<const Scalar, Space> m_blocks;
};

}  // namespace tessera
