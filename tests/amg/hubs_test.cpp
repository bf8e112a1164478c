// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices with a few rows that reach everything: the levels stay as small as those of the rest.
#include "support/systems.hpp"

#include "support/random_matrix.hpp"

namespace tessera::test::hubs_test {

/// A grid of `width` by `width` points and `hubs` nodes tied to all of them by `weight`, and to
/// one another by `among`.
HostMatrix<double> grid_with_hubs(int hubs, double weight, double among = 0, int width = 200) {
  Network network = grid_network(width, width, 1, unit_weight);
  const Ordinal points = network.size();
  for (int h = 0; h < hubs; ++h) {
    const Ordinal hub = network.add_node();
    network.ground(hub, 0.01);
    for (Ordinal v = 0; v < points; ++v)
      network.tie(hub, v, weight);
    if (h > 0 && among > 0) network.tie(hub - 1, hub, among);
  }
  return network.matrix();
}

void expect_solved(const std::string& what, const HostMatrix<double>& A, int iterations_limit,
                   double max_complexity) {
  const auto solved = solve_hashed(A);
  EXPECT_LE(solved.result.iterations, iterations_limit) << what;
  EXPECT_LE(solved.hierarchy.operator_complexity, max_complexity) << what;
  EXPECT_LE(solved.hierarchy.levels.back().rows, 2000) << what;
  std::cout << what << ": " << solved.result.iterations << " iterations, operator complexity "
            << solved.hierarchy.operator_complexity << ", setup " << solved.setup_ms << " ms\n";
}

TEST(Hubs, StayApartWhateverTheirWeight) {
  for (const double weight : {1e-6, 1e-2, 1.0, 1e3}) {
    expect_solved("a hub of " + std::to_string(weight), grid_with_hubs(1, weight), 25, 2.0);
  }
  expect_solved("ten hubs", grid_with_hubs(10, 1e-2), 25, 2.0);
  expect_solved("two hubs tied to each other", grid_with_hubs(2, 1e-2, 1e3), 25, 2.0);
}

/// Nothing may hand such a row to one thread: on a GPU that would take seconds.
TEST(Hubs, ARowOfAMillionEntries) {
  expect_solved("a hub of a million", grid_with_hubs(1, 1e-2, 0, 1000), 45, 2.0);
}

TEST(Hubs, AnArrowIsAHubAlone) {
  Network network(20000);
  network.ground(0, 1);
  for (Ordinal v = 1; v < network.size(); ++v) {
    network.tie(0, v, 1);
    network.ground(v, 1);
  }
  expect_solved("an arrow", network.matrix(), 15, 2.0);
}

/// Each new node is tied to `ties` others, picked as often as they have ties already (Barabasi
/// and Albert): degrees follow a power law.
HostMatrix<double> power_law(Ordinal n, int ties) {
  Network network(n);
  Random random(5);
  std::vector<Ordinal> ends;
  for (Ordinal v = 0; v < n; ++v) {
    network.ground(v, 0.01);
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

TEST(Hubs, PowerLawsStayWithinTheirComplexity) {
  expect_solved("a power law", power_law(20000, 4), 30, 4.0);
}

}  // namespace tessera::test::hubs_test
