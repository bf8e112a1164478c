// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Reading a stream ahead of its use, and sums that stay in registers: what inner loops need of
/// the compiler.
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstdint>

/// Of a function whose sums would else go through memory at each call.
#if defined(__GNUC__)
#define TESSERA_DETAIL_ALWAYS_INLINE [[gnu::always_inline]]
#else
#define TESSERA_DETAIL_ALWAYS_INLINE
#endif

namespace tessera::kernels::detail {

/// Asks for the cache line two pages on, on a host. Matrix values are a stream that a thread reads
/// slower than memory could give it: the hardware's own prefetch stops at the end of each page. The
/// address may lie beyond the array; nothing is read from it.
inline void prefetch_ahead(const void* address) {
#if defined(__GNUC__)
  constexpr std::uintptr_t bytes = 8192;
  // Arithmetic on the pointer itself may not leave its array.
  const auto ahead = reinterpret_cast<std::uintptr_t>(address) + bytes;
  __builtin_prefetch(reinterpret_cast<const void*>(ahead));  // NOLINT(performance-no-int-to-ptr)
#else
  (void)address;
#endif
}

/// Asks for the 32 bytes around an address, on a CUDA device: into its L2 cache.
KOKKOS_INLINE_FUNCTION void prefetch_on_device([[maybe_unused]] const void* address) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" : : "l"(address));
#endif
}

}  // namespace tessera::kernels::detail
