// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Numbers on a device, summed over all processes.
#pragma once

#include "tessera/distributed/communicator.hpp"
#include "tessera/kernels/vector/reductions.hpp"

#include <cstddef>
#include <memory>

namespace tessera::distributed {

/// Sums that stay where the numbers are: on the stream where the communicator orders sums by it,
/// else by way of the host.
template <class Space>
class DeviceSums {
 public:
  DeviceSums() = default;
  explicit DeviceSums(std::shared_ptr<const Communicator> processes);

  /// Room for so many numbers at once.
  void reserve(const Space& exec, std::size_t count);
  /// Each of `numbers` becomes the sum of all processes'. Queued on `exec`, for which the host
  /// waits where the sums are its own. Collective.
  void add_up(const Space& exec, const ArrayView<double, Space>& numbers);

 private:
  std::shared_ptr<const Communicator> m_processes;
  kernels::Report<double, Space> m_report;
};

}  // namespace tessera::distributed
