// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A communicator that counts what goes through it.
#pragma once

#include "tessera/distributed/communicator.hpp"
#include "tessera/distributed/traffic.hpp"

#include <memory>
#include <utility>

namespace tessera::distributed {

/// Counts this process's messages and reductions, and leaves them to another communicator.
class CountingCommunicator : public Communicator, private Communicator::Ordered {
 public:
  using Ordered = Communicator::Ordered;

  /// `is_reproducible`: what `Communicator::is_reproducible` is to say.
  explicit CountingCommunicator(std::shared_ptr<const Communicator> processes,
                                bool is_reproducible = false)
      : m_processes(std::move(processes)), m_is_reproducible(is_reproducible) {}

  int rank() const override { return m_processes->rank(); }
  int size() const override { return m_processes->size(); }
  bool takes_device_pointers() const override { return m_processes->takes_device_pointers(); }
  const Ordered* ordered() const override {
    return m_processes->ordered() == nullptr ? nullptr : this;
  }

  bool is_reproducible() const override { return m_is_reproducible; }
  int first_on_host() const override { return m_processes->first_on_host(); }
  SurroundingsBySpace& surroundings() const override { return m_processes->surroundings(); }

  void sum(std::span<double> numbers) const override;
  void sum(std::span<std::int64_t> numbers) const override;
  void minimum(std::span<double> numbers) const override;
  void maximum(std::span<double> numbers) const override;
  void broadcast(std::span<std::byte> data, int root) const override;
  void all_gather(std::int64_t own, std::span<std::int64_t> all) const override;
  void all_to_all(std::span<const std::int64_t> given,
                  std::span<std::int64_t> received) const override;
  std::unique_ptr<Transfer> start(std::span<const Outgoing> outgoing,
                                  std::span<const Incoming> incoming) const override;

  /// What this process has sent, and the reductions that it has taken part in.
  const Traffic& counted() const { return m_counted; }

 private:
  bool is_of_device() const override { return m_processes->ordered()->is_of_device(); }
  void begin(void* stream, std::span<const Outgoing> outgoing,
             std::span<const Incoming> incoming) const override;
  void end(void* stream) const override { m_processes->ordered()->end(stream); }
  void sum(void* stream, double* numbers, std::size_t count) const override;
  void wait(void* stream) const override { m_processes->ordered()->wait(stream); }
  bool can_be_recorded() const override { return m_processes->ordered()->can_be_recorded(); }
  void add(std::weak_ptr<Recordings> recordings) const override {
    m_processes->ordered()->add(std::move(recordings));
  }
  void count(std::span<const Outgoing> outgoing) const;

  std::shared_ptr<const Communicator> m_processes;
  bool m_is_reproducible;
  mutable Traffic m_counted;
};

}  // namespace tessera::distributed
