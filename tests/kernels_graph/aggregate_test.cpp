// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "kernels_graph/graphs.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/graph/aggregate.hpp"
#include "tessera/kernels/graph/strength.hpp"

namespace tessera::test::aggregate_test {

TESSERA_TEST_SUITE(AggregateTest, Matrices, TypeNames);

TESSERA_TYPED_TEST(AggregateTest, PartitionsIntoConnectedAggregates) {
  const std::vector<Neighbours> graphs{{},
                                       Neighbours(5),
                                       random_graph(2, 1, 1),
                                       random_graph(400, 0.004, 2),
                                       random_graph(300, 0.03, 3),
                                       random_graph(300, 0.01, 4, 5),
                                       stencil_graph(31, 23, 1, is_star),
                                       stencil_graph(9, 10, 11, is_full)};
  for (const auto& neighbours : graphs) {
    const auto graph = make_graph<Offset>(exec, neighbours);
    for (const bool two_phase : {false, true}) {
      const auto result = kernels::aggregate_mis2(exec, graph, two_phase);
      expect_partition(neighbours, to_host(result.aggregate_of), result.num_aggregates);
    }
  }
}

/// Each edge of a graph in one direction only, drawn at random.
Neighbours one_way(const Neighbours& both, std::uint64_t seed) {
  Random random(seed);
  Neighbours directed(both.size());
  for (std::size_t i = 0; i < both.size(); ++i) {
    for (const Ordinal j : both[i]) {
      if (j > static_cast<Ordinal>(i)) continue;
      const bool forwards = random.uniform() < 0.5;
      directed[forwards ? i : j].push_back(forwards ? j : static_cast<Ordinal>(i));
    }
  }
  return directed;
}

TESSERA_TYPED_TEST(AggregateTest, TakesDirectedGraphsOnceTheyAreSymmetrized) {
  const std::vector<Neighbours> graphs{random_graph(2, 1, 1), random_graph(400, 0.004, 2),
                                       random_graph(300, 0.03, 3), random_graph(300, 0.01, 4, 5),
                                       stencil_graph(31, 23, 1, is_star)};
  for (const auto& both : graphs) {
    const auto directed = make_graph<Offset>(exec, one_way(both, 9));
    const auto graph = kernels::symmetrize(exec, directed);
    EXPECT_EQ(graph.num_edges(), 2 * directed.num_edges());
    const auto result = kernels::aggregate_mis2(exec, graph);
    const auto aggregate_of = to_host(result.aggregate_of);
    expect_partition(both, aggregate_of, result.num_aggregates);
    // No node is further than two edges from a root, so that two members are at most four apart.
    for (std::size_t v = 0; v < both.size(); ++v) {
      if (aggregate_of[v] < 0) continue;
      const auto distance = distances(both, {static_cast<Ordinal>(v)});
      for (std::size_t w = 0; w < both.size(); ++w) {
        if (aggregate_of[w] == aggregate_of[v]) {
          EXPECT_LE(distance[w], 4);
        }
      }
    }
    const auto again = kernels::aggregate_mis2(exec, kernels::symmetrize(exec, directed));
    EXPECT_EQ(to_host(again.aggregate_of), aggregate_of);
  }
}

TESSERA_TYPED_TEST(AggregateTest, TwoPhasesMakeSmallerAggregates) {
  const auto graph = make_graph<Offset>(exec, stencil_graph(90, 90, 1, is_star));
  const auto one = kernels::aggregate_mis2(exec, graph, false);
  const auto two = kernels::aggregate_mis2(exec, graph, true);
  const double n = 90.0 * 90.0;
  EXPECT_GT(n / one.num_aggregates, 6);
  EXPECT_LT(n / one.num_aggregates, 11);
  EXPECT_GT(n / two.num_aggregates, 4);
  EXPECT_LT(n / two.num_aggregates, 0.9 * n / one.num_aggregates);
}

TESSERA_TYPED_TEST(AggregateTest, IsTheSameForEveryNumberOfThreads) {
  const Space whole;
  if (whole.concurrency() < 2) GTEST_SKIP() << "one thread has no parts";
  const Space part = Kokkos::Experimental::partition_space(whole, 1, 1)[0];
  const auto graph = make_graph<Offset>(whole, random_graph(900, 0.008, 21));
  const auto by_whole = kernels::aggregate_mis2(whole, graph);
  const auto by_part = kernels::aggregate_mis2(part, graph);
  EXPECT_EQ(to_host(by_part.aggregate_of), to_host(by_whole.aggregate_of));
  EXPECT_EQ(by_part.num_aggregates, by_whole.num_aggregates);
}

}  // namespace tessera::test::aggregate_test
