// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What every splitting into coarse and fine points has to do. `split(graph, stays, seed)` runs it
/// on the device, and `expected(strong, stays, seed)` on the host.
#pragma once

#include "kernels_graph/graphs.hpp"
#include "support/error_of.hpp"

#include <algorithm>
#include <string>

namespace tessera::test {

using Flags = std::vector<std::int8_t>;

inline std::vector<Neighbours> dependence_graphs() {
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

template <class Offset, class Space, class Split, class Expected>
void expect_algorithm(const Space& exec, const Split& split, const Expected& expected) {
  for (const auto& strong : dependence_graphs()) {
    const auto graph = make_graph<Offset>(exec, strong);
    for (const std::uint32_t seed : {0U, 5U})
      EXPECT_EQ(to_host(split(graph, {}, seed)), expected(strong, {}, seed));
  }
}

/// No two coarse points depend on each other, and a fine one depends on a coarse one unless nothing
/// leads from it or to it.
template <class Offset, class Space, class Split>
void expect_separated_and_reached(const Space& exec, const Split& split) {
  for (const auto& strong : dependence_graphs()) {
    const Flags found = to_host(split(make_graph<Offset>(exec, strong), {}, 0));
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

template <class Offset, class Space, class Split, class Expected>
void expect_those_that_stay(const Space& exec, const Split& split, const Expected& expected) {
  const auto strong = directed_graph(300, 0.01, 9);
  Flags stays(strong.size());
  Random random(10);
  for (auto& flag : stays)
    flag = random.uniform() < 0.2 ? 1 : 0;
  const auto graph = make_graph<Offset>(exec, strong);
  const Flags found = to_host(split(graph, to_device(exec, stays), 0));
  EXPECT_EQ(found, expected(strong, stays, 0));
  for (std::size_t v = 0; v < stays.size(); ++v)
    EXPECT_TRUE(stays[v] == 0 || found[v] == 1) << v;
  expect_error(error_of([&] { split(graph, to_device(exec, Flags(3)), 0); }),
               ErrorKind::precondition, {"stays has length 3", "300"});
}

}  // namespace tessera::test
