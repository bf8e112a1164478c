// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Team scratch as the shared memory that it is on a device.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels {

/// `memory` in scratch, as a pointer that the compiler sees to be one into shared memory: what
/// Kokkos hands out may be null, and is read by slower instructions for any kind of memory.
template <class T>
KOKKOS_INLINE_FUNCTION T* in_scratch(T* memory) {
#if defined(__CUDA_ARCH__)
  extern __shared__ unsigned char shared_memory[];
  const auto begin = static_cast<unsigned>(__cvta_generic_to_shared(shared_memory));
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(memory));
  return reinterpret_cast<T*>(shared_memory + (address - begin));
#else
  return memory;
#endif
}

/// `Kokkos::atomic_compare_exchange` in scratch. Kokkos's own hides from the compiler that scratch
/// is shared memory, for which there is a faster instruction.
KOKKOS_INLINE_FUNCTION Ordinal compare_exchange_in_scratch(Ordinal* target, Ordinal expected,
                                                           Ordinal desired) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return atomicCAS(target, expected, desired);
#else
  return Kokkos::atomic_compare_exchange(target, expected, desired);
#endif
}

/// `Kokkos::atomic_or` in scratch, likewise.
KOKKOS_INLINE_FUNCTION void or_in_scratch(unsigned* target, unsigned bits) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  atomicOr(target, bits);
#else
  Kokkos::atomic_or(target, bits);
#endif
}

}  // namespace tessera::kernels
