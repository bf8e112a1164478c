// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The neighbours of a process by the lengths of their lists.
#pragma once

#include "tessera/distributed/rows_in_parts.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::distributed {

/// Those of `lengths`, by rank, that are not 0, with `per_entry` entries of a list for each that
/// they count.
inline std::vector<HaloLists::Neighbour> neighbours_of(const std::vector<std::int64_t>& lengths,
                                                       Ordinal per_entry = 1) {
  std::vector<HaloLists::Neighbour> neighbours;
  Ordinal first = 0;
  for (std::size_t p = 0; p < lengths.size(); ++p) {
    const auto length = static_cast<Ordinal>(lengths[p]) * per_entry;
    if (length > 0) neighbours.push_back({static_cast<int>(p), first, length});
    first += length;
  }
  return neighbours;
}

/// The same as parts of what is sent or comes (`ArrayMessages`).
template <class Parts>
Parts parts_of(const std::vector<HaloLists::Neighbour>& neighbours) {
  Parts parts;
  parts.reserve(neighbours.size());
  for (const auto& n : neighbours)
    parts.push_back(
        {n.process, static_cast<std::size_t>(n.first), static_cast<std::size_t>(n.length)});
  return parts;
}

}  // namespace tessera::distributed
