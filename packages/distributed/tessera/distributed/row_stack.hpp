// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A process's rows with those of others below them, and the rows of a distributed matrix.
#pragma once

#include "tessera/distributed/exchange.hpp"
#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/row_exchange.hpp"

#include <memory>
#include <optional>

namespace tessera::distributed {

template <class Space>
using LocalRows = kernels::Csr<double, Space, std::int64_t>;

/// Entries of the first rows. Waits for `exec`.
template <class Space>
std::size_t entries_of_first_rows(const Space& exec, const LocalRows<Space>& rows,
                                  Ordinal num_rows);

/// The first rows alone, in the same arrays. Waits for `exec`.
template <class Space>
LocalRows<Space> first_rows(const Space& exec, const LocalRows<Space>& rows, Ordinal num_rows);

/// The first rows of `above` and below them what has come, its values yet to be set
/// (`values_below`). `columns_below`: the numbers of its columns.
template <class Space>
LocalRows<Space> stacked_rows(const Space& exec, const LocalRows<Space>& above, Ordinal num_rows,
                              const typename RowExchange<Space>::Received& below,
                              const Array<Ordinal, Space>& columns_below, Ordinal num_cols);

/// The values behind the first `num_values`.
template <class Space>
Array<double, Space> values_below(const LocalRows<Space>& rows, std::size_t num_values) {
  return Kokkos::subview(rows.values, std::make_pair(num_values, rows.num_entries()));
}

/// The same values, the columns by `number`, in which none that has an entry is -1.
template <class Space>
LocalRows<Space> renumbered_columns(const Space& exec, const LocalRows<Space>& rows,
                                    const Array<Ordinal, Space>& number, Ordinal num_cols);

/// The same where the first `num_own` columns keep their numbers, and others have those given; the
/// rows as they are where there are no others.
template <class Space>
LocalRows<Space> renumbered_others(const Space& exec, const LocalRows<Space>& rows, Ordinal num_own,
                                   const NonDeduced<Array<const Ordinal, Space>>& number_of_others,
                                   Ordinal num_cols);

/// For each column from `first` on 1 where it has an entry, else 0.
template <class Space>
Array<Ordinal, Space> used_columns(const Space& exec, const LocalRows<Space>& rows, Ordinal first);

/// A matrix of ones whose product with such a stack has in row i the sum of row i and of the rows
/// below `num_rows` that belong to it.
template <class Space>
LocalRows<Space> sum_of_rows(const Space& exec, Ordinal num_rows,
                             const Array<Ordinal, Space>& belongs);

/// The rows as those of a square matrix: others' unknowns get empty rows below them.
template <class Space>
LocalRows<Space> squared(const Space& exec, const LocalRows<Space>& rows);

template <class Space>
struct LevelTranspose;

/// Which function of a system each of a process's rows is of; none on all processes where there is
/// one function, or where their nodes tell.
template <class Space>
using Functions = std::optional<Array<const Ordinal, Space>>;

/// Which of a process's rows are coarse points: below 0 for fine ones; none on all processes where
/// a level's points are not split.
template <class Space>
using CoarsePoints = std::optional<Array<const Ordinal, Space>>;

/// What each of a process's rows is called in the application, a number of its own that does not
/// depend on how rows are shared out; none on all processes where rows are numbered so anyway.
template <class Space>
using GivenNumbers = std::optional<Array<const Partition::Global, Space>>;

/// This process's rows of a level, and the ways between it and the others.
template <class Space>
struct LevelRows {
  using Rows = LocalRows<Space>;

  Rows A;  ///< own columns first, then those of others in the order of `halo`'s remote rows
  int block_size = 1;  ///< unknowns per node
  Exchange<double, Space> halo;  ///< along A's importer
  RowExchange<Space> rows;  ///< the same way
  std::shared_ptr<LevelTranspose<Space>> transposed;  ///< null where A is symmetric
  std::shared_ptr<const Communicator> processes;
  GlobalNumbers<Space> ghosts;  ///< the numbers of others' columns
  Partition::Global first = 0;  ///< the number of the first own column
  Functions<Space> functions = {};
  GivenNumbers<Space> given_numbers = {};
};

/// The same rows of A^T.
template <class Space>
struct LevelTranspose {
  LevelRows<Space> rows;
  /// By column of A^T here the number that it has as one of A's; those that A has not come behind.
  Array<Ordinal, Space> columns_of_A;
  Ordinal num_columns = 0;  ///< of A's and those
};

/// Room for so many values of this process and those of others that the halo brings, which has room
/// for them, too.
template <class Space>
Array<double, Space> room_with_halo(const Space& exec, const Exchange<double, Space>& halo,
                                    std::size_t num_own);

/// In `both`, which is such room, this process's values, and below them what has come of others' in
/// the halo's order. Allocates nothing where the halo has room for a column. Waits. Collective.
template <class Space>
void with_halo(const Space& exec, Exchange<double, Space> halo, const Array<double, Space>& own,
               const Array<double, Space>& both);

/// The same of a halo and room that are made in a step of all processes.
template <class Space>
Array<double, Space> with_halo(const Space& exec, const Communicator& processes,
                               const Exchange<double, Space>& halo,
                               const Array<double, Space>& own);

}  // namespace tessera::distributed
