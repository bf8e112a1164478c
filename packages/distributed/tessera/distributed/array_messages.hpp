// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Messages from and to arrays of a space, by whichever way a communicator has.
#pragma once

#include "tessera/distributed/communicator.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/launch_graph.hpp"
#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/vector/reductions.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tessera::distributed {

/// How messages and sums are ordered on instances of `Space`; null where the host waits for them.
template <class Space>
const Communicator::Ordered* ordered_on(const Communicator& processes) {
  const Communicator::Ordered* const ordered = processes.ordered();
  const bool fits = ordered != nullptr && ordered->is_of_device() != kernels::is_host_space<Space>;
  return fits ? ordered : nullptr;
}

/// The stream of an instance, as `Communicator::Ordered` takes it.
template <class Space>
void* stream_of(const Space& exec) {
  if constexpr (kernels::has_launch_graphs<Space>) {
    return kernels::detail::GraphApi<Space>::stream_of(exec);
  } else {
    return nullptr;
  }
}

/// Messages from one array to another, one transfer at a time. Where the communicator orders on the
/// stream, nobody waits; where it takes the memory of `Space`, the instance is waited for; else
/// messages go through pinned memory of the host.
template <class T, class Space>
class ArrayMessages {
 public:
  /// Entries of an array that go to or come from a process.
  struct Part {
    int process;
    std::size_t first;
    std::size_t length;
  };
  using Parts = std::vector<Part>;

  /// Makes room for so many entries each way where messages go through the host's memory, so that
  /// `begin` allocates nothing there.
  void reserve(const Communicator& processes, std::size_t num_sent, std::size_t num_received) {
    if (!are_staged(processes)) return;
    make_room(m_sent_by_host, num_sent);
    make_room(m_received_by_host, num_received);
  }

  /// Sends parts of `sent` behind what is queued on `exec`, and begins to receive parts of
  /// `received`, which are all of it. Both stay as they are until `end`. Collective.
  void begin(const Space& exec, const Communicator& processes,
             const ArrayView<const T, Space>& sent, const ArrayView<T, Space>& received,
             const Parts& to, const Parts& from) {
    m_received = received;
    m_ordered = ordered_on<Space>(processes);
    if (m_ordered != nullptr)
      return m_ordered->begin(stream_of(exec), outgoing(to, sent.data()),
                              incoming(from, received.data()));
    m_is_staged = are_staged(processes);
    if (m_is_staged) {
      reserve(processes, sent.extent(0), received.extent(0));
      if (sent.extent(0) > 0)
        Kokkos::deep_copy(exec, first_of(m_sent_by_host, sent.extent(0)), sent);
    }
    exec.fence("tessera::distributed::ArrayMessages");
    m_transfer =
        processes.start(outgoing(to, m_is_staged ? m_sent_by_host.data() : sent.data()),
                        incoming(from, m_is_staged ? m_received_by_host.data() : received.data()));
  }

  /// What is queued on `exec` from now on finds what has come.
  void end(const Space& exec) {
    if (m_ordered != nullptr) return std::exchange(m_ordered, nullptr)->end(stream_of(exec));
    std::exchange(m_transfer, nullptr)->wait();
    if (m_is_staged && m_received.extent(0) > 0)
      Kokkos::deep_copy(exec, m_received, first_of(m_received_by_host, m_received.extent(0)));
  }

 private:
  using HostBuffer = kernels::Report<T, Space>;  // pinned where Space is a device

  /// Whether messages that no stream orders go through the host's memory.
  static bool are_staged(const Communicator& processes) {
    return ordered_on<Space>(processes) == nullptr && !kernels::is_host_space<Space> &&
           !processes.takes_device_pointers();
  }
  static HostBuffer first_of(const HostBuffer& buffer, std::size_t length) {
    return Kokkos::subview(buffer, std::make_pair(std::size_t(0), length));
  }
  static void make_room(HostBuffer& buffer, std::size_t length) {
    if (buffer.extent(0) >= length) return;
    buffer = HostBuffer(Kokkos::view_alloc(std::string("tessera::distributed::ArrayMessages"),
                                           Kokkos::WithoutInitializing),
                        length);
  }
  static std::vector<Communicator::Outgoing> outgoing(const Parts& parts, const T* entries) {
    std::vector<Communicator::Outgoing> messages;
    for (const Part& p : parts)
      messages.push_back({p.process, entries + p.first, p.length * sizeof(T)});
    return messages;
  }
  static std::vector<Communicator::Incoming> incoming(const Parts& parts, T* entries) {
    std::vector<Communicator::Incoming> messages;
    for (const Part& p : parts)
      messages.push_back({p.process, entries + p.first, p.length * sizeof(T)});
    return messages;
  }

  ArrayView<T, Space> m_received;
  const Communicator::Ordered* m_ordered = nullptr;  ///< of the transfer under way
  bool m_is_staged = false;
  HostBuffer m_sent_by_host;
  HostBuffer m_received_by_host;
  std::shared_ptr<Communicator::Transfer> m_transfer;
};

}  // namespace tessera::distributed
