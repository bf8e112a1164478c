// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// From listed entries to compressed rows, on the execution space.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::detail {

/// Listed entries: `rows` and `columns` count from 0 and lie inside the matrix.
template <class Space>
struct EntryList {
  Ordinal num_rows = 0;
  ArrayView<const Ordinal, Space> rows;
  ArrayView<const Ordinal, Space> columns;
  bool mirrored = false;  ///< each off-diagonal entry (i, j) stands for (j, i) too

  std::size_t size() const { return rows.extent(0); }
};

/// Compressed rows with ascending columns. Entry `k` comes from listed entry `sources(k)`, or as a
/// mirror image from `-1 - sources(k)`; equal columns stand in the list's order.
template <class Space, class Offset>
struct SortedEntries {
  Array<Offset, Space> offsets;
  Array<Ordinal, Space> columns;
  Array<Offset, Space> sources;
};

/// True where the list is in order of rows, in a row of columns, without mirror images and without
/// duplicates: then it only lacks its offsets.
template <class Space>
bool is_sorted(const Space& exec, const EntryList<Space>& entries);

/// Entries with mirror images.
template <class Space>
std::size_t expanded_size(const Space& exec, const EntryList<Space>& entries);

/// Where each row starts once the list is in order, length num_rows + 1.
template <class Space, class Offset>
Array<Offset, Space> row_offsets(const Space& exec, const EntryList<Space>& entries);

/// Sorts `size` = expanded_size() entries into rows, to the same bits whatever the threads' order.
template <class Space, class Offset>
SortedEntries<Space, Offset> sort_entries(const Space& exec, const EntryList<Space>& entries,
                                          std::size_t size);

}  // namespace tessera::detail
