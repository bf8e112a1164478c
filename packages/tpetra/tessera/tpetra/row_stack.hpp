// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A process's rows with those of others below them.
#pragma once

#include "tessera/tpetra/row_exchange.hpp"

#include <vector>

namespace tessera::tpetra {

template <class Space>
using DistributedMatrixRows = kernels::Csr<double, Space, std::int64_t>;

/// A copy on the device. Waits for `exec`.
template <class T, class Space>
Array<T, Space> from_host(const Space& exec, const std::vector<T>& given) {
  const auto copy = allocate<T>(exec, "tessera::tpetra::from_host", given.size());
  const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      given.data(), given.size());
  if (!given.empty()) Kokkos::deep_copy(exec, copy, host);
  exec.fence("tessera::tpetra::from_host");
  return copy;
}

/// Entries of the first rows. Waits for `exec`.
template <class Space>
std::size_t entries_of_first_rows(const Space& exec, const DistributedMatrixRows<Space>& rows,
                                  Ordinal num_rows);

/// The first rows of `above` and below them what has come, its values yet to be set
/// (`values_below`). `columns_below`: the numbers of its columns.
template <class Space>
DistributedMatrixRows<Space> stacked_rows(const Space& exec,
                                          const DistributedMatrixRows<Space>& above,
                                          Ordinal num_rows,
                                          const typename RowExchange<Space>::Received& below,
                                          const std::vector<Ordinal>& columns_below,
                                          Ordinal num_cols);

/// The values behind the first `num_values`.
template <class Space>
Array<double, Space> values_below(const DistributedMatrixRows<Space>& rows,
                                  std::size_t num_values) {
  return Kokkos::subview(rows.values, std::make_pair(num_values, rows.num_entries()));
}

/// The same values, the columns by `number`, in which none that has an entry is -1.
template <class Space>
DistributedMatrixRows<Space> renumbered_columns(const Space& exec,
                                                const DistributedMatrixRows<Space>& rows,
                                                const std::vector<Ordinal>& number,
                                                Ordinal num_cols);

/// For each column from `first` on 1 where it has an entry, else 0.
template <class Space>
std::vector<char> used_columns(const Space& exec, const DistributedMatrixRows<Space>& rows,
                               Ordinal first);

}  // namespace tessera::tpetra
