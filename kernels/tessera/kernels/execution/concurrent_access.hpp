// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Reads and writes of memory that other threads of the same launch write and read.
///
/// Each is of one word, as a whole, and goes past registers and the caches of a device's single
/// processors. A plain load in a loop may be read once and never again.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <cstdint>
#include <thread>
#include <type_traits>

namespace tessera::kernels {

/// Orders no other access: for words that are all there is to tell.
template <class Word>
KOKKOS_INLINE_FUNCTION Word load_relaxed(const Word* word) {
  static_assert(std::is_integral_v<Word> && (sizeof(Word) == 4 || sizeof(Word) == 8));
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Word) == 4) {
    std::uint32_t value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
    return static_cast<Word>(value);
  } else {
    std::uint64_t value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
    return static_cast<Word>(value);
  }
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#else
  return __atomic_load_n(word, __ATOMIC_RELAXED);
#endif
}

/// The same for writing.
template <class Word>
KOKKOS_INLINE_FUNCTION void store_relaxed(Word* word, Word value) {
  static_assert(std::is_integral_v<Word> && (sizeof(Word) == 4 || sizeof(Word) == 8));
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Word) == 4) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(word),
                 "r"(static_cast<std::uint32_t>(value))
                 : "memory");
  } else {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word),
                 "l"(static_cast<std::uint64_t>(value))
                 : "memory");
  }
#elif defined(__HIP_DEVICE_COMPILE__)
  __hip_atomic_store(word, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#else
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
#endif
}

/// What the thread reads after this is at least as new as what `store_release` of the value that
/// was read came after.
template <class Word>
KOKKOS_INLINE_FUNCTION Word load_acquire(const Word* word) {
  static_assert(std::is_integral_v<Word> && (sizeof(Word) == 4 || sizeof(Word) == 8));
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Word) == 4) {
    std::uint32_t value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
    return static_cast<Word>(value);
  } else {
    std::uint64_t value;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
    return static_cast<Word>(value);
  }
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_load(word, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
#else
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
#endif
}

/// After all that the thread has written, and has been told of by others, before.
template <class Word>
KOKKOS_INLINE_FUNCTION void store_release(Word* word, Word value) {
  static_assert(std::is_integral_v<Word> && (sizeof(Word) == 4 || sizeof(Word) == 8));
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Word) == 4) {
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(word),
                 "r"(static_cast<std::uint32_t>(value))
                 : "memory");
  } else {
    asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(word),
                 "l"(static_cast<std::uint64_t>(value))
                 : "memory");
  }
#elif defined(__HIP_DEVICE_COMPILE__)
  __hip_atomic_store(word, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
#else
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
#endif
}

/// Between two looks at a word, after `tries` without success: a thread of a host lets others run
/// now and then, one of which may have the processor that writes it.
KOKKOS_INLINE_FUNCTION void pause_between_tries([[maybe_unused]] std::uint32_t tries) {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_s_sleep(1);
#elif !defined(__CUDA_ARCH__)
  constexpr std::uint32_t tries_before_yielding = 64;
  if (tries % tries_before_yielding == tries_before_yielding - 1) std::this_thread::yield();
#endif
}

}  // namespace tessera::kernels
