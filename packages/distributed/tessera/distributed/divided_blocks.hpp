// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Blocks of consecutive rows of which several processes have some.
#pragma once

#include "tessera/distributed/exchange.hpp"
#include "tessera/distributed/matrix.hpp"

#include <vector>

namespace tessera::distributed {

/// Inverses of the blocks on a matrix's diagonal that borders between processes divide; blocks are
/// counted from the first row of all. A process that has rows of one has all of its inverse, and
/// asks the others for their entries of each vector: two blocks at most, its first and its last.
template <class Space>
class DividedBlocks {
 public:
  using ConstVectors = ConstMultiVectorView<double, Space>;
  using Vectors = MultiVectorView<double, Space>;

  /// Whether there are any, on whichever process.
  static bool are_there(const Partition& rows, int block_rows);

  DividedBlocks() = default;
  /// Collective.
  DividedBlocks(const Space& exec, const Matrix<Space>& A, int block_rows);

  Ordinal num_first() const { return m_num_first; }  ///< own rows at the beginning that are in one
  Ordinal num_last() const { return m_num_last; }  ///< the same at the end, in another one
  /// Blocks without an inverse among those that begin on this process.
  Ordinal num_singular() const { return m_num_singular; }

  /// Makes room for k columns; sends nothing: a step of all processes.
  void prepare(const Space& exec, std::size_t k);
  /// z = B^-1 r in own rows of these blocks, the others staying as they are; r and z over all own
  /// rows. Collective.
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z);

 private:
  struct Block {
    Ordinal first = 0;  ///< of its rows, among those of both
    Ordinal count = 0;
    Array<const double, Space> inverse;
  };

  /// The rows of the blocks, and the way to them from this process's.
  void plan(const Matrix<Space>& A);
  /// By row of the blocks its entries in them.
  MultiVector<double, Space> entries(const Space& exec, const Matrix<Space>& A);

  int m_block_rows = 1;
  Ordinal m_num_first = 0, m_num_last = 0, m_num_singular = 0;
  Ordinal m_num_own = 0;  ///< rows of this process
  std::vector<Block> m_blocks;
  Array<Ordinal, Space> m_rows;  ///< own ones of the blocks
  Array<Ordinal, Space> m_places;  ///< of these among the blocks'
  Exchange<double, Space> m_exchange;  ///< from them to the blocks' rows
  MultiVector<double, Space> m_own_r, m_r, m_z;
};

}  // namespace tessera::distributed
