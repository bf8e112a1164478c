// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Who gives the rows of a level to whom, for hosts and devices that a list makes up.
#include "tessera/distributed/row_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <set>

namespace tessera::test::row_groups_test {

using distributed::keepers_of_groups;
using distributed::keepers_of_rows;
using distributed::Places;
using Rows = std::vector<std::int64_t>;
using Keepers = std::vector<int>;

/// Of hosts alone.
Places on_hosts(std::vector<int> hosts) {
  Places places{std::move(hosts), {}};
  places.devices.assign(places.hosts.size(), -1);
  return places;
}

const Rows hundreds(8, 100);

TEST(RowGroups, OfOneHostAreAsLargeAsEachOther) {
  const Places places = on_hosts({0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(keepers_of_groups(hundreds, places, 8), Keepers({0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(keepers_of_groups(hundreds, places, 4), Keepers({0, 0, 2, 2, 4, 4, 6, 6}));
  EXPECT_EQ(keepers_of_groups(hundreds, places, 3), Keepers({0, 0, 0, 3, 3, 3, 6, 6}));
  EXPECT_EQ(keepers_of_groups(hundreds, places, 2), Keepers({0, 0, 0, 0, 4, 4, 4, 4}));
  EXPECT_EQ(keepers_of_groups(hundreds, places, 1), Keepers(8, 0));
  // Seven would have a group of two processes as four have.
  EXPECT_EQ(keepers_of_groups(hundreds, places, 7), Keepers({0, 0, 2, 2, 4, 4, 6, 6}));
}

/// So that a part of each process's rows is kept where all of them would be: forecasts of memory
/// are made with such a part.
TEST(RowGroups, AreNotTippedByARow) {
  const Places places = on_hosts({0, 0, 0, 0});
  EXPECT_EQ(keepers_of_groups({100, 101, 100, 101}, places, 2), Keepers({0, 0, 2, 2}));
  EXPECT_EQ(keepers_of_groups({50, 151, 50, 151}, places, 2), Keepers({1, 1, 3, 3}));
}

TEST(RowGroups, HaveRowsOnAverage) {
  const Places places = on_hosts({0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(keepers_of_rows(hundreds, places, 1), Keepers({0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(keepers_of_rows(hundreds, places, 100), Keepers({0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(keepers_of_rows(hundreds, places, 101), Keepers({0, 0, 2, 2, 4, 4, 6, 6}));
  EXPECT_EQ(keepers_of_rows(hundreds, places, 200), Keepers({0, 0, 2, 2, 4, 4, 6, 6}));
  EXPECT_EQ(keepers_of_rows(hundreds, places, 1000000), Keepers(8, 0));
}

TEST(RowGroups, AreOfOneHostFirst) {
  const Places halves = on_hosts({0, 0, 0, 0, 1, 1, 1, 1});
  EXPECT_EQ(keepers_of_groups(hundreds, halves, 4), Keepers({0, 0, 2, 2, 4, 4, 6, 6}));
  // Groups of three would have one over both hosts.
  EXPECT_EQ(keepers_of_groups(hundreds, halves, 3), Keepers({0, 0, 0, 0, 4, 4, 4, 4}));
  const Places thirds = on_hosts({0, 0, 0, 1, 1, 1, 1, 1});
  EXPECT_EQ(keepers_of_groups(hundreds, thirds, 4), Keepers({0, 0, 0, 3, 3, 3, 6, 6}));
  EXPECT_EQ(keepers_of_groups(hundreds, thirds, 2), Keepers({0, 0, 0, 3, 3, 3, 3, 3}));
  EXPECT_EQ(keepers_of_groups(hundreds, thirds, 1), Keepers(8, 3));  // where most rows are
}

TEST(RowGroups, StayBalancedOnUnevenHosts) {
  // One group a host would have seven times the other's rows.
  EXPECT_EQ(keepers_of_groups(hundreds, on_hosts({0, 1, 1, 1, 1, 1, 1, 1}), 2),
            Keepers({1, 1, 1, 1, 4, 4, 4, 4}));
}

TEST(RowGroups, JoinHostsInTheEnd) {
  const Places own = on_hosts({0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(keepers_of_groups(hundreds, own, 4), Keepers({0, 0, 2, 2, 4, 4, 6, 6}));
  const Places pairs = on_hosts({0, 0, 1, 1, 2, 2, 3, 3});
  EXPECT_EQ(keepers_of_groups(hundreds, pairs, 4), Keepers({0, 0, 2, 2, 4, 4, 6, 6}));
  EXPECT_EQ(keepers_of_groups(hundreds, pairs, 2), Keepers({0, 0, 0, 0, 4, 4, 4, 4}));
}

/// Ranks alternate between hosts, which have contiguous rows once these have moved.
TEST(RowGroups, PutHostsInOrder) {
  const Places cyclic = on_hosts({0, 1, 0, 1, 0, 1, 0, 1});
  const Keepers keepers = keepers_of_groups(hundreds, cyclic, 4);
  EXPECT_EQ(keepers, Keepers({0, 0, 2, 2, 5, 5, 7, 7}));
  Rows moved(8, 0);
  for (std::size_t p = 0; p < keepers.size(); ++p)
    moved[static_cast<std::size_t>(keepers[p])] += hundreds[p];
  EXPECT_EQ(keepers_of_groups(moved, cyclic, 2), Keepers({0, 1, 0, 3, 4, 5, 6, 5}));
  EXPECT_EQ(keepers_of_groups(hundreds, cyclic, 2), Keepers({0, 0, 0, 0, 5, 5, 5, 5}));
  EXPECT_EQ(keepers_of_groups(hundreds, on_hosts({0, 1, 2, 0, 1, 2, 0, 1}), 4),
            Keepers({0, 0, 3, 3, 4, 4, 7, 7}));
  EXPECT_EQ(keepers_of_groups(hundreds, cyclic, 1), Keepers(8, 0));
}

TEST(RowGroups, AreOfOneDeviceFirst) {
  const Places places{{0, 0, 0, 0, 1, 1, 1, 1}, {0, 0, 1, 1, 2, 2, 3, 3}};
  EXPECT_EQ(keepers_of_groups(hundreds, places, 4), Keepers({0, 0, 2, 2, 4, 4, 6, 6}));
  const Places uneven{{0, 0, 0, 0, 1, 1, 1, 1}, {0, 0, 0, 1, 2, 2, 2, 3}};
  EXPECT_EQ(keepers_of_groups(hundreds, uneven, 4), Keepers({0, 0, 0, 3, 4, 4, 4, 7}));
  EXPECT_EQ(keepers_of_groups(hundreds, uneven, 2), Keepers({0, 0, 0, 0, 4, 4, 4, 4}));
}

/// Ranks that follow each other are on devices that do: each device keeps some all the same.
TEST(RowGroups, AreSpreadOverDevices) {
  const Places cyclic{{0, 0, 0, 0, 0, 0, 0, 0}, {0, 1, 2, 3, 0, 1, 2, 3}};
  EXPECT_EQ(keepers_of_groups(hundreds, cyclic, 4), Keepers({0, 0, 2, 2, 5, 5, 7, 7}));
  // A process without a device is by itself.
  const Places one_without{{0, 0, 0, 0}, {0, 0, -1, 1}};
  EXPECT_EQ(keepers_of_groups(Rows(4, 100), one_without, 3), Keepers({0, 0, 2, 2}));
}

TEST(RowGroups, LeaveProcessesWithoutRowsAlone) {
  const Places places = on_hosts({0, 0, 0, 0, 1, 1, 1, 1});
  const Rows rows{100, 0, 100, 0, 100, 0, 100, 0};
  EXPECT_EQ(keepers_of_groups(rows, places, 4), Keepers({0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(keepers_of_groups(rows, places, 2), Keepers({0, 1, 0, 3, 4, 5, 4, 7}));
  EXPECT_EQ(keepers_of_groups({0, 0, 50, 0}, on_hosts({0, 0, 0, 0}), 1), Keepers({0, 1, 2, 3}));
  EXPECT_EQ(keepers_of_groups({0, 0}, on_hosts({0, 1}), 1), Keepers({0, 1}));
}

TEST(RowGroups, AreWhereMostRowsAre) {
  EXPECT_EQ(keepers_of_groups({1, 2, 3, 494}, on_hosts({0, 0, 1, 1}), 2), Keepers({3, 3, 3, 3}));
}

/// Whatever hosts and devices there are, groups are contiguous, their owners are of them, and none
/// has much more than it must.
TEST(RowGroups, KeepTheOrderOfRows) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    SCOPED_TRACE(round);
    const auto count = [&](int most) { return static_cast<int>(random() % most); };
    const std::size_t n = 1 + random() % 12;
    const int hosts = 1 + count(4);
    const int each = 1 + count(3);
    const bool in_blocks = count(2) == 0;
    Rows rows;
    Places places;
    for (std::size_t p = 0; p < n; ++p) {
      rows.push_back(count(4) == 0 ? 0 : 50 + count(100));
      places.hosts.push_back(in_blocks ? static_cast<int>(p) * hosts / static_cast<int>(n)
                                       : count(hosts));
      places.devices.push_back(count(5) == 0 ? -1 : places.hosts.back() * each + count(each));
    }
    const int most = 1 + count(static_cast<int>(n));
    const Keepers keepers = keepers_of_groups(rows, places, most);
    ASSERT_EQ(keepers.size(), n);
    std::set<int> owners;
    int last = -1;
    for (std::size_t p = 0; p < n; ++p) {
      if (rows[p] == 0) {
        EXPECT_EQ(keepers[p], static_cast<int>(p));
        continue;
      }
      EXPECT_GE(keepers[p], last);
      last = keepers[p];
      EXPECT_EQ(keepers[static_cast<std::size_t>(last)], last);
      owners.insert(last);
    }
    EXPECT_LE(owners.size(), static_cast<std::size_t>(most));
    // A group of consecutive processes that holds two groups' worth could be divided.
    const std::int64_t all = std::accumulate(rows.begin(), rows.end(), std::int64_t(0));
    for (const int owner : owners) {
      std::int64_t own = 0;
      for (std::size_t p = 0; p < n; ++p)
        own += rows[p] > 0 && keepers[p] == owner ? rows[p] : 0;
      EXPECT_LE(static_cast<double>(own),
                1.5 * 1.1 * (static_cast<double>(all) / most + static_cast<double>(149)));
    }
  }
}

}  // namespace tessera::test::row_groups_test
