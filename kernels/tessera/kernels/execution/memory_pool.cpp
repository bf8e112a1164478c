// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/memory_pool.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace tessera {

#if defined(KOKKOS_ENABLE_CUDA)
namespace {

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  throw std::runtime_error("keep_freed_memory: " + std::string(cudaGetErrorString(error)));
}

}  // namespace

void keep_freed_memory(int device) {
  int has_pools = 0;
  check(cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, device));
  if (has_pools == 0) return;
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, device));
  std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
}
#else
void keep_freed_memory(int /*device*/) {}
#endif

}  // namespace tessera
