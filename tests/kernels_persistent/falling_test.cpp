// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What solves in falling precision count.
#include "tessera/kernels/persistent/detail/falling.hpp"

#include <gtest/gtest.h>
#include <cstdint>
#include <limits>

namespace tessera::test {
namespace {

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

}  // namespace
}  // namespace tessera::test
