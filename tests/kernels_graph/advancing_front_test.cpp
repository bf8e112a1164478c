// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "kernels_graph/graphs.hpp"
#include "support/error_of.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/graph/advancing_front.hpp"
#include "tessera/kernels/graph/hash.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::test::advancing_front_test {

TESSERA_TEST_SUITE(AdvancingFront, Matrices, TypeNames);

using Flags = std::vector<std::int8_t>;

/// Edges of one direction, not their reverse.
Neighbours directed_graph(Ordinal n, double density, std::uint64_t seed) {
  Random random(seed);
  Neighbours graph(n);
  for (Ordinal i = 0; i < n; ++i) {
    for (Ordinal j = 0; j < n; ++j) {
      if (j != i && random.uniform() < density) graph[i].push_back(j);
    }
  }
  return graph;
}

std::vector<Neighbours> sample_graphs() {
  return {{},
          Neighbours(1),
          Neighbours(9),
          random_graph(300, 0.02, 3),
          random_graph(250, 0.01, 5, 17),
          directed_graph(300, 0.004, 6),
          directed_graph(300, 0.02, 7),
          directed_graph(120, 0.3, 8),
          stencil_graph(40, 31, 1, is_star),
          stencil_graph(12, 11, 13, is_full)};
}

Neighbours reversed(const Neighbours& graph) {
  Neighbours result(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    for (const Ordinal j : graph[i])
      result[j].push_back(static_cast<Ordinal>(i));
  }
  return result;
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
  for (const auto& strong : sample_graphs()) {
    const auto graph = make_graph<Offset>(exec, strong);
    for (const std::uint32_t seed : {0U, 5U})
      EXPECT_EQ(to_host(kernels::advancing_front(exec, graph, {}, seed)),
                expected(strong, {}, seed));
  }
}

TESSERA_TYPED_TEST(AdvancingFront, SeparatesCoarsePointsAndReachesFineOnes) {
  for (const auto& strong : sample_graphs()) {
    const Flags found = to_host(kernels::advancing_front(exec, make_graph<Offset>(exec, strong)));
    ASSERT_EQ(found.size(), strong.size());
    const Neighbours dependents = reversed(strong);
    const auto depends = [&](Ordinal v, Ordinal w) {
      return std::count(strong[v].begin(), strong[v].end(), w) > 0;
    };
    for (Ordinal v = 0; v < static_cast<Ordinal>(found.size()); ++v) {
      bool reached = false;
      for (const Ordinal w : strong[v]) {
        EXPECT_FALSE(found[v] == 1 && found[w] == 1 && depends(w, v)) << v << " and " << w;
        reached = reached || found[w] == 1;
      }
      EXPECT_TRUE(found[v] == 1 || reached || strong[v].empty() || dependents[v].empty())
          << v << " depends on no coarse point";
    }
  }
}

TESSERA_TYPED_TEST(AdvancingFront, PointsThatStayAreCoarse) {
  const auto strong = directed_graph(300, 0.01, 9);
  Flags stays(strong.size());
  Random random(10);
  for (auto& flag : stays)
    flag = random.uniform() < 0.2 ? 1 : 0;
  const Flags found = to_host(
      kernels::advancing_front(exec, make_graph<Offset>(exec, strong), to_device(exec, stays)));
  EXPECT_EQ(found, expected(strong, stays, 0));
  for (std::size_t v = 0; v < stays.size(); ++v)
    EXPECT_TRUE(stays[v] == 0 || found[v] == 1) << v;
  expect_error(error_of([&] {
                 kernels::advancing_front(exec, make_graph<Offset>(exec, strong),
                                          to_device(exec, Flags(3)));
               }),
               ErrorKind::precondition, {"stays has length 3", "300"});
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
