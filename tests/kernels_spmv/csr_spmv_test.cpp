// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "spmv_fixture.hpp"

#include "tessera/kernels/execution/error.hpp"

namespace tessera::test::csr_spmv_test {

using kernels::CsrSpmvAlgorithm;

TESSERA_TEST_SUITE(CsrSpmv, Matrices, TypeNames);

TESSERA_TYPED_TEST(CsrSpmv, MatchesReference) {
  for (const auto& matrix : share_of(spmv_matrices<Scalar>())) {
    const SpmvCase<TypeParam> t(matrix, 1);
    for (const auto& plan : spmv_plans(t.exec, t.A))
      expect_spmv(t, t.A.view(), plan, 2, -0.5);
  }
}

TESSERA_TYPED_TEST(CsrSpmv, TakesAnyNumberOfColumns) {
  Share share;
  for (int k = 1; k <= 17; k = k < 9 ? k + 1 : k + 8) {
    if (!share.takes()) continue;
    for (const auto& matrix : {spmv_matrices<Scalar>()[9], poisson<Scalar>(9, 8, 7)}) {
      const SpmvCase<TypeParam> t(matrix, k);
      for (const auto& plan : spmv_plans(t.exec, t.A))
        expect_spmv(t, t.A.view(), plan, 1, 1);
    }
  }
}

TESSERA_TYPED_TEST(CsrSpmv, BetaZeroOverwritesNan) {
  for (const int k : {1, 3}) {
    const SpmvCase<TypeParam> t(spmv_matrices<Scalar>()[9], k);
    for (const auto& plan : spmv_plans(t.exec, t.A))
      expect_spmv(t, t.A.view(), plan, 1, 0);
  }
}

TESSERA_TYPED_TEST(CsrSpmv, AlphaZeroDoesNotReadX) {
  const SpmvCase<TypeParam> t(poisson<Scalar>(6, 5), 2);
  expect_x_unread(t, t.A.view(), kernels::analyse_spmv(t.exec, t.A.view()));
}

TESSERA_TYPED_TEST(CsrSpmv, TakesColumnsOfALargerArray) {
  const SpmvCase<TypeParam> t(poisson<Scalar>(6, 5), 4);
  const std::size_t n = t.host.num_rows;
  const auto larger = allocate_multivector<Scalar>(t.exec, "tessera::test", n + 3, 4);
  Kokkos::deep_copy(t.exec, larger, Scalar(5));
  const auto y = Kokkos::subview(larger, std::make_pair(std::size_t(0), n), Kokkos::ALL);
  for (const auto& plan : spmv_plans(t.exec, t.A)) {
    kernels::spmv(t.exec, plan, Scalar(1), t.A.view(), t.x, Scalar(0), y);
    EXPECT_TRUE(is_within(to_host(larger), [&](std::size_t place) {
      const std::size_t i = place % (n + 3);
      return i < n ? t.spmv_bound(1, 0)(i + place / (n + 3) * n) : Bound{5};
    }));
  }
}

TESSERA_TYPED_TEST(CsrSpmv, SameBitsEveryTime) {
  for (const auto& matrix : {spmv_matrices<Scalar>()[13], spmv_matrices<Scalar>()[14]}) {
    const SpmvCase<TypeParam> t(matrix, 2);
    for (const auto& plan : spmv_plans(t.exec, t.A))
      expect_same_bits_each_time(t, t.A.view(), plan);
  }
}

TESSERA_TYPED_TEST(CsrSpmv, ArraysThatBeginAnywhere) {
  const SpmvCase<TypeParam> t(poisson<Scalar>(19, 17, 11), 1);
  const std::size_t entries = t.A.num_entries();
  for (const std::size_t shift : {1, 3}) {
    const auto range = std::make_pair(shift, shift + entries);
    const auto columns = allocate<Ordinal>(t.exec, "tessera::test", entries + shift);
    const auto values = allocate<Scalar>(t.exec, "tessera::test", entries + shift);
    kernels::CsrView<Scalar, Space, Offset> A = t.A.view();
    Kokkos::deep_copy(t.exec, Kokkos::subview(columns, range), A.columns);
    Kokkos::deep_copy(t.exec, Kokkos::subview(values, range), A.values);
    A.columns = Kokkos::subview(columns, range);
    A.values = Kokkos::subview(values, range);
    for (const auto& plan : spmv_plans(t.exec, t.A))
      expect_spmv(t, A, plan, 1, 0);
  }
}

TESSERA_TYPED_TEST(CsrSpmv, StagingIsAskedForWhereItIs) {
  const auto A = make_csr<Offset>(exec, poisson<Scalar>(5, 5));
  const auto ask = [&] { return kernels::analyse_spmv(exec, A.view(), CsrSpmvAlgorithm::staged); };
  if (kernels::has_staged_csr_spmv<Space>()) {
    EXPECT_EQ(ask().algorithm, CsrSpmvAlgorithm::staged);
  } else {
    EXPECT_THROW(ask(), Error);
  }
}

TESSERA_TYPED_TEST(CsrSpmv, LanesThatNoKernelHasAreErrors) {
  const auto A = make_csr<Offset>(exec, poisson<Scalar>(5, 5));
  EXPECT_THROW(kernels::analyse_spmv(exec, A.view(), CsrSpmvAlgorithm::classical, 2), Error);
  const auto expect_refused = [&](CsrSpmvAlgorithm algorithm, int lanes, int rows) {
    EXPECT_THROW(kernels::analyse_spmv(exec, A.view(), algorithm, lanes, rows), Error)
        << lanes << " lanes, " << rows << " rows";
  };
  for (const auto algorithm : {CsrSpmvAlgorithm::staged, CsrSpmvAlgorithm::column_patterns}) {
    for (const int lanes : {-1, 3, 16})
      expect_refused(algorithm, lanes, 0);
    for (const int rows : {-1, 3, 8})
      expect_refused(algorithm, 1, rows);
    expect_refused(algorithm, 2, 2);
    expect_refused(algorithm, 0, 1);
  }
  expect_refused(CsrSpmvAlgorithm::staged, 1, 4);
}

TESSERA_TYPED_TEST(CsrSpmv, ChoosesByRowLengths) {
  const auto even = make_csr<Offset>(exec, poisson<Scalar>(20, 20));
  EXPECT_EQ(kernels::analyse_spmv(exec, even.view()).algorithm,
            kernels::has_staged_csr_spmv<Space>() ? CsrSpmvAlgorithm::staged
                                                  : CsrSpmvAlgorithm::classical);
  const auto uneven = make_csr<Offset>(exec, spmv_matrices<Scalar>()[14]);
  EXPECT_EQ(kernels::analyse_spmv(exec, uneven.view()).algorithm, CsrSpmvAlgorithm::load_balanced);
}

TESSERA_TYPED_TEST(CsrSpmv, WrongShapesAreErrors) {
  const SpmvCase<TypeParam> t(random_matrix<Scalar>({.num_rows = 4, .num_cols = 7}), 1);
  const auto plan = kernels::analyse_spmv(t.exec, t.A.view());
  EXPECT_THROW(kernels::spmv(t.exec, plan, Scalar(1), t.A.view(), t.y, Scalar(0), t.y), Error);
  EXPECT_THROW(kernels::spmv(t.exec, plan, Scalar(1), t.A.view(), t.x, Scalar(0), t.x), Error);
  const auto result = allocate<Scalar>(t.exec, "tessera::test", 1);
  EXPECT_THROW(kernels::spmv_dot(t.exec, plan, t.A.view(), t.x, t.y, result), Error);
}

TESSERA_TYPED_TEST(CsrSpmv, PlanOfAnotherMatrixIsAnError) {
  const SpmvCase<TypeParam> t(poisson<Scalar>(30, 30), 1);
  const auto other = make_csr<Offset>(t.exec, poisson<Scalar>(90, 90));
  const auto plan = kernels::analyse_spmv(t.exec, other.view(), CsrSpmvAlgorithm::load_balanced);
  EXPECT_THROW(kernels::spmv(t.exec, plan, Scalar(1), t.A.view(), t.x, Scalar(0), t.y), Error);
}

}  // namespace tessera::test::csr_spmv_test
