// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Counts become offsets, and a total that these do not hold is an error.
#include "tessera/kernels/format/offsets.hpp"

#include "support/device.hpp"
#include "support/typed_tests.hpp"

#include <limits>

namespace tessera::test::offsets_test {

using kernels::counts_to_offsets;

TESSERA_TEST_SUITE(Offsets, Matrices, TypeNames);

TESSERA_TYPED_TEST(Offsets, AreTheCountsBefore) {
  for (const int n : {0, 1, 3, 5000}) {
    std::vector<Offset> counts;
    std::vector<Offset> expected{0};
    for (int i = 0; i < n; ++i) {
      counts.push_back(static_cast<Offset>(i * 7 % 5));
      expected.push_back(expected.back() + counts.back());
    }
    counts.push_back(-12345);  // the place of the total, which is not read
    const auto offsets = to_device(exec, counts);
    EXPECT_EQ((counts_to_offsets<Offset, Space>(exec, offsets)),
              static_cast<std::size_t>(expected.back()));
    EXPECT_EQ(to_host(offsets), expected);
  }
}

TESSERA_TYPED_TEST(Offsets, OfTwoArraysAreThoseOfEach) {
  for (const int n : {0, 1, 5000}) {
    std::vector<Offset> first(n + 1, 3);
    std::vector<Offset> second(n + 1, 0);
    for (int i = 0; i < n; ++i)
      second[i] = static_cast<Offset>(i * 7 % 5);
    const auto of_first = to_device(exec, first), of_second = to_device(exec, second);
    const auto alone = to_device(exec, second);
    const auto total = static_cast<std::size_t>(counts_to_offsets<Offset, Space>(exec, alone));
    EXPECT_EQ((kernels::both_counts_to_offsets<Offset, Space>(exec, of_first, of_second)),
              std::pair(std::size_t(3) * n, total));
    EXPECT_EQ(to_host(of_first).back(), 3 * n);
    EXPECT_EQ(to_host(of_second), to_host(alone));
  }
}

TESSERA_TYPED_TEST(Offsets, OfTwoArraysOfWhichOneHasTooMany) {
  const std::vector<Offset> fits{1, 2, 0};
  const std::vector<Offset> beyond{1 << 30, 1 << 30, 0};
  for (const bool is_second : {false, true}) {
    const auto first = to_device(exec, is_second ? fits : beyond);
    const auto second = to_device(exec, is_second ? beyond : fits);
    const auto both = [&] {
      return kernels::both_counts_to_offsets<Offset, Space>(exec, first, second);
    };
    if (sizeof(Offset) == sizeof(std::int64_t)) {
      EXPECT_EQ(is_second ? both().second : both().first, std::size_t(1) << 31);
      continue;
    }
    EXPECT_THROW(both(), OffsetOverflow);
    EXPECT_EQ(to_host(is_second ? first : second), fits) << "the counts as they were";
  }
}

TESSERA_TYPED_TEST(Offsets, MoreEntriesThanTheyCount) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const std::vector<Offset> fits{1 << 30, (1 << 30) - 1, 0, 0};
  EXPECT_EQ((counts_to_offsets<Offset, Space>(exec, to_device(exec, fits))),
            static_cast<std::size_t>(most));

  const std::vector<Offset> beyond{1 << 30, 1 << 30, 1 << 30, 1 << 30, 5, 0};
  const std::int64_t total = (std::int64_t(1) << 32) + 5;  // 5 in 32 bits
  const auto offsets = to_device(exec, beyond);
  if (sizeof(Offset) == sizeof(std::int64_t)) {
    EXPECT_EQ((counts_to_offsets<Offset, Space>(exec, offsets)), static_cast<std::size_t>(total));
    EXPECT_EQ(static_cast<std::int64_t>(to_host(offsets).back()), total);
    return;
  }
  try {
    counts_to_offsets<Offset, Space>(exec, offsets, "the prolongator");
    FAIL() << "nothing was thrown";
  } catch (const OffsetOverflow& overflow) {
    EXPECT_EQ(overflow.kind(), ErrorKind::precondition);
    EXPECT_EQ(overflow.num_entries(), total);
    EXPECT_STREQ(overflow.what(),
                 "the prolongator has 4294967301 entries, more than offsets of 32 bits count; use "
                 "64-bit offsets");
  }
  EXPECT_EQ(to_host(offsets), beyond) << "the counts as they were";
}

}  // namespace tessera::test::offsets_test
