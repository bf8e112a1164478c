// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What solves in dynamic precision count, and when they lower no tile any more.
#include "tessera/kernels/persistent/detail/dynamic_precision.hpp"

#include <gtest/gtest.h>
#include <array>
#include <cstdint>
#include <limits>

namespace tessera::test::dynamic_precision_test {

using kernels::DynamicRanges;
using kernels::PersistentLimits;
using kernels::detail::DynamicControl;
using kernels::detail::DynamicNotes;
using kernels::detail::Iterated;
using kernels::detail::LevelCounts;
using kernels::detail::LevelRule;
using kernels::detail::Quotient;
using kernels::detail::SlowdownMonitor;
using kernels::detail::step_of_product;

TEST(LevelCountsTest, CountMoreTilesThan31BitsHold) {
  const LevelCounts counts;
  EXPECT_EQ(counts.reads(1, 100000, 50000), std::int64_t{5000000000});
  EXPECT_EQ(counts.reads(0, 0, 50000), 0);
}

TEST(LevelCountsTest, CountReadsByTheLevelThatATileHadThen) {
  constexpr int products = 50;
  std::array<std::int64_t, 3> expected{};
  LevelCounts counts;
  DynamicNotes notes{.counts = counts};
  int level = 2;
  for (int product = 1; product <= products; ++product) {
    ++notes.products;
    const int next = product < 8 ? 2 : product < 20 ? 0 : product < 41 ? 1 : 2;
    if (next != level) notes.move(level, next);
    level = next;
    ++expected[level];
  }
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(counts.reads(k, k == level ? 1 : 0, products), expected[k]) << k;
  EXPECT_EQ(notes.raised, 2);
}

constexpr int of_fp64 = 5, of_fp32 = 4;

TEST(LevelRuleTest, GoesByStepsAndByWhatAmplifiesErrors) {
  LevelRule rule(DynamicRanges{}, 1e-10);
  rule.lowers = true;
  constexpr double norm = 1e-8;  // over epsilon 100, in the range of fp32
  EXPECT_EQ(rule.next(norm, of_fp64, of_fp64), of_fp64) << "no step is known";
  rule.step(1, 1);
  EXPECT_EQ(rule.next(norm, of_fp64, of_fp64), of_fp32);
  EXPECT_EQ(rule.next(0, of_fp64, of_fp64), 0);
  rule.amplification = 1e3;
  EXPECT_EQ(rule.next(norm, of_fp32, of_fp64), of_fp64);
  rule.amplification = std::numeric_limits<double>::infinity();
  EXPECT_EQ(rule.next(norm, of_fp32, of_fp64), of_fp64);
  rule.amplification = std::nan("");
  EXPECT_EQ(rule.next(norm, of_fp32, of_fp64), of_fp64);
  rule.amplification = 1;
  rule.step(1e3, 1);
  EXPECT_EQ(rule.next(norm, of_fp32, of_fp64), of_fp64);
}

struct GroupOfOne {
  bool fails = false;
  bool has_failed() const { return fails; }
};

/// The steps that a product leads to at first and, done again, then.
struct Steps {
  Quotient<double> first, then;
};

/// How often a product was repeated; the rule knows of steps of length 1.
std::int64_t repeated(LevelRule& rule, const Steps& steps, bool lowers = true,
                      const GroupOfOne& group = {}) {
  rule.gain = 1;
  LevelCounts counts;
  DynamicNotes notes{.counts = counts};
  int products = 0;
  const auto product = [&](bool again) {
    EXPECT_EQ(again, products == 1);
    ++products;
    return lowers;
  };
  const auto step = [&] { return products == 1 ? steps.first : steps.then; };
  const auto length = step_of_product(group, rule, 1, notes, product, step);
  EXPECT_EQ(products, 1 + notes.repeated);
  EXPECT_EQ(length.value, notes.repeated == 0 ? steps.first.value : steps.then.value);
  return notes.repeated;
}

TEST(StepOfProductTest, RepeatsAProductWhoseStepIsFarLongerThanEstimated) {
  LevelRule rule(DynamicRanges{}, 1e-10);
  EXPECT_EQ(repeated(rule, {{-2}, {}}), 0);
  EXPECT_EQ(rule.gain, 1);
  EXPECT_EQ(repeated(rule, {{-1e7}, {-3e6}}), 1);
  EXPECT_EQ(rule.gain, 1e7);
  EXPECT_EQ(repeated(rule, {{1e7}, {}}, false), 0) << "no tile has lost anything";
  EXPECT_EQ(repeated(rule, {{1e7}, {}}, true, {.fails = true}), 0);
}

/// Where what was left out is all that <shadow, v> consists of.
TEST(StepOfProductTest, RepeatsAProductThatLeadsToNoStep) {
  LevelRule rule(DynamicRanges{}, 1e-10);
  rule.lowers = true;
  EXPECT_EQ(repeated(rule, {{0, Iterated::broke_down}, {-1e15}}), 1);
  EXPECT_EQ(rule.next(1e-20, of_fp64, of_fp64), of_fp64) << "with nothing lowered";
}

/// After how many iterations the watch says that it is enough; 0: it does not. Each iteration
/// multiplies the norm of the residual by `before`, and by `after` from the first lowered one on.
int slowed_after(double before, double after, int first_lowered, int max_iterations = 100000,
                 int iterations = 1000) {
  SlowdownMonitor monitor(1, 100, max_iterations / 2);
  double residual = 1;
  for (int i = 1; i <= iterations; ++i) {
    const bool lowered = i >= first_lowered;
    const double factor = lowered ? after : before;
    residual *= factor * factor;
    if (monitor.has_slowed(residual, lowered)) return i;
  }
  return 0;
}

TEST(SlowdownMonitorTest, LetsGoOnWhatConvergesAsBefore) {
  EXPECT_EQ(slowed_after(0.9, 0.9, 120), 0);
  EXPECT_EQ(slowed_after(0.9, 0.92, 120), 0);
  EXPECT_EQ(slowed_after(0.98, 0.95, 3), 0);
  // Nothing was lost: the solve is as slow by itself.
  EXPECT_EQ(slowed_after(1.0, 1.0, 2000), 0);
}

TEST(SlowdownMonitorTest, NoticesThatConvergenceSlowsDown) {
  // New best residuals all along, at a tenth of the rate.
  const int late = slowed_after(0.9, 0.99, 120);
  EXPECT_GT(late, 120);
  EXPECT_LE(late, 120 + 100);
  // Where tiles are lowered before there is a rate, the first half of the patience has it.
  EXPECT_EQ(slowed_after(0.9, 0.99, 45), 100);
}

TEST(SlowdownMonitorTest, NoticesThatNothingImproves) { EXPECT_EQ(slowed_after(1.1, 1.1, 1), 101); }

TEST(SlowdownMonitorTest, TakesHalfOfTheIterationsAtTheMost) {
  EXPECT_EQ(slowed_after(0.9, 0.9, 1, 200), 100);
  EXPECT_EQ(slowed_after(0.9, 0.9, 150, 200), 150);
}

}  // namespace tessera::test::dynamic_precision_test
