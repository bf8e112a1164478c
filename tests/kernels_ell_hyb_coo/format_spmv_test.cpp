// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "formats_fixture.hpp"

#include "tessera/kernels/execution/error.hpp"

namespace tessera::test::format_spmv_test {

TESSERA_TEST_SUITE(FormatSpmv, MixedTypes, StoredNames);

/// y = alpha A x + beta y of the case by every format.
template <class Case>
void expect_products(const Case& t, double alpha, double beta) {
  for_each_format(t, [&](const char* name, const auto& A, const auto& plan) {
    expect_spmv(t, A, plan, alpha, beta, name);
  });
}

TYPED_TEST(FormatSpmv, MatchesReference) {
  for (const auto& matrix : share_of(format_matrices()))
    expect_products(FormatCase<TypeParam>(matrix, 1), 2, -0.5);
}

TYPED_TEST(FormatSpmv, AppliesTheScale) {
  for (const double scale : {0x1p-9, 8.0})
    expect_products(FormatCase<TypeParam>(format_matrices()[9], 2, scale), 1, 1);
}

TYPED_TEST(FormatSpmv, TakesAnyNumberOfColumns) {
  Share share;
  for (int k = 0; k <= 17; k = k < 9 ? k + 1 : k + 8) {
    if (!share.takes()) continue;
    for (const auto& matrix : {format_matrices()[9], poisson<double>(9, 8, 7)})
      expect_products(FormatCase<TypeParam>(matrix, k), 1, 1);
  }
}

TYPED_TEST(FormatSpmv, BetaZeroOverwritesNan) {
  for (const auto& matrix : {format_matrices()[9], format_matrices()[6]})
    expect_products(FormatCase<TypeParam>(matrix, 3), 1, 0);
}

TYPED_TEST(FormatSpmv, AlphaZeroDoesNotReadX) {
  const FormatCase<TypeParam> t(poisson<double>(6, 5), 2);
  for_each_format(t, [&](const char* name, const auto& A, const auto& plan) {
    expect_x_unread(t, A, plan, name);
  });
}

TESSERA_STORED_TEST(FormatSpmv, NanInAnUnusedColumnStaysThere) {
  // Rows of many lengths, so that ELL and HYB pad; the first and the last column have no entry.
  const auto matrix = by_rows<double>(70, 40, [&](auto& matrix, std::int32_t i) {
    for (std::int32_t j = 1 + i % 3; j < 39; j += 1 + i % 11)
      matrix.push(j, 0.25 * (i % 5) - 0.5);
  });
  FormatCase<TypeParam> t(matrix, 2);
  for (const std::size_t place : {0, 39, 40, 79})
    t.x_host[place] = std::numeric_limits<Working>::quiet_NaN();
  t.x = to_multivector(t.exec, t.x_host, 40, 2);
  // The bounds are those of x without the NaNs.
  expect_products(t, 1, 0);
}

TESSERA_STORED_TEST(FormatSpmv, SumsInTheWiderScalar) {
  using Sum = Arithmetic<Storage, Working>;
  // 1 + u - 1 is u only where the sum keeps u beside 1: u is below half a rounding of float.
  constexpr double u = std::is_same_v<Sum, double> ? 0x1p-40 : 0x1p-20;
  const auto matrix = from_rows<double>(3, {{{0, 1.0}, {1, 1.0}, {2, -1.0}}});
  FormatCase<TypeParam> t(matrix, 1);
  t.x = to_multivector(t.exec, std::vector<Working>{1, static_cast<Working>(u), 1}, 3);
  for_each_format(t, [&](const char* name, const auto& A, const auto& plan) {
    const auto y = t.rows_by_k(t.y_host);
    kernels::spmv(t.exec, plan, Working(1), A, t.x, Working(0), y);
    EXPECT_EQ(to_host(y), std::vector<Working>{static_cast<Working>(u)}) << name;
  });
}

TYPED_TEST(FormatSpmv, SameBitsEveryTime) {
  for (const auto& matrix : {format_matrices()[13], format_matrices()[14]}) {
    const FormatCase<TypeParam> t(matrix, 2);
    for_each_format(t, [&](const char* name, const auto& A, const auto& plan) {
      expect_same_bits_each_time(t, A, plan, name);
    });
  }
}

TESSERA_STORED_TEST(FormatSpmv, WrongShapesAreErrors) {
  const FormatCase<TypeParam> t(random_matrix<double>({.num_rows = 4, .num_cols = 7}), 1);
  for_each_format(t, [&](const char* name, const auto& A, const auto& plan) {
    EXPECT_THROW(kernels::spmv(t.exec, plan, Working(1), A, t.y, Working(0), t.y), Error) << name;
    EXPECT_THROW(kernels::spmv(t.exec, plan, Working(1), A, t.x, Working(0), t.x), Error) << name;
    const auto result = allocate<Working>(t.exec, "tessera::test", 1);
    EXPECT_THROW(kernels::spmv_dot<Working>(t.exec, plan, A, t.x, t.y, result), Error) << name;
  });
}

TESSERA_STORED_TEST(FormatSpmv, PlanOfAnotherMatrixIsAnError) {
  const FormatCase<TypeParam> t(poisson<double>(30, 30), 1);
  const FormatCase<TypeParam> other(poisson<double>(31, 30), 1);
  const auto A = kernels::csr_to_coo<Storage>(t.exec, t.A.view());
  const auto B = kernels::csr_to_coo<Storage>(t.exec, other.A.view());
  const auto plan = kernels::analyse_spmv(t.exec, B.view());
  EXPECT_THROW(kernels::spmv(t.exec, plan, Working(1), A.view(), t.x, Working(0), t.y), Error);
}

}  // namespace tessera::test::format_spmv_test
