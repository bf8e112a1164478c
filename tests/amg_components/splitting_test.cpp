// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The second splitting of aggressive coarsening.
#include "kernels_graph/graphs.hpp"
#include "support/host_values.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/coarsening/splitting.hpp"
#include "tessera/kernels/graph/pmis.hpp"

#include <map>

namespace tessera::test::splitting_test {

TESSERA_TEST_SUITE(SecondSplitting, Matrices, TypeNames);

/// Which coarse points lead to which by one or two edges, by their numbers.
Neighbours paths(const Neighbours& strong, const std::vector<Ordinal>& number, Ordinal num_coarse,
                 int min_paths) {
  Neighbours result(num_coarse);
  for (std::size_t i = 0; i < strong.size(); ++i) {
    if (number[i] < 0) continue;
    std::map<Ordinal, int> found;
    for (const Ordinal k : strong[i]) {
      if (number[k] >= 0) ++found[number[k]];
      for (const Ordinal j : strong[k]) {
        if (number[j] >= 0) ++found[number[j]];
      }
    }
    for (const auto& [c, count] : found) {
      if (c != number[i] && count >= min_paths) result[number[i]].push_back(c);
    }
  }
  return result;
}

TESSERA_TYPED_TEST(SecondSplitting, IsThatOfThePaths) {
  for (const auto& strong : {Neighbours{}, Neighbours(5), random_graph(300, 0.02, 3),
                             directed_graph(300, 0.01, 4, 9), directed_graph(200, 0.05, 5, 9),
                             stencil_graph(30, 21, 1, is_star), stencil_graph(9, 8, 7, is_full)}) {
    std::vector<std::int8_t> stays(strong.size());
    for (std::size_t i = 0; i < stays.size(); ++i)
      stays[i] = i % 41 == 5 ? 1 : 0;
    const kernels::Dependences<Space, Offset> found{make_graph<Offset>(exec, strong),
                                                    to_device(exec, stays)};
    const auto first = amg::split_points(exec, found, amg::PointSplitting::pmis);
    const auto number = to_host(first.coarse_number);
    EXPECT_EQ(std::count_if(number.begin(), number.end(), [](Ordinal c) { return c >= 0; }),
              first.num_coarse);
    for (const int min_paths : {1, 2}) {
      const auto second =
          amg::split_coarse_points(exec, found, first, amg::PointSplitting::pmis, min_paths);
      const auto again = paths(strong, number, first.num_coarse, min_paths);
      std::vector<std::int8_t> stays_again(first.num_coarse);
      for (std::size_t i = 0; i < number.size(); ++i) {
        if (number[i] < 0) continue;
        stays_again[number[i]] = stays[i] != 0 || again[number[i]].empty() ? 1 : 0;
      }
      const auto is_coarse = to_host(
          kernels::pmis(exec, make_graph<Offset>(exec, again), to_device(exec, stays_again)));
      std::vector<Ordinal> expected(number.size(), -1);
      Ordinal count = 0;
      for (std::size_t i = 0; i < number.size(); ++i) {
        if (number[i] >= 0 && is_coarse[number[i]] != 0) expected[i] = count++;
      }
      EXPECT_EQ(to_host(second.coarse_number), expected) << min_paths;
      EXPECT_EQ(second.num_coarse, count);
    }
  }
}

/// 5-point: a third of the points first, then a ninth or so of those.
TESSERA_TYPED_TEST(SecondSplitting, LeavesFewOnAGrid) {
  const auto strong = stencil_graph(60, 60, 1, is_star);
  const kernels::Dependences<Space, Offset> found{
      make_graph<Offset>(exec, strong), to_device(exec, std::vector<std::int8_t>(strong.size()))};
  const auto first = amg::split_points(exec, found, amg::PointSplitting::pmis);
  const auto by_one = amg::split_coarse_points(exec, found, first, amg::PointSplitting::pmis, 1);
  const auto by_two = amg::split_coarse_points(exec, found, first, amg::PointSplitting::pmis, 2);
  EXPECT_GT(by_two.num_coarse, by_one.num_coarse);
  EXPECT_LT(by_two.num_coarse, first.num_coarse * 2 / 3);
  EXPECT_LT(by_one.num_coarse, first.num_coarse * 2 / 5);
}

}  // namespace tessera::test::splitting_test
