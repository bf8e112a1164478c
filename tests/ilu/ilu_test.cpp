// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Incomplete factors: what they are, of which matrices, and how pivots are mended.
#include "ilu/ilu_fixture.hpp"

namespace tessera::test::ilu_test {

TESSERA_TEST_SUITE(IluTest, Matrices, TypeNames);

template <class Scalar>
HostMatrix<Scalar> random_dominant(int n, double density, std::uint64_t seed = 1) {
  return dominant(
      random_matrix<Scalar>({.num_rows = n, .num_cols = n, .density = density, .seed = seed}));
}

/// L and U multiplied.
Dense product_of(const Dense& F, int n) {
  Dense L(n, n), U(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      (j < i ? L : U)(i, j) = F(i, j);
    L(i, i) = 1;
  }
  return multiply(L, U);
}

TESSERA_TYPED_TEST(IluTest, AreThoseOfTheTextbook) {
  for (const auto& A :
       {poisson<Scalar>(9, 8), poisson<Scalar>(4, 5, 3), random_dominant<Scalar>(120, 0.05),
        random_dominant<Scalar>(150, 0.3, 2), identity<Scalar>(30)}) {
    Ilu<TypeParam> ilu(A);
    EXPECT_TRUE(ilu.is_finite);
    EXPECT_EQ(ilu.M.report().num_small, 0);
    expect_factors(ilu.factors(), reference_ilu(A));
  }
}

TESSERA_TYPED_TEST(IluTest, TheirProductIsAOnItsPattern) {
  const auto A = random_dominant<Scalar>(200, 0.04, 5);
  const Dense product = product_of(to_dense(Ilu<TypeParam>(A).factors()), 200);
  for_each_entry(A, [&](int i, int j, Scalar value) {
    ASSERT_NEAR(static_cast<double>(product(i, j)), value, roundings<Scalar>(500));
  });
}

TESSERA_TYPED_TEST(IluTest, AreExactWhereThereIsNoFill) {
  for (const auto& A : {poisson<Scalar>(300), random_dominant<Scalar>(40, 1.0)}) {
    Ilu<TypeParam> ilu(A);
    const auto b = random_vector<Scalar>(A.num_rows, 9);
    const auto expected = solve(to_dense(A), std::vector<long double>(b.begin(), b.end()));
    EXPECT_LE(relative_difference(ilu.apply(b), expected), roundings<Scalar>(20000));
  }
}

TESSERA_TYPED_TEST(IluTest, SmallestMatrices) {
  EXPECT_TRUE(Ilu<TypeParam>(HostMatrix<Scalar>{}).apply({}).empty());
  EXPECT_EQ(Ilu<TypeParam>(HostMatrix<Scalar>{1, 1, {0, 1}, {0}, {Scalar(4)}}).apply({Scalar(2)}),
            std::vector<Scalar>{Scalar(0.5)});
  Ilu<TypeParam> two(
      from_rows<Scalar>(2, {{{0, Scalar(2)}, {1, Scalar(1)}}, {{0, Scalar(1)}, {1, Scalar(2)}}}));
  const auto x = two.apply({Scalar(3), Scalar(3)});
  EXPECT_NEAR(x[0], 1, roundings<Scalar>(4));
  EXPECT_NEAR(x[1], 1, roundings<Scalar>(4));
}

TESSERA_TYPED_TEST(IluTest, UnsortedRowsDuplicatesAndMissingDiagonals) {
  // Row 1 has no diagonal, row 2 has its in two parts, and none is sorted.
  const auto A = from_rows<Scalar>(4, {{{2, Scalar(1)}, {0, Scalar(4)}, {1, Scalar(-1)}},
                                       {{3, Scalar(2)}, {0, Scalar(1)}},
                                       {{2, Scalar(3)}, {0, Scalar(-1)}, {2, Scalar(2)}},
                                       {{3, Scalar(5)}, {1, Scalar(1)}, {2, Scalar(1)}}});
  Ilu<TypeParam> ilu(A);
  EXPECT_TRUE(ilu.is_finite);
  EXPECT_EQ(ilu.M.factors().pattern.num_added, 1);
  const auto F = ilu.factors();
  EXPECT_EQ(F.columns, (std::vector<std::int32_t>{0, 1, 2, 0, 1, 3, 0, 2, 1, 2, 3}));
  expect_factors(F, reference_ilu(A));

  const auto B = with_diagonal(
      random_matrix<Scalar>({.num_rows = 300, .num_cols = 300, .density = 0.05, .unsorted = true}),
      [](std::int32_t, Scalar& value) { value = 20; });
  IluParameters p;
  p.shift = 0.5;  // for those that are not there
  Ilu<TypeParam> random(B, p);
  EXPECT_GT(random.M.factors().pattern.num_added, 200);
  EXPECT_TRUE(random.is_finite);
  const auto z = random.apply(random_vector<Scalar>(300));
  for (const Scalar value : z)
    ASSERT_TRUE(std::isfinite(value));
}

TESSERA_TYPED_TEST(IluTest, ARowOfNothingGetsThePivotOne) {
  const auto A = from_rows<Scalar>(3, {{{0, Scalar(2)}}, {}, {{2, Scalar(4)}}});
  Ilu<TypeParam> ilu(A);
  EXPECT_EQ(ilu.M.report().num_small, 1);
  EXPECT_EQ(ilu.M.report().first_row, 1);
  EXPECT_EQ(ilu.apply({Scalar(1), Scalar(1), Scalar(1)}),
            (std::vector<Scalar>{Scalar(0.5), Scalar(1), Scalar(0.25)}));
  Ilu<TypeParam> empty(HostMatrix<Scalar>{3, 3, {0, 0, 0, 0}, {}, {}});
  EXPECT_EQ(empty.M.report().num_small, 3);
  EXPECT_EQ(empty.apply({Scalar(1), Scalar(2), Scalar(3)}),
            (std::vector<Scalar>{Scalar(1), Scalar(2), Scalar(3)}));
}

TESSERA_TYPED_TEST(IluTest, SmallPivotsAreShiftedWithTheirSign) {
  // The second pivot is 1 - 1 = 0, the fourth -1e-9 beside an entry of 2.
  const auto A = from_rows<Scalar>(5, {{{0, Scalar(1)}, {1, Scalar(1)}},
                                       {{0, Scalar(1)}, {1, Scalar(1)}, {2, Scalar(0.5)}},
                                       {{2, Scalar(3)}},
                                       {{3, Scalar(-1e-9)}, {4, Scalar(2)}},
                                       {{4, Scalar(1)}}});
  IluParameters p{.shift = 1e-3};
  Ilu<TypeParam> ilu(A, p);
  ASSERT_TRUE(ilu.is_finite);
  EXPECT_EQ(ilu.M.report().num_small, 2);
  EXPECT_EQ(ilu.M.report().first_row, 1);
  EXPECT_EQ(ilu.M.report().first_pivot, 0);
  const Dense F = to_dense(ilu.factors());
  EXPECT_NEAR(static_cast<double>(F(1, 1)), 1e-3, 1e-9);
  EXPECT_NEAR(static_cast<double>(F(3, 3)), -2e-3, 1e-9);
  EXPECT_NE(ilu.M.description().find("2 small pivots shifted, the first in row 1"),
            std::string::npos);

  p.shift = 0;
  expect_error(error_of([&] { Ilu<TypeParam>(A, p); }), ErrorKind::bad_input,
               {"pivot of row 1 is 0", "ilu.shift"});
}

TESSERA_TYPED_TEST(IluTest, NegativePivotsArePositiveWhereThatIsAskedFor) {
  const auto A = kershaw<Scalar>();
  const Ilu<TypeParam> kept(A);
  expect_factors(kept.factors(), reference_ilu(A));
  EXPECT_EQ(kept.M.report().num_turned, 0);
  Dense expected = reference_ilu(A);
  ASSERT_NEAR(static_cast<double>(expected(3, 3)), -5, 1e-12);
  expected(3, 3) = 5;
  IluParameters p{.negative_pivots = NegativePivots::absolute};
  for (const IluMethod method : {IluMethod::exact, IluMethod::fixed_point}) {
    p.method = method;
    p.sweeps = 8;
    Ilu<TypeParam> ilu(A, p);
    expect_factors(ilu.factors(), expected);
    EXPECT_EQ(ilu.M.report().num_turned, 1);
    EXPECT_EQ(ilu.M.report().first_turned, 3);
    EXPECT_NEAR(ilu.M.report().first_turned_pivot, -5, roundings<Scalar>(100));
    EXPECT_NE(ilu.M.description().find("1 negative pivots made positive, the first in row 3"),
              std::string::npos);
    // Of the next values alone.
    ilu.matrix = make_csr<Offset>(ilu.exec, dominant(A));
    ASSERT_TRUE(ilu.M.compute(ilu.exec, ilu.matrix.view()));
    EXPECT_EQ(ilu.M.report().num_turned, 0);
  }
  // Rows of a negative diagonal stay as they are, and a small pivot counts as that.
  const auto mixed = from_rows<Scalar>(
      3, {{{0, Scalar(-2)}}, {{1, Scalar(1)}, {2, Scalar(1)}}, {{1, Scalar(1)}, {2, Scalar(1)}}});
  const Ilu<TypeParam> ilu(mixed, p);
  EXPECT_EQ(ilu.M.report().num_turned, 0);
  EXPECT_EQ(ilu.M.report().num_small, 1);
  EXPECT_EQ(to_dense(ilu.factors())(0, 0), -2);
}

TESSERA_TYPED_TEST(IluTest, ManyNegativePivotsAreThoseOfAShiftedMatrix) {
  const auto one = kershaw<Scalar>();
  auto A = by_rows<Scalar>(80, 80, [&](auto& A, int row) {
    for (auto e = one.offsets[row % 4]; e < one.offsets[row % 4 + 1]; ++e)
      A.push(row - row % 4 + one.columns[e], one.values[e]);
  });
  const auto with_shift = [&](double alpha) {
    return with_diagonal(
        A, [=](std::int32_t, Scalar& value) { value *= static_cast<Scalar>(1 + alpha); });
  };
  IluParameters p{.negative_pivots = NegativePivots::absolute};
  for (const IluMethod method : {IluMethod::exact, IluMethod::fixed_point}) {
    p.method = method;
    p.sweeps = 10;
    Ilu<TypeParam> ilu(A, p);
    EXPECT_TRUE(ilu.is_finite);
    const auto& report = ilu.M.report();
    EXPECT_EQ(report.num_turned, 20);
    EXPECT_EQ(report.first_turned, 3);
    EXPECT_NEAR(report.first_turned_pivot, -5, roundings<Scalar>(100));
    ASSERT_GT(report.diagonal_shift, 0);
    // The least of those tried that leaves no negative pivot.
    const Dense expected = reference_ilu(with_shift(report.diagonal_shift));
    const Dense by_half = reference_ilu(with_shift(report.diagonal_shift / 2));
    EXPECT_GT(expected(3, 3), 0);
    EXPECT_LT(by_half(3, 3), 0);
    expect_factors(ilu.factors(), expected, 1000);
    EXPECT_NE(ilu.M.description().find("times the diagonal added"), std::string::npos);
    // Other values have factors of their own.
    ilu.matrix = make_csr<Offset>(ilu.exec, dominant(A));
    ASSERT_TRUE(ilu.M.compute(ilu.exec, ilu.matrix.view()));
    EXPECT_EQ(ilu.M.report().diagonal_shift, 0);
  }
}

TESSERA_TYPED_TEST(IluTest, FewSweepsMakeSymmetricFactorsToo) {
  const Dense half =
      to_dense(random_matrix<Scalar>({.num_rows = 120, .num_cols = 120, .density = 0.05}));
  std::vector<std::vector<std::pair<std::int32_t, Scalar>>> rows(120);
  for (int i = 0; i < 120; ++i) {
    for (int j = 0; j < 120; ++j) {
      const auto value = static_cast<Scalar>(half(i, j) + half(j, i));
      if (i == j || value != 0) rows[i].emplace_back(j, i == j ? Scalar(2) : value);
    }
  }
  const auto A = from_rows<Scalar>(120, rows);
  IluParameters p{.method = IluMethod::fixed_point, .negative_pivots = NegativePivots::absolute};
  for (const int sweeps : {1, 2, 3}) {
    p.sweeps = sweeps;
    Ilu<TypeParam> ilu(A, p);
    ASSERT_TRUE(ilu.is_finite);
    EXPECT_GT(ilu.M.report().num_turned, 0) << "too easy";
    const Dense F = to_dense(ilu.factors());
    const Dense product = product_of(F, 120);
    for (int i = 0; i < 120; ++i) {
      ASSERT_GT(F(i, i), 0);
      for (int j = 0; j < i; ++j) {
        const long double scale = std::sqrt(product(i, i) * product(j, j));
        ASSERT_NEAR(static_cast<double>((product(i, j) - product(j, i)) / scale), 0,
                    roundings<Scalar>(100))
            << sweeps << " sweeps, " << i << ", " << j;
      }
    }
  }
}

TESSERA_TYPED_TEST(IluTest, NumbersThatAreNoneAreReported) {
  for (const Scalar bad :
       {std::numeric_limits<Scalar>::quiet_NaN(), std::numeric_limits<Scalar>::infinity()}) {
    for (const IluMethod method : {IluMethod::exact, IluMethod::fixed_point}) {
      auto A = poisson<Scalar>(20, 20);
      A.values[A.offsets[57] + 2] = bad;
      IluParameters p{.method = method};
      Ilu<TypeParam> ilu(A, p);
      EXPECT_FALSE(ilu.is_finite);
      EXPECT_GE(ilu.M.report().num_not_finite, 1);
      EXPECT_EQ(ilu.M.report().first_row, 57);
      // The same preconditioner is right again for good values.
      ilu.matrix = make_csr<Offset>(ilu.exec, poisson<Scalar>(20, 20));
      EXPECT_TRUE(ilu.M.compute(ilu.exec, ilu.matrix.view()));
      EXPECT_EQ(ilu.M.report().first_row, -1);
    }
  }
}

TESSERA_TYPED_TEST(IluTest, SweepsEndAtTheExactFactors) {
  for (const auto& A : {poisson<Scalar>(12, 11), random_dominant<Scalar>(150, 0.05)}) {
    Ilu<TypeParam> exact(A);
    const auto expected = exact.factors();
    IluParameters p{.method = IluMethod::fixed_point};
    double last = 1e30;
    for (const int sweeps : {1, 3, 6}) {
      p.sweeps = sweeps;
      const auto found = Ilu<TypeParam>(A, p).factors();
      double difference = 0;
      for (std::size_t e = 0; e < found.values.size(); ++e)
        difference += std::abs(static_cast<double>(found.values[e]) - expected.values[e]);
      EXPECT_LE(difference, last) << sweeps << " sweeps";
      if (sweeps == 1) {
        EXPECT_GT(difference, 0) << "the exact factors are too easy";
      }
      last = 0.5 * difference;
    }
    for (const int more : {0, 1}) {
      p.sweeps = 2 * A.num_rows + more;
      EXPECT_EQ(Ilu<TypeParam>(A, p).factors().values, expected.values) << p.sweeps << " sweeps";
    }
  }
}

TESSERA_TYPED_TEST(IluTest, TwoSweepsMakeOneMoreRowOfAChainExact) {
  const auto A = poisson<Scalar>(12, 1);
  const auto expected = Ilu<TypeParam>(A).factors();
  for (int sweeps = 1; sweeps < 8; ++sweeps) {
    const auto found =
        Ilu<TypeParam>(A, {.method = IluMethod::fixed_point, .sweeps = sweeps}).factors();
    std::int32_t rows = 0;
    const auto is_exact = [&](std::int32_t row) {
      const auto begin = found.values.begin();
      return std::equal(begin + found.offsets[row], begin + found.offsets[row + 1],
                        expected.values.begin() + found.offsets[row]);
    };
    while (rows < A.num_rows && is_exact(rows))
      ++rows;
    EXPECT_EQ(rows, (sweeps + 3) / 2) << sweeps << " sweeps";
  }
}

TESSERA_TYPED_TEST(IluTest, NewValuesAreThoseOfANewMatrix) {
  const auto A = random_dominant<Scalar>(200, 0.05, 3);
  auto B = A;
  for (std::size_t e = 0; e < B.values.size(); ++e)
    B.values[e] *= static_cast<Scalar>(1 + 0.3 * (e % 5));
  B = dominant(B);
  const auto r = random_vector<Scalar>(200);
  Ilu<TypeParam> ilu(A);
  const auto before = ilu.apply(r);
  ilu.matrix = make_csr<Offset>(ilu.exec, B);
  ASSERT_TRUE(ilu.M.compute(ilu.exec, ilu.matrix.view()));
  EXPECT_EQ(ilu.apply(r), Ilu<TypeParam>(B).apply(r));
  ilu.matrix = make_csr<Offset>(ilu.exec, A);
  ASSERT_TRUE(ilu.M.compute(ilu.exec, ilu.matrix.view()));
  EXPECT_EQ(ilu.apply(r), before);
}

TESSERA_TYPED_TEST(IluTest, TheSameBitsByAllWaysAndNumbersOfThreads) {
  const auto A = poisson<Scalar>(60, 50);
  const auto r = random_vector<Scalar>(3000);
  std::vector<std::vector<Scalar>> factors, results;
  for (const Space& exec : instances<Space>()) {
    for (int repeat = 0; repeat < 3; ++repeat) {
      Ilu<TypeParam> ilu(A, {}, exec);
      factors.push_back(ilu.factors().values);
      results.push_back(ilu.apply(r));
    }
  }
  expect_same_bits(factors, "factors");
  expect_same_bits(results, "solves");
}

TESSERA_TYPED_TEST(IluTest, MatricesThatAreNotSquareAreRefused) {
  const auto A = random_matrix<Scalar>({.num_rows = 3, .num_cols = 4});
  expect_error(error_of([&] { Ilu<TypeParam>{A}; }), ErrorKind::precondition, {"3 by 4"});
}

}  // namespace tessera::test::ilu_test
