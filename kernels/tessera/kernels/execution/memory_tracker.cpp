// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/memory_tracker.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>

namespace tessera {

namespace {

namespace tools = Kokkos::Tools::Experimental;
using Handle = Kokkos::Profiling::SpaceHandle;

/// The innermost tracker of this thread.
thread_local MemoryTracker* innermost = nullptr;

std::mutex installing;
int trackers = 0;
// Read by any thread that allocates.
std::atomic<Kokkos_Profiling_allocateDataFunction> allocate_before = nullptr;
std::atomic<Kokkos_Profiling_deallocateDataFunction> deallocate_before = nullptr;

void allocated(const Handle space, const char* label, const void* data, const std::uint64_t bytes) {
  MemoryTracker::count(space.name, static_cast<std::int64_t>(bytes));
  if (const auto pass_on = allocate_before.load()) pass_on(space, label, data, bytes);
}

void freed(const Handle space, const char* label, const void* data, const std::uint64_t bytes) {
  MemoryTracker::count(space.name, -static_cast<std::int64_t>(bytes));
  if (const auto pass_on = deallocate_before.load()) pass_on(space, label, data, bytes);
}

void install() {
  const std::lock_guard lock(installing);
  if (trackers++ > 0) return;
  // Ours are there where somebody has put back what stood while an earlier tracker lived.
  const auto before = tools::get_callbacks();
  if (before.allocate_data != allocated) allocate_before = before.allocate_data;
  if (before.deallocate_data != freed) deallocate_before = before.deallocate_data;
  tools::set_allocate_data_callback(allocated);
  tools::set_deallocate_data_callback(freed);
}

void remove() {
  const std::lock_guard lock(installing);
  if (--trackers > 0) return;
  // Those that somebody has set since then stay.
  const auto now = tools::get_callbacks();
  if (now.allocate_data == allocated) tools::set_allocate_data_callback(allocate_before);
  if (now.deallocate_data == freed) tools::set_deallocate_data_callback(deallocate_before);
}

}  // namespace

MemoryTracker::MemoryTracker(std::string_view space, bool enabled, std::int64_t max_bytes)
    : m_space(space), m_enabled(enabled), m_max_bytes(max_bytes) {
  if (!m_enabled) return;
  install();
  m_outer = innermost;
  innermost = this;
}

MemoryTracker::~MemoryTracker() {
  if (!m_enabled) return;
  innermost = m_outer;
  remove();
}

MemoryTracker* MemoryTracker::innermost_tracker() { return innermost; }

void MemoryTracker::require_room_of_all(std::string_view space, const std::string& label,
                                        std::size_t bytes) {
  const auto more = static_cast<std::int64_t>(bytes);
  for (const MemoryTracker* tracker = innermost; tracker != nullptr; tracker = tracker->m_outer) {
    if (tracker->m_space != space || tracker->m_live + more <= tracker->m_max_bytes) continue;
    const auto mebibytes = [](std::int64_t count) {
      return std::to_string(static_cast<double>(count) / 0x1p20) + " MiB";
    };
    throw MemoryLimitExceeded(label + " takes " + mebibytes(more) + ", beside " +
                              mebibytes(tracker->m_live) + " of a limit of " +
                              mebibytes(tracker->m_max_bytes));
  }
}

void MemoryTracker::count(std::string_view space, std::int64_t bytes) {
  for (MemoryTracker* tracker = innermost; tracker != nullptr; tracker = tracker->m_outer) {
    if (tracker->m_space != space) continue;
    tracker->m_live += bytes;
    tracker->m_peak = std::max(tracker->m_peak, tracker->m_live);
  }
}

}  // namespace tessera
