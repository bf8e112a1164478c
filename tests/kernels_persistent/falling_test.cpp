// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What solves in falling precision count, and when they lower no tile any more.
#include "tessera/kernels/persistent/detail/falling.hpp"

#include <gtest/gtest.h>
#include <cstdint>
#include <limits>
#include <vector>

namespace tessera::test {
namespace {

using kernels::PersistentLimits;
using kernels::detail::ConvergenceWatch;
using kernels::detail::FallingControl;
using kernels::detail::FallingNotes;
using kernels::detail::TileCounts;

TEST(FallingNotesTest, CountMoreTilesThan31BitsHold) {
  TileCounts of_product;
  for (int tile = 0; tile < 100000; ++tile)
    of_product.count(1, true);
  of_product.raised = 100000;
  FallingNotes notes;
  constexpr int products = 50000;
  for (int product = 0; product < products; ++product)
    notes.add(of_product);
  constexpr std::int64_t expected = std::int64_t{100000} * products;
  static_assert(expected > std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(notes.counts[1], expected);
  EXPECT_EQ(notes.lowered, expected);
  EXPECT_EQ(notes.raised, expected);
  EXPECT_EQ(notes.counts[0], 0);
}

/// After how many iterations the watch says that it is enough; 0: it does not. Each iteration
/// multiplies the norm of the residual by `before`, and by `after` from the first lowered one on.
int slowed_after(double before, double after, int first_lowered, int max_iterations = 100000,
                 int iterations = 1000) {
  PersistentLimits limits;
  limits.max_iterations = max_iterations;
  std::vector<double> history(1);
  const FallingControl control(limits, 1e-16, 1, history.data());
  ConvergenceWatch watch(1, 100, control);
  double residual = 1;
  for (int i = 1; i <= iterations; ++i) {
    const bool lowered = i >= first_lowered;
    const double factor = lowered ? after : before;
    residual *= factor * factor;
    if (watch.has_slowed(residual, lowered)) return i;
  }
  return 0;
}

TEST(ConvergenceWatchTest, LetsGoOnWhatConvergesAsBefore) {
  EXPECT_EQ(slowed_after(0.9, 0.9, 120), 0);
  EXPECT_EQ(slowed_after(0.9, 0.92, 120), 0);
  EXPECT_EQ(slowed_after(0.98, 0.95, 3), 0);
  // Nothing was lost: the solve is as slow by itself.
  EXPECT_EQ(slowed_after(1.0, 1.0, 2000), 0);
}

TEST(ConvergenceWatchTest, NoticesThatConvergenceSlowsDown) {
  // New best residuals all along, at a tenth of the rate.
  const int late = slowed_after(0.9, 0.99, 120);
  EXPECT_GT(late, 120);
  EXPECT_LE(late, 120 + 100);
  // Where tiles are lowered before there is a rate, the first half of the patience has it.
  EXPECT_EQ(slowed_after(0.9, 0.99, 45), 100);
}

TEST(ConvergenceWatchTest, NoticesThatNothingImproves) {
  EXPECT_EQ(slowed_after(1.1, 1.1, 1), 101);
}

TEST(ConvergenceWatchTest, TakesHalfOfTheIterationsAtTheMost) {
  EXPECT_EQ(slowed_after(0.9, 0.9, 1, 200), 100);
  EXPECT_EQ(slowed_after(0.9, 0.9, 150, 200), 150);
}

}  // namespace
}  // namespace tessera::test
