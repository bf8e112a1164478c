// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Block Jacobi over several processes.
#pragma once

#include "tessera/distributed/divided_blocks.hpp"

#include <cstdint>
#include <string>

namespace tessera::distributed {

/// z = B^-1 r, B being the blocks of so many consecutive rows of all on A's diagonal, whichever
/// process has them: tessera::BlockJacobiPreconditioner of the whole matrix. Blocks without an
/// inverse give way to their diagonals.
template <class Space>
class BlockJacobi {
 public:
  using ConstVectors = ConstMultiVectorView<double, Space>;
  using Vectors = MultiVectorView<double, Space>;

  /// Takes the blocks out of A, which it does not keep. `block_rows`: 1 to
  /// `kernels::max_block_rows`. Collective.
  BlockJacobi(const Space& exec, const Matrix<Space>& A, int block_rows);

  /// How many blocks of all processes have no inverse, for notes; empty: all have one.
  std::string note() const;

  /// Makes room for k columns; sends nothing: a step of all processes.
  void prepare(const Space& exec, std::size_t k) {
    if (m_is_divided) m_divided.prepare(exec, k);
  }
  /// Over own rows, of as many columns. Collective.
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z);

 private:
  int m_block_rows;
  bool m_is_divided;  ///< any block, on whichever process
  DividedBlocks<Space> m_divided;
  Array<const double, Space> m_whole;  ///< of the rows between the divided blocks
  std::int64_t m_num_singular = 0;
};

/// `asked`, or where that is 0 the rows of full blocks where there are such, those of nodes where
/// these have several and none is divided, else `rules::rows_of_open_blocks`. `block_size`: of
/// nodes, 0: to be found. Collective.
template <class Space>
int rows_of_blocks(const Space& exec, const Matrix<Space>& A, int asked, int block_size);

}  // namespace tessera::distributed
