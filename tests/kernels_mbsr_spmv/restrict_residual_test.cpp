// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mbsr_spmv_fixture.hpp"

#include "tessera/kernels/spmv/mbsr/restrict_residual.hpp"

namespace tessera::test {
namespace {

template <class Param>
class MbsrRestrictResidual : public ::testing::Test {};
TYPED_TEST_SUITE(MbsrRestrictResidual, MixedTypes, StoredNames);

/// To a third of the rows, from five each, so that neighbours overlap; every seventh row is empty.
inline HostMatrix<double> restriction(std::int32_t num_rows) {
  Random random(31);
  HostMatrix<double> R;
  R.num_rows = num_rows / 3;
  R.num_cols = num_rows;
  for (std::int32_t row = 0; row < R.num_rows; ++row) {
    for (std::int32_t column = 3 * row - 1; column < 3 * row + 4; ++column) {
      if (row % 7 != 6 && column >= 0 && column < num_rows) R.push(column, random.uniform(-1, 1));
    }
    R.end_row();
  }
  return R;
}

/// `r_coarse` is R times the very numbers in `r`, up to what sums lose.
template <class Working, class Sum>
void expect_restricted(const HostMatrix<double>& R, const std::vector<Working>& r,
                       const std::vector<Working>& r_coarse, int k) {
  for (std::size_t i = 0; i < r_coarse.size(); ++i) {
    const std::size_t row = i % R.num_rows;
    const std::size_t first = i / R.num_rows * R.num_cols;
    long double sum = 0;
    long double magnitude = 0;
    for (auto e = R.offsets[row]; e < R.offsets[row + 1]; ++e) {
      const long double term = static_cast<long double>(R.values[e]) * r[first + R.columns[e]];
      sum += term;
      magnitude += std::abs(term);
    }
    const auto terms = static_cast<double>(R.offsets[row + 1] - R.offsets[row]);
    const double error = 1.1 * ((terms + 2) * unit_roundoff<Sum> + 2 * unit_roundoff<Working>);
    ASSERT_NEAR(static_cast<double>(r_coarse[i]), static_cast<double>(sum),
                error * static_cast<double>(magnitude))
        << "restricted residual, place " << i << " of " << k << " columns";
  }
}

TYPED_TEST(MbsrRestrictResidual, IsTheResidualAndItsRestriction) {
  using Storage = typename TypeParam::Storage;
  using Working = typename TypeParam::Working;
  for_each_mbsr_case<TypeParam>({1, 2}, false, [](const auto& t, const auto& plan) {
    const auto R_host = restriction(t.host.num_rows);
    const auto R = make_mbsr<Storage>(t.exec, R_host, t.A.layout);
    const auto R_plan = kernels::analyse_spmv(t.exec, R.view());
    const std::vector<Working> unset =
        all_nan<Working>(static_cast<std::size_t>(R_host.num_rows) * t.k);
    const auto r_coarse = to_multivector(t.exec, unset, R_host.num_rows, t.k);
    const auto r = t.rows_by_k(all_nan<Working>(t.size()));
    kernels::restrict_residual<Working>(t.exec, plan, t.A.view(), R_plan, R.view(), t.y, t.x, r,
                                        r_coarse);
    const auto kept = to_host(r);
    expect_within(
        kept, [&](std::size_t i) { return t.y_host[i] - t.product[i]; },
        [&](std::size_t i) { return t.update_error(i, 1, std::abs(double(t.y_host[i]))); },
        "residual");
    const auto first = to_host(r_coarse);
    expect_restricted<Working, Arithmetic<Storage, Working>>(rounded_to<Storage>(R_host), kept,
                                                             first, t.k);
    const auto b = t.rows_by_k(t.y_host);
    kernels::restrict_residual<Working>(t.exec, plan, t.A.view(), R_plan, R.view(), b, t.x, b,
                                        r_coarse);
    EXPECT_EQ(to_host(b), kept) << "in place";
    EXPECT_EQ(to_host(r_coarse), first) << "the sums depend on more than the input";
  });
}

TYPED_TEST(MbsrRestrictResidual, RestrictionMayBeStoredInAnotherScalar) {
  using Working = typename TypeParam::Working;
  const auto matrix = poisson<double>(13, 9);
  const MbsrCase<TypeParam> t(matrix, kernels::TileLayout::packed, 1);
  const auto R_host = restriction(matrix.num_rows);
  const auto R = make_mbsr<double>(t.exec, R_host, kernels::TileLayout::dense);
  const auto r_coarse = to_multivector(t.exec, all_nan<Working>(R_host.num_rows), R_host.num_rows);
  const auto r = t.rows_by_k(all_nan<Working>(t.size()));
  kernels::restrict_residual<Working>(t.exec, kernels::analyse_spmv(t.exec, t.A.view()), t.A.view(),
                                      kernels::analyse_spmv(t.exec, R.view()), R.view(), t.y, t.x,
                                      r, r_coarse);
  expect_restricted<Working, Arithmetic<double, Working>>(R_host, to_host(r), to_host(r_coarse), 1);
}

}  // namespace
}  // namespace tessera::test
