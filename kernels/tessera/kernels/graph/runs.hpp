// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The lines of a box as runs of connected points: where boxes of aggregates may not reach across.
#pragma once

#include "tessera/kernels/graph/selection_rules.hpp"
#include "tessera/kernels/graph/structured.hpp"

#include <optional>
#include <vector>

namespace tessera::kernels {

/// Consecutive coordinates of a direction, all of whose planes are connected to the next.
struct Run {
  Ordinal first = 0;
  Ordinal length = 0;
  Ordinal coarse_first = 0;  ///< the coarse coordinate of its first piece
  Ordinal num_pieces = 0;  ///< that it is cut into
};

/// A direction's runs, in order. One alone is a direction without a cut, and as many as points one
/// in which nothing is connected.
using Runs = std::vector<Run>;

/// Whether any of a direction's points are connected.
inline bool is_coupled(const Runs& runs) {
  return runs.size() < static_cast<std::size_t>(runs.back().first) + runs.back().length;
}

KOKKOS_INLINE_FUNCTION Ordinal extent_of(const Box& box, int d) {
  return d == 0 ? box.nx : d == 1 ? box.ny : box.nz;
}

/// `length` points of which none (or all) are connected.
inline Runs uniform_runs(Ordinal length, bool connected) {
  if (connected) return {{0, length, 0, 0}};
  Runs runs;
  for (Ordinal at = 0; at < length; ++at)
    runs.push_back({at, 1, 0, 0});
  return runs;
}

/// Cuts a direction where at least half of a plane's pairs are not connected; nothing where the
/// planes are too much of both.
inline std::optional<Runs> runs_between_cuts(const std::vector<Ordinal>& pairs,
                                             const std::vector<Ordinal>& axis) {
  Runs runs{{0, 1, 0, 0}};
  std::int64_t total = 0;
  std::int64_t missing = 0;
  std::int64_t stray = 0;
  const auto length = static_cast<Ordinal>(pairs.size());
  for (Ordinal at = 0; at + 1 < length; ++at) {
    const bool connected = 2 * static_cast<std::int64_t>(axis[at]) >= pairs[at];
    total += pairs[at];
    (connected ? missing : stray) += connected ? pairs[at] - axis[at] : axis[at];
    if (connected) {
      ++runs.back().length;
    } else {
      runs.push_back({at + 1, 1, 0, 0});
    }
  }
  const double most = rules::stray_part * static_cast<double>(total);
  if (static_cast<double>(missing) > most || static_cast<double>(stray) > most) {
    return std::nullopt;
  }
  return runs;
}

}  // namespace tessera::kernels
