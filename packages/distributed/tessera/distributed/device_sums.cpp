// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/device_sums.hpp"

#include "tessera/distributed/array_messages.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <span>
#include <utility>

namespace tessera::distributed {

template <class Space>
DeviceSums<Space>::DeviceSums(std::shared_ptr<const Communicator> processes)
    : m_processes(std::move(processes)) {}

template <class Space>
void DeviceSums<Space>::reserve(const Space& exec, std::size_t count) {
  if (m_report.extent(0) >= count) return;
  m_report = kernels::allocate_report<double>(exec, "tessera::distributed::DeviceSums", count);
}

template <class Space>
void DeviceSums<Space>::add_up(const Space& exec, const ArrayView<double, Space>& numbers) {
  const std::size_t count = numbers.extent(0);
  if (count == 0 || m_processes->size() == 1) return;
  if (const auto* const ordered = ordered_on<Space>(*m_processes))
    return ordered->sum(stream_of(exec), numbers.data(), count);
  reserve(exec, count);
  const auto report = Kokkos::subview(m_report, std::make_pair(std::size_t(0), count));
  Kokkos::deep_copy(exec, report, numbers);
  exec.fence("tessera::distributed::DeviceSums");
  m_processes->sum(std::span<double>(report.data(), count));
  Kokkos::deep_copy(exec, numbers, report);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, DeviceSums)

}  // namespace tessera::distributed
