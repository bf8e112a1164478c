// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows in two parts as a matrix over several processes, which shares their arrays.
#pragma once

#include "tessera/distributed/joined_rows.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/distributed/rows_in_parts.hpp"

namespace tessera::distributed {

/// The matrix with `parts`, and with whole rows that setup needs: `joined_rows`, which with
/// `copies` are no one else's. Its halo is made from the lists where all processes have them. The
/// ghosts and what these lists send are the arrays given where the host's memory is the space's.
/// Collective.
/// @throws Error on all processes where the rows of one are not as they should be.
template <class Space>
Numbered<Space> numbered_parts(const Space& exec,
                               const std::shared_ptr<const Communicator>& processes,
                               const RowsInParts<Space>& rows, bool copies,
                               Joining joining = joining_of<Space>);

/// The same pattern in other arrays, of which the whole rows take the values; those of before are
/// not read, for they may be gone. With `takes_lists` the ghosts and the halo are those of `rows`,
/// too; else they stay, and were not shared. Collective.
/// @throws Error on all processes where one has another number of rows, columns or entries, other
///         ghosts, or with `takes_lists` lists that are not as they should be.
template <class Space>
Numbered<Space> with_parts(const Space& exec, const Numbered<Space>& numbered,
                           const RowsInParts<Space>& rows, bool copies, bool takes_lists);

/// Frees the values of rows that were joined from parts, and with `all` their pattern, too: whole
/// rows without entries stay, which `rejoin` fills.
template <class Space>
void free_joined_rows(Numbered<Space>& numbered, bool all);

/// The whole rows again where they were freed.
template <class Space>
void rejoin(const Space& exec, Numbered<Space>& numbered, bool copies);

}  // namespace tessera::distributed
