// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/large_pages.hpp"

#include "tessera/kernels/execution/memory_tracker.hpp"

#include <Kokkos_Core.hpp>

#include <cstdlib>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tessera::direct {
namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t large_page = std::size_t(2) << 20;

}  // namespace

void* allocate_on_large_pages(std::size_t bytes) {
  MemoryTracker::require_room(Kokkos::HostSpace::name(), "tessera::direct::factors", bytes);
  const std::size_t alignment = bytes >= 2 * large_page ? large_page : cache_line;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  // A wish: where it is not granted, pages are small.
  if (alignment == large_page) (void)madvise(memory, rounded, MADV_HUGEPAGE);
#endif
  MemoryTracker::count(Kokkos::HostSpace::name(), static_cast<std::int64_t>(bytes));
  return memory;
}

void free_large_pages(void* memory, std::size_t bytes) {
  MemoryTracker::count(Kokkos::HostSpace::name(), -static_cast<std::int64_t>(bytes));
  std::free(memory);
}

}  // namespace tessera::direct
