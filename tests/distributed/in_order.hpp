// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Messages and sums in the order of a stream, on hosts.
#pragma once

#include "support/all_processes.hpp"
#include "support/error_of.hpp"
#include "tessera/distributed/communicator.hpp"
#include "tessera/distributed/nccl/nccl_communicator.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tessera::test {

/// Orders what the processes of another communicator send each other, and is as late with it as
/// `Communicator::Ordered` allows: what is sent is read, and what is received written, when a
/// transfer ends; until then there is nothing but NaNs. Who reads too early or writes too early
/// is found out.
class InOrder : public distributed::Communicator, private distributed::Communicator::Ordered {
 public:
  using Ordered = distributed::Communicator::Ordered;

  explicit InOrder(std::shared_ptr<const distributed::Communicator> processes)
      : m_processes(std::move(processes)) {}

  int rank() const override { return m_processes->rank(); }
  int size() const override { return m_processes->size(); }
  bool takes_device_pointers() const override { return m_processes->takes_device_pointers(); }
  const Ordered* ordered() const override { return this; }
  int first_on_host() const override { return m_processes->first_on_host(); }

  void sum(std::span<double> numbers) const override { m_processes->sum(numbers); }
  void sum(std::span<std::int64_t> numbers) const override { m_processes->sum(numbers); }
  void minimum(std::span<double> numbers) const override { m_processes->minimum(numbers); }
  void maximum(std::span<double> numbers) const override { m_processes->maximum(numbers); }
  void broadcast(std::span<std::byte> data, int root) const override {
    m_processes->broadcast(data, root);
  }
  void all_gather(std::int64_t own, std::span<std::int64_t> all) const override {
    m_processes->all_gather(own, all);
  }
  void all_to_all(std::span<const std::int64_t> given,
                  std::span<std::int64_t> received) const override {
    m_processes->all_to_all(given, received);
  }
  std::unique_ptr<Transfer> start(std::span<const Outgoing> outgoing,
                                  std::span<const Incoming> incoming) const override {
    return m_processes->start(outgoing, incoming);
  }

  /// Transfers and sums so far.
  int num_ordered() const { return m_num_ordered; }

 private:
  bool is_of_device() const override { return false; }
  void begin(void*, std::span<const Outgoing> outgoing,
             std::span<const Incoming> incoming) const override {
    require(!m_is_under_way, [] { return std::string("two transfers at a time"); });
    m_is_under_way = true;
    m_outgoing.assign(outgoing.begin(), outgoing.end());
    m_incoming.assign(incoming.begin(), incoming.end());
    for (const Incoming& message : m_incoming)
      std::memset(message.data, 0xff, message.bytes);
  }
  void end(void*) const override {
    require(m_is_under_way, [] { return std::string("no transfer to end"); });
    m_is_under_way = false;
    ++m_num_ordered;
    m_processes->start(m_outgoing, m_incoming)->wait();
  }
  void sum(void*, double* numbers, std::size_t count) const override {
    ++m_num_ordered;
    m_processes->sum(std::span(numbers, count));
  }
  void wait(void*) const override { Kokkos::fence("tessera::test::InOrder"); }

  std::shared_ptr<const distributed::Communicator> m_processes;
  mutable bool m_is_under_way = false;
  mutable int m_num_ordered = 0;
  mutable std::vector<Outgoing> m_outgoing;
  mutable std::vector<Incoming> m_incoming;
};

/// All processes as they order on `DeviceSpace`: by NCCL, on hosts as late as may be. Null where
/// there is nothing that can order: on a GPU without NCCL, or that processes share.
inline std::shared_ptr<const distributed::Communicator> processes_in_order() {
  std::shared_ptr<const distributed::Communicator> made;
  if constexpr (kernels::is_host_space<DeviceSpace>) {
    made = std::make_shared<InOrder>(all_processes());
  } else {
    error_of([&] { made = distributed::nccl_communicator(all_processes(), DeviceSpace()); });
  }
  return made;
}

/// Tests on such processes, which are skipped where there are none.
class InOrderTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { processes = processes_in_order(); }
  static void TearDownTestSuite() { processes.reset(); }
  void SetUp() override {
    if (processes == nullptr)
      GTEST_SKIP() << "needs NCCL and a GPU for each of " << all_processes()->size()
                   << " processes";
  }
  static inline std::shared_ptr<const distributed::Communicator> processes;
};

}  // namespace tessera::test
