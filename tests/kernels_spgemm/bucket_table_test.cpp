// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Hash tables in buckets, and the groups of lanes that fill them.

#include "kernels_spgemm/spgemm_test.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/spgemm/detail/claim_slot.hpp"
#include "tessera/kernels/spgemm/detail/group_rows.hpp"

#include <set>
#include <string>

namespace tessera::kernels::spgemm_detail::bucket_table_test {

struct alignas(16) Keys {
  std::vector<Ordinal> memory;
  Ordinal* data;

  explicit Keys(int log2_slots) : memory((1 << log2_slots) + 4, empty_slot) {
    auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    data = reinterpret_cast<Ordinal*>((address + 15) / 16 * 16);
  }
};

/// Columns that all fall into one bucket first, as many as asked for.
std::vector<Ordinal> colliding_columns(int log2_slots, std::size_t count) {
  std::vector<Ordinal> result;
  for (Ordinal column = 0; result.size() < count; ++column) {
    if (hash_slot(column, log2_slots) / Bucket::size == 2) result.push_back(column);
  }
  return result;
}

TEST(BucketTable, HoldsAsManyKeysAsItHasSlots) {
  constexpr int log2_slots = 5;
  Keys keys(log2_slots);
  std::set<unsigned> slots;
  for (Ordinal column = 0; column < 32; ++column) {
    bool fresh = false;
    slots.insert(find_or_insert_in_bucket(keys.data, log2_slots, 1000 * column, fresh));
    EXPECT_TRUE(fresh) << column;
  }
  EXPECT_EQ(slots.size(), 32u);
  for (Ordinal column = 31; column >= 0; --column) {
    bool fresh = true;
    const unsigned slot = find_or_insert_in_bucket(keys.data, log2_slots, 1000 * column, fresh);
    EXPECT_FALSE(fresh) << column;
    EXPECT_EQ(keys.data[slot], 1000 * column);
  }
}

/// One after the other, keys that come again among them, until both find no room.
TEST(BucketTable, ClaimedSlotsAreThoseOfTheSearch) {
  for (int log2_slots = smallest_log2_slots; log2_slots <= 9; ++log2_slots) {
    Keys searched(log2_slots), claimed(log2_slots);
    std::mt19937 random(log2_slots);
    std::uniform_int_distribution<Ordinal> column_below(0, 3 << log2_slots);
    int num_without = 0;
    for (int i = 0; i < 6 << log2_slots; ++i) {
      const Ordinal column = column_below(random);
      bool fresh = false, claims_fresh = true;
      const unsigned slot = find_or_insert_in_bucket(searched.data, log2_slots, column, fresh, 3);
      EXPECT_EQ(claim_slot(claimed.data, log2_slots, column, claims_fresh, 3), slot);
      EXPECT_EQ(claims_fresh, fresh);
      num_without += slot == no_slot;
    }
    EXPECT_GT(num_without, 0);
    EXPECT_EQ(std::vector<Ordinal>(searched.data, searched.data + (1 << log2_slots)),
              std::vector<Ordinal>(claimed.data, claimed.data + (1 << log2_slots)));
  }
}

TEST(BucketTable, CollidingKeysGoToTheNextBuckets) {
  constexpr int log2_slots = 6;
  Keys keys(log2_slots);
  const auto columns = colliding_columns(log2_slots, 11);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    bool fresh = false;
    EXPECT_EQ(find_or_insert_in_bucket(keys.data, log2_slots, columns[i], fresh), 8 + i);
    EXPECT_TRUE(fresh);
  }
}

TEST(BucketTable, SaysWhereThereIsNoRoom) {
  constexpr int log2_slots = 6;
  Keys keys(log2_slots);
  const auto columns = colliding_columns(log2_slots, 9);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    bool fresh = false;
    const unsigned slot = find_or_insert_in_bucket(keys.data, log2_slots, columns[i], fresh, 2);
    EXPECT_EQ(slot, i < 8 ? 8 + i : no_slot);
    EXPECT_EQ(fresh, i < 8);
  }
}

/// What each thread's group says, in one array each.
template <class Space>
struct AskGroup {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  int lanes;
  Array<int, Space> sums, firsts, smallest, largest, odd_before;
  Array<std::uint32_t, Space> odd;

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const int thread = member.team_rank();
    const LaneGroup group(lanes, thread);
    sums(thread) = group.sum(thread);
    firsts(thread) = group.from_lane(thread, lanes);
    smallest(thread) = group.reduce(thread, [](int a, int b) { return a < b ? a : b; });
    largest(thread) = group.warp_max(thread);
    odd(thread) = group.lanes_where(thread / lanes % 2 == 0 && group.lane() % 2 == 1);
    odd_before(thread) = group.count_before(odd(thread));
  }
};

template <class Space>
void expect_groups(int lanes) {
  SCOPED_TRACE(lanes);
  const Space exec;
  const int threads = is_host_space<Space> ? 1 : 64;
  const auto numbers = [&](const std::string& name) { return Array<int, Space>(name, threads); };
  const AskGroup<Space> ask{lanes,
                            numbers("sums"),
                            numbers("firsts"),
                            numbers("smallest"),
                            numbers("largest"),
                            numbers("odd_before"),
                            Array<std::uint32_t, Space>("odd", threads)};
  Kokkos::parallel_for("ask", Kokkos::TeamPolicy<Space>(exec, 1, threads, 1), ask);
  exec.fence();
  const auto sums = test::to_host(ask.sums);
  const auto firsts = test::to_host(ask.firsts);
  const auto smallest = test::to_host(ask.smallest);
  const auto odd_before = test::to_host(ask.odd_before);
  const auto largest = test::to_host(ask.largest);
  const auto odd = test::to_host(ask.odd);
  for (int thread = 0; thread < threads; ++thread) {
    const int first = thread / lanes * lanes;
    EXPECT_EQ(sums[thread], lanes * first + lanes * (lanes - 1) / 2) << thread;
    const int lane = thread - first;
    EXPECT_EQ(firsts[thread], first) << thread;
    EXPECT_EQ(smallest[thread], first) << thread;
    EXPECT_EQ(odd_before[thread], thread / lanes % 2 == 0 ? lane / 2 : 0) << thread;
    EXPECT_GE(largest[thread], first + lanes - 1) << thread;
    EXPECT_EQ(largest[thread], largest[first]) << thread;
    const std::uint32_t mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
    EXPECT_EQ(odd[thread], thread / lanes % 2 == 0 ? 0xaaaaaaaau & mask : 0u) << thread;
  }
}

TEST(LaneGroup, OfAHostSpeaksForItsOneLane) { expect_groups<HostSpace>(1); }

TEST(LaneGroup, OfADeviceSpeaksForItsOwnLanes) {
  if (is_host_space<DeviceSpace>) GTEST_SKIP() << "a host has no lanes";
  for (const int lanes : {1, 2, 4, 8, 16, 32})
    expect_groups<DeviceSpace>(lanes);
}

}  // namespace tessera::kernels::spgemm_detail::bucket_table_test
