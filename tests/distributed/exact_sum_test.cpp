// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sums that are the same in any order.
#include "tessera/distributed/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace tessera::test::exact_sum_test {

using distributed::ExactSum;
using Limits = std::numeric_limits<double>;

/// Of parts with so many numbers each, whose words are added up as processes do.
double sum_of(const std::vector<double>& numbers, std::size_t part = 7) {
  ExactSum all;
  for (std::size_t first = 0; first < numbers.size(); first += part) {
    ExactSum own;
    for (std::size_t i = first; i < std::min(first + part, numbers.size()); ++i)
      own.add(numbers[i]);
    own.carry();
    for (int w = 0; w < ExactSum::num_words; ++w)
      all.words[w] += own.words[w];
  }
  return all.value();
}

TEST(ExactSums, RoundOnce) {
  EXPECT_EQ(sum_of({}), 0);
  for (const double number : {1.0, -1.0, 0.1, -1e300, 1e-300, Limits::max(), -Limits::max(),
                              Limits::min(), Limits::denorm_min(), -Limits::denorm_min(), 3.5e-310,
                              0x1p-1022, 0x1.fffffffffffffp1023, 4294967295.0, -4294967296.0}) {
    EXPECT_EQ(sum_of({number}), number);
    EXPECT_EQ(sum_of({number, -number}), 0);
    EXPECT_EQ(sum_of({Limits::max() / 2, number, -Limits::max() / 2}, 1), number);
  }
  EXPECT_EQ(sum_of({1e300, 1, -1e300}), 1);
  EXPECT_EQ(sum_of({0x1p53, 1, 1}), 0x1p53 + 2);
  EXPECT_EQ(sum_of({Limits::max(), Limits::max(), -Limits::max()}), Limits::max());
  EXPECT_EQ(sum_of({Limits::max(), Limits::max()}), Limits::infinity());
  EXPECT_EQ(sum_of(std::vector<double>(100000, 0.1), 1000), 10000);
}

TEST(ExactSums, HaveWhatIsNoNumber) {
  const double infinity = Limits::infinity();
  EXPECT_EQ(sum_of({1, infinity}), infinity);
  EXPECT_EQ(sum_of({-infinity, 1}), -infinity);
  EXPECT_TRUE(std::isnan(sum_of({infinity, -infinity})));
  EXPECT_TRUE(std::isnan(sum_of({1, Limits::quiet_NaN(), infinity})));
}

/// Of random magnitudes and signs, shuffled and in parts of other sizes.
TEST(ExactSums, DoNotDependOnTheOrder) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> digits(-1, 1);
  for (const int span : {0, 30, 300, 1000}) {
    std::uniform_int_distribution<int> exponents(-span, span);
    std::vector<double> numbers(3000);
    for (double& number : numbers)
      number = std::ldexp(digits(random), exponents(random));
    const double sum = sum_of(numbers);
    long double reference = 0;
    long double magnitudes = 0;
    for (const double number : numbers) {
      reference += number;
      magnitudes += std::abs(number);
    }
    EXPECT_LE(std::abs(sum - reference), 1e-15L * magnitudes);
    for (std::size_t part = 1; part < 4000; part *= 5) {
      std::ranges::shuffle(numbers, random);
      EXPECT_EQ(sum_of(numbers, part), sum) << span << ' ' << part;
    }
  }
}

}  // namespace tessera::test::exact_sum_test
