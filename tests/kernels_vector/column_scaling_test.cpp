// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Magnitudes of columns, and columns times powers of two: exact where a scalar holds the result.
#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/vector/column_scaling.hpp"

#include <limits>

namespace tessera::test::column_scaling_test {

using namespace tessera::kernels;

template <class Param>
class ColumnScaling : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Limits = std::numeric_limits<Scalar>;
  Space exec;

  std::vector<double> magnitudes(const std::vector<Scalar>& x, std::size_t n, std::size_t k) {
    const auto report = allocate_report<double>(exec, "tessera::test", k);
    const auto vectors = to_multivector(exec, x, n, k);
    column_magnitudes<Scalar, Space>(exec, vectors, report);
    exec.fence("tessera::test");
    return {report.data(), report.data() + k};
  }
  std::vector<Scalar> scaled(const std::vector<Scalar>& x, std::size_t n,
                             const std::vector<int>& exponents, bool in_place = false) {
    const auto given = to_multivector(exec, x, n, exponents.size());
    const auto result =
        in_place ? given : allocate_multivector<Scalar>(exec, "tessera::test", n, exponents.size());
    scale_columns<Scalar, Space>(exec, exponents, given, result);
    return to_host(result);
  }
  /// How many entries lose bits; y becomes the scaled column.
  double lost(const std::vector<Scalar>& x, int exponent, std::vector<Scalar>& y) {
    const auto report = allocate_report<double>(exec, "tessera::test", 1);
    const auto given = to_multivector(exec, x, x.size());
    const auto result = allocate_multivector<Scalar>(exec, "tessera::test", x.size(), 1);
    scale_column_counting<Scalar, Space>(exec, exponent, given, result, report);
    exec.fence("tessera::test");
    y = to_host(result);
    return report(0);
  }
};
TYPED_TEST_SUITE(ColumnScaling, Scalars, TypeNames);

/// All but infinities and NaNs alike.
template <class Scalar>
bool same(Scalar a, Scalar b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

TYPED_TEST(ColumnScaling, MagnitudesAreTheLargestOfEachColumn) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const std::size_t n : {1, 2, 1000, 5000}) {
    const auto x = random_vector<Scalar>(3 * n, n);
    const auto found = this->magnitudes(x, n, 3);
    for (std::size_t j = 0; j < 3; ++j) {
      double expected = 0;
      for (std::size_t i = 0; i < n; ++i)
        expected = std::max(expected, std::abs(static_cast<double>(x[j * n + i])));
      EXPECT_EQ(found[j], expected);
    }
  }
}

TYPED_TEST(ColumnScaling, MagnitudesOfTheExtraordinary) {
  TESSERA_TEST_TYPES(TypeParam);
  using Limits = std::numeric_limits<Scalar>;
  const Scalar huge = Limits::max();
  const Scalar least = Limits::denorm_min();
  const Scalar infinite = Limits::infinity();
  const std::vector<Scalar> x{0, 0, -huge, 1, least, 0, 1, -infinite, 2, Limits::quiet_NaN()};
  const auto found = this->magnitudes(x, 2, 5);
  EXPECT_EQ(found[0], 0);
  EXPECT_EQ(found[1], static_cast<double>(huge));
  EXPECT_EQ(found[2], static_cast<double>(least));
  EXPECT_TRUE(std::isinf(found[3]));
  EXPECT_TRUE(std::isinf(found[4])) << "a NaN is not passed over";
  // Of no rows nothing is above 0, and of no columns there is nothing.
  EXPECT_FALSE(this->magnitudes({}, 0, 1)[0] > 0);
  EXPECT_TRUE(this->magnitudes({}, 3, 0).empty());
}

TYPED_TEST(ColumnScaling, PowersAreThoseOfLdexp) {
  TESSERA_TEST_TYPES(TypeParam);
  using Limits = std::numeric_limits<Scalar>;
  const std::size_t n = 200;
  auto x = random_vector<Scalar>(n, 3);
  x[0] = Scalar(0);
  x[1] = -Scalar(0);
  x[2] = Limits::infinity();
  x[3] = Limits::quiet_NaN();
  for (const int exponent : {0, 1, -1, 17, Limits::max_exponent - 3, Limits::min_exponent + 40}) {
    for (const bool in_place : {false, true}) {
      const auto y = this->scaled(x, n, {exponent}, in_place);
      for (std::size_t i = 0; i < n; ++i)
        ASSERT_TRUE(same(y[i], std::ldexp(x[i], exponent))) << x[i] << " times 2^" << exponent;
    }
  }
  EXPECT_TRUE(std::signbit(this->scaled(x, n, {-7})[1]));
}

TYPED_TEST(ColumnScaling, FromOneEndOfTheRangeToTheOther) {
  TESSERA_TEST_TYPES(TypeParam);
  using Limits = std::numeric_limits<Scalar>;
  // No single factor of Scalar does this.
  const int way = Limits::max_exponent - 1 - std::ilogb(Limits::denorm_min());
  const auto up = this->scaled({Limits::denorm_min(), -3 * Limits::denorm_min()}, 2, {way - 1});
  EXPECT_EQ(up[0], std::ldexp(Scalar(1), Limits::max_exponent - 2));
  EXPECT_EQ(up[1], std::ldexp(Scalar(-1.5), Limits::max_exponent - 1));
  const auto down = this->scaled(up, 2, {1 - way});
  EXPECT_EQ(down[0], Limits::denorm_min());
  EXPECT_EQ(down[1], -3 * Limits::denorm_min());
}

TYPED_TEST(ColumnScaling, EachColumnHasAPowerOfItsOwn) {
  TESSERA_TEST_TYPES(TypeParam);
  const std::size_t n = 37;
  const std::vector<int> exponents{5, 0, -90, 100};
  const auto x = random_vector<Scalar>(n * exponents.size(), 4);
  const auto y = this->scaled(x, n, exponents);
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(y[i], std::ldexp(x[i], exponents[i / n]));
}

TYPED_TEST(ColumnScaling, CountsTheEntriesThatLoseBits) {
  TESSERA_TEST_TYPES(TypeParam);
  using Limits = std::numeric_limits<Scalar>;
  const int to_least = Limits::min_exponent - 1;  // 1 becomes the smallest normal number
  std::vector<Scalar> y;
  EXPECT_EQ(this->lost({1, Scalar(1.5), 0, -2}, to_least, y), 0);
  EXPECT_EQ(y[0], Limits::min());
  // Denormal, and yet exact.
  EXPECT_EQ(this->lost({1, Scalar(1.5)}, to_least - 1, y), 0);
  EXPECT_EQ(y[0], Limits::min() / 2);
  // The last bit of one goes, and the other becomes zero.
  const Scalar odd = 1 + Limits::epsilon();
  EXPECT_EQ(this->lost({odd, 1, std::ldexp(Scalar(1), -Limits::digits - 2)}, to_least - 1, y), 2);
  EXPECT_EQ(y[2], Scalar(0));
  // Overflow; an infinity stays what it is, and a NaN is told of.
  EXPECT_EQ(this->lost({4, Limits::infinity(), 1}, Limits::max_exponent - 1, y), 1);
  EXPECT_TRUE(std::isinf(y[0]));
  EXPECT_EQ(this->lost({Limits::quiet_NaN(), 1}, 3, y), 1);
}

TYPED_TEST(ColumnScaling, RefusesOtherShapes) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto x = allocate_multivector<Scalar>(this->exec, "tessera::test", 3, 2);
  const auto y = allocate_multivector<Scalar>(this->exec, "tessera::test", 4, 2);
  const std::vector<int> two{0, 0};
  EXPECT_THROW((scale_columns<Scalar, Space>(this->exec, two, x, y)), Error);
  EXPECT_THROW((scale_columns<Scalar, Space>(this->exec, std::vector<int>{0}, x, x)), Error);
  const auto report = allocate_report<double>(this->exec, "tessera::test", 1);
  EXPECT_THROW((column_magnitudes<Scalar, Space>(this->exec, x, report)), Error);
}

}  // namespace tessera::test::column_scaling_test
