// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "kernels_graph/splittings.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/graph/advancing_front.hpp"
#include "tessera/kernels/graph/hash.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::test::advancing_front_test {

TESSERA_TEST_SUITE(AdvancingFront, Matrices, TypeNames);

template <class Space>
auto splitting_on(const Space& exec) {
  return [exec](const auto& graph, const Array<const std::int8_t, Space>& stays,
                std::uint32_t seed) { return kernels::advancing_front(exec, graph, stays, seed); };
}

/// The algorithm, round by round.
Flags expected(const Neighbours& strong, const Flags& stays, std::uint32_t seed) {
  const Neighbours dependents = reversed(strong);
  const auto n = static_cast<Ordinal>(strong.size());
  enum { fine, coarse, undecided };
  Flags state(n, undecided);
  std::vector<int> measure(n);
  std::vector<bool> touched(n);
  for (Ordinal v = 0; v < n; ++v) {
    measure[v] = static_cast<int>(dependents[v].size());
    if (strong[v].empty() || dependents[v].empty()) state[v] = fine;
    if (!stays.empty() && stays[v] != 0) state[v] = coarse;
  }
  const auto depends_on_coarse = [&](Ordinal v) {
    return std::any_of(strong[v].begin(), strong[v].end(),
                       [&](Ordinal w) { return state[w] == coarse; });
  };
  double share = 1.0 / 256;
  while (share < 1 && std::floor(n * share) < 4)
    share *= 2;
  for (int round = 1; std::count(state.begin(), state.end(), undecided) > 0; ++round) {
    if (round > 1 && round % 4 == 1) share = std::min(1.0, 2 * share);
    const Flags before = state;
    const auto weight = [&](Ordinal v) {
      return std::pair(std::max(measure[v], 0),
                       kernels::hash32(static_cast<std::uint32_t>(v), seed));
    };
    std::vector<bool> free(n), candidate(n);
    for (Ordinal v = 0; v < n; ++v) {
      const double place = kernels::hash32(static_cast<std::uint32_t>(v), seed + 1) / 0x1p32;
      free[v] = before[v] == undecided && !depends_on_coarse(v);
      candidate[v] = free[v] && (touched[v] || place < share);
    }
    std::vector<Ordinal> decided;
    for (Ordinal v = 0; v < n; ++v) {
      bool leads = candidate[v];
      for (const auto* list : {&strong[v], &dependents[v]}) {
        for (const Ordinal w : *list) {
          if (!candidate[v] || !free[w]) continue;
          if (candidate[w]) {
            leads = leads && weight(v) > weight(w);
          } else if (weight(w).first > weight(v).first) {
            leads = false;
            touched[w] = true;
          }
        }
      }
      if (leads) decided.push_back(v);
    }
    for (const Ordinal v : decided)
      state[v] = coarse;
    for (Ordinal v = 0; v < n; ++v) {
      if (state[v] != undecided || !depends_on_coarse(v)) continue;
      decided.push_back(v);
    }
    for (const Ordinal v : decided) {
      if (state[v] == undecided) state[v] = fine;
      for (const Ordinal w : strong[v]) {
        measure[w] += state[v] == fine ? 1 : -1;
        if (state[v] == fine) touched[w] = true;
      }
    }
  }
  return state;
}

TESSERA_TYPED_TEST(AdvancingFront, IsTheAlgorithms) {
  expect_algorithm<Offset>(exec, splitting_on(exec), expected);
}

TESSERA_TYPED_TEST(AdvancingFront, SeparatesCoarsePointsAndReachesFineOnes) {
  expect_separated_and_reached<Offset>(exec, splitting_on(exec));
}

TESSERA_TYPED_TEST(AdvancingFront, PointsThatStayAreCoarse) {
  expect_those_that_stay<Offset>(exec, splitting_on(exec), expected);
}

/// On a 5-point grid it has nearly the half of the points that red-black colouring has, where PMIS
/// has a third; on a 9-point one more than a fifth.
TESSERA_TYPED_TEST(AdvancingFront, IsRegularOnGrids) {
  const auto coarse_share = [&](const Neighbours& strong) {
    const Flags found = to_host(kernels::advancing_front(exec, make_graph<Offset>(exec, strong)));
    return static_cast<double>(std::count(found.begin(), found.end(), 1)) /
           static_cast<double>(found.size());
  };
  EXPECT_GT(coarse_share(stencil_graph(90, 80, 1, is_star)), 0.44);
  EXPECT_GT(coarse_share(stencil_graph(90, 80, 1, is_full)), 0.2);
  EXPECT_GT(coarse_share(stencil_graph(3000, 1, 1, is_star)), 0.44);
}

}  // namespace tessera::test::advancing_front_test
