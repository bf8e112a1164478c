// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The restriction of nonsymmetric matrices against dense products.
#include "tessera/amg/coarsening/restriction.hpp"

#include "support/device.hpp"
#include "support/inverse_diagonal.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/typed_tests.hpp"
#include "tessera/amg/coarsening/prolongator_smoothing.hpp"
#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/graph/strength.hpp"
#include "tessera/operator/error.hpp"

#include <limits>

namespace tessera::test::restriction_test {

/// A random matrix of couplings above 0 in some places, with a diagonal; rows in a random order.
template <class Scalar>
HostMatrix<Scalar> random_couplings(Ordinal n, double density, bool symmetric, std::uint64_t seed) {
  Random random(seed);
  Dense dense(n, n);
  for (Ordinal i = 0; i < n; ++i) {
    for (Ordinal j = 0; j < n; ++j) {
      if (i == j) {
        dense(i, j) = 2 + random.uniform();
      } else if (symmetric && j < i) {
        dense(i, j) = dense(j, i);
      } else if (random.uniform() < density) {
        dense(i, j) = random.uniform() - 0.3;
      }
    }
  }
  return by_rows<Scalar>(n, n, [&](auto& A, Ordinal i) {
    for (Ordinal shifted = 0; shifted < n; ++shifted) {
      const Ordinal j = (shifted + 5 * i) % n;
      if (dense(i, j) != 0) A.push(j, static_cast<Scalar>(dense(i, j)));
    }
  });
}

double reference_skewness(const Dense& A, Ordinal i) {
  long double difference = 0;
  long double size = 0;
  for (Ordinal j = 0; j < A.num_cols; ++j) {
    if (j == i) continue;
    difference += std::abs(A(i, j) - A(j, i));
    size += std::abs(A(i, j)) + std::abs(A(j, i));
  }
  return size > 0 ? static_cast<double>(difference / size) : 0;
}

template <class Param>
class RestrictionTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;
  const double tolerance = 100 * std::numeric_limits<Scalar>::epsilon();

  std::vector<Scalar> skewness_of(const HostMatrix<Scalar>& A) {
    const auto csr = make_csr<Offset>(exec, A);
    const auto transposed = kernels::transpose(exec, csr.view());
    return to_host(amg::skewness(exec, csr.view(), transposed.view()));
  }

  /// Three neighbours in number per aggregate, and the constant as the near-nullspace vector.
  amg::Tentative<Scalar, Space, Offset> tentative(Ordinal n) {
    std::vector<Ordinal> aggregate_of(n);
    for (Ordinal v = 0; v < n; ++v)
      aggregate_of[v] = v / 3;
    const auto ones = to_multivector(exec, std::vector<Scalar>(n, Scalar(1)), n);
    return amg::tentative_prolongator<Offset>(
        exec, kernels::Aggregates<Space>{(n + 2) / 3, to_device(exec, aggregate_of)},
        ConstMultiVectorView<Scalar, Space>(ones));
  }
};
TYPED_TEST_SUITE(RestrictionTest, Matrices, TypeNames);

TYPED_TEST(RestrictionTest, SkewnessIsZeroToOne) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const bool symmetric : {true, false}) {
    for (const double density : {0.0, 0.1, 0.9}) {
      const auto A = random_couplings<Scalar>(60, density, symmetric, 3);
      const Dense dense = to_dense(A);
      const auto skewness = this->skewness_of(A);
      for (std::size_t i = 0; i < skewness.size(); ++i) {
        // Of a symmetric matrix it is 0 but for roundings: a row and its column are added up in
        // different orders.
        const double expected = symmetric ? 0 : reference_skewness(dense, static_cast<Ordinal>(i));
        EXPECT_NEAR(skewness[i], expected, this->tolerance);
      }
    }
  }
  // One direction alone, and the same in both with the other sign.
  const auto one_way =
      from_rows<Scalar>(4, {{{0, 1}}, {{0, -1}, {1, 1}}, {{3, 2}, {2, 1}}, {{2, -2}, {3, 1}}});
  EXPECT_EQ(this->skewness_of(one_way), (std::vector<Scalar>{1, 1, 1, 1}));
}

TYPED_TEST(RestrictionTest, MatchesTheDenseProduct) {
  TESSERA_TEST_TYPES(TypeParam);
  const Ordinal n = 60;
  const double omega = 0.6;
  const auto A = random_couplings<Scalar>(n, 0.1, false, 4);
  const auto csr = make_csr<Offset>(this->exec, A);
  const auto tentative = this->tentative(n);
  const auto transposed = kernels::transpose(this->exec, csr.view());
  const auto skewness = amg::skewness(this->exec, csr.view(), transposed.view());
  const auto R = to_host(amg::smooth_restriction(this->exec, transposed.view(), skewness,
                                                 to_device(this->exec, inverse_diagonal_of(A)),
                                                 omega, tentative));
  const Dense a = to_dense(A);
  const Dense T = to_dense(to_host(tentative.T));
  const Dense r = to_dense(R);
  ASSERT_EQ(R.num_rows, tentative.T.num_cols);
  ASSERT_EQ(R.num_cols, n);
  for (Ordinal g = 0; g < R.num_rows; ++g) {
    for (Ordinal i = 0; i < n; ++i) {
      long double sum = 0;
      for (Ordinal k = 0; k < n; ++k)
        sum += T(k, g) * a(k, i);
      const double weight = 1 - reference_skewness(a, i) / 2;
      EXPECT_NEAR(r(g, i), T(i, g) - omega * weight * sum / a(i, i), this->tolerance);
    }
  }
}

TYPED_TEST(RestrictionTest, IsTheTransposedProlongatorOfASymmetricMatrix) {
  TESSERA_TEST_TYPES(TypeParam);
  const Ordinal n = 90;
  const auto A = random_couplings<Scalar>(n, 0.08, true, 5);
  const auto csr = make_csr<Offset>(this->exec, A);
  const auto inverse = to_device(this->exec, inverse_diagonal_of(A));
  const auto tentative = this->tentative(n);
  for (const double theta : {0.0, 0.25}) {
    const auto measure = StrengthMeasure::largest;
    // The filter sees the scale and does not own it.
    Array<double, Space> scale;
    if (theta > 0) scale = kernels::coupling_scale(this->exec, csr.view(), measure);
    const amg::WeakFilter<Space> filter{theta, scale};
    const Dense P = to_dense(
        to_host(amg::smooth_prolongator(this->exec, csr.view(), inverse, 0.6, tentative, filter)));
    const auto transposed = kernels::transpose(this->exec, csr.view());
    const auto skewness = amg::skewness(this->exec, csr.view(), transposed.view());
    const Dense R = to_dense(to_host(amg::smooth_restriction(
        this->exec, transposed.view(), skewness, inverse, 0.6, tentative, filter)));
    for (Ordinal i = 0; i < n; ++i) {
      for (Ordinal g = 0; g < R.num_rows; ++g)
        EXPECT_NEAR(R(g, i), P(i, g), this->tolerance);
    }
  }
}

/// The same numbers as if made again, where the filter leaves out the same couplings: all are
/// scaled.
TYPED_TEST(RestrictionTest, NewValuesInTheOldPattern) {
  TESSERA_TEST_TYPES(TypeParam);
  const Ordinal n = 90;
  const auto tentative = this->tentative(n);
  for (const double theta : {0.0, 0.25}) {
    auto A = random_couplings<Scalar>(n, 0.1, false, 6);
    kernels::Csr<Scalar, Space, Offset> R, Rt, expected;
    for (const Scalar factor : {1, 4}) {
      Random random(9);
      for (Scalar& value : A.values)
        value *= theta > 0 ? factor : static_cast<Scalar>(factor * (1 + random.uniform()));
      const auto csr = make_csr<Offset>(this->exec, A);
      const auto At = kernels::transpose(this->exec, csr.view());
      const auto skewness = amg::skewness(this->exec, csr.view(), At.view());
      const auto inverse = to_device(this->exec, inverse_diagonal_of(A));
      Array<double, Space> scale;
      if (theta > 0)
        scale = kernels::coupling_scale(this->exec, At.view(), StrengthMeasure::largest);
      const amg::WeakFilter<Space> filter{theta, scale};
      if (factor == Scalar(1)) {
        R = amg::smooth_restriction(this->exec, At.view(), skewness, inverse, 0.6, tentative,
                                    filter, 1000, &Rt);
      } else {
        expected = amg::smooth_restriction(this->exec, At.view(), skewness, inverse, 0.6, tentative,
                                           filter, 1000);
        amg::smooth_restriction_numeric(this->exec, At.view(), skewness, inverse, 0.6, tentative,
                                        Rt, R, filter, 1000);
      }
    }
    const auto made = to_host(R);
    const auto wanted = to_host(expected);
    ASSERT_EQ(made.columns, wanted.columns);
    ASSERT_EQ(made.offsets, wanted.offsets);
    for (std::size_t k = 0; k < made.values.size(); ++k)
      EXPECT_NEAR(made.values[k], wanted.values[k], this->tolerance);
  }
}

TYPED_TEST(RestrictionTest, RefusesBadArguments) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto small = make_csr<Offset>(this->exec, identity<Scalar>(9));
  const auto large = make_csr<Offset>(this->exec, identity<Scalar>(12));
  EXPECT_THROW(amg::skewness(this->exec, small.view(), large.view()), Error);
  const Array<Scalar, Space> ones = to_device(this->exec, std::vector<Scalar>(12, Scalar(1)));
  const Array<Scalar, Space> few = to_device(this->exec, std::vector<Scalar>(9, Scalar(1)));
  const auto tentative = this->tentative(12);
  EXPECT_THROW(amg::smooth_restriction(this->exec, small.view(), few, few, 0.6, tentative), Error);
  EXPECT_THROW(amg::smooth_restriction(this->exec, large.view(), few, ones, 0.6, tentative), Error);
  EXPECT_THROW(
      amg::discount_skew_rows(this->exec, few, to_device(this->exec, std::vector<double>(12, 1.0))),
      Error);
  EXPECT_THROW(
      amg::smooth_prolongator(this->exec, large.view(), ones, 0.6, tentative, {}, 100, few), Error);
}

}  // namespace tessera::test::restriction_test
