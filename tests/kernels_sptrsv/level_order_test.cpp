// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Triangles in the order of their levels.
#include "tessera/kernels/sptrsv/level_order.hpp"
#include "kernels_sptrsv/sptrsv_fixture.hpp"

namespace tessera::test::level_order_test {

TESSERA_TEST_SUITE(LevelOrderTest, Matrices, TypeNames);

/// Solves position by position, and checks that no row needs one of its own level.
template <class Scalar, class Space>
std::vector<long double> solved(const kernels::LevelOrder<Scalar, Space>& order,
                                const std::vector<Scalar>& b) {
  const auto rows = to_host(order.rows);
  const auto levels = to_host(order.level_offsets);
  const auto offsets = to_host(order.offsets);
  const auto columns = to_host(order.columns);
  const auto values = to_host(order.values);
  const auto inverse = to_host(order.inverse_diagonal);
  if (order.num_rows == 0) return {};
  EXPECT_EQ(levels.size(), static_cast<std::size_t>(order.num_levels) + 1);
  EXPECT_EQ(levels.back(), order.num_rows);
  EXPECT_EQ(offsets.back(), static_cast<Ordinal>(columns.size()));
  std::vector<long double> x(b.size());
  std::vector<int> level_of(b.size(), order.num_levels);
  for (Ordinal level = 0; level < order.num_levels; ++level) {
    for (Ordinal p = levels[level]; p < levels[level + 1]; ++p) {
      long double rest = b[rows[p]];
      for (Ordinal e = offsets[p]; e < offsets[p + 1]; ++e) {
        EXPECT_LT(level_of[columns[e]], level);
        rest -= static_cast<long double>(values[e]) * x[columns[e]];
      }
      x[rows[p]] = inverse.empty() ? rest : rest * inverse[p];
      level_of[rows[p]] = level;
    }
  }
  return x;
}

TESSERA_TYPED_TEST(LevelOrderTest, HasTheTriangle) {
  for (const std::int32_t n : {0, 1, 2, 33, 500}) {
    const auto A = tamed(random_matrix<Scalar>({.num_rows = n,
                                                .num_cols = n,
                                                .density = std::min(0.9, 8.0 / (n + 1)),
                                                .empty_row_fraction = 0.2}));
    const auto b = random_vector<Scalar>(n, 3);
    for (const TriangleKind kind : {TriangleKind::lower, TriangleKind::upper}) {
      for (const bool unit : {true, false}) {
        TriangleCase<TypeParam> one(A, kind, unit);
        const auto T = one.triangle();
        const auto order = kernels::order_by_levels(one.exec, T, kernels::find_levels(one.exec, T));
        const auto expect_solved = [&](const std::vector<long double>& expected) {
          const auto found = solved(order, b);
          for (std::int32_t i = 0; i < n; ++i)
            ASSERT_NEAR(static_cast<double>(found[i]), static_cast<double>(expected[i]), 1e-13);
        };
        expect_solved(one.expected(b));
        // Other values in the same pattern.
        auto other = A;
        for (auto& value : other.values)
          value /= -2;
        TriangleCase<TypeParam> changed(other, kind, unit, one.exec);
        kernels::refill(one.exec, changed.triangle(), order);
        expect_solved(changed.expected(b));
      }
    }
  }
}

TESSERA_TYPED_TEST(LevelOrderTest, RefusesLevelsOfAPart) {
  TriangleCase<TypeParam> one(poisson<Scalar>(5, 5), TriangleKind::lower, true);
  const auto T = one.triangle();
  EXPECT_THROW(kernels::order_by_levels(one.exec, T, kernels::find_levels(one.exec, T, 0, 10)),
               Error);
}

}  // namespace tessera::test::level_order_test
