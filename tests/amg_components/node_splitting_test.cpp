// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Nodes of a system that are split together.
#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/coarsening/function_part.hpp"
#include "tessera/amg/coarsening/node_splitting.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tessera::test::node_splitting_test {

TESSERA_TEST_SUITE(NodeSplitting, Matrices, TypeNames);

TESSERA_TYPED_TEST(NodeSplitting, NormsAreThoseOfBlocks) {
  for (const int m : {2, 3}) {
    auto A = random_matrix<Scalar>(
        {.num_rows = 60, .num_cols = 60, .density = 0.1, .empty_row_fraction = 0.2});
    for (std::size_t e = 0; e < A.values.size(); e += 5)
      A.values[e] = 0;
    const Dense dense = to_dense(A);
    const int n = 60 / m;
    const auto block = [&](int I, int J) {
      long double sum = 0;
      for (int a = 0; a < m; ++a)
        for (int b = 0; b < m; ++b)
          sum += dense(I * m + a, J * m + b) * dense(I * m + a, J * m + b);
      return static_cast<double>(std::sqrt(sum));
    };
    const auto norms = to_host(amg::block_norms(exec, make_csr<Offset>(exec, A).view(), m));
    ASSERT_EQ(norms.num_rows, n);
    ASSERT_EQ(norms.num_cols, n);
    for (int I = 0; I < n; ++I) {
      auto e = norms.offsets[I];
      double beside = 0;
      for (int J = 0; J < n; ++J)
        if (J != I) beside += block(I, J);
      for (int J = 0; J < n; ++J) {
        const double norm = block(I, J);
        if (J != I && norm == 0) continue;
        ASSERT_LT(e, norms.offsets[I + 1]);
        ASSERT_EQ(norms.columns[e], J) << "node " << I;
        const double expected = J != I ? -norm : norm > 0 ? std::max(norm, beside) : 0;
        ASSERT_NEAR(norms.values[e], expected, 20 * std::numeric_limits<Scalar>::epsilon() * 60);
        ++e;
      }
      ASSERT_EQ(e, norms.offsets[I + 1]);
    }
  }
}

TESSERA_TYPED_TEST(NodeSplitting, UnknownsFollowTheirNode) {
  const amg::Splitting<Space> nodes{to_device(exec, std::vector<Ordinal>{-1, 0, 1, -1}), 2};
  const auto points = amg::unknowns_of_nodes(exec, nodes, 3);
  EXPECT_EQ(points.num_coarse, 6);
  EXPECT_EQ(to_host(points.coarse_number),
            (std::vector<Ordinal>{-1, -1, -1, 0, 1, 2, 3, 4, 5, -1, -1, -1}));
}

/// In the nodes that a node depends on, the couplings of one's own function.
TESSERA_TYPED_TEST(NodeSplitting, StrongCouplingsAreOfStrongNodes) {
  const int m = 2, n = 40;
  const auto A = random_spd_matrix<Scalar>(n, 0.3);
  const Dense dense = to_dense(A);
  const auto functions = amg::functions_of_nodes(exec, n, m);
  const auto device = make_csr<Offset>(exec, A);
  auto part = amg::function_pattern(exec, device.view(), functions);
  amg::fill_function_part(exec, device.view(), functions, part);
  const auto found = kernels::strong_dependences(
      exec, amg::block_norms(exec, device.view(), m).view(), {.theta = 0.6, .max_row_sum = 1});
  const auto node_offsets = to_host(found.strong.offsets);
  const auto node_columns = to_host(found.strong.columns);
  for (const bool by_sign : {true, false}) {
    const auto strong = amg::strong_in_nodes(exec, part.view(), found.strong, m, by_sign);
    const auto offsets = to_host(strong.offsets);
    const auto columns = to_host(strong.columns);
    std::size_t total = 0;
    for (int i = 0; i < n; ++i) {
      std::vector<Ordinal> expected;
      for (int j = 0; j < n; ++j) {
        const bool of_node = std::find(node_columns.begin() + node_offsets[i / m],
                                       node_columns.begin() + node_offsets[i / m + 1],
                                       j / m) != node_columns.begin() + node_offsets[i / m + 1];
        if (j % m == i % m && j != i && of_node && dense(i, j) != 0 &&
            (!by_sign || dense(i, j) * dense(i, i) < 0))
          expected.push_back(j);
      }
      std::vector<Ordinal> row(columns.begin() + offsets[i], columns.begin() + offsets[i + 1]);
      std::sort(row.begin(), row.end());
      ASSERT_EQ(row, expected) << i;
      total += row.size();
    }
    EXPECT_GT(total, 0U);
  }
}

/// Some nodes are penalised, some fixed: their own block outweighs the norms of the blocks beside
/// it, by as much as `max_row_sum` says.
TESSERA_TYPED_TEST(NodeSplitting, NodesOfDominantBlocksDependOnNothing) {
  const int m = 2, n = 40;
  const auto scale = [](std::int32_t node) { return node % 5 == 1 ? 1e4 : node % 5 == 3 ? 6 : 1; };
  const auto couplings = random_spd_matrix<Scalar>(n * m, 0.1);
  const auto A = by_rows<Scalar>(n * m, n * m, [&](auto& B, std::int32_t i) {
    for (auto e = couplings.offsets[i]; e < couplings.offsets[i + 1]; ++e) {
      const std::int32_t j = couplings.columns[e];
      const bool is_fixed = i / m % 10 == 4;
      const double factor = j / m == i / m ? scale(i / m) : is_fixed ? 0 : 1;
      B.push(j, static_cast<Scalar>(factor * couplings.values[e]));
    }
  });
  const Dense dense = to_dense(A);
  const auto norm = [&](int I, int J) {
    long double sum = 0;
    for (int a = 0; a < m; ++a)
      for (int b = 0; b < m; ++b)
        sum += dense(I * m + a, J * m + b) * dense(I * m + a, J * m + b);
    return std::sqrt(sum);
  };
  const auto norms = amg::block_norms(exec, make_csr<Offset>(exec, A).view(), m);
  int num_decided[3] = {};
  for (int at = 0; at < 3; ++at) {
    const double theta = 0.3, max_row_sum = std::array{0.5, 0.9, 1.0}[at];
    const auto found = kernels::strong_dependences(exec, norms.view(),
                                                   {.theta = theta, .max_row_sum = max_row_sum});
    const auto offsets = to_host(found.strong.offsets);
    const auto columns = to_host(found.strong.columns);
    for (int I = 0; I < n; ++I) {
      long double beside = 0, largest = 0;
      for (int J = 0; J < n; ++J) {
        if (J == I) continue;
        beside += norm(I, J);
        largest = std::max(largest, norm(I, J));
      }
      const long double own = norm(I, I);
      const bool is_decided = max_row_sum < 1 && own - beside > max_row_sum * own;
      num_decided[at] += is_decided && beside > 0 ? 1 : 0;
      std::vector<Ordinal> expected;
      for (int J = 0; J < n && !is_decided; ++J)
        if (J != I && norm(I, J) > theta * largest) expected.push_back(J);
      EXPECT_EQ(
          std::vector<Ordinal>(columns.begin() + offsets[I], columns.begin() + offsets[I + 1]),
          expected)
          << "node " << I << ", " << max_row_sum;
    }
    EXPECT_EQ(to_host(found.stays), std::vector<std::int8_t>(n, 0));
  }
  EXPECT_GT(num_decided[0], num_decided[1]);
  EXPECT_EQ(num_decided[1], 8) << "the penalised ones";
  EXPECT_EQ(num_decided[2], 0);
}

}  // namespace tessera::test::node_splitting_test
