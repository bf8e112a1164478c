// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/memory_tracker.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/types.hpp"

namespace tessera::memory_tracker_test {

namespace tools = Kokkos::Tools::Experimental;
using Space = DeviceSpace;
constexpr std::uint64_t megabyte = 1U << 20U;

Array<char, Space> make(std::uint64_t bytes) {
  return allocate<char>(Space(), "tessera::test", bytes);
}
MemoryTracker track_space() { return MemoryTracker(Space::memory_space::name(), true); }

/// Kokkos puts a header before each array.
void expect_about(std::uint64_t bytes, std::uint64_t megabytes) {
  EXPECT_GE(bytes, megabytes * megabyte);
  EXPECT_LE(bytes, megabytes * megabyte + 4096);
}

TEST(MemoryTracker, SeesThePeakAboveWhatWasThere) {
  auto before = make(8 * megabyte);
  const MemoryTracker tracker = track_space();
  EXPECT_EQ(tracker.peak_bytes(), 0U);
  {
    const auto a = make(3 * megabyte);
    const auto b = make(2 * megabyte);
  }
  const auto c = make(4 * megabyte);
  expect_about(tracker.peak_bytes(), 5);
  before = {};
  const auto d = make(8 * megabyte);
  expect_about(tracker.peak_bytes(), 5);
}

TEST(MemoryTracker, CountsOneSpaceAndOnlyWhereAsked) {
  const MemoryTracker off(Space::memory_space::name(), false);
  const MemoryTracker elsewhere("a space that nobody has", true);
  const auto a = make(megabyte);
  EXPECT_EQ(off.peak_bytes(), 0U);
  EXPECT_EQ(elsewhere.peak_bytes(), 0U);
}

TEST(MemoryTracker, MayBeNested) {
  const MemoryTracker outer = track_space();
  const auto a = make(2 * megabyte);
  {
    const MemoryTracker inner = track_space();
    const auto b = make(3 * megabyte);
    expect_about(inner.peak_bytes(), 3);
  }
  expect_about(outer.peak_bytes(), 5);
}

TEST(MemoryTracker, EachThreadHasItsOwn) {
  const MemoryTracker mine = track_space();
  std::vector<std::uint64_t> peaks(4);
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < peaks.size(); ++i) {
    threads.emplace_back([&peaks, i] {
      for (int round = 0; round < 20; ++round) {
        const MemoryTracker tracker("Host", true);
        // What the callback sees, without work for threads that an execution space may not take.
        MemoryTracker::count("Host", static_cast<std::int64_t>((i + 1) * megabyte));
        MemoryTracker::count("Host", -static_cast<std::int64_t>((i + 1) * megabyte));
        peaks[i] = tracker.peak_bytes();
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  for (std::uint64_t i = 0; i < peaks.size(); ++i)
    EXPECT_EQ(peaks[i], (i + 1) * megabyte);
  EXPECT_EQ(mine.peak_bytes(), 0U);
}

std::uint64_t tool_allocated = 0, tool_freed = 0;
void tool_sees(Kokkos::Profiling::SpaceHandle, const char*, const void*, std::uint64_t bytes) {
  tool_allocated += bytes;
}
void tool_sees_free(Kokkos::Profiling::SpaceHandle, const char*, const void*, std::uint64_t bytes) {
  tool_freed += bytes;
}
void other_tool(Kokkos::Profiling::SpaceHandle, const char*, const void*, std::uint64_t) {}

class MemoryTrackerWithATool : public ::testing::Test {
 protected:
  MemoryTrackerWithATool() {
    tool_allocated = tool_freed = 0;
    tools::set_allocate_data_callback(tool_sees);
    tools::set_deallocate_data_callback(tool_sees_free);
  }
  ~MemoryTrackerWithATool() override {
    tools::set_allocate_data_callback(nullptr);
    tools::set_deallocate_data_callback(nullptr);
  }
};

TEST_F(MemoryTrackerWithATool, TheToolGoesOnSeeingEverything) {
  {
    const MemoryTracker tracker = track_space();
    const MemoryTracker inner = track_space();
    make(megabyte);
    expect_about(tracker.peak_bytes(), 1);
  }
  expect_about(tool_allocated, 1);
  EXPECT_EQ(tool_allocated, tool_freed);
  make(megabyte);
  expect_about(tool_allocated, 2);
  EXPECT_EQ(tools::get_callbacks().allocate_data, tool_sees);
}

TEST_F(MemoryTrackerWithATool, WhatSomebodySetsInTheMeantimeStays) {
  {
    const MemoryTracker tracker = track_space();
    tools::set_allocate_data_callback(other_tool);
  }
  EXPECT_EQ(tools::get_callbacks().allocate_data, other_tool);
  EXPECT_EQ(tools::get_callbacks().deallocate_data, tool_sees_free);
}

TEST_F(MemoryTrackerWithATool, CallbacksPutBackTooLateDoNoHarm) {
  std::optional<MemoryTracker> tracker;
  tracker.emplace(Space::memory_space::name(), true);
  const auto saved = tools::get_callbacks();
  tracker.reset();
  tools::set_callbacks(saved);
  make(megabyte);
  expect_about(tool_allocated, 1);
  tracker.emplace(Space::memory_space::name(), true);
  make(megabyte);
  expect_about(tracker->peak_bytes(), 1);
  expect_about(tool_allocated, 2);
}

}  // namespace tessera::memory_tracker_test
