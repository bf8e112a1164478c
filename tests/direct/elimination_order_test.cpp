// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What an order leaves of a pattern, beside an elimination column by column.
#include "tessera/direct/detail/elimination_order.hpp"

#include "direct/factors_fixture.hpp"
#include "support/random_matrix.hpp"
#include "tessera/direct/detail/minimum_degree.hpp"
#include "tessera/direct/sparse_direct.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <set>

namespace tessera::test::elimination_order_test {

using direct::detail::eliminate;
using direct::detail::EliminationOrder;

/// The rows of each column of the factor, its own among them.
std::vector<std::set<int>> factor_of(const direct::HostMatrix& A, const std::vector<int>& rank) {
  std::vector<std::set<int>> below(A.n);
  for (int i = 0; i < A.n; ++i) {
    below[rank[i]].insert(rank[i]);
    for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      const int j = rank[A.columns[e]];
      if (j >= rank[i]) below[rank[i]].insert(j);
    }
  }
  for (int k = 0; k < A.n; ++k) {
    const auto next = below[k].upper_bound(k);
    if (next != below[k].end()) below[*next].insert(next, below[k].end());
  }
  return below;
}

void expect_right(const direct::HostMatrix& A, const EliminationOrder& found) {
  ASSERT_EQ(std::set<int>(found.order.begin(), found.order.end()).size(), std::size_t(A.n));
  for (int k = 0; k < A.n; ++k)
    ASSERT_EQ(found.rank[found.order[k]], k);
  const auto factor = factor_of(A, found.rank);
  double entries = 0;
  double flops = 0;
  for (const auto& column : factor) {
    entries += static_cast<double>(column.size());
    flops += static_cast<double>(column.size()) * static_cast<double>(column.size());
  }
  EXPECT_EQ(found.entries, entries);
  EXPECT_EQ(found.flops, flops);
  int next = 0;
  for (std::size_t s = 0; s < found.elements.size(); ++s) {
    const auto& element = found.elements[s];
    ASSERT_EQ(element.first, next);
    next += element.width;
    for (int j = element.first; j < next; ++j)
      EXPECT_EQ(factor[j].size(), element.height - (j - element.first)) << "column " << j;
    const auto above = factor[next - 1].upper_bound(next - 1);
    if (above == factor[next - 1].end()) {
      EXPECT_EQ(element.parent, -1);
      continue;
    }
    ASSERT_GT(element.parent, static_cast<int>(s));
    const auto& parent = found.elements[element.parent];
    EXPECT_GE(*above, parent.first);
    EXPECT_LT(*above, parent.first + parent.width);
  }
  EXPECT_EQ(next, A.n);
}

/// Children before parents, and an element's subtree without a gap before it.
void expect_postorder(const EliminationOrder& found) {
  std::vector<int> first_descendant;
  for (std::size_t s = 0; s < found.elements.size(); ++s)
    first_descendant.push_back(static_cast<int>(s));
  std::vector<int> size(found.elements.size(), 1);
  for (std::size_t s = 0; s < found.elements.size(); ++s) {
    EXPECT_EQ(static_cast<int>(s) - first_descendant[s] + 1, size[s]) << "element " << s;
    const int parent = found.elements[s].parent;
    if (parent < 0) continue;
    first_descendant[parent] = std::min(first_descendant[parent], first_descendant[s]);
    size[parent] += size[s];
  }
}

std::vector<int> shuffled(int n, unsigned seed) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  return order;
}

TEST(EliminationOrderTest, CountsWhatColumnByColumnIsLeft) {
  std::vector<direct::HostMatrix> matrices;
  for (const auto& A : {poisson<double>(1), poisson<double>(2), poisson<double>(30),
                        poisson<double>(9, 7), poisson<double>(5, 4, 6)})
    matrices.push_back(for_direct(A));
  for (const double density : {0.0, 0.01, 0.05, 0.3, 1.0}) {
    for (const std::uint64_t seed : {1, 2, 3})
      matrices.push_back(for_direct(random_spd_matrix<double>(80, density, seed)));
  }
  for (const auto& A : matrices) {
    for (const unsigned seed : {1, 2, 3, 4}) {
      const auto found = eliminate(A.n, A.offsets, A.columns, shuffled(A.n, seed));
      expect_right(A, found);
      expect_postorder(found);
    }
  }
}

TEST(EliminationOrderTest, IsEmptyOfNoRows) {
  const auto found = eliminate(0, {0}, {}, {});
  EXPECT_TRUE(found.order.empty());
  EXPECT_TRUE(found.elements.empty());
  EXPECT_EQ(found.entries, 0);
}

TEST(EliminationOrderTest, CountsNoMoreThanMinimumDegreeDoesOfItsOwn) {
  if (!direct::available()) GTEST_SKIP() << "built without SuiteSparse";
  for (const auto& A : {for_direct(poisson<double>(40, 30)), for_direct(poisson<double>(9, 8, 7)),
                        for_direct(random_spd_matrix<double>(200, 0.02, 5))}) {
    const auto by_degree = direct::detail::minimum_degree(A.n, A.offsets, A.columns);
    const auto found = eliminate(A.n, A.offsets, A.columns, by_degree.order);
    EXPECT_LE(found.entries, by_degree.entries);
    EXPECT_GE(found.entries, 0.9 * by_degree.entries);
    EXPECT_LE(found.flops, by_degree.flops);
  }
}

}  // namespace tessera::test::elimination_order_test
