// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whole rows, sorted, of rows that were given in two parts.
#pragma once

#include "tessera/distributed/diagonal_block.hpp"
#include "tessera/distributed/first_where.hpp"
#include "tessera/distributed/row_stack.hpp"
#include "tessera/kernels/execution/host_space.hpp"

namespace tessera::distributed {

/// Own columns come first, ghosts behind them; and what is wrong with the rows given.
template <class Space>
struct JoinedRows {
  LocalRows<Space> rows;
  /// By entry of `rows` where it was: among those of the own part, or behind all of these among
  /// those of the ghost part. Of no length where `rows` are the own part's arrays.
  Array<std::int64_t, Space> place;
  std::int64_t outside = nowhere;  ///< such a place of the first entry whose column there is not
  std::int64_t twice = nowhere;  ///< the first row that has a column twice
};

/// How: a host's thread makes a row whole while it is in the cache; a device has a kernel for each
/// step, and sorts by lanes that share a row. Both make the same of any rows. A device has only
/// the latter, and whoever asks for it on a host gets it, for tests.
enum class Joining { row_by_row, step_by_step };

template <class Space>
inline constexpr Joining joining_of =
    kernels::is_host_space<Space> ? Joining::row_by_row : Joining::step_by_step;

/// Where the own part is all there is, its rows ascend, and no copy is asked for, these are its
/// arrays; else they are new. Waits for `exec`.
template <class Space>
JoinedRows<Space> joined_rows(const Space& exec, const SplitRows<Space>& parts, bool copies,
                              Joining joining = joining_of<Space>);

/// The values of parts of the same pattern for rows that were joined so.
template <class Space>
Array<double, Space> joined_values(const Space& exec, const SplitRows<Space>& parts,
                                   const Array<std::int64_t, Space>& place);

}  // namespace tessera::distributed
