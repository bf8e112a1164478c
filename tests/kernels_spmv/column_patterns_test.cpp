// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which rows share a pattern, and products by patterns beside those by columns.
#include "spmv_fixture.hpp"

#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/spmv/csr/csr_format.hpp"

#include <map>
#include <set>

namespace tessera::test::column_patterns_test {

using kernels::CsrSpmvAlgorithm;

/// All points within one step along each dimension, on a box of nx by ny by nz points, with
/// `periodic` boundaries or without. Columns of a row are in the order of the steps, not sorted
/// where the box is periodic; of one or two points per dimension they are duplicates.
template <class Scalar>
HostMatrix<Scalar> box_stencil(int nx, int ny, int nz, bool periodic, std::uint64_t seed = 1) {
  const auto neighbour = [&](int at, int n) {
    if (periodic) return (at + n) % n;
    return at >= 0 && at < n ? at : -1;
  };
  auto A = by_rows<Scalar>(nx * ny * nz, nx * ny * nz, [&](auto& A, int row) {
    const int x = row % nx, y = row / nx % ny, z = row / nx / ny;
    for (int step = 0; step < 27; ++step) {
      const int i = neighbour(x + step % 3 - 1, nx);
      const int j = neighbour(y + step / 3 % 3 - 1, ny);
      const int k = neighbour(z + step / 9 - 1, nz);
      if (i >= 0 && j >= 0 && k >= 0) A.push(i + nx * (j + ny * k), Scalar(0));
    }
  });
  A.values = random_vector<Scalar>(A.num_entries(), seed);
  return A;
}

/// Interpolation from every second point of a line, and to it: neither is square.
template <class Scalar>
HostMatrix<Scalar> interpolation(std::int32_t num_coarse) {
  return by_rows<Scalar>(2 * num_coarse, num_coarse, [&](auto& P, std::int32_t i) {
    P.push(i / 2, Scalar(0.5));
    if (i % 2 == 1 && i / 2 + 1 < num_coarse) P.push(i / 2 + 1, Scalar(0.25));
  });
}
template <class Scalar>
HostMatrix<Scalar> restriction(std::int32_t num_coarse) {
  return by_rows<Scalar>(num_coarse, 2 * num_coarse, [&](auto& R, std::int32_t i) {
    if (i > 0) R.push(2 * i - 1, Scalar(0.25));
    R.push(2 * i, Scalar(0.5));
    R.push(2 * i + 1, Scalar(0.5));
  });
}

/// A grid with rows that have nothing to do with it: one in `distance` is random, one empty, and
/// one is longer than any pattern.
template <class Scalar>
HostMatrix<Scalar> grid_with_others(std::int32_t n, int distance) {
  const auto grid = poisson<Scalar>(n, n);
  const auto random = random_matrix<Scalar>(
      {.num_rows = n * n, .num_cols = n * n, .density = 0.01, .unsorted = true, .seed = 4});
  return by_rows<Scalar>(n * n, n * n, [&](auto& A, std::int32_t i) {
    const auto& rows = i % distance == 1 ? random : grid;
    const bool is_empty = i % distance == 2;
    for (auto e = rows.offsets[i]; e < rows.offsets[i + 1] && !is_empty; ++e)
      A.push(rows.columns[e], rows.values[e]);
    for (std::int32_t j = 0; i == 3 && j < 200; ++j)
      A.push(2 * j, Scalar(0.125));
  });
}

template <class Scalar>
std::vector<HostMatrix<Scalar>> pattern_matrices() {
  std::vector<HostMatrix<Scalar>> list;
  for (const int n : {1, 2, 3, 7, 12}) {
    for (const bool periodic : {false, true}) {
      list.push_back(box_stencil<Scalar>(n, 1, 1, periodic));
      list.push_back(box_stencil<Scalar>(n, n, 1, periodic));
      list.push_back(box_stencil<Scalar>(n, n, n, periodic));
    }
    list.push_back(poisson<Scalar>(n, n));
    list.push_back(poisson<Scalar>(n, n, n));
  }
  list.push_back(poisson<Scalar>(61, 53, 5));
  for (const std::int32_t n : {1, 2, 33, 3000}) {
    list.push_back(interpolation<Scalar>(n));
    list.push_back(restriction<Scalar>(n));
  }
  list.push_back(grid_with_others<Scalar>(40, 17));
  list.push_back(grid_with_others<Scalar>(40, 3));
  list.push_back(random_matrix<Scalar>({.num_rows = 3000, .num_cols = 2000, .density = 0.004}));
  return list;
}

template <class Param>
class ColumnPatternsTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  using Plan = kernels::CsrSpmvPlan<Space>;
  template <class Matrix>
  Plan plan_of(const Matrix& A, int lanes = 0, int rows = 0) const {
    return kernels::analyse_spmv(exec, A.view(), CsrSpmvAlgorithm::column_patterns, lanes, rows);
  }
  std::vector<std::uint8_t> pattern_of(const Plan& plan) const {
    if (plan.patterns.memory.data() == nullptr) return {};
    return to_host(plan.patterns.pattern_of);
  }
};
TYPED_TEST_SUITE(ColumnPatternsTest, Matrices, TypeNames);

TYPED_TEST(ColumnPatternsTest, RowsShareAPatternWhereTheirColumnsDo) {
  TESSERA_TEST_TYPES(TypeParam);
  constexpr int none = kernels::ColumnPatterns<Space>::none;
  for (const auto& host : share_of(pattern_matrices<Scalar>())) {
    const auto A = make_csr<Offset>(this->exec, host);
    const auto patterns = this->pattern_of(this->plan_of(A));
    ASSERT_EQ(patterns.size(), static_cast<std::size_t>(host.num_rows));
    std::map<std::vector<std::int32_t>, std::set<int>> by_columns;
    std::map<int, std::vector<std::int32_t>> by_pattern;
    for (std::int32_t i = 0; i < host.num_rows; ++i) {
      const auto begin = host.columns.begin() + host.offsets[i];
      std::vector<std::int32_t> columns(begin, host.columns.begin() + host.offsets[i + 1]);
      const std::int32_t base = host.num_rows == host.num_cols ? i
                                : columns.empty()              ? 0
                                                               : columns.front();
      for (auto& column : columns)
        column -= base;
      if (patterns[i] == none) continue;
      by_columns[columns].insert(patterns[i]);
      const auto [at, is_new] = by_pattern.try_emplace(patterns[i], columns);
      EXPECT_EQ(at->second, columns) << "row " << i;
    }
    for (const auto& [columns, places] : by_columns)
      EXPECT_EQ(places.size(), 1u) << "a pattern of " << columns.size() << " columns";
  }
}

TYPED_TEST(ColumnPatternsTest, CountsThoseOfAStencil) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto count = [&](const HostMatrix<Scalar>& host) {
    const auto patterns = this->pattern_of(this->plan_of(make_csr<Offset>(this->exec, host)));
    return std::set<int>(patterns.begin(), patterns.end()).size();
  };
  EXPECT_EQ(count(poisson<Scalar>(20, 20)), 9u);
  EXPECT_EQ(count(poisson<Scalar>(9, 8, 7)), 27u);
  EXPECT_EQ(count(box_stencil<Scalar>(9, 8, 7, false)), 27u);
  EXPECT_EQ(count(box_stencil<Scalar>(9, 8, 7, true)), 27u);
  EXPECT_EQ(count(interpolation<Scalar>(100)), 2u);
  EXPECT_EQ(count(restriction<Scalar>(100)), 2u);
}

TESSERA_TYPED_TEST(ColumnPatternsTest, ProductsMatchTheReference) {
  for (const auto& host : share_of(pattern_matrices<Scalar>())) {
    const SpmvCase<TypeParam> t(host, 1);
    for (const auto& plan : spmv_plans(t.exec, t.A))
      expect_spmv(t, t.A.view(), plan, 2, -0.5);
  }
}

/// Where they come from makes no difference to a sum.
TYPED_TEST(ColumnPatternsTest, ProductsHaveTheBitsOfThoseByColumns) {
  TESSERA_TEST_TYPES(TypeParam);
  const bool has_staged = kernels::has_staged_csr_spmv<Space>();
  for (const auto& host : share_of(pattern_matrices<Scalar>())) {
    const SpmvCase<TypeParam> t(host, 1);
    const auto product = [&](const kernels::CsrSpmvPlan<Space>& plan) {
      const auto y = t.rows_by_k(all_nan<Scalar>(t.size()));
      kernels::spmv(t.exec, plan, Scalar(1), t.A.view(), t.x, Scalar(0), y);
      return to_host(y);
    };
    const auto by_columns = [&](int lanes) {
      return has_staged ? kernels::analyse_spmv(t.exec, t.A.view(), CsrSpmvAlgorithm::staged, lanes)
                        : kernels::analyse_spmv(t.exec, t.A.view(), CsrSpmvAlgorithm::classical);
    };
    for (const int lanes : {0, 1, 2, 4, 8}) {
      const auto plan = this->plan_of(t.A, lanes);
      EXPECT_EQ(product(plan), product(by_columns(has_staged ? plan.staged_lanes : lanes)))
          << lanes;
    }
    for (const int rows : {2, 4}) {
      const auto plan = this->plan_of(t.A, 1, rows);
      // Parts beyond what shared memory holds go by the classical kernel, which sums otherwise.
      constexpr std::size_t max_bytes = 22000;
      if (has_staged && plan.part_entries * sizeof(Scalar) > max_bytes) continue;
      EXPECT_EQ(product(plan), product(by_columns(1))) << rows;
    }
  }
}

TYPED_TEST(ColumnPatternsTest, APlanServesOtherValuesAndPrecisions) {
  TESSERA_TEST_TYPES(TypeParam);
  using Other = std::conditional_t<std::is_same_v<Scalar, double>, float, double>;
  for (const auto& host : {box_stencil<Scalar>(9, 8, 7, false), grid_with_others<Scalar>(30, 5)}) {
    const auto plan = this->plan_of(make_csr<Offset>(this->exec, host));
    auto changed = host;
    changed.values = random_vector<Scalar>(host.num_entries(), 77);
    const SpmvCase<TypeParam> t(changed, 1);
    expect_spmv(t, t.A.view(), plan, 1, 0);
    const SpmvCase<Types<Other, Space, Offset>> other(converted<Other>(changed), 1);
    expect_spmv(other, other.A.view(), plan, 1, 0);
  }
}

/// Half beside float has the staged kernel, double beside float and the like have not.
TYPED_TEST(ColumnPatternsTest, MixedPrecisionHasTheBitsOfThoseByColumns) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto host = converted<Scalar>(converted<Half>(box_stencil<Scalar>(9, 8, 7, false)));
  const SpmvCase<TypeParam> t(host, 1);
  const auto A = kernels::convert_values<Half>(t.exec, t.A);
  const auto product = [&](const kernels::CsrSpmvPlan<Space>& plan) {
    const auto y = t.rows_by_k(all_nan<Scalar>(t.size()));
    kernels::spmv<Scalar>(t.exec, plan, Scalar(1), A.view(), t.x, Scalar(0), y);
    EXPECT_TRUE(is_within(to_host(y), t.spmv_bound(1, 0)));
    return to_host(y);
  };
  const bool has_staged = kernels::has_staged_csr_spmv<Space>();
  const auto plan = this->plan_of(A);
  const auto plain =
      has_staged
          ? kernels::analyse_spmv(t.exec, A.view(), CsrSpmvAlgorithm::staged, plan.staged_lanes)
          : kernels::analyse_spmv(t.exec, A.view(), CsrSpmvAlgorithm::classical);
  EXPECT_EQ(product(plan), product(plain));
  EXPECT_EQ(product(this->plan_of(t.A, plain.staged_lanes)), product(plain));
}

TYPED_TEST(ColumnPatternsTest, ADeviceLooksForThemWhereThatPays) {
  TESSERA_TEST_TYPES(TypeParam);
  const bool has_staged = kernels::has_staged_csr_spmv<Space>();
  const auto& exec = this->exec;
  const auto chosen = [&](const HostMatrix<Scalar>& host) {
    return kernels::analyse_spmv(exec, make_csr<Offset>(exec, host).view()).algorithm;
  };
  const auto grid = poisson<Scalar>(110, 100);
  const auto irregular =
      random_matrix<Scalar>({.num_rows = 11000, .num_cols = 11000, .density = 0.0005});
  const auto with_patterns =
      has_staged ? CsrSpmvAlgorithm::column_patterns : CsrSpmvAlgorithm::classical;
  const auto without = has_staged ? CsrSpmvAlgorithm::staged : CsrSpmvAlgorithm::classical;
  EXPECT_EQ(chosen(grid), with_patterns);
  EXPECT_EQ(chosen(interpolation<Scalar>(6000)), without) << "rows of less than two entries";
  EXPECT_EQ(chosen(restriction<Scalar>(11000)), with_patterns);
  EXPECT_EQ(chosen(irregular), without);
  EXPECT_EQ(chosen(poisson<Scalar>(20, 20)), without) << "too small";
  EXPECT_EQ(chosen(grid_with_others<Scalar>(110, 60)), with_patterns);
  EXPECT_EQ(chosen(grid_with_others<Scalar>(110, 8)), without);
  {
    const kernels::ColumnPatternScope off(false);
    EXPECT_EQ(chosen(grid), without);
    const kernels::ColumnPatternScope on(true);
    EXPECT_EQ(chosen(grid), without) << "the outer scope decides";
  }
  EXPECT_EQ(chosen(grid), with_patterns);

  const auto A = make_csr<Offset>(exec, grid);
  const auto B = make_csr<Offset>(exec, irregular);
  const auto plans =
      kernels::analyse_spmv_together<Scalar, Space, Offset>(exec, {A.view(), B.view(), A.view()});
  EXPECT_EQ(plans[0].algorithm, with_patterns);
  EXPECT_EQ(plans[1].algorithm, without);
  EXPECT_EQ(plans[2].algorithm, with_patterns);
}

}  // namespace tessera::test::column_patterns_test
