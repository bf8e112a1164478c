// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The polynomials that Chebyshev recurrences run through, and the bounds that they are made for.
#include "tessera/smoother/chebyshev_recurrence.hpp"

#include "tessera/kernels/execution/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace tessera::test::chebyshev_recurrence_test {
namespace {

constexpr double radius = 0.7;
constexpr double upper = 1.1 * radius;

std::vector<PolynomialStep> steps_of(ChebyshevKind kind, int degree) {
  return chebyshev_steps(radius, {.kind = kind, .degree = degree});
}

/// What the steps multiply the error by where D^-1 A is t times the upper end.
double error_at(const std::vector<PolynomialStep>& steps, double t) {
  double error = 1, direction = 0;
  for (const auto& step : steps) {
    direction = step.beta * direction - step.alpha * t * upper * error;
    error += direction;
  }
  return error;
}

constexpr int points = 20000;

/// The largest of lambda p^2 / (1 - p^2) in (0, 1]: a V-cycle's rate is at most C / (C + 1 / this)
/// (Lottes, section 2).
double gamma_of(const std::function<double(double)>& p) {
  double largest = 0;
  for (int i = 1; i <= points; ++i) {
    const double t = static_cast<double>(i) / points;
    const double square = p(t) * p(t);
    if (square >= 1) return HUGE_VAL;
    largest = std::max(largest, t * square / (1 - square));
  }
  return largest;
}

double optimal_gamma(int k) {
  const double tangent = std::tan(std::numbers::pi / (4 * k + 2));
  return tangent * tangent;
}

TEST(ChebyshevRecurrence, OfTheFirstKindIsLeastOnItsInterval) {
  for (const int k : {1, 2, 3, 7}) {
    const auto steps = chebyshev_steps(radius, {.degree = k, .eigenvalue_ratio = 5});
    const double lower = radius / 5;
    const auto at = [&](double lambda) { return (upper + lower - 2 * lambda) / (upper - lower); };
    const double least = 1 / std::cosh(k * std::acosh(at(0)));
    double largest = 0;
    for (int i = 0; i <= points; ++i) {
      const double lambda = lower + (upper - lower) * i / points;
      const double p = error_at(steps, lambda / upper);
      EXPECT_NEAR(p, least * std::cos(k * std::acos(std::clamp(at(lambda), -1.0, 1.0))), 1e-12);
      largest = std::max(largest, std::abs(p));
    }
    EXPECT_NEAR(largest, least, 1e-12);
  }
}

TEST(ChebyshevRecurrence, OfTheFourthKindIsWOfK) {
  for (const int k : {1, 2, 3, 7, 30}) {
    const auto steps = steps_of(ChebyshevKind::fourth, k);
    for (int i = 1; i <= points; ++i) {
      const double t = static_cast<double>(i) / points;
      const double angle = std::acos(1 - 2 * t);
      EXPECT_NEAR(error_at(steps, t),
                  std::sin((k + 0.5) * angle) / std::sin(angle / 2) / (2 * k + 1), 1e-10);
    }
    // 1 / gamma = 4/3 k (k + 1), as t goes to 0.
    const auto p = [&](double t) { return error_at(steps, t); };
    EXPECT_NEAR(gamma_of(p) * 4.0 / 3 * k * (k + 1), 1, k < 10 ? 1e-2 : 5e-2);
    EXPECT_LE(gamma_of(p) * 4.0 / 3 * k * (k + 1), 1 + 1e-8);
  }
}

TEST(ChebyshevRecurrence, OptimizedHasTheLeastBound) {
  for (const int k : {1, 2, 3, 4, 8, 16}) {
    SCOPED_TRACE(k);
    const auto steps = steps_of(ChebyshevKind::fourth_optimized, k);
    const auto p = [&](double t) { return error_at(steps, t); };
    const double gamma = optimal_gamma(k);
    EXPECT_LE(gamma_of(p), gamma * (1 + 1e-9));
    EXPECT_GE(gamma_of(p), gamma * (1 - 1e-4));
    // The paper's asymptotic bound.
    const double m = 2 * k + 1;
    EXPECT_NEAR(1 / gamma, 4 / (std::numbers::pi * std::numbers::pi) * m * m - 2.0 / 3, 0.25 / m);
    EXPECT_LT(gamma, 3.0 / (4 * k * (k + 1)));
    // sqrt(1 + t / gamma) p alternates between 1 and -1, from 1 at 0 on, in k + 1 points: another
    // polynomial of the degree with a lower bound would cross this one k + 1 times.
    int alternations = 0;
    double sign = -1;
    for (int i = 0; i <= points; ++i) {
      const double t = static_cast<double>(i) / points;
      const double weighted = std::sqrt(1 + t / gamma) * p(t);
      EXPECT_LE(std::abs(weighted), 1 + 1e-9);
      if (weighted * sign < -(1 - 1e-4)) {
        ++alternations;
        sign = -sign;
      }
    }
    EXPECT_EQ(alternations, k + 1);
    // Nor does any small change lower it.
    for (int power = 1; power <= k; ++power) {
      for (const double change : {1e-3, -1e-3}) {
        const auto changed = [&](double t) { return p(t) + change * std::pow(t, power); };
        EXPECT_GT(gamma_of(changed), gamma_of(p)) << power;
      }
    }
  }
}

/// Lottes's algorithm 4 with the weights of his table, which are rounded to 15 digits.
TEST(ChebyshevRecurrence, OptimizedIsThePublishedOne) {
  const std::vector<std::vector<double>> weights = {
      {1.12500000000000},
      {1.02387287570313, 1.26408905371085},
      {1.00842544782028, 1.08867839208730, 1.33753125909618},
      {1.00391310427285, 1.04035811188593, 1.14863498546254, 1.38268869241000}};
  for (std::size_t k = 1; k <= weights.size(); ++k) {
    const auto steps = steps_of(ChebyshevKind::fourth_optimized, static_cast<int>(k));
    for (const double t : {0.01, 0.2, 0.5, 0.8, 1.0}) {
      double x = 0, z = 0, r = 1;
      for (std::size_t i = 1; i <= k; ++i) {
        const double two_i = 2.0 * static_cast<double>(i);
        z = (two_i - 3) / (two_i + 1) * z + (4 * two_i - 4) / (two_i + 1) * r;
        x += weights[k - 1][i - 1] * z;
        r -= t * z;
      }
      EXPECT_NEAR(error_at(steps, t), 1 - t * x, 1e-12) << k;
    }
  }
}

TEST(ChebyshevRecurrence, RefusesWhatIsOutOfRange) {
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL})
    EXPECT_THROW(chebyshev_steps(bad, {}), Error);
  EXPECT_THROW(chebyshev_steps(1, {.degree = 0}), Error);
  EXPECT_THROW(chebyshev_steps(1, {.eigenvalue_ratio = 0.5}), Error);
}

}  // namespace
}  // namespace tessera::test::chebyshev_recurrence_test
