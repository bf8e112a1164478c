// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "spmv_fixture.hpp"

#include "support/mistakes.hpp"

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/spmv/products.hpp"

namespace tessera::test {
namespace {

template <class Param>
class CsrRestrictResidual : public ::testing::Test {};
TYPED_TEST_SUITE(CsrRestrictResidual, Matrices, TypeNames);

/// Restrictions of the rows of a matrix: to about a third, to none, and to more than there are.
template <class Scalar>
std::vector<HostMatrix<Scalar>> restrictions(std::int32_t num_rows) {
  std::vector<HostMatrix<Scalar>> list;
  for (const std::int32_t coarse : {num_rows / 3, 0, num_rows + 7}) {
    list.push_back(random_matrix<Scalar>({.num_rows = coarse,
                                          .num_cols = num_rows,
                                          .density = num_rows > 1000 ? 0.001 : 0.1,
                                          .empty_row_fraction = 0.1,
                                          .seed = 31}));
  }
  return list;
}

TYPED_TEST(CsrRestrictResidual, IsTheResidualAndItsRestriction) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const auto& matrix : share_of(spmv_matrices<Scalar>())) {
    for (const int k : {1, 2, 5}) {
      const SpmvCase<TypeParam> t(matrix, k);
      for (const auto& R_host : restrictions<Scalar>(matrix.num_rows)) {
        const auto R = make_csr<Offset>(t.exec, R_host);
        const auto coarse = all_nan<Scalar>(static_cast<std::size_t>(R_host.num_rows) * k);
        const auto r_coarse = to_multivector(t.exec, coarse, R_host.num_rows, k);
        const auto R_plans = spmv_plans(t.exec, R);
        for (const auto& plan : spmv_plans(t.exec, t.A)) {
          for (const auto& R_plan : R_plans) {
            const auto r = t.rows_by_k(all_nan<Scalar>(t.size()));
            kernels::restrict_residual<Scalar>(t.exec, plan, t.A.view(), R_plan, R.view(), t.y, t.x,
                                               r, r_coarse);
            EXPECT_TRUE(is_within(to_host(r), t.residual_bound()));
            const auto first = to_host(r_coarse);
            EXPECT_TRUE(is_within(
                first, restriction_bound<Scalar>(converted<double>(R_host), to_host(r), k)));
            const auto b = t.rows_by_k(t.y_host);
            kernels::restrict_residual<Scalar>(t.exec, plan, t.A.view(), R_plan, R.view(), b, t.x,
                                               b, r_coarse);
            EXPECT_EQ(to_host(b), to_host(r)) << "in place";
            EXPECT_EQ(to_host(r_coarse), first) << "the sums depend on more than the input";
          }
        }
      }
    }
  }
}

TYPED_TEST(CsrRestrictResidual, MistakesAreRejected) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto R_host = restrictions<Scalar>(matrix_for_mistakes().num_rows).front();
  expect_mistakes_of_restriction_rejected<Scalar>(
      [](const HostMatrix<double>& matrix) {
        return SpmvCase<TypeParam>(converted<Scalar>(matrix), 2);
      },
      converted<double>(R_host),
      [](const auto& t, const HostMatrix<double>& R_double, const auto& test) {
        const auto R = make_csr<Offset>(t.exec, converted<Scalar>(R_double));
        const auto R_plan = kernels::analyse_spmv(t.exec, R.view());
        const auto r = t.rows_by_k(t.y_host);
        const auto r_coarse =
            allocate_multivector<Scalar>(t.exec, "tessera::test", R.num_rows, t.k);
        for (const auto& plan : spmv_plans(t.exec, t.A)) {
          kernels::restrict_residual<Scalar>(t.exec, plan, t.A.view(), R_plan, R.view(), t.y, t.x,
                                             r, r_coarse);
          test(to_host(r), to_host(r_coarse));
        }
      });
}

TYPED_TEST(CsrRestrictResidual, ShapesMustFit) {
  TESSERA_TEST_TYPES(TypeParam);
  const SpmvCase<TypeParam> t(poisson<Scalar>(12), 2);
  const auto plan = kernels::analyse_spmv(t.exec, t.A.view());
  const auto r = t.rows_by_k(t.y_host);
  const auto call = [&](Ordinal coarse, Ordinal fine, int columns) {
    const auto R = make_csr<Offset>(
        t.exec, random_matrix<Scalar>({.num_rows = 5, .num_cols = fine, .seed = 2}));
    const auto r_coarse = allocate_multivector<Scalar>(t.exec, "r_coarse", coarse, columns);
    kernels::restrict_residual<Scalar>(t.exec, plan, t.A.view(),
                                       kernels::analyse_spmv(t.exec, R.view()), R.view(), t.y, t.x,
                                       r, r_coarse);
  };
  EXPECT_NO_THROW(call(5, 12, 2));
  EXPECT_THROW(call(4, 12, 2), Error) << "rows of R";
  EXPECT_THROW(call(5, 11, 2), Error) << "columns of R";
  EXPECT_THROW(call(5, 12, 1), Error) << "columns of r_coarse";
}

}  // namespace
}  // namespace tessera::test
