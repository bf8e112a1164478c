// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Strong couplings of nodes, rows that are hubs, and graphs made symmetric.
#include "kernels_graph/strength_reference.hpp"
#include "support/share.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/graph/hubs.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <set>

namespace tessera::test::strength_test {

std::size_t num_edges(const Neighbours& graph) {
  std::size_t sum = 0;
  for (const auto& row : graph)
    sum += row.size();
  return sum;
}

Neighbours sorted_rows(Neighbours rows) {
  for (auto& row : rows)
    std::sort(row.begin(), row.end());
  return rows;
}

template <class... Arguments>
Neighbours strong(const Arguments&... arguments) {
  return to_neighbours(kernels::strength_of_connection(arguments...));
}

TESSERA_TEST_SUITE(StrengthTest, Matrices, TypeNames);

/// Compares the graphs of both measures, and of the one that is not asked for.
template <class Param>
void expect_as_defined(const HostMatrix<typename Param::Scalar>& A, double theta, int m) {
  using Offset = typename Param::Offset;
  const typename Param::Space exec;
  const auto csr = make_csr<Offset>(exec, A);
  for (const auto measure : {StrengthMeasure::diagonal, StrengthMeasure::largest}) {
    const auto scale = kernels::coupling_scale(exec, csr.view(), measure, m);
    EXPECT_EQ(sorted_rows(strong(exec, csr.view(), theta, scale, m)),
              strong_reference(A, theta, m, measure))
        << A.num_rows << " rows, theta " << theta << ", block size " << m;
  }
  EXPECT_EQ(sorted_rows(strong(exec, csr.view(), theta, m)),
            strong_reference(A, theta, m, StrengthMeasure::diagonal));
}

TESSERA_TYPED_TEST(StrengthTest, MatchesTheDefinition) {
  for (const auto& A : share_of(edge_case_matrices<Scalar>())) {
    if (A.num_rows != A.num_cols) continue;
    for (const double theta : {0.0, 0.1, 0.7}) {
      for (const int m : {1, 2, 5}) {
        if (A.num_rows % m == 0) expect_as_defined<TypeParam>(A, theta, m);
      }
    }
  }
}

TESSERA_TYPED_TEST(StrengthTest, MatchesTheDefinitionForBothSigns) {
  for (const double density : {0.02, 0.1}) {
    const auto A = mixed_matrix<Scalar>(300, density, 8);
    const std::size_t all = num_edges(strong_reference(A, 0, 1, StrengthMeasure::largest));
    for (const double theta : {0.0, 0.1, 0.7}) {
      expect_as_defined<TypeParam>(A, theta, 1);
      for (const auto measure : {StrengthMeasure::diagonal, StrengthMeasure::largest}) {
        const std::size_t strong = num_edges(strong_reference(A, theta, 1, measure));
        EXPECT_GE(strong, theta == 0 ? all : all / 20) << theta;
        EXPECT_LE(strong, theta == 0 ? all : all * 3 / 4) << theta;
      }
    }
  }
}

TESSERA_TYPED_TEST(StrengthTest, KeepsRowsInOrderAndNodesSorted) {
  const auto A = random_matrix<Scalar>(
      {.num_rows = 300, .num_cols = 300, .density = 0.4, .unsorted = true, .seed = 9});
  const auto nodes = strong(exec, make_csr<Offset>(exec, A).view(), 0, 3);
  EXPECT_EQ(nodes, sorted_rows(nodes));
  EXPECT_GT(nodes[0].size(), 32u) << "more neighbours than one batch takes";
  const auto rows = strong(exec, make_csr<Offset>(exec, sorted(A)).view(), 0.3);
  EXPECT_EQ(rows, sorted_rows(rows));
}

TESSERA_TYPED_TEST(StrengthTest, ExplicitZerosAreWeakAndAZeroDiagonalLeavesTheOtherToDecide) {
  // Rows 0 and 3 have no diagonal, row 2 stores a zero off-diagonal entry.
  const auto A = from_rows<Scalar>(4, {{{1, Scalar(-1e-3)}, {3, Scalar(-1)}},
                                       {{0, Scalar(-1e-3)}, {1, Scalar(4)}, {2, Scalar(-1)}},
                                       {{0, Scalar(0)}, {1, Scalar(-1)}, {2, Scalar(4)}},
                                       {{0, Scalar(-1)}, {2, Scalar(1)}}});
  const auto csr = make_csr<Offset>(exec, A);
  const auto at = [&](double theta) { return strong(exec, csr.view(), theta); };
  EXPECT_EQ(at(0.0), (Neighbours{{1, 3}, {0, 2}, {1}, {0, 2}}));
  EXPECT_EQ(at(0.2), (Neighbours{{1}, {0, 2}, {1}, {}}));
  EXPECT_EQ(at(0.25), (Neighbours{{1}, {0}, {}, {}})) << "equality is not strong";
}

TESSERA_TYPED_TEST(StrengthTest, CouplingsOfTheSignOfBothDiagonalsAreWeak) {
  // A ring. Of each sign one coupling joins equal diagonals, and one different ones.
  const auto A = from_rows<Scalar>(4, {{{0, Scalar(2)}, {1, Scalar(1)}, {3, Scalar(-1)}},
                                       {{0, Scalar(1)}, {1, Scalar(2)}, {2, Scalar(1)}},
                                       {{1, Scalar(1)}, {2, Scalar(-2)}, {3, Scalar(-1)}},
                                       {{0, Scalar(-1)}, {2, Scalar(-1)}, {3, Scalar(-2)}}});
  const auto csr = make_csr<Offset>(exec, A);
  const auto scale_by = [&](StrengthMeasure measure) {
    return kernels::coupling_scale(exec, csr.view(), measure);
  };
  EXPECT_EQ(to_host(scale_by(StrengthMeasure::diagonal)), (std::vector<double>{2, 2, -2, -2}));
  EXPECT_EQ(to_host(scale_by(StrengthMeasure::largest)), (std::vector<double>{1, 0, -1, 0}));
  for (const auto measure : {StrengthMeasure::diagonal, StrengthMeasure::largest}) {
    const auto scale = scale_by(measure);
    const auto at = [&](double theta) { return strong(exec, csr.view(), theta, scale); };
    EXPECT_EQ(at(0), (Neighbours{{1, 3}, {0, 2}, {1, 3}, {0, 2}}));
    EXPECT_EQ(at(0.25), (Neighbours{{3}, {2}, {1}, {0}}));
  }
}

TESSERA_TYPED_TEST(StrengthTest, NothingIsStrongToARowThatItsDiagonalDominates) {
  const Scalar above = std::nextafter(Scalar(10), Scalar(11));
  for (const Scalar sign : {Scalar(1), Scalar(-1)}) {
    for (const Scalar diagonal : {Scalar(9.5), Scalar(10), above}) {
      // Couplings of 1/2 between three nodes, the last of another diagonal.
      const Scalar a = Scalar(-0.5) * sign;
      const auto A = from_rows<Scalar>(3, {{{0, 5 * sign}, {1, a}, {2, a}},
                                           {{0, a}, {1, 10 * sign}, {2, a}},
                                           {{0, a}, {1, a}, {2, diagonal * sign}}});
      const auto csr = make_csr<Offset>(exec, A);
      const bool dominated = diagonal > 10;
      for (const auto measure : {StrengthMeasure::diagonal, StrengthMeasure::largest}) {
        const auto scale = kernels::coupling_scale(exec, csr.view(), measure);
        const auto host = to_host(scale);
        EXPECT_FALSE(std::isinf(host[1]));
        EXPECT_EQ(std::isinf(host[2]), dominated);
        EXPECT_EQ(std::signbit(host[2]), sign < 0);
        const auto at = [&](double theta) { return strong(exec, csr.view(), theta, scale); };
        const Neighbours all{{1, 2}, {0, 2}, {0, 1}};
        EXPECT_EQ(at(0.01), dominated ? (Neighbours{{1}, {0}, {}}) : all) << diagonal;
        EXPECT_EQ(at(0), all) << diagonal;
      }
    }
  }
}

TESSERA_TYPED_TEST(StrengthTest, LargestKeepsEqualCouplingsWhateverTheDiagonal) {
  // Couplings of -1 but for -0.2 between nodes 1 and 2, a larger one of the other sign, and a
  // diagonal that hides all of them.
  const auto A = from_rows<Scalar>(3, {{{0, Scalar(9)}, {1, Scalar(-1)}, {2, Scalar(3)}},
                                       {{0, Scalar(-1)}, {1, Scalar(11)}, {2, Scalar(-0.2)}},
                                       {{0, Scalar(3)}, {1, Scalar(-0.2)}, {2, Scalar(30)}}});
  const auto csr = make_csr<Offset>(exec, A);
  const auto scale = kernels::coupling_scale(exec, csr.view(), StrengthMeasure::largest);
  EXPECT_EQ(to_host(scale), (std::vector<double>{1, 1, static_cast<double>(Scalar(0.2))}));
  const auto at = [&](double theta) { return strong(exec, csr.view(), theta, scale); };
  EXPECT_EQ(at(0.4), (Neighbours{{1}, {0, 2}, {1}})) << "0.2 > 0.4 sqrt(1 * 0.2)";
  EXPECT_EQ(at(0.5), (Neighbours{{1}, {0}, {}}));
  EXPECT_EQ(at(1.0), (Neighbours{{}, {}, {}})) << "equality is not strong";
  EXPECT_EQ(strong(exec, csr.view(), 0.4), (Neighbours{{}, {}, {}}));
}

TESSERA_TYPED_TEST(StrengthTest, NothingIsStrongToAHub) {
  // Node 2 is tied to all others, which form a ring.
  const auto A = by_rows<Scalar>(8, 8, [&](auto& A, Ordinal i) {
    for (Ordinal j = 0; j < 8; ++j) {
      const Ordinal apart = (i - j + 8) % 8;
      if (i == j) A.push(j, Scalar(10));
      if (i != j && (apart == 1 || apart == 7 || i == 2 || j == 2)) A.push(j, Scalar(-1));
    }
  });
  const auto csr = make_csr<Offset>(exec, A);
  for (const auto measure : {StrengthMeasure::largest, StrengthMeasure::diagonal}) {
    for (const int block_size : {1, 2}) {
      const auto scale = kernels::coupling_scale(exec, csr.view(), measure, block_size, 4);
      const auto neighbours = strong(exec, csr.view(), 0.05, scale, block_size);
      const Ordinal hub = 2 / block_size;
      for (Ordinal v = 0; v < 8 / block_size; ++v) {
        EXPECT_EQ(std::isinf(to_host(scale)[v]), v == hub) << v;
        EXPECT_EQ(neighbours[v].empty(), v == hub) << v;
        EXPECT_EQ(std::count(neighbours[v].begin(), neighbours[v].end(), hub), 0) << v;
      }
    }
  }
}

TESSERA_TYPED_TEST(StrengthTest, HubsGetAggregatesAfterTheOthers) {
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

TESSERA_TYPED_TEST(StrengthTest, RefusesBadArguments) {
  const auto square = make_csr<Offset>(exec, identity<Scalar>(4));
  const auto wide =
      make_csr<Offset>(exec, random_matrix<Scalar>({.num_rows = 4, .num_cols = 5, .density = 0.5}));
  EXPECT_THROW(kernels::strength_of_connection(exec, wide.view(), 0.1), Error);
  EXPECT_THROW(kernels::strength_of_connection(exec, square.view(), -0.1), Error);
  EXPECT_THROW(kernels::strength_of_connection(exec, square.view(), 0.1, 3), Error);
  const auto short_scale = allocate<double>(exec, "tessera::test", 3);
  EXPECT_THROW(kernels::strength_of_connection(exec, square.view(), 0.1, short_scale), Error);
}

TESSERA_TYPED_TEST(StrengthTest, SymmetrizeJoinsBothDirections) {
  for (const auto& A : share_of(edge_case_matrices<Scalar>())) {
    if (A.num_rows != A.num_cols) continue;
    std::vector<std::set<Ordinal>> expected(A.num_rows);
    for_each_entry(A, [&](Ordinal i, Ordinal j, auto) {
      if (i == j) return;
      expected[i].insert(j);
      expected[j].insert(i);
    });
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

}  // namespace tessera::test::strength_test
