// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What tells a device from all others: the 16 bytes that CUDA or HIP knows it by.
#pragma once

#include "tessera/distributed/places.hpp"
#include "tessera/kernels/execution/device_call.hpp"
#include "tessera/kernels/execution/launch_graph.hpp"

#include <cstring>

namespace tessera::distributed {

/// Of the device that an instance is on; hosts have none.
template <class Space>
DeviceId device_id(const Space& exec) = delete;

#if defined(KOKKOS_ENABLE_CUDA)
inline DeviceId device_id(const Kokkos::Cuda& exec) {
  using Api = kernels::detail::GraphApi<Kokkos::Cuda>;
  cudaDeviceProp properties;
  kernels::detail::check_call<Api>(cudaGetDeviceProperties(&properties, Api::device_of(exec)),
                                   "asking for the device's number");
  DeviceId id;
  static_assert(sizeof id == sizeof properties.uuid);
  std::memcpy(id.data(), &properties.uuid, sizeof id);
  return id;
}
#endif

#if defined(KOKKOS_ENABLE_HIP)
inline DeviceId device_id(const Kokkos::HIP& exec) {
  using Api = kernels::detail::GraphApi<Kokkos::HIP>;
  hipUUID uuid;
  kernels::detail::check_call<Api>(hipDeviceGetUuid(&uuid, Api::device_of(exec)),
                                   "asking for the device's number");
  DeviceId id;
  static_assert(sizeof id == sizeof uuid);
  std::memcpy(id.data(), &uuid, sizeof id);
  return id;
}
#endif

}  // namespace tessera::distributed
