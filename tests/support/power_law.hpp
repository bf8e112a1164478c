// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Graphs whose degrees follow a power law.
#pragma once

#include "support/random_matrix.hpp"
#include "support/systems.hpp"

#include <algorithm>
#include <vector>

namespace tessera::test {

/// Each new node is tied to `ties` others, picked as often as they have ties already (Barabasi
/// and Albert), and each to the ground by `ground`.
inline HostMatrix<double> power_law(Ordinal n, int ties, double ground = 0.01) {
  Network network(n);
  Random random(5);
  std::vector<Ordinal> ends;
  for (Ordinal v = 0; v < n; ++v) {
    network.ground(v, ground);
    std::vector<Ordinal> chosen;
    while (static_cast<int>(chosen.size()) < std::min<int>(ties, v)) {
      const Ordinal other = v <= ties ? static_cast<Ordinal>(chosen.size())
                                      : ends[random.below(static_cast<Ordinal>(ends.size()))];
      if (std::find(chosen.begin(), chosen.end(), other) == chosen.end()) chosen.push_back(other);
    }
    for (const Ordinal other : chosen) {
      network.tie(v, other, 1);
      ends.insert(ends.end(), {v, other});
    }
  }
  return network.matrix();
}

}  // namespace tessera::test
