// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices with a few rows that reach everything: the levels stay as small as those of the rest.
#include "amg/classical_parameters.hpp"
#include "support/power_law.hpp"
#include "support/systems.hpp"

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

/// Iterations and operator complexity are those recorded, give or take one and 2 %.
void expect_solved(const std::string& what, const HostMatrix<double>& A, int iterations,
                   double complexity) {
  const auto solved = solve_hashed(A);
  EXPECT_NEAR(solved.result.iterations, iterations, 1) << what;
  EXPECT_NEAR(solved.hierarchy.operator_complexity, complexity, 0.02 * complexity) << what;
  EXPECT_LE(solved.hierarchy.levels.back().rows, 2000) << what;
  std::cout << what << ": " << solved.result.iterations << " iterations, operator complexity "
            << solved.hierarchy.operator_complexity << ", setup " << solved.setup_ms << " ms\n";
}

TEST(Hubs, StayApartWhateverTheirWeight) {
  struct Case {
    double weight;
    int iterations;
    double complexity;
  };
  for (const Case& c :
       {Case{1e-6, 15, 1.426}, Case{1e-2, 15, 1.386}, Case{1, 12, 1.324}, Case{1e3, 7, 1.0}}) {
    expect_solved("a hub of " + std::to_string(c.weight), grid_with_hubs(1, c.weight), c.iterations,
                  c.complexity);
  }
  expect_solved("ten hubs", grid_with_hubs(10, 1e-2), 14, 1.249);
  expect_solved("two hubs tied to each other", grid_with_hubs(2, 1e-2, 1e3), 16, 1.344);
}

/// Nothing may hand such a row to one thread: on a GPU that would take seconds.
TEST(Hubs, ARowOfAMillionEntries) {
  expect_solved("a hub of a million", grid_with_hubs(1, 1e-2, 0, 1000), 20, 1.392);
}

/// What is not strong beside the grid's couplings adds the hub alone to the next level, and no
/// level is filled.
TEST(Hubs, StayCoarseByClassicalCoarsening) {
  const auto alone = solve_hashed(grid_with_hubs(0, 0, 0, 100), classical());
  for (const double weight : {1e-6, 1e-2}) {
    const auto solved = solve_hashed(grid_with_hubs(1, weight, 0, 100), classical());
    EXPECT_EQ(solved.hierarchy.levels[1].rows, alone.hierarchy.levels[1].rows + 1) << weight;
    EXPECT_LE(solved.hierarchy.operator_complexity, 1.2 * alone.hierarchy.operator_complexity);
    EXPECT_LE(solved.result.iterations, 2 * alone.result.iterations) << weight;
  }
}

TEST(Hubs, AnArrowIsAHubAlone) {
  Network network(20000);
  network.ground(0, 1);
  for (Ordinal v = 1; v < network.size(); ++v) {
    network.tie(0, v, 1);
    network.ground(v, 1);
  }
  expect_solved("an arrow", network.matrix(), 3, 1.0);
}

TEST(Hubs, PowerLawsStayWithinTheirComplexity) {
  expect_solved("a power law", power_law(20000, 4), 10, 1.713);
}

}  // namespace tessera::test::hubs_test
