// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mbsr_spmv_fixture.hpp"

#include "support/mistakes.hpp"

#include "tessera/kernels/spmv/products.hpp"

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
    EXPECT_TRUE(is_within(kept, t.residual_bound()));
    const auto first = to_host(r_coarse);
    EXPECT_TRUE(
        is_within(first, restriction_bound<Storage>(rounded_to<Storage>(R_host), kept, t.k)));
    const auto b = t.rows_by_k(t.y_host);
    kernels::restrict_residual<Working>(t.exec, plan, t.A.view(), R_plan, R.view(), b, t.x, b,
                                        r_coarse);
    EXPECT_EQ(to_host(b), kept) << "in place";
    EXPECT_EQ(to_host(r_coarse), first) << "the sums depend on more than the input";
  });
}

TYPED_TEST(MbsrRestrictResidual, MistakesAreRejected) {
  using Storage = typename TypeParam::Storage;
  using Working = typename TypeParam::Working;
  const auto R_host = rounded_to<Storage>(restriction(matrix_for_mistakes().num_rows));
  expect_mistakes_of_restriction_rejected<Storage>(
      [](const HostMatrix<double>& matrix) {
        return MbsrCase<TypeParam>(matrix, kernels::TileLayout::packed, 2);
      },
      R_host,
      [](const auto& t, const HostMatrix<double>& wanted, const auto& test) {
        const auto R = make_mbsr<Storage>(t.exec, wanted);
        const auto R_plan = kernels::analyse_spmv(t.exec, R.view());
        const auto r = t.rows_by_k(t.y_host);
        const auto r_coarse =
            allocate_multivector<Working>(t.exec, "tessera::test", R.num_rows, t.k);
        for (const auto& plan : t.plans()) {
          kernels::restrict_residual<Working>(t.exec, plan, t.A.view(), R_plan, R.view(), t.y, t.x,
                                              r, r_coarse);
          test(to_host(r), to_host(r_coarse));
        }
      });
}

TYPED_TEST(MbsrRestrictResidual, RestrictionMayHaveAnotherScalarAndFormat) {
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
  EXPECT_TRUE(is_within(to_host(r_coarse), restriction_bound<double>(R_host, to_host(r), 1)));

  const auto rows = make_csr(t.exec, R_host);
  Kokkos::deep_copy(t.exec, r_coarse, std::numeric_limits<Working>::quiet_NaN());
  kernels::restrict_residual<Working>(t.exec, kernels::analyse_spmv(t.exec, t.A.view()), t.A.view(),
                                      kernels::analyse_spmv(t.exec, rows.view()), rows.view(), t.y,
                                      t.x, r, r_coarse);
  EXPECT_TRUE(is_within(to_host(r_coarse), restriction_bound<double>(R_host, to_host(r), 1)));
}

}  // namespace
}  // namespace tessera::test
