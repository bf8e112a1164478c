// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A matrix over several processes: this one's rows, and the ways between it and the others.
#pragma once

#include "tessera/distributed/diagonal_block.hpp"
#include "tessera/distributed/row_stack.hpp"
#include "tessera/matrix/storage_parameters.hpp"
#include "tessera/operator/sparse_operator.hpp"

#include <cstddef>
#include <memory>

namespace tessera::distributed {

/// Copies share the arrays. Without `processes` this one has no share in it: no rows, and no part
/// in what the others do.
template <class Space>
struct Matrix {
  std::shared_ptr<const Communicator> processes;
  /// Own columns come first, then others' in the order of `halo`'s remote ones.
  LocalRows<Space> rows;
  std::shared_ptr<const Partition> row_shares;
  std::shared_ptr<const Partition> column_shares;
  Plan<Space> halo;  ///< from own columns to the columns of `rows`; remote ones behind all own
  GlobalNumbers<Space> ghosts;  ///< the numbers of others' columns
  std::shared_ptr<const void> owner;  ///< of the arrays, where they are somebody else's
  /// The same entries in two parts, whose rows need not be sorted, where they were given so: what
  /// multiplies shares them. Null: `rows` is split for that.
  std::shared_ptr<const SplitRows<Space>> parts;
  GivenNumbers<Space> given_numbers = {};

  bool has_share() const { return processes != nullptr; }
  Ordinal num_own_columns() const { return column_shares->own(); }
};

/// Of this process's rows, whether they are there as a whole or in parts.
template <class Space>
std::size_t num_entries(const Matrix<Space>& A) {
  return A.parts == nullptr ? A.rows.num_entries()
                            : A.parts->own.num_entries() + A.parts->others.num_entries();
}

/// The matrix of these rows, whose columns are `numbers`'s, others' in ascending order. Collective.
template <class Space>
Matrix<Space> matrix_of(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                        const LocalRows<Space>& rows,
                        const std::shared_ptr<const Partition>& row_shares,
                        const std::shared_ptr<const Partition>& column_shares,
                        const ColumnNumbers<Space>& numbers);

/// For Tessera's kernels, with vectors of `Working`; `storage` is of what couples own unknowns. In
/// double with `storage` as it is by default, and where no column is another process's or there are
/// `parts`, the arrays are shared. Where the processes' communicator is reproducible, in compressed
/// rows whatever `storage` says.
template <class Working, class Space>
std::shared_ptr<const SparseOperator<Working, Space>> make_operator(
    const Space& exec, const Matrix<Space>& A, const StorageParameters& storage);

/// The square part of this process's rows that couples its own unknowns; the arrays are shared
/// where that is all.
template <class Space>
LocalRows<Space> own_block(const Space& exec, const Matrix<Space>& A);

/// D^-1 of this process's rows: 0 where the diagonal is.
template <class Space>
Array<double, Space> inverse_diagonal(const Space& exec, const Matrix<Space>& A);

/// The even exponent e by which 2^-e A has entries of about 1; 0 where float has room for A's
/// anyway. Collective.
template <class Space>
int exponent_for_float(const Space& exec, const Matrix<Space>& A);

/// 2^exponent A, in A's pattern.
template <class Space>
Matrix<Space> times_power_of_two(const Space& exec, const Matrix<Space>& A, int exponent);

}  // namespace tessera::distributed
