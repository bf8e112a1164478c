// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Ranks in the order of hosts and devices, of places that lists make up.
#include "tessera/distributed/places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace tessera::test::rank_order_test {

using distributed::Places;
using distributed::ranks_by_place;
using Numbers = std::vector<int>;

/// Of hosts alone.
Places on_hosts(Numbers hosts) {
  Places places{std::move(hosts), {}};
  places.devices.assign(places.hosts.size(), -1);
  return places;
}

/// Of devices of one host.
Places on_devices(Numbers devices) {
  Places places{{}, std::move(devices)};
  places.hosts.assign(places.devices.size(), 0);
  return places;
}

TEST(RanksByPlace, StayWhereTheyAreInOrder) {
  EXPECT_EQ(ranks_by_place({}), Numbers());
  EXPECT_EQ(ranks_by_place(on_hosts({0})), Numbers({0}));
  EXPECT_EQ(ranks_by_place(on_hosts({0, 0, 0})), Numbers({0, 1, 2}));
  EXPECT_EQ(ranks_by_place(on_hosts({0, 0, 1, 1, 2})), Numbers({0, 1, 2, 3, 4}));
  EXPECT_EQ(ranks_by_place(on_devices({0, 1, 2, 3})), Numbers({0, 1, 2, 3}));
  EXPECT_EQ(ranks_by_place(on_devices({0, 0, -1, -1, 1})), Numbers({0, 1, 2, 3, 4}));
  EXPECT_EQ(ranks_by_place({{0, 0, 1, 1}, {0, 1, 2, 2}}), Numbers({0, 1, 2, 3}));
}

TEST(RanksByPlace, FollowEachOtherOnAHost) {
  EXPECT_EQ(ranks_by_place(on_hosts({0, 1, 0, 1})), Numbers({0, 2, 1, 3}));
  EXPECT_EQ(ranks_by_place(on_hosts({0, 1, 2, 0, 1, 2, 1})), Numbers({0, 2, 5, 1, 3, 6, 4}));
}

TEST(RanksByPlace, FollowEachOtherOnADevice) {
  EXPECT_EQ(ranks_by_place(on_devices({0, 1, 0, 1})), Numbers({0, 2, 1, 3}));
  EXPECT_EQ(ranks_by_place(on_devices({0, 1, 2, 0, 1})), Numbers({0, 2, 4, 1, 3}));
}

TEST(RanksByPlace, HaveHostsBeforeDevices) {
  EXPECT_EQ(ranks_by_place({{0, 1, 0, 1, 0, 1, 0, 1}, {0, 1, 2, 3, 0, 1, 2, 3}}),
            Numbers({0, 4, 2, 6, 1, 5, 3, 7}));
}

TEST(RanksByPlace, HaveThoseWithoutADeviceTogether) {
  EXPECT_EQ(ranks_by_place(on_devices({-1, 0, -1, 0, 1})), Numbers({0, 2, 1, 3, 4}));
  EXPECT_EQ(ranks_by_place(on_devices({0, -1, 0, -1})), Numbers({0, 2, 1, 3}));
  // The last one comes behind the device of its own host, not to the first without one.
  EXPECT_EQ(ranks_by_place({{0, 1, 0, 1}, {-1, 0, -1, -1}}), Numbers({0, 2, 1, 3}));
  EXPECT_EQ(ranks_by_place({{0, 0, 1, 1}, {0, -1, 1, -1}}), Numbers({0, 1, 2, 3}));
}

/// Up to 12 processes on up to 4 hosts of up to 3 devices, some without one.
Places random_places(std::mt19937& random) {
  const auto below = [&](int end) {
    return std::uniform_int_distribution<int>(0, end - 1)(random);
  };
  std::vector<std::int64_t> hosts;
  std::vector<distributed::DeviceId> devices;
  const int num_hosts = 1 + below(4);
  const int num_devices = 1 + below(3);
  for (int left = 1 + below(12); left > 0; --left) {
    const int host = below(num_hosts);
    const int device = below(num_devices + 1);
    hosts.push_back(host);
    devices.push_back(device == 0 ? distributed::DeviceId{}
                                  : distributed::DeviceId{host + 1, device});
  }
  return distributed::numbered_places(hosts, devices);
}

/// Whether those that are the same follow each other.
template <class T>
bool are_together(const std::vector<T>& list) {
  std::size_t runs = 0;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (i == 0 || list[i] != list[i - 1]) ++runs;
  return runs == std::set<T>(list.begin(), list.end()).size();
}

TEST(RanksByPlace, KeepRandomPlacesTogether) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    const Places places = random_places(random);
    const std::size_t size = places.hosts.size();
    const Numbers ranks = ranks_by_place(places);
    ASSERT_EQ(ranks.size(), size);
    Numbers in_order(size);
    std::iota(in_order.begin(), in_order.end(), 0);
    ASSERT_TRUE(std::ranges::is_permutation(ranks, in_order));
    EXPECT_EQ(ranks.front(), 0);
    Places moved{Numbers(size), Numbers(size)};
    std::vector<std::pair<int, int>> both(size);
    for (std::size_t p = 0; p < size; ++p) {
      const auto rank = static_cast<std::size_t>(ranks[p]);
      moved.hosts[rank] = places.hosts[p];
      moved.devices[rank] = places.devices[p];
      both[rank] = {places.hosts[p], places.devices[p]};
      for (std::size_t q = 0; q < p; ++q) {
        if (places.hosts[p] != places.hosts[q] || places.devices[p] != places.devices[q]) continue;
        EXPECT_LT(ranks[q], ranks[p]);
      }
    }
    EXPECT_TRUE(are_together(moved.hosts));
    EXPECT_TRUE(are_together(both));
    EXPECT_EQ(ranks_by_place(moved), in_order);
  }
}

}  // namespace tessera::test::rank_order_test
