// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "formats_fixture.hpp"

#include "tessera/kernels/execution/error.hpp"

namespace tessera::test::format_spmv_test {

TESSERA_TEST_SUITE(FormatSpmv, MixedTypes, StoredNames);

TYPED_TEST(FormatSpmv, MatchesReference) {
  using Working = typename TypeParam::Working;
  for (const auto& matrix : share_of(format_matrices())) {
    const FormatCase<TypeParam> t(matrix, 1);
    for_each_format(t, [&](const char* name, const auto& A, const auto& plan) {
      const auto y = t.rows_by_k(t.y_host);
      kernels::spmv(t.exec, plan, Working(2), A, t.x, Working(-0.5), y);
      EXPECT_TRUE(is_within(to_host(y), t.spmv_bound(2, -0.5))) << name;
    });
  }
}

TYPED_TEST(FormatSpmv, AppliesTheScale) {
  using Working = typename TypeParam::Working;
  for (const double scale : {0x1p-9, 8.0}) {
    const FormatCase<TypeParam> t(format_matrices()[9], 2, scale);
    for_each_format(t, [&](const char* name, const auto& A, const auto& plan) {
      const auto y = t.rows_by_k(t.y_host);
      kernels::spmv(t.exec, plan, Working(1), A, t.x, Working(1), y);
      EXPECT_TRUE(is_within(to_host(y), t.spmv_bound(1, 1))) << name;
    });
  }
}

TYPED_TEST(FormatSpmv, TakesAnyNumberOfColumns) {
  using Working = typename TypeParam::Working;
  Share share;
  for (int k = 0; k <= 17; k = k < 9 ? k + 1 : k + 8) {
    if (!share.takes()) continue;
    for (const auto& matrix : {format_matrices()[9], poisson<double>(9, 8, 7)}) {
      const FormatCase<TypeParam> t(matrix, k);
      for_each_format(t, [&](const char* name, const auto& A, const auto& plan) {
        const auto y = t.rows_by_k(t.y_host);
        kernels::spmv(t.exec, plan, Working(1), A, t.x, Working(1), y);
        EXPECT_TRUE(is_within(to_host(y), t.spmv_bound(1, 1))) << name;
      });
    }
  }
}

TYPED_TEST(FormatSpmv, BetaZeroOverwritesNan) {
  using Working = typename TypeParam::Working;
  for (const auto& matrix : {format_matrices()[9], format_matrices()[6]}) {
    const FormatCase<TypeParam> t(matrix, 3);
    for_each_format(t, [&](const char* name, const auto& A, const auto& plan) {
      const auto y = t.rows_by_k(all_nan<Working>(t.size()));
      kernels::spmv(t.exec, plan, Working(1), A, t.x, Working(0), y);
      EXPECT_TRUE(is_within(to_host(y), t.spmv_bound(1, 0))) << name;
    });
  }
}

TYPED_TEST(FormatSpmv, AlphaZeroDoesNotReadX) {
  using Working = typename TypeParam::Working;
  const FormatCase<TypeParam> t(poisson<double>(6, 5), 2);
  for_each_format(t, [&](const char* name, const auto& A, const auto& plan) {
    const auto x = t.rows_by_k(all_nan<Working>(t.size()));
    const auto y = t.rows_by_k(t.y_host);
    kernels::spmv(t.exec, plan, Working(0), A, x, Working(3), y);
    EXPECT_TRUE(is_within(to_host(y), [&](std::size_t i) {
      return Bound{Working(3) * t.y_host[i]};
    })) << name;
    kernels::spmv(t.exec, plan, Working(0), A, x, Working(0), x);
    EXPECT_EQ(to_host(x), std::vector<Working>(t.size(), Working(0))) << name;
  });
}

TYPED_TEST(FormatSpmv, NanInAnUnusedColumnStaysThere) {
  using Working = typename TypeParam::Working;
  // Rows of many lengths, so that ELL and HYB pad; the first and the last column have no entry.
  const auto matrix = by_rows<double>(70, 40, [&](auto& matrix, std::int32_t i) {
    for (std::int32_t j = 1 + i % 3; j < 39; j += 1 + i % 11)
      matrix.push(j, 0.25 * (i % 5) - 0.5);
  });
  FormatCase<TypeParam> t(matrix, 2);
  for (const std::size_t place : {0, 39, 40, 79})
    t.x_host[place] = std::numeric_limits<Working>::quiet_NaN();
  t.x = to_multivector(t.exec, t.x_host, 40, 2);
  for_each_format(t, [&](const char* name, const auto& A, const auto& plan) {
    const auto y = t.rows_by_k(t.y_host);
    kernels::spmv(t.exec, plan, Working(1), A, t.x, Working(0), y);
    // The bounds are those of x without the NaNs.
    EXPECT_TRUE(is_within(to_host(y), t.spmv_bound(1, 0))) << name;
  });
}

TYPED_TEST(FormatSpmv, SumsInTheWiderScalar) {
  using Working = typename TypeParam::Working;
  using Sum = Arithmetic<typename TypeParam::Storage, Working>;
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
  using Working = typename TypeParam::Working;
  for (const auto& matrix : {format_matrices()[13], format_matrices()[14]}) {
    const FormatCase<TypeParam> t(matrix, 2);
    for_each_format(t, [&](const char* name, const auto& A, const auto& plan) {
      kernels::spmv(t.exec, plan, Working(1), A, t.x, Working(0), t.y);
      const auto first = to_host(t.y);
      for (int repetition = 0; repetition < 5; ++repetition) {
        kernels::spmv(t.exec, plan, Working(1), A, t.x, Working(0), t.y);
        ASSERT_EQ(to_host(t.y), first) << name;
      }
    });
  }
}

TYPED_TEST(FormatSpmv, WrongShapesAreErrors) {
  using Working = typename TypeParam::Working;
  const FormatCase<TypeParam> t(random_matrix<double>({.num_rows = 4, .num_cols = 7}), 1);
  for_each_format(t, [&](const char* name, const auto& A, const auto& plan) {
    EXPECT_THROW(kernels::spmv(t.exec, plan, Working(1), A, t.y, Working(0), t.y), Error) << name;
    EXPECT_THROW(kernels::spmv(t.exec, plan, Working(1), A, t.x, Working(0), t.x), Error) << name;
    const auto result = allocate<Working>(t.exec, "tessera::test", 1);
    EXPECT_THROW(kernels::spmv_dot<Working>(t.exec, plan, A, t.x, t.y, result), Error) << name;
  });
}

TYPED_TEST(FormatSpmv, PlanOfAnotherMatrixIsAnError) {
  using Storage = typename TypeParam::Storage;
  using Working = typename TypeParam::Working;
  const FormatCase<TypeParam> t(poisson<double>(30, 30), 1);
  const FormatCase<TypeParam> other(poisson<double>(31, 30), 1);
  const auto A = kernels::csr_to_coo<Storage>(t.exec, t.A.view());
  const auto B = kernels::csr_to_coo<Storage>(t.exec, other.A.view());
  const auto plan = kernels::analyse_spmv(t.exec, B.view());
  EXPECT_THROW(kernels::spmv(t.exec, plan, Working(1), A.view(), t.x, Working(0), t.y), Error);
}

}  // namespace tessera::test::format_spmv_test
