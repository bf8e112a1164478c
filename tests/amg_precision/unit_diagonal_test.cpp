// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Factors that undo the scaling of a discretisation.
#include "fixture.hpp"
#include "support/host_values.hpp"

#include "tessera/amg/scaling/unit_diagonal.hpp"

namespace tessera::test::unit_diagonal_test {

template <class Param>
class UnitDiagonalTest : public PrecisionTest<Param> {};
TYPED_TEST_SUITE(UnitDiagonalTest, Spaces, TypeNames);

/// That |a_ii| of D A E is one, and that D S and T E vary little along couplings, S and T being
/// what A was scaled by.
void expect_undone(const HostMatrix<double>& A, const std::vector<double>& D,
                   const std::vector<double>& E, const std::vector<double>& s,
                   const std::vector<double>& t) {
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, const double& value) {
    if (i == j) {
      ASSERT_NEAR(std::abs(D[i] * value * E[i]), 1, 1e-12);
    }
    ASSERT_LE(std::abs(std::log2(D[i] * s[i] / (D[j] * s[j]))), 0.5);
    ASSERT_LE(std::abs(std::log2(E[i] * t[i] / (E[j] * t[j]))), 0.5);
  });
}

TYPED_TEST(UnitDiagonalTest, UndoesWhatRowsAndColumnsWereScaledBy) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto poisson = to_host(this->problem(ProblemKind::poisson2d, 60).A);
  const std::size_t n = poisson.num_rows;
  const std::vector<double> ones(n, 1.0);
  const auto s = spread(n, 8);
  const auto t = spread(n, 8, 12);
  for (const auto& [of_rows, of_columns] : {std::pair{s, s}, {s, ones}, {ones, t}, {s, t}}) {
    const auto A = scaled(poisson, of_rows, of_columns);
    const auto on_device = make_csr<Offset>(this->exec, A);
    const auto found = amg::find_scaling(this->exec, on_device.view(), of_rows == of_columns);
    const auto D = to_host(found.factors.rows);
    const auto E = to_host(found.factors.columns);
    expect_undone(A, D, E, of_rows, of_columns);
    EXPECT_GT(found.before, 0.2);
    EXPECT_LT(found.after, 0.05);
    EXPECT_EQ(found.factors.smallest_column, *std::min_element(E.begin(), E.end()));
    EXPECT_TRUE(amg::still_scales(this->exec, on_device.view(), found));
    const auto other = make_csr<Offset>(this->exec, scaled(A, t, ones));
    EXPECT_FALSE(amg::still_scales(this->exec, other.view(), found)) << "rows in other units";
    std::vector<double> inverse(n);
    for (std::size_t i = 0; i < n; ++i)
      inverse[i] = 1 / t[i];
    const auto similar = make_csr<Offset>(this->exec, scaled(A, inverse, t));
    EXPECT_FALSE(amg::still_scales(this->exec, similar.view(), found)) << "of the same diagonal";
  }
}

TYPED_TEST(UnitDiagonalTest, RowsWithoutADiagonalAndInfinitiesKeepTheirs) {
  TESSERA_TEST_TYPES(TypeParam);
  HostMatrix<double> A;
  A.num_rows = A.num_cols = 5;
  A.offsets = {0, 2, 2, 3, 5, 6};
  A.columns = {0, 2, 2, 0, 3, 4};
  A.values = {1e20, 0.0, std::numeric_limits<double>::infinity(), 1.0, 1e-20, 1e-310};
  const auto on_device = make_csr<Offset>(this->exec, A);
  for (const bool symmetric : {true, false}) {
    const auto found = amg::find_scaling(this->exec, on_device.view(), symmetric);
    const auto D = to_host(found.factors.rows);
    const auto E = to_host(found.factors.columns);
    for (std::size_t i = 0; i < D.size(); ++i) {
      EXPECT_TRUE(std::isnormal(D[i]) && std::isnormal(E[i])) << i;
    }
    EXPECT_NEAR(D[1] * E[1], 1, 1e-12);
    EXPECT_NEAR(D[0] * E[0] * 1e20, 1, 1e-12);
  }
}

}  // namespace tessera::test::unit_diagonal_test
