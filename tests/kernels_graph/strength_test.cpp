// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "kernels_graph/graphs.hpp"
#include "support/reference.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <map>
#include <set>

namespace tessera::test {
namespace {

/// The definition, for nodes of `m` unknowns, in long double.
template <class Scalar>
Neighbours strong_reference(const HostMatrix<Scalar>& A, double theta, Ordinal m) {
  const Ordinal n = A.num_rows / m;
  std::vector<std::map<Ordinal, long double>> squares(n);
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      const auto value = static_cast<long double>(A.values[e]);
      squares[i / m][A.columns[e] / m] += value * value;
    }
  }
  Neighbours strong(n);
  for (Ordinal i = 0; i < n; ++i) {
    for (const auto& [j, square] : squares[i]) {
      const long double diagonal = std::sqrt(squares[i][i] * squares[j][j]);
      const bool is_strong = theta == 0 ? square > 0 : square > theta * theta * diagonal;
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
  for (const auto& A : edge_case_matrices<Scalar>()) {
    if (A.num_rows != A.num_cols) continue;
    for (const double theta : {0.0, 0.1, 0.7}) {
      for (const int m : {1, 2, 5}) {
        if (A.num_rows % m != 0) continue;
        const auto graph =
            kernels::strength_of_connection(exec, make_csr<Offset>(exec, A).view(), theta, m);
        EXPECT_EQ(sorted_rows(to_neighbours(graph)), strong_reference(A, theta, m))
            << A.num_rows << " rows, theta " << theta << ", block size " << m;
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

TYPED_TEST(StrengthTest, RefusesBadArguments) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const auto square = make_csr<Offset>(exec, identity<Scalar>(4));
  const auto wide =
      make_csr<Offset>(exec, random_matrix<Scalar>({.num_rows = 4, .num_cols = 5, .density = 0.5}));
  EXPECT_THROW(kernels::strength_of_connection(exec, wide.view(), 0.1), Error);
  EXPECT_THROW(kernels::strength_of_connection(exec, square.view(), -0.1), Error);
  EXPECT_THROW(kernels::strength_of_connection(exec, square.view(), 0.1, 3), Error);
}

TYPED_TEST(StrengthTest, SymmetrizeJoinsBothDirections) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  for (const auto& A : edge_case_matrices<Scalar>()) {
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
