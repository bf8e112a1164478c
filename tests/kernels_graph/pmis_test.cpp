// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "kernels_graph/splittings.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/graph/hash.hpp"
#include "tessera/kernels/graph/pmis.hpp"

#include <algorithm>

namespace tessera::test::pmis_test {

TESSERA_TEST_SUITE(PmisTest, Matrices, TypeNames);

template <class Space>
auto splitting_on(const Space& exec) {
  return [exec](const auto& graph, const Array<const std::int8_t, Space>& stays,
                std::uint32_t seed) { return kernels::pmis(exec, graph, stays, seed); };
}

/// The algorithm, round by round.
Flags expected(const Neighbours& strong, const Flags& stays, std::uint32_t seed) {
  const Neighbours dependents = reversed(strong);
  const auto n = static_cast<Ordinal>(strong.size());
  enum { fine, coarse, undecided };
  Flags state(n, undecided);
  for (Ordinal v = 0; v < n; ++v) {
    if (strong[v].empty() || dependents[v].empty()) state[v] = fine;
    if (!stays.empty() && stays[v] != 0) state[v] = coarse;
  }
  const auto weight = [&](Ordinal v) {
    return std::pair(dependents[v].size(), kernels::hash32(static_cast<std::uint32_t>(v), seed));
  };
  while (std::count(state.begin(), state.end(), undecided) > 0) {
    const Flags before = state;
    for (Ordinal v = 0; v < n; ++v) {
      if (before[v] != undecided) continue;
      bool leads = true;
      for (const auto* list : {&strong[v], &dependents[v]}) {
        for (const Ordinal w : *list)
          leads = leads && (before[w] != undecided || weight(v) > weight(w));
      }
      if (leads) state[v] = coarse;
    }
    for (Ordinal v = 0; v < n; ++v) {
      if (state[v] != undecided) continue;
      for (const Ordinal w : strong[v]) {
        if (state[w] == coarse) state[v] = fine;
      }
    }
  }
  return state;
}

TESSERA_TYPED_TEST(PmisTest, IsTheAlgorithms) {
  expect_algorithm<Offset>(exec, splitting_on(exec), expected);
}

TESSERA_TYPED_TEST(PmisTest, SeparatesCoarsePointsAndReachesFineOnes) {
  expect_separated_and_reached<Offset>(exec, splitting_on(exec));
}

TESSERA_TYPED_TEST(PmisTest, PointsThatStayAreCoarse) {
  expect_those_that_stay<Offset>(exec, splitting_on(exec), expected);
}

/// A chain whose points weigh the more the further on, by as many others that depend on each: one
/// becomes coarse in each round.
TESSERA_TYPED_TEST(PmisTest, TakesAsManyRoundsAsAChainNeeds) {
  constexpr Ordinal length = 82;
  Neighbours strong(length);
  for (Ordinal v = 0; v < length; ++v) {
    if (v > 0) strong[v].push_back(v - 1);
    if (v + 1 < length) strong[v].push_back(v + 1);
    strong.insert(strong.end(), 2 * v, {v});
  }
  const Flags found = to_host(kernels::pmis(exec, make_graph<Offset>(exec, strong)));
  EXPECT_EQ(found, expected(strong, {}, 0));
  EXPECT_EQ(std::count(found.begin(), found.end(), 1), length / 2);
}

TESSERA_TYPED_TEST(PmisTest, IsTheSameByAnyNumberOfLanes) {
  for (const auto& strong : dependence_graphs()) {
    const auto graph = make_graph<Offset>(exec, strong);
    const Flags by_one_thread = to_host(kernels::pmis(exec, graph, {}, 3, 0));
    for (const int lanes : {1, 2, 4, 8, 16, 32})
      EXPECT_EQ(to_host(kernels::pmis(exec, graph, {}, 3, lanes)), by_one_thread) << lanes;
  }
}

}  // namespace tessera::test::pmis_test
