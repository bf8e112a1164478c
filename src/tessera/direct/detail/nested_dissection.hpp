// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A fill-reducing order by nested dissection, by SCOTCH.
#pragma once

#include "tessera/direct/large_pages.hpp"

#include <optional>
#include <vector>

namespace tessera::direct::detail {

/// Whether the library was built with SCOTCH, without which nothing is dissected.
bool can_dissect();

/// Which row of a symmetric pattern (each row sorted, without duplicates) is eliminated k-th: two
/// parts before a separator of them, and so on within the parts (George 1973), small ones by
/// minimum degree. The same for each call, on any thread beside any others. Nothing where SCOTCH
/// has none to give. Takes 0.5 to 3 us per entry, ten to thirty times as long as AMD.
/// @throws std::bad_alloc
std::optional<std::vector<int>> nested_dissection(int n, const HostArray<int>& offsets,
                                                  const HostArray<int>& columns);

/// The entries of the pattern without its diagonal, rows that are alike (as those of a node's
/// unknowns) counted once: what an order of nodes takes its time by.
double distinct_entries(int n, const HostArray<int>& offsets, const HostArray<int>& columns);

}  // namespace tessera::direct::detail
