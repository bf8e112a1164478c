// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whose memory messages of arrays are in: the array's own, or the host's beside it.
#include "distributed/device_pointers.hpp"
#include "distributed/shares.hpp"
#include "tessera/distributed/array_messages.hpp"
#include "tessera/distributed/counting_communicator.hpp"
#ifdef TESSERA_TEST_WITH_MPI
#include "tessera/distributed/mpi/mpi_communicator.hpp"
#endif

#include <utility>
#include <vector>

namespace tessera::test::message_memory_test {

using distributed::ArrayMessages;
using distributed::Communicator;

/// Passes on, with what is sent and received where; says of device pointers what it is told.
class Watched : public distributed::CountingCommunicator {
 public:
  Watched(std::shared_ptr<const Communicator> processes, bool takes_device_pointers)
      : CountingCommunicator(std::move(processes)),
        m_takes_device_pointers(takes_device_pointers) {}

  bool takes_device_pointers() const override { return m_takes_device_pointers; }
  const Ordered* ordered() const override { return nullptr; }
  std::unique_ptr<Transfer> start(std::span<const Outgoing> outgoing,
                                  std::span<const Incoming> incoming) const override {
    for (const Outgoing& message : outgoing)
      m_sent.push_back(message.data);
    for (const Incoming& message : incoming)
      m_received.push_back(message.data);
    return CountingCommunicator::start(outgoing, incoming);
  }

  const std::vector<const void*>& sent() const { return m_sent; }
  const std::vector<const void*>& received() const { return m_received; }

 private:
  bool m_takes_device_pointers;
  mutable std::vector<const void*> m_sent, m_received;
};

/// Around a ring of processes, each sends its numbers on. True where they come from and go to the
/// arrays themselves.
bool is_sent_as_it_is(bool takes_device_pointers) {
  const Space exec;
  const Watched watched(all_processes(), takes_device_pointers);
  const std::size_t count = 5;
  const std::vector<double> own(count, process());
  const auto sent = on_device(own);
  const Array<double, Space> received("received", count);
  const ArrayMessages<double, Space>::Part to{(process() + 1) % num_processes(), 0, count};
  const ArrayMessages<double, Space>::Part from{(process() + num_processes() - 1) % num_processes(),
                                                0, count};
  ArrayMessages<double, Space> messages;
  messages.begin(exec, watched, sent, received, {to}, {from});
  messages.end(exec);
  exec.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), received);
  for (std::size_t i = 0; i < count; ++i)
    EXPECT_EQ(host(i), from.process);
  EXPECT_EQ(watched.sent().size(), 1U);
  EXPECT_EQ(watched.received().size(), 1U);
  return watched.sent().front() == sent.data() && watched.received().front() == received.data();
}

/// What is in the host's memory is not staged there once more, whatever MPI takes.
TEST(DistributedMessages, AreNotStagedOnAHost) {
  if (num_processes() == 1) GTEST_SKIP() << "one process sends nothing";
  EXPECT_EQ(is_sent_as_it_is(false), kernels::is_host_space<Space>);
  if (pointers_may_be_sent()) {
    EXPECT_TRUE(is_sent_as_it_is(true));
  }
}

/// One process has nothing to stage.
TEST(DistributedMessages, OfOneProcessTakeAnyPointer) {
  EXPECT_TRUE(distributed::alone()->takes_device_pointers());
}

#ifdef TESSERA_TEST_WITH_MPI
/// It says what it was told, on its own and below a solver that counts.
TEST(DistributedMessages, OfMpiTakeThePointersThatTheyAreToldTo) {
  for (const bool takes : {false, true}) {
    const auto processes =
        distributed::mpi_communicator(MPI_COMM_WORLD, {.takes_device_pointers = takes});
    EXPECT_EQ(processes->takes_device_pointers(), takes);
    EXPECT_EQ(distributed::CountingCommunicator(processes).takes_device_pointers(), takes);
  }
  EXPECT_FALSE(distributed::mpi_communicator(MPI_COMM_WORLD)->takes_device_pointers());
}
#endif

}  // namespace tessera::test::message_memory_test
