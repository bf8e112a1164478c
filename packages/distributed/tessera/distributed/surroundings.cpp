// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/surroundings.hpp"

#include "tessera/distributed/array_messages.hpp"
#include "tessera/distributed/device_id.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace tessera::distributed {
namespace {

template <class Space>
DeviceId own_device(const Space& exec) {
  if constexpr (kernels::has_launch_graphs<Space>) {
    return device_id(exec);
  } else {
    static_cast<void>(exec);
    return {};
  }
}

/// Seconds of a message of so many numbers to a process far from this one, another of which sends
/// as many here: the median of several, of the slowest process. Of ranks that follow each other
/// those on a host mostly do, too, so that half of all ranks away is another host if there is one.
template <class Space>
double seconds_of_message(const Space& exec, const Communicator& processes, std::size_t length) {
  constexpr std::size_t first_ones = 3;  // which set up connections
  constexpr std::size_t count = 7;
  const int size = processes.size();
  const int step = size / 2;
  const int to = (processes.rank() + step) % size;
  const int from = (processes.rank() + size - step) % size;
  Array<double, Space> sent, received;
  ArrayMessages<double, Space> messages;
  on_all_processes(processes, [&] {
    sent = allocate<double>(exec, "tessera::distributed::seconds_of_message", length);
    received = allocate<double>(exec, "tessera::distributed::seconds_of_message", length);
    Kokkos::deep_copy(exec, sent, 0.0);
    messages.reserve(processes, length, length);
  });
  std::array<double, count> seconds{};
  for (std::size_t i = 0; i < first_ones + count; ++i) {
    exec.fence("tessera::distributed::seconds_of_message");
    const Kokkos::Timer timer;
    messages.begin(exec, processes, sent, received, {{to, 0, length}}, {{from, 0, length}});
    messages.end(exec);
    exec.fence("tessera::distributed::seconds_of_message");
    if (i >= first_ones) seconds[i - first_ones] = timer.seconds();
  }
  std::ranges::nth_element(seconds, seconds.begin() + count / 2);
  return processes.maximum_of(seconds[count / 2]);
}

template <class Space>
MessageCost measured_cost(const Space& exec, const Communicator& processes) {
  if (processes.size() == 1) return {};
  constexpr std::size_t many = 16384;  // of which the bytes take longer than the message
  const double small = seconds_of_message(exec, processes, 1);
  const double large = seconds_of_message(exec, processes, many);
  return {small, std::max(0.0, large - small) / (static_cast<double>(many - 1) * sizeof(double))};
}

}  // namespace

template <class Space>
const Places& places(const Space& exec, const Communicator& processes) {
  auto& known = processes.surroundings()[Space::name()].places;
  if (!known) {
    DeviceId own{};
    on_all_processes(processes, [&] { own = own_device(exec); });
    known = places_of_all(processes, own);
  }
  return *known;
}

template <class Space>
const MessageCost& message_cost(const Space& exec, const Communicator& processes) {
  auto& known = processes.surroundings()[Space::name()].messages;
  if (!known) known = measured_cost(exec, processes);
  return *known;
}

#define TESSERA_INSTANTIATE_SURROUNDINGS(Space)                     \
  template const Places& places(const Space&, const Communicator&); \
  template const MessageCost& message_cost(const Space&, const Communicator&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_SURROUNDINGS)
#undef TESSERA_INSTANTIATE_SURROUNDINGS

}  // namespace tessera::distributed
