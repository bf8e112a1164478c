// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Where a hierarchy ends because coarsening stalls or its operators would grow too large.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::amg {

/// What the next level may have at the most. The hierarchy asks `allow_nodes` and `allow_entries`
/// of what a coarsening has made, and ends where one of them says no. A coarsening that knows its
/// number of nodes early asks `allow_nodes` itself and spares the rest.
struct CoarseningLimits {
  Ordinal fine_nodes;
  double fine_entries;  ///< of the level's operator
  double max_nodes;
  double max_entries;  ///< of the next level's operator
  double finest_entries;  ///< of the finest level's, for what work is relative to
  std::vector<std::string>& notes;  ///< what was limited, and why

  /// Whether a coarse level of that many nodes makes progress; else notes that it stalled.
  bool allow_nodes(Ordinal coarse_nodes) const {
    if (coarse_nodes > 0 && coarse_nodes <= max_nodes) return true;
    notes.push_back("coarsening stalled: " + std::to_string(fine_nodes) + " nodes would make " +
                    std::to_string(coarse_nodes) + " coarse ones");
    return false;
  }
  bool fits(std::size_t entries) const { return static_cast<double>(entries) <= max_entries; }
  /// `fits`, and a note where that is false.
  bool allow_entries(std::size_t entries) const {
    if (fits(entries)) return true;
    notes.push_back(
        "stopped coarsening: the next level would raise the operator complexity "
        "above max_operator_complexity");
    return false;
  }
};

}  // namespace tessera::amg
