// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a reduction is made of, beside formulas in dense matrices: the pass by dominance, the
/// polynomial, the inverse among fine points, restriction and prolongator, entries that are kept.
#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/host_values.hpp"
#include "support/random_matrix.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/coarsening/dominance.hpp"
#include "tessera/amg/coarsening/fine_inverse.hpp"
#include "tessera/amg/coarsening/gmres_polynomial.hpp"
#include "tessera/amg/coarsening/ideal_restriction.hpp"
#include "tessera/amg/coarsening/kept_entries.hpp"
#include "tessera/amg/coarsening/product_work.hpp"
#include "tessera/amg/selection_rules.hpp"
#include "tessera/kernels/format/diagonal.hpp"

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace tessera::test::reduction_parts_test {

using Dense = std::vector<std::vector<double>>;
using Marks = std::vector<std::int8_t>;

TESSERA_TEST_SUITE(ReductionParts, Matrices, TypeNames);

template <class Scalar>
Dense dense(const HostMatrix<Scalar>& A) {
  Dense result(A.num_rows, std::vector<double>(A.num_cols, 0.0));
  for_each_entry(A, [&](Ordinal i, Ordinal j, auto value) { result[i][j] = value; });
  return result;
}

void expect_near(const Dense& actual, const Dense& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    for (std::size_t j = 0; j < actual[i].size(); ++j)
      EXPECT_NEAR(actual[i][j], expected[i][j], tolerance * std::max(1.0, std::abs(expected[i][j])))
          << i << ", " << j;
  }
}

/// Numbers of coarse points.
std::vector<Ordinal> numbered(const Marks& is_coarse) {
  std::vector<Ordinal> number;
  Ordinal next = 0;
  for (const auto mark : is_coarse)
    number.push_back(mark != 0 ? next++ : -1);
  return number;
}

template <class Scalar>
constexpr double tolerance_of = sizeof(Scalar) == 8 ? 1e-10 : 1e-5;

/// Upwind differences on a line, from the left.
template <class Scalar>
HostMatrix<Scalar> downstream(Ordinal n) {
  return by_rows<Scalar>(n, n, [&](auto& A, std::int32_t i) {
    if (i > 0) A.push(i - 1, Scalar(-1));
    A.push(i, Scalar(1));
  });
}

/// Fine rows of ratios 0, 0.5, 1 and 1.5 beside coarse ones.
template <class Scalar>
HostMatrix<Scalar> of_four_ratios(Ordinal n) {
  return by_rows<Scalar>(n, n, [&](auto& A, std::int32_t i) {
    const auto ratio = static_cast<Scalar>(0.5 * (i % 4));
    if (i % 4 > 0) A.push(i - 1, -ratio);
    A.push(i, Scalar(1));
  });
}

TESSERA_TYPED_TEST(ReductionParts, TheLeastDominatedRowsBecomeCoarse) {
  const Ordinal n = 4000;
  const auto A = make_csr<Offset>(exec, of_four_ratios<Scalar>(n));
  const auto converted = [&](double share) {
    const auto marks = to_device(exec, Marks(n, 0));
    amg::convert_undominated(exec, A.view(), share, marks);
    return to_host(marks);
  };
  const auto count = [](const Marks& marks, int residue) {
    int result = 0;
    for (std::size_t i = residue; i < marks.size(); i += 4)
      result += marks[i];
    return result;
  };
  const auto none = converted(0);
  EXPECT_EQ(std::accumulate(none.begin(), none.end(), 0), 0);
  const auto quarter = converted(0.25);
  EXPECT_EQ(count(quarter, 3), 1000) << "all of ratio 1.5";
  EXPECT_EQ(count(quarter, 2) + count(quarter, 1) + count(quarter, 0), 0);
  // Of equals some, spread over the matrix.
  const auto more = converted(0.375);
  EXPECT_EQ(count(more, 3), 1000);
  EXPECT_NEAR(count(more, 2), 500, 60);
  EXPECT_EQ(count(more, 1), 0);
  const Marks first(more.begin(), more.begin() + n / 2);
  EXPECT_NEAR(count(first, 2), 250, 45);
  EXPECT_EQ(count(converted(1), 0), 0) << "nothing couples them to fine points";
  EXPECT_EQ(count(converted(1), 1), 1000);
}

TESSERA_TYPED_TEST(ReductionParts, CouplingsToCoarsePointsDoNotCount) {
  const auto A = make_csr<Offset>(exec, of_four_ratios<Scalar>(8));
  // Point 6, before 7, is coarse: 3 alone has its ratio of 1.5.
  const auto marks = to_device(exec, Marks{0, 0, 0, 0, 0, 0, 1, 0});
  amg::convert_undominated(exec, A.view(), 0.15, marks);
  EXPECT_EQ(to_host(marks), (Marks{0, 0, 0, 1, 0, 0, 1, 0}));
  expect_error(error_of([&] { amg::convert_undominated(exec, A.view(), 2, marks); }),
               ErrorKind::precondition, {"share"});
}

/// A matrix that is nilpotent has Neumann's series for its inverse, which any GMRES finds.
TESSERA_TYPED_TEST(ReductionParts, OfANilpotentMatrixThePolynomialIsNeumanns) {
  const auto N = make_csr<Offset>(exec, by_rows<Scalar>(300, 300, [](auto& A, std::int32_t i) {
                                    if (i % 4 > 0) A.push(i - 1, Scalar(0.75));
                                    A.push(i, Scalar(0));
                                  }));
  const auto c = amg::gmres_polynomial(exec, N.view(), 6);
  ASSERT_EQ(c.size(), 7U);
  const double tolerance = sizeof(Scalar) == 8 ? 1e-7 : 1e-4;
  for (int k = 0; k < 4; ++k)
    EXPECT_NEAR(c[k], 1, tolerance) << k;
  for (int k = 4; k < 7; ++k)
    EXPECT_EQ(c[k], 0) << "N^4 = 0";
}

/// Of I - N with eigenvalues 1 - a, two of them, order 1 is exact.
TESSERA_TYPED_TEST(ReductionParts, ThePolynomialInvertsFewEigenvalues) {
  const std::vector<double> a{0.8, -0.6};
  const auto N = make_csr<Offset>(exec, by_rows<Scalar>(100, 100, [&](auto& A, std::int32_t i) {
                                    A.push(i, static_cast<Scalar>(a[i % 2]));
                                  }));
  const auto c = amg::gmres_polynomial(exec, N.view(), 1);
  for (const double value : a)
    EXPECT_NEAR(c[0] + c[1] * value, 1 / (1 - value), sizeof(Scalar) == 8 ? 1e-9 : 1e-5);
  // Further powers add nothing.
  const auto more = amg::gmres_polynomial(exec, N.view(), 4);
  for (const double value : a) {
    double sum = 0;
    for (int k = 4; k >= 0; --k)
      sum = sum * value + more[k];
    EXPECT_NEAR(sum, 1 / (1 - value), 1e-3);
  }
}

TEST(ReductionPolynomial, IsNeumannsWhereNothingElseIsFound) {
  EXPECT_EQ(amg::polynomial_from_inner_products(std::vector<double>(9, 0.0), 1),
            (std::vector<double>{1, 1}));
  EXPECT_EQ(amg::polynomial_from_inner_products(std::vector<double>(16, std::nan("")), 2),
            (std::vector<double>{1, 1, 1}));
  expect_error(
      error_of([] { amg::polynomial_from_inner_products(std::vector<double>(4, 0.0), 1); }),
      ErrorKind::precondition, {"inner products"});
}

/// The polynomial with the coefficients c, products kept in the pattern of the sparsity's power,
/// all dense.
Dense expected_inverse(const Dense& A, const Marks& is_coarse, const std::vector<double>& c,
                       int sparsity) {
  const std::size_t n = A.size();
  const auto is_fine = [&](std::size_t i) { return is_coarse[i] == 0; };
  Dense N(n, std::vector<double>(n, 0.0)), pattern = N, M = N;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (!is_fine(i) || !is_fine(j)) continue;
      pattern[i][j] = i == j || A[i][j] != 0 ? 1 : 0;
      N[i][j] = i == j ? 0 : -A[i][j] / A[i][i];
    }
  }
  const auto times = [n](const Dense& X, const Dense& Y) {
    Dense Z(n, std::vector<double>(n, 0.0));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t j = 0; j < n; ++j)
          Z[i][j] += X[i][k] * Y[k][j];
    return Z;
  };
  Dense kept = pattern;
  for (int power = 1; power < sparsity; ++power)
    kept = times(kept, pattern);
  for (std::size_t k = c.size(); k-- > 0;) {
    M = times(N, M);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        if (kept[i][j] == 0) M[i][j] = 0;
      if (is_fine(i)) M[i][i] += c[k];
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      M[i][j] /= A[j][j];
  return M;
}

TESSERA_TYPED_TEST(ReductionParts, TheInverseIsThePolynomialInAFixedPattern) {
  for (const int sparsity : {1, 2}) {
    const auto host = random_spd_matrix<Scalar>(60, 0.08, 5);
    const auto A = make_csr<Offset>(exec, host);
    Marks is_coarse(60);
    for (std::size_t i = 0; i < is_coarse.size(); ++i)
      is_coarse[i] = i % 3 == 0 ? 1 : 0;
    const auto number = to_device(exec, numbered(is_coarse));
    auto inverse = amg::fine_inverse_pattern<Scalar, Space, Offset>(exec, A.view(), number);
    if (sparsity == 2) amg::raise_pattern(exec, inverse);
    const auto diagonal = kernels::inverse_diagonal(exec, A.view());
    amg::fill_fine_inverse(exec, A.view(), diagonal, 3, inverse);
    const auto M = dense(to_host(inverse.M));
    auto N = inverse.N;
    ASSERT_EQ(N.values.extent(0), 0U) << "freed";
    // The same N on the host, for the coefficients.
    const auto on_host = by_rows<Scalar>(60, 60, [&](auto& B, std::int32_t i) {
      if (is_coarse[i] != 0) return;
      const auto all = dense(host);
      for (std::int32_t j = 0; j < 60; ++j) {
        if (j == i) B.push(j, Scalar(0));
        if (j != i && is_coarse[j] == 0 && all[i][j] != 0)
          B.push(j, static_cast<Scalar>(-all[i][j] / all[i][i]));
      }
    });
    const auto c = amg::gmres_polynomial(exec, make_csr<Offset>(exec, on_host).view(), 3);
    expect_near(M, expected_inverse(dense(host), is_coarse, c, sparsity),
                sizeof(Scalar) == 8 ? 1e-9 : 1e-3);
  }
}

/// Fine points 1, 2 of a line between the coarse points 0 and 3: R is [-A_cf A_ff^-1, I] exactly,
/// and R A vanishes on fine points.
TESSERA_TYPED_TEST(ReductionParts, OnAShortLineTheRestrictionIsIdeal) {
  const auto host = downstream<Scalar>(4);
  const auto A = make_csr<Offset>(exec, host);
  const auto number = to_device(exec, std::vector<Ordinal>{0, -1, -1, 1});
  auto inverse = amg::fine_inverse_pattern<Scalar, Space, Offset>(exec, A.view(), number);
  amg::fill_fine_inverse(exec, A.view(), kernels::inverse_diagonal(exec, A.view()), 4, inverse);
  const double tolerance = 10 * tolerance_of<Scalar>;
  expect_near(dense(to_host(inverse.M)), {{0, 0, 0, 0}, {0, 1, 0, 0}, {0, 1, 1, 0}, {0, 0, 0, 0}},
              tolerance);
  kernels::Csr<Scalar, Space, Offset> R;
  auto restriction = amg::ideal_restriction<Scalar, Space, Offset>(exec, A.view(), number, 2,
                                                                   inverse.M.view(), {0, 0.01}, R);
  expect_near(dense(to_host(R)), {{1, 0, 0, 0}, {0, 1, 1, 1}}, tolerance);
  const auto P = amg::one_point_prolongator<Scalar, Space, Offset>(exec, A.view(), number, 2);
  expect_near(dense(to_host(P)), {{1, 0}, {1, 0}, {0, 0}, {0, 1}}, 0);

  // New values: twice the couplings.
  const auto again = make_csr<Offset>(exec, by_rows<Scalar>(4, 4, [](auto& B, std::int32_t i) {
                                        if (i > 0) B.push(i - 1, Scalar(-2));
                                        B.push(i, Scalar(1));
                                      }));
  amg::fill_fine_inverse(exec, again.view(), kernels::inverse_diagonal(exec, again.view()), 4,
                         inverse);
  amg::refill_restriction(exec, again.view(), inverse.M.view(), restriction, R);
  expect_near(dense(to_host(R)), {{1, 0, 0, 0}, {0, 4, 2, 1}}, 4 * tolerance);
}

TESSERA_TYPED_TEST(ReductionParts, SmallWeightsAreDropped) {
  // Coarse point 2 takes 1 of point 0 and 0.05 of point 1.
  const auto A = make_csr<Offset>(exec, by_rows<Scalar>(3, 3, [](auto& B, std::int32_t i) {
                                    if (i == 2) B.push(0, Scalar(-1));
                                    if (i == 2) B.push(1, Scalar(-0.05));
                                    B.push(i, Scalar(1));
                                  }));
  const auto number = to_device(exec, std::vector<Ordinal>{-1, -1, 0});
  auto inverse = amg::fine_inverse_pattern<Scalar, Space, Offset>(exec, A.view(), number);
  amg::fill_fine_inverse(exec, A.view(), kernels::inverse_diagonal(exec, A.view()), 2, inverse);
  kernels::Csr<Scalar, Space, Offset> R;
  amg::ideal_restriction<Scalar, Space, Offset>(exec, A.view(), number, 1, inverse.M.view(),
                                                {0, 0.1}, R);
  EXPECT_EQ(R.num_entries(), 2U);
  amg::ideal_restriction<Scalar, Space, Offset>(exec, A.view(), number, 1, inverse.M.view(),
                                                {0, 0.01}, R);
  EXPECT_EQ(R.num_entries(), 3U);
}

/// By the largest coupling of the whole row of A; the diagonal is none.
TESSERA_TYPED_TEST(ReductionParts, WeakCouplingsAreLeftOut) {
  // Fine points 0 to 3, of which 0 has a coupling of 1 to the coarse point 4, and of 0.3 and 0.05
  // to others; 4 has 1, 0.4 and 0.05 to fine ones.
  const auto A = make_csr<Offset>(exec, by_rows<Scalar>(5, 5, [](auto& B, std::int32_t i) {
                                    const bool ends = i == 0 || i == 4;
                                    if (i == 4) B.push(0, Scalar(-1));
                                    if (i == 0) B.push(0, Scalar(100));
                                    if (ends) B.push(1, i == 0 ? Scalar(0.3) : Scalar(-0.4));
                                    if (i == 1) B.push(1, Scalar(100));
                                    if (ends) B.push(2, Scalar(-0.05));
                                    if (i > 1 && i < 4) B.push(i, Scalar(100));
                                    if (i == 0) B.push(4, Scalar(-1));
                                    if (i == 4) B.push(4, Scalar(100));
                                  }));
  const auto number = to_device(exec, std::vector<Ordinal>{-1, -1, -1, -1, 0});
  const auto entries_with = [&](double drop) {
    auto inverse = amg::fine_inverse_pattern<Scalar, Space, Offset>(exec, A.view(), number, drop);
    amg::fill_fine_inverse(exec, A.view(), kernels::inverse_diagonal(exec, A.view()), 1, inverse);
    kernels::Csr<Scalar, Space, Offset> R;
    const auto restriction = amg::ideal_restriction<Scalar, Space, Offset>(
        exec, A.view(), number, 1, inverse.M.view(), {drop, 0}, R);
    return std::vector<std::size_t>{inverse.M.num_entries(), restriction.minus_A_cf.num_entries()};
  };
  EXPECT_EQ(entries_with(0), (std::vector<std::size_t>{6, 3}));
  EXPECT_EQ(entries_with(0.1), (std::vector<std::size_t>{5, 2}));
  EXPECT_EQ(entries_with(0.35), (std::vector<std::size_t>{4, 2}));
  EXPECT_EQ(entries_with(0.5), (std::vector<std::size_t>{4, 1}));
  EXPECT_EQ(entries_with(1), (std::vector<std::size_t>{4, 1})) << "the largest stays";
}

/// By the definition, with empty rows and one that has most entries.
TESSERA_TYPED_TEST(ReductionParts, MultiplicationsAreThoseOfTheProduct) {
  const auto X = by_rows<Scalar>(40, 60, [](auto& B, std::int32_t i) {
    for (std::int32_t j = 0; j < 60; ++j)
      if (i == 17 || (i % 3 != 0 && (i * j) % 11 == 5)) B.push(j, Scalar(1));
  });
  const auto Y = by_rows<Scalar>(60, 30, [](auto& B, std::int32_t i) {
    for (std::int32_t j = 0; j < i % 30; ++j)
      B.push(j, Scalar(2));
  });
  double expected = 0;
  for_each_entry(X, [&](Ordinal, Ordinal j, auto) { expected += j % 30; });
  const auto on_device = [&](const auto& A) { return make_csr<Offset>(exec, A); };
  const auto x = on_device(X), y = on_device(Y);
  EXPECT_EQ(amg::count_multiplications(exec, x.view(), y.view()), expected);
  expect_error(error_of([&] { amg::count_multiplications(exec, y.view(), x.view()); }),
               ErrorKind::precondition, {"columns"});
  std::vector<std::string> notes;
  const amg::CoarseningLimits limits{40, 70, 30, 100, 50, notes};
  EXPECT_TRUE(amg::allow_multiplications(limits, 170 * rules::multiplications_per_entry));
  EXPECT_TRUE(notes.empty());
  EXPECT_FALSE(amg::allow_multiplications(limits, 170 * rules::multiplications_per_entry + 1));
  EXPECT_EQ(notes.size(), 1U);
}

TESSERA_TYPED_TEST(ReductionParts, KeptEntriesAreTheLargeOnesAndTheDiagonal) {
  const auto A = make_csr<Offset>(exec, by_rows<Scalar>(3, 3, [](auto& B, std::int32_t i) {
                                    if (i == 2) return;
                                    B.push(0, i == 0 ? Scalar(0.001) : Scalar(-0.01));
                                    B.push(1, i == 0 ? Scalar(-8) : Scalar(1));
                                    B.push(2, Scalar(0.5));
                                  }));
  auto kept = amg::kept_pattern(exec, A.view(), 0.1);
  kept.values = allocate<Scalar>(exec, "tessera::test", kept.num_entries());
  amg::copy_kept(exec, A.view(), false, kept);
  expect_near(dense(to_host(kept)), {{0.001, -8, 0}, {0, 1, 0.5}, {0, 0, 0}}, 1e-7);
  amg::copy_kept(exec, A.view(), true, kept);
  expect_near(dense(to_host(kept)), {{0.501, -8, 0}, {0, 0.99, 0.5}, {0, 0, 0}}, 1e-7);
}

}  // namespace tessera::test::reduction_parts_test
