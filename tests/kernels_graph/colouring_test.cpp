// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "kernels_graph/graphs.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/graph/colouring.hpp"
#include "tessera/kernels/graph/hash.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace tessera::test::colouring_test {

TESSERA_TEST_SUITE(ColouringTest, Matrices, TypeNames);

std::vector<Neighbours> sample_graphs() {
  return {{},
          Neighbours(1),
          Neighbours(7),
          random_graph(2, 1.0, 1),
          random_graph(300, 0.005, 2),
          random_graph(300, 0.02, 3),
          random_graph(150, 1.0, 4),  // complete: as many colours as nodes
          random_graph(250, 0.01, 5, 17),
          stencil_graph(23, 17, 1, is_star),
          stencil_graph(9, 8, 7, is_full)};
}

/// Node after node by falling weights, each with the least colour that is free.
std::vector<Ordinal> expected(const Neighbours& neighbours, std::uint32_t seed) {
  const auto n = static_cast<Ordinal>(neighbours.size());
  std::vector<Ordinal> order(n), colour_of(n, -1);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Ordinal v, Ordinal w) {
    return kernels::hash32(static_cast<std::uint32_t>(v), seed) >
           kernels::hash32(static_cast<std::uint32_t>(w), seed);
  });
  for (const Ordinal v : order) {
    std::set<Ordinal> taken;
    for (const Ordinal w : neighbours[v])
      taken.insert(colour_of[w]);
    Ordinal colour = 0;
    while (taken.contains(colour))
      ++colour;
    colour_of[v] = colour;
  }
  return colour_of;
}

TESSERA_TYPED_TEST(ColouringTest, IsThatOfASequentialPassByWeights) {
  for (const auto& neighbours : sample_graphs()) {
    for (const std::uint32_t seed : {0u, 7u}) {
      const auto found = kernels::colour(exec, make_graph<Offset>(exec, neighbours), seed);
      const auto colour_of = to_host(found.colour_of);
      ASSERT_EQ(colour_of, expected(neighbours, seed));
      Ordinal last = -1;
      for (std::size_t v = 0; v < neighbours.size(); ++v) {
        last = std::max(last, colour_of[v]);
        ASSERT_LE(colour_of[v], static_cast<Ordinal>(neighbours[v].size()));
        for (const Ordinal w : neighbours[v])
          ASSERT_NE(colour_of[v], colour_of[w]) << v << " and " << w;
      }
      EXPECT_EQ(found.num_colours, last + 1);
    }
  }
}

TESSERA_TYPED_TEST(ColouringTest, NodesAreListedByColour) {
  for (const auto& neighbours : sample_graphs()) {
    const auto found = kernels::colour(exec, make_graph<Offset>(exec, neighbours));
    const auto colour_of = to_host(found.colour_of);
    const auto listed = kernels::nodes_by_colour(exec, found);
    const auto nodes = to_host(listed.nodes);
    ASSERT_EQ(listed.starts.size(), static_cast<std::size_t>(found.num_colours) + 1);
    ASSERT_EQ(listed.starts.back(), static_cast<Ordinal>(neighbours.size()));
    std::vector<Ordinal> order(neighbours.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](Ordinal v, Ordinal w) { return colour_of[v] < colour_of[w]; });
    EXPECT_EQ(nodes, order);
    for (Ordinal c = 0; c < found.num_colours; ++c) {
      for (Ordinal p = listed.starts[c]; p < listed.starts[c + 1]; ++p)
        ASSERT_EQ(colour_of[nodes[p]], c);
    }
  }
}

/// Several chunks of nodes in the counting sort, and few colours.
TESSERA_TYPED_TEST(ColouringTest, OfAGridTakesFewColours) {
  const auto found =
      kernels::colour(exec, make_graph<Offset>(exec, stencil_graph(70, 50, 1, is_star)));
  EXPECT_LE(found.num_colours, 5);
  const auto nodes = to_host(kernels::nodes_by_colour(exec, found).nodes);
  EXPECT_EQ(std::set<Ordinal>(nodes.begin(), nodes.end()).size(), 3500U);
}

}  // namespace tessera::test::colouring_test
