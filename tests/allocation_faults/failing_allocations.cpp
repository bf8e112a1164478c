// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "allocation_faults/failing_allocations.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

namespace tessera::test::allocations {
namespace {

std::atomic<Refused> refused = Refused::none;
std::atomic<long> first_refused = 0;
std::atomic<long> requests = 0;
std::atomic<long> blocks = 0;
std::atomic<bool> any_refused = false;
std::atomic<bool> optional = false;

/// Whether Kokkos asks for it where it does not survive a refusal: within a `deallocate`, the
/// destructor of an array's record, which copies the label, or its `finalize`, to name a fence, an
/// exception ends the program (its destructors do not throw); where it enlarges the threads'
/// scratch memory it has freed the old one, and frees it again at the end.
bool is_fatal_to_kokkos() {
  void* callers[24];
  const int depth = backtrace(callers, 24);
  return std::any_of(callers, callers + depth, [](void* caller) {
    Dl_info where{};
    if (dladdr(caller, &where) == 0 || where.dli_sname == nullptr) return false;
    const std::string_view name = where.dli_sname;
    const auto has = [&](std::string_view part) {
      return name.find(part) != std::string_view::npos;
    };
    const bool frees_record =
        has("SharedAllocationRecord") &&
        (name.ends_with("D0Ev") || name.ends_with("D1Ev") || name.ends_with("D2Ev"));
    return has("6Kokkos") &&
           (has("10deallocate") || frees_record || has("8finalize") || has("18resize_thread_data"));
  });
}

/// What a thread asked for of late, to know the copies of an array's label: they follow the array,
/// and are as long as one that came before it.
class Recent {
 public:
  bool is_label(std::size_t bytes, bool is_array) {
    const bool is_copy = !is_array && m_since_array < 3 &&
                         std::find(m_before_array, m_before_array + 4, bytes) != m_before_array + 4;
    m_since_array = is_array ? 0 : m_since_array + 1;
    if (is_array) std::copy_n(m_sizes, 4, m_before_array);
    m_sizes[m_next++ % 4] = bytes;
    return is_copy;
  }

 private:
  std::size_t m_sizes[4] = {};
  std::size_t m_before_array[4] = {};
  unsigned m_next = 0;
  int m_since_array = 3;
};

thread_local Recent recent;

/// Null where it is refused, as where there is no memory.
void* take(std::size_t bytes, std::size_t alignment, bool is_optional) {
  const long request = ++requests;
  const bool is_label = recent.is_label(bytes, alignment > 1);
  const Refused which = refused;
  const bool is_due = which == Refused::one ? request == first_refused
                                            : which == Refused::rest && request >= first_refused;
  if (is_due && !is_label && !is_fatal_to_kokkos()) {
    any_refused = true;
    optional = is_optional;
    return nullptr;
  }
  // As much as no machine has; a sanitiser would end the program.
  if (bytes >> 46 != 0) return nullptr;
  const std::size_t least = bytes > 0 ? bytes : 1;
  void* const memory =
      alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__
          ? std::aligned_alloc(alignment, (least + alignment - 1) / alignment * alignment)
          : std::malloc(least);
  if (memory != nullptr) ++blocks;
  return memory;
}

void* take_or_throw(std::size_t bytes, std::size_t alignment) {
  void* const memory = take(bytes, alignment, false);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void give_back(void* memory) {
  if (memory == nullptr) return;
  --blocks;
  std::free(memory);
}

}  // namespace

void refuse(Refused which, long number) {
  refused = Refused::none;
  requests = 0;
  any_refused = optional = false;
  first_refused = number;
  refused = which;
}

long number() { return requests; }
bool has_refused() { return any_refused; }
bool was_optional() { return optional; }
long live() { return blocks; }

}  // namespace tessera::test::allocations

// SuiteSparse's, which is there where the library was built with it.
extern "C" {
[[gnu::weak]] void SuiteSparse_config_malloc_func_set(void* (*)(std::size_t));
[[gnu::weak]] void SuiteSparse_config_calloc_func_set(void* (*)(std::size_t, std::size_t));
[[gnu::weak]] void SuiteSparse_config_realloc_func_set(void* (*)(void*, std::size_t));
[[gnu::weak]] void SuiteSparse_config_free_func_set(void (*)(void*));
}

namespace tessera::test::allocations {

bool take_over_suitesparse() {
  if (SuiteSparse_config_malloc_func_set == nullptr) return false;
  SuiteSparse_config_malloc_func_set([](std::size_t bytes) { return take(bytes, 1, false); });
  SuiteSparse_config_calloc_func_set([](std::size_t count, std::size_t bytes) {
    void* const memory = take(count * bytes, 1, false);
    return memory == nullptr ? nullptr : std::memset(memory, 0, count * bytes);
  });
  SuiteSparse_config_realloc_func_set([](void* memory, std::size_t bytes) {
    // What is cut shorter needs no room.
    if (memory != nullptr && bytes <= malloc_usable_size(memory))
      return std::realloc(memory, bytes);
    void* const longer = take(bytes, 1, false);
    if (longer == nullptr || memory == nullptr) return longer;
    std::memcpy(longer, memory, malloc_usable_size(memory));
    give_back(memory);
    return longer;
  });
  SuiteSparse_config_free_func_set(give_back);
  return true;
}

}  // namespace tessera::test::allocations

namespace allocations = tessera::test::allocations;

void* operator new(std::size_t bytes) { return allocations::take_or_throw(bytes, 1); }
void* operator new[](std::size_t bytes) { return allocations::take_or_throw(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocations::take_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocations::take_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocations::take(bytes, 1, true);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocations::take(bytes, 1, true);
}
// Kokkos's own on a host, which throws then.
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocations::take(bytes, static_cast<std::size_t>(alignment), false);
}
void* operator new[](std::size_t bytes, std::align_val_t alignment,
                     const std::nothrow_t&) noexcept {
  return allocations::take(bytes, static_cast<std::size_t>(alignment), false);
}

void operator delete(void* memory) noexcept { allocations::give_back(memory); }
void operator delete[](void* memory) noexcept { allocations::give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { allocations::give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { allocations::give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { allocations::give_back(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { allocations::give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  allocations::give_back(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  allocations::give_back(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  allocations::give_back(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  allocations::give_back(memory);
}
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  allocations::give_back(memory);
}
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  allocations::give_back(memory);
}
