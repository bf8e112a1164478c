// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "kernels_graph/graphs.hpp"
#include "support/reference.hpp"
#include "support/share.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/graph/hubs.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace tessera::test {
namespace {

using kernels::StrengthMeasure;

/// The definition, for nodes of `m` unknowns, in long double.
template <class Scalar>
Neighbours strong_reference(const HostMatrix<Scalar>& A, double theta, Ordinal m,
                            StrengthMeasure measure) {
  const Ordinal n = A.num_rows / m;
  std::vector<std::map<Ordinal, long double>> squares(n);
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      const auto value = static_cast<long double>(A.values[e]);
      squares[i / m][A.columns[e] / m] += value * value;
    }
  }
  std::vector<long double> scale(n, 0);
  for (Ordinal i = 0; i < n; ++i) {
    for (const auto& [j, square] : squares[i]) {
      const bool counts = (j == i) == (measure == StrengthMeasure::diagonal);
      if (counts) scale[i] = std::max(scale[i], std::sqrt(square));
    }
  }
  Neighbours strong(n);
  for (Ordinal i = 0; i < n; ++i) {
    for (const auto& [j, square] : squares[i]) {
      const long double weak = theta * theta * scale[i] * scale[j];
      const bool is_strong = theta == 0 ? square > 0 : square > weak;
      if (j != i && is_strong) strong[i].push_back(j);
    }
  }
  return strong;
}

Neighbours sorted_rows(Neighbours rows) {
  for (auto& row : rows)
    std::sort(row.begin(), row.end());
  return rows;
}

template <class Param>
class StrengthTest : public ::testing::Test {};
TYPED_TEST_SUITE(StrengthTest, Matrices, TypeNames);

TYPED_TEST(StrengthTest, MatchesTheDefinition) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  for (const auto& A : share_of(edge_case_matrices<Scalar>())) {
    if (A.num_rows != A.num_cols) continue;
    for (const double theta : {0.0, 0.1, 0.7}) {
      for (const int m : {1, 2, 5}) {
        if (A.num_rows % m != 0) continue;
        const auto csr = make_csr<Offset>(exec, A);
        for (const auto measure : {StrengthMeasure::diagonal, StrengthMeasure::largest}) {
          const auto scale = kernels::coupling_scale(exec, csr.view(), measure, m);
          const auto graph = kernels::strength_of_connection(exec, csr.view(), theta, scale, m);
          EXPECT_EQ(sorted_rows(to_neighbours(graph)), strong_reference(A, theta, m, measure))
              << A.num_rows << " rows, theta " << theta << ", block size " << m;
        }
        EXPECT_EQ(
            sorted_rows(to_neighbours(kernels::strength_of_connection(exec, csr.view(), theta, m))),
            strong_reference(A, theta, m, StrengthMeasure::diagonal));
      }
    }
  }
}

TYPED_TEST(StrengthTest, KeepsRowsInOrderAndNodesSorted) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const auto A = random_matrix<Scalar>(
      {.num_rows = 300, .num_cols = 300, .density = 0.4, .unsorted = true, .seed = 9});
  const auto nodes =
      to_neighbours(kernels::strength_of_connection(exec, make_csr<Offset>(exec, A).view(), 0, 3));
  EXPECT_EQ(nodes, sorted_rows(nodes));
  EXPECT_GT(nodes[0].size(), 32u) << "more neighbours than one batch takes";
  const auto sorted_graph =
      kernels::strength_of_connection(exec, make_csr<Offset>(exec, sorted(A)).view(), 0.3);
  const auto rows = to_neighbours(sorted_graph);
  EXPECT_EQ(rows, sorted_rows(rows));
}

TYPED_TEST(StrengthTest, ExplicitZerosAreWeakAndZeroDiagonalsMakeRowsStrong) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  // Row 0 has no diagonal, row 2 stores a zero off-diagonal entry.
  const auto A = from_rows<Scalar>(3, {{{1, Scalar(1e-3)}},
                                       {{0, Scalar(1e-3)}, {1, Scalar(4)}, {2, Scalar(1)}},
                                       {{0, Scalar(0)}, {1, Scalar(1)}, {2, Scalar(4)}}});
  const auto csr = make_csr<Offset>(exec, A);
  const auto at = [&](double theta) {
    return to_neighbours(kernels::strength_of_connection(exec, csr.view(), theta));
  };
  EXPECT_EQ(at(0.0), (Neighbours{{1}, {0, 2}, {1}}));
  EXPECT_EQ(at(0.2), (Neighbours{{1}, {0, 2}, {1}}));
  EXPECT_EQ(at(0.25), (Neighbours{{1}, {0}, {}})) << "equality is not strong";
}

TYPED_TEST(StrengthTest, LargestKeepsEqualCouplingsWhateverTheDiagonal) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  // Couplings of 1 everywhere but for 0.2 between vertices 1 and 2, and a large diagonal.
  const auto A = from_rows<Scalar>(3, {{{0, Scalar(100)}, {1, Scalar(-1)}},
                                       {{0, Scalar(-1)}, {1, Scalar(100)}, {2, Scalar(-0.2)}},
                                       {{1, Scalar(-0.2)}, {2, Scalar(100)}}});
  const auto csr = make_csr<Offset>(exec, A);
  const auto scale = kernels::coupling_scale(exec, csr.view(), StrengthMeasure::largest);
  EXPECT_EQ(to_host(scale), (std::vector<double>{1, 1, static_cast<double>(Scalar(0.2))}));
  const auto at = [&](double theta) {
    return to_neighbours(kernels::strength_of_connection(exec, csr.view(), theta, scale));
  };
  EXPECT_EQ(at(0.4), (Neighbours{{1}, {0, 2}, {1}})) << "0.2 > 0.4 sqrt(1 * 0.2)";
  EXPECT_EQ(at(0.5), (Neighbours{{1}, {0}, {}}));
}

TYPED_TEST(StrengthTest, NothingIsStrongToAHub) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  // Vertex 2 is tied to all others, which form a ring.
  HostMatrix<Scalar> A;
  A.num_rows = A.num_cols = 8;
  for (Ordinal i = 0; i < 8; ++i) {
    for (Ordinal j = 0; j < 8; ++j) {
      const Ordinal apart = (i - j + 8) % 8;
      if (i == j) A.push(j, Scalar(10));
      if (i != j && (apart == 1 || apart == 7 || i == 2 || j == 2)) A.push(j, Scalar(-1));
    }
    A.end_row();
  }
  const auto csr = make_csr<Offset>(exec, A);
  for (const auto measure : {StrengthMeasure::largest, StrengthMeasure::diagonal}) {
    for (const int block_size : {1, 2}) {
      const auto scale = kernels::coupling_scale(exec, csr.view(), measure, block_size, 4);
      const auto neighbours =
          to_neighbours(kernels::strength_of_connection(exec, csr.view(), 0.05, scale, block_size));
      const Ordinal hub = 2 / block_size;
      for (Ordinal v = 0; v < 8 / block_size; ++v) {
        EXPECT_EQ(std::isinf(to_host(scale)[v]), v == hub) << v;
        EXPECT_EQ(neighbours[v].empty(), v == hub) << v;
        EXPECT_EQ(std::count(neighbours[v].begin(), neighbours[v].end(), hub), 0) << v;
      }
    }
  }
}

TYPED_TEST(StrengthTest, HubsGetAggregatesAfterTheOthers) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  // Rows of 1, 5, 1, 6, 7 and 2 entries.
  const auto offsets = to_device(exec, std::vector<Offset>{0, 1, 6, 7, 13, 20, 22});
  const kernels::HubTest<Space, Offset> is_hub{offsets, 1, 4};
  kernels::Aggregates<Space> aggregates{2,
                                        to_device(exec, std::vector<Ordinal>{0, -1, 1, 1, -1, -1})};
  EXPECT_EQ(kernels::add_hub_aggregates(exec, is_hub, aggregates), 2);
  EXPECT_EQ(aggregates.num_aggregates, 4);
  EXPECT_EQ(to_host(aggregates.aggregate_of), (std::vector<Ordinal>{0, 2, 1, 1, 3, -1}));
  EXPECT_EQ(kernels::longest_ordinary_row(100, 1000), 1024u);
  EXPECT_EQ(kernels::longest_ordinary_row(1000000, 5000000), 10000u);
  EXPECT_EQ(kernels::longest_ordinary_row(5000, 25000000), 40000u) << "a dense matrix has none";
}

TYPED_TEST(StrengthTest, RefusesBadArguments) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const auto square = make_csr<Offset>(exec, identity<Scalar>(4));
  const auto wide =
      make_csr<Offset>(exec, random_matrix<Scalar>({.num_rows = 4, .num_cols = 5, .density = 0.5}));
  EXPECT_THROW(kernels::strength_of_connection(exec, wide.view(), 0.1), Error);
  EXPECT_THROW(kernels::strength_of_connection(exec, square.view(), -0.1), Error);
  EXPECT_THROW(kernels::strength_of_connection(exec, square.view(), 0.1, 3), Error);
  const auto short_scale = allocate<double>(exec, "tessera::test", 3);
  EXPECT_THROW(kernels::strength_of_connection(exec, square.view(), 0.1, short_scale), Error);
}

TYPED_TEST(StrengthTest, SymmetrizeJoinsBothDirections) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  for (const auto& A : share_of(edge_case_matrices<Scalar>())) {
    if (A.num_rows != A.num_cols) continue;
    std::vector<std::set<Ordinal>> expected(A.num_rows);
    for (Ordinal i = 0; i < A.num_rows; ++i) {
      for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
        if (A.columns[e] == i) continue;
        expected[i].insert(A.columns[e]);
        expected[A.columns[e]].insert(i);
      }
    }
    const auto csr = make_csr<Offset>(exec, A);
    const auto graph = kernels::symmetrize(
        exec, kernels::Graph<Space, Offset>{A.num_rows, csr.offsets, csr.columns});
    const auto rows = to_neighbours(graph);
    ASSERT_EQ(rows.size(), expected.size());
    for (Ordinal i = 0; i < A.num_rows; ++i) {
      EXPECT_EQ(rows[i], std::vector<Ordinal>(expected[i].begin(), expected[i].end()));
    }
  }
}

}  // namespace
}  // namespace tessera::test
