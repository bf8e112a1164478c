// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/queue_event.hpp"

#include "tessera/kernels/execution/device_call.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {

template <class Space>
  requires has_launch_graphs<Space>
void QueueEvent<Space>::set(const Space& exec) {
  const int device = Api::device_of(exec);
  detail::use_device<Api>(device);
  if (device != m_device) {
    detail::check_call<Api>(Api::create_event(m_event), "making an event");
    m_device = device;
  }
  detail::check_call<Api>(Api::record_event(m_event, Api::stream_of(exec)), "recording an event");
}

template <class Space>
  requires has_launch_graphs<Space>
void QueueEvent<Space>::await(const std::string& label) const {
  if (m_device >= 0) detail::check_call<Api>(Api::await_event(m_event), label.c_str());
}

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
template class QueueEvent<DeviceSpace>;
#endif

}  // namespace tessera::kernels
