// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "kernels_graph/graphs.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/graph/mis.hpp"
#include "tessera/kernels/graph/segments.hpp"

namespace tessera::test::mis_test {

TESSERA_TEST_SUITE(MisTest, Matrices, TypeNames);

std::vector<Neighbours> sample_graphs() {
  return {{},
          Neighbours(1),
          Neighbours(7),
          random_graph(2, 1.0, 1),
          random_graph(300, 0.005, 2),
          random_graph(300, 0.02, 3),
          random_graph(200, 0.5, 4),
          random_graph(250, 0.01, 5, 17),
          stencil_graph(23, 17, 1, is_star),
          stencil_graph(9, 8, 7, is_full)};
}

/// Independence and maximality (Definition 3.1) by breadth-first search.
void expect_maximal_independent(const Neighbours& neighbours, const std::vector<std::int8_t>& mis,
                                int k) {
  std::vector<Ordinal> chosen;
  for (std::size_t v = 0; v < mis.size(); ++v) {
    if (mis[v] != 0) chosen.push_back(static_cast<Ordinal>(v));
  }
  for (const Ordinal v : chosen) {
    const auto distance = distances(neighbours, {v});
    for (const Ordinal w : chosen) {
      EXPECT_TRUE(w == v || distance[w] < 0 || distance[w] > k) << v << " and " << w;
    }
  }
  const auto nearest = distances(neighbours, chosen);
  for (std::size_t v = 0; v < mis.size(); ++v) {
    EXPECT_TRUE(nearest[v] >= 0 && nearest[v] <= k) << v << " could be added";
  }
}

TESSERA_TYPED_TEST(MisTest, IsIndependentAndMaximal) {
  for (const auto& neighbours : sample_graphs()) {
    const auto graph = make_graph<Offset>(exec, neighbours);
    for (int k = 1; k <= 4; ++k) {
      const auto mis = to_host(kernels::maximal_independent_set(exec, graph, k));
      ASSERT_EQ(mis.size(), neighbours.size());
      expect_maximal_independent(neighbours, mis, k);
    }
  }
}

TESSERA_TYPED_TEST(MisTest, InactiveNodesCarryNoPath) {
  const auto neighbours = random_graph(400, 0.008, 6);
  Random random(7);
  std::vector<std::int8_t> active(neighbours.size());
  for (auto& a : active)
    a = random.uniform() < 0.6 ? 1 : 0;
  std::vector<Ordinal> number(neighbours.size(), -1);
  Ordinal count = 0;
  for (std::size_t v = 0; v < active.size(); ++v) {
    if (active[v] != 0) number[v] = count++;
  }
  const auto induced = renumbered(neighbours, number, count);
  for (int k = 1; k <= 3; ++k) {
    const auto mis = to_host(kernels::maximal_independent_set(
        exec, make_graph<Offset>(exec, neighbours), k, 3, to_device(exec, active)));
    std::vector<std::int8_t> restricted;
    for (std::size_t v = 0; v < active.size(); ++v) {
      if (active[v] != 0) restricted.push_back(mis[v]);
      EXPECT_TRUE(active[v] != 0 || mis[v] == 0);
    }
    expect_maximal_independent(induced, restricted, k);
  }
}

TESSERA_TYPED_TEST(MisTest, IsTheSameForEveryNumberOfThreads) {
  const Space whole;
  if (whole.concurrency() < 2) GTEST_SKIP() << "one thread has no parts";
  const Space part = Kokkos::Experimental::partition_space(whole, 1, 1)[0];
  const auto graph = make_graph<Offset>(whole, stencil_graph(60, 50, 1, is_full));
  for (const int k : {1, 2}) {
    const auto by_whole = to_host(kernels::maximal_independent_set(whole, graph, k));
    EXPECT_EQ(to_host(kernels::maximal_independent_set(part, graph, k)), by_whole);
    EXPECT_EQ(to_host(kernels::maximal_independent_set(whole, graph, k)), by_whole);
    EXPECT_NE(to_host(kernels::maximal_independent_set(whole, graph, k, 99)), by_whole);
  }
}

TESSERA_TYPED_TEST(MisTest, RefusesBadArguments) {
  const auto graph = make_graph<Offset>(exec, Neighbours(3));
  EXPECT_THROW(kernels::maximal_independent_set(exec, graph, 0), Error);
  EXPECT_THROW(kernels::maximal_independent_set(exec, graph, 9), Error);
  EXPECT_THROW(kernels::maximal_independent_set(exec, graph, 2, 0,
                                                to_device(exec, std::vector<std::int8_t>(2))),
               Error);
}

TESSERA_TEST_SUITE(SegmentsTest, Spaces, TypeNames);

TESSERA_TYPED_TEST(SegmentsTest, ListsMembersInOrder) {
  Random random(11);
  for (const Ordinal num_groups : {0, 1, 3, 200}) {
    for (const std::size_t n : {0, 1, 1000}) {
      std::vector<Ordinal> group_of(n);
      for (Ordinal& g : group_of)
        g = random.below(num_groups + 1) - 1;
      std::vector<std::vector<Ordinal>> expected(num_groups);
      for (std::size_t i = 0; i < n; ++i) {
        if (group_of[i] >= 0) expected[group_of[i]].push_back(static_cast<Ordinal>(i));
      }
      const auto segments = kernels::group_by<Space>(exec, to_device(exec, group_of), num_groups);
      const auto offsets = to_host(segments.offsets);
      const auto members = to_host(segments.members);
      ASSERT_EQ(offsets.size(), expected.size() + 1);
      for (Ordinal g = 0; g < num_groups; ++g) {
        EXPECT_EQ(
            std::vector<Ordinal>(members.begin() + offsets[g], members.begin() + offsets[g + 1]),
            expected[g]);
      }
      // Nothing else where the number of members is known before.
      const auto known = kernels::group_by<Space>(exec, to_device(exec, group_of), num_groups,
                                                  static_cast<Ordinal>(members.size()));
      EXPECT_EQ(to_host(known.offsets), offsets);
      EXPECT_EQ(to_host(known.members), members);
    }
  }
}

TEST(SortAscending, SortsShortAndLong) {
  for (const std::size_t n : {0, 1, 2, 48, 49, 50, 1000}) {
    Random random(n + 1);
    std::vector<Ordinal> values(n);
    for (Ordinal& value : values)
      value = random.below(300);
    auto expected = values;
    std::sort(expected.begin(), expected.end());
    kernels::sort_ascending(values.data(), n);
    EXPECT_EQ(values, expected);
  }
}

}  // namespace tessera::test::mis_test
