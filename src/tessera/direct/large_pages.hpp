// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Arrays of the host that are written once and whole.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace tessera::direct {

/// On large pages where there is enough for one and Linux has them to give. To be given a page of
/// 4 KiB takes 2 to 3 us in a virtual machine, as long as a few thousand operations with what lies
/// in it.
/// Counted by `MemoryTracker`, as Views in host memory are.
/// @throws std::bad_alloc
void* allocate_on_large_pages(std::size_t bytes);
/// `bytes`: as they were asked for.
void free_large_pages(void* memory, std::size_t bytes);

/// Memory by these, whose numbers have no value before they are written: who writes them touches
/// them first.
template <class T>
struct LargePages {
  using value_type = T;

  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>&) {}

  T* allocate(std::size_t count) {
    return static_cast<T*>(allocate_on_large_pages(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t count) { free_large_pages(memory, count * sizeof(T)); }

  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class V>
  void construct(U* place, const V& value) {
    ::new (static_cast<void*>(place)) U(value);
  }

  bool operator==(const LargePages&) const { return true; }
};

template <class T>
using HostArray = std::vector<T, LargePages<T>>;

}  // namespace tessera::direct
