// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// For which solves a device takes one kernel by itself.
#include "tessera/solve/single_kernel_plan.hpp"

#include <gtest/gtest.h>

namespace tessera::test::single_kernel_rule_test {

using detail::single_kernel_pays;
using detail::SingleKernelCase;

TEST(SingleKernelRule, GoesByEntries) {
  EXPECT_TRUE(single_kernel_pays({.entries = 3'600'000}));
  EXPECT_FALSE(single_kernel_pays({.entries = 3'600'001}));
  EXPECT_TRUE(single_kernel_pays({.on_tiles = true, .entries = 1'800'000}));
  EXPECT_FALSE(single_kernel_pays({.on_tiles = true, .entries = 1'800'001}));
  EXPECT_FALSE(single_kernel_pays({.on_host = true, .entries = 1000}));
  SingleKernelCase multigrid{.preconditioner = PreconditionerKind::amg, .entries = 450'000};
  EXPECT_TRUE(single_kernel_pays(multigrid));
  ++multigrid.entries;
  EXPECT_FALSE(single_kernel_pays(multigrid));
}

TEST(SingleKernelRule, TakesIncompleteFactorsOfFewLevels) {
  SingleKernelCase factors{
      .preconditioner = PreconditionerKind::ilu, .entries = 200'000, .levels = 200};
  EXPECT_TRUE(single_kernel_pays(factors));
  ++factors.levels;
  EXPECT_FALSE(single_kernel_pays(factors));
  factors.levels = 0;
  EXPECT_FALSE(single_kernel_pays(factors)) << "halves have no levels";
  factors.levels = 2;
  EXPECT_TRUE(single_kernel_pays(factors));
  ++factors.entries;
  EXPECT_FALSE(single_kernel_pays(factors));
}

/// Rows far longer than the others are shared by a block's lanes in products with A alone.
TEST(SingleKernelRule, TakesLongRowsWhereTheyAreShared) {
  for (const auto kind :
       {PreconditionerKind::none, PreconditionerKind::jacobi, PreconditionerKind::block_jacobi,
        PreconditionerKind::ilu, PreconditionerKind::amg}) {
    const bool is_shared = kind != PreconditionerKind::ilu && kind != PreconditionerKind::amg;
    SingleKernelCase given{.preconditioner = kind,
                           .entries = 15'000,
                           .levels = 20,
                           .has_hubs = true,
                           .longest_row = 10'000};
    EXPECT_EQ(single_kernel_pays(given), is_shared) << static_cast<int>(kind);
    given.on_tiles = true;
    EXPECT_FALSE(single_kernel_pays(given));
    given = {.preconditioner = kind,
             .entries = 400'000,
             .has_hubs = true,
             .longest_row = rules::single_kernel_longest_row + 1};
    EXPECT_FALSE(single_kernel_pays(given));
  }
}

}  // namespace tessera::test::single_kernel_rule_test
