// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which processes give the rows of a level to which.
#pragma once

#include "tessera/distributed/places.hpp"

#include <cstdint>
#include <vector>

namespace tessera::distributed {

/// By rank the process that keeps its rows of a level, where at most `max_groups` processes are to
/// keep some. rows: by rank; who has none keeps none.
///
/// Groups are of processes that follow each other by rank, so that rows keep their numbers, and
/// everything that depends on numbers stays as it is. Processes of one device are joined first,
/// then those of one host, then hosts, unless a group would have one and a half times the rows that
/// the largest one has without regard to places; the largest group is as small as it can be, and
/// where fewer groups are at most a tenth larger there are fewer.
///
/// In each group one process keeps the rows of all: of a device on which fewest keep some, then of
/// a host that has no more than its share of those who do, then on a host that has more than three
/// fifths of the group's rows, then on that of the group before, so that processes of a host follow
/// each other from there on even where ranks alternate between hosts; then whoever has more than
/// three fifths of the rows, which a row more or less does not tip, else the first, which of the
/// last group is the one that the coarsest level is gathered on.
std::vector<int> keepers_of_groups(const std::vector<std::int64_t>& rows, const Places& places,
                                   std::int64_t max_groups);

/// The same with so many groups that they have `rows_per_process` rows on average, as far as there
/// are as many.
std::vector<int> keepers_of_rows(const std::vector<std::int64_t>& rows, const Places& places,
                                 std::int64_t rows_per_process);

}  // namespace tessera::distributed
