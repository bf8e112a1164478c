// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/counting_communicator.hpp"

namespace tessera::distributed {

void CountingCommunicator::sum(std::span<double> numbers) const {
  ++m_counted.reductions;
  m_processes->sum(numbers);
}

void CountingCommunicator::sum(std::span<std::int64_t> numbers) const {
  ++m_counted.reductions;
  m_processes->sum(numbers);
}

void CountingCommunicator::minimum(std::span<double> numbers) const {
  ++m_counted.reductions;
  m_processes->minimum(numbers);
}

void CountingCommunicator::maximum(std::span<double> numbers) const {
  ++m_counted.reductions;
  m_processes->maximum(numbers);
}

void CountingCommunicator::broadcast(std::span<std::byte> data, int root) const {
  ++m_counted.reductions;
  m_processes->broadcast(data, root);
}

void CountingCommunicator::all_gather(std::int64_t own, std::span<std::int64_t> all) const {
  ++m_counted.reductions;
  m_processes->all_gather(own, all);
}

void CountingCommunicator::all_to_all(std::span<const std::int64_t> given,
                                      std::span<std::int64_t> received) const {
  ++m_counted.reductions;
  m_processes->all_to_all(given, received);
}

std::unique_ptr<Communicator::Transfer> CountingCommunicator::start(
    std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) const {
  count(outgoing);
  return m_processes->start(outgoing, incoming);
}

void CountingCommunicator::begin(void* stream, std::span<const Outgoing> outgoing,
                                 std::span<const Incoming> incoming) const {
  count(outgoing);
  m_processes->ordered()->begin(stream, outgoing, incoming);
}

void CountingCommunicator::sum(void* stream, double* numbers, std::size_t count) const {
  ++m_counted.reductions;
  m_processes->ordered()->sum(stream, numbers, count);
}

void CountingCommunicator::count(std::span<const Outgoing> outgoing) const {
  for (const Outgoing& message : outgoing) {
    ++m_counted.messages;
    m_counted.bytes += static_cast<std::int64_t>(message.bytes);
  }
}

}  // namespace tessera::distributed
