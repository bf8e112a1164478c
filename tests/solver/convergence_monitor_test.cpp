// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// When a rate is found too slow.
#include "tessera/solver/convergence_monitor.hpp"

#include "tessera/solver/selection_rules.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tessera::test::convergence_monitor_test {

constexpr int first = rules::iterations_before_estimate;
constexpr int early = rules::iterations_before_early_look;

/// The first iteration that is slow where each gains so many digits; -1 where none is.
int first_slow(ConvergenceMonitor monitor, double digits) {
  for (int i = 0; i <= 60; ++i)
    if (monitor.is_slow({i, std::pow(10.0, -digits * i), 0})) return i;
  return -1;
}

TEST(ConvergenceMonitorLooks, FromTheFirstEstimateOn) {
  const ConvergenceMonitor few(1e-8, 1000, rules::many_iterations_of_few_rows);
  EXPECT_EQ(first_slow(few, 0.01), first);
  EXPECT_EQ(first_slow(few, 0.09), first) << "59 further ones after 30";
  EXPECT_EQ(first_slow(few, 0.15), -1);
}

TEST(ConvergenceMonitorLooks, EarlyForWhatWillTakeVeryLong) {
  const ConvergenceMonitor few(1e-8, 1000, rules::many_iterations_of_few_rows, false, true);
  EXPECT_EQ(first_slow(few, 0.01), early);
  EXPECT_EQ(first_slow(few, 0.09), first) << "79 further ones after 10 are not enough";
  EXPECT_EQ(first_slow(few, 0.15), -1);
}

TEST(ConvergenceMonitorLooks, TellsWhetherItsLookWasEarly) {
  ConvergenceMonitor monitor(1e-8, 1000, rules::too_many_iterations, false, true);
  for (int i = 0; i <= first; ++i) {
    EXPECT_EQ(monitor.is_slow({i, 1.0, 0}), i >= early);
    EXPECT_EQ(monitor.is_early(), i < first);
    EXPECT_EQ(monitor.estimated() > 0, i >= early);
  }
}

TEST(ConvergenceMonitorLooks, NotWhereTheLimitIsNear) {
  const int limit = early + rules::iterations_of_early_look - 1;
  EXPECT_EQ(first_slow(ConvergenceMonitor(1e-8, limit, 200, false, true), 0.01), -1);
  EXPECT_EQ(first_slow(ConvergenceMonitor(1e-8, limit + 1, 200, false, true), 0.01), early);
}

}  // namespace tessera::test::convergence_monitor_test
