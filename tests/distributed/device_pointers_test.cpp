// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Messages that MPI reads from and writes to the memory of the execution space itself.
#include "distributed/device_pointers.hpp"
#include "distributed/shares.hpp"
#include "tessera/distributed/array_messages.hpp"
#include "tessera/distributed/counting_communicator.hpp"
#ifdef TESSERA_TEST_WITH_MPI
#include "tessera/distributed/mpi/mpi_communicator.hpp"
#endif

#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tessera::test::device_pointers_test {

using distributed::Communicator;

/// As late as a transfer may be: what is sent is read, and what is received written, when it is
/// waited for. Until then there is nothing but NaNs.
class Late : public distributed::CountingCommunicator {
 public:
  using CountingCommunicator::CountingCommunicator;

  bool takes_device_pointers() const override { return true; }
  const Ordered* ordered() const override { return nullptr; }
  std::unique_ptr<Transfer> start(std::span<const Outgoing> outgoing,
                                  std::span<const Incoming> incoming) const override {
    for (const Incoming& message : incoming)
      std::memset(message.data, 0xff, message.bytes);
    return std::make_unique<LateTransfer>(*this, outgoing, incoming);
  }

 private:
  class LateTransfer : public Transfer {
   public:
    LateTransfer(const Late& processes, std::span<const Outgoing> outgoing,
                 std::span<const Incoming> incoming)
        : m_processes(processes),
          m_outgoing(outgoing.begin(), outgoing.end()),
          m_incoming(incoming.begin(), incoming.end()) {}
    void wait() override {
      m_processes.CountingCommunicator::start(m_outgoing, m_incoming)->wait();
    }

   private:
    const Late& m_processes;
    std::vector<Outgoing> m_outgoing;
    std::vector<Incoming> m_incoming;
  };
};

/// Solutions for two right-hand sides, by the matrix and by twice its values.
std::vector<double> solutions(const std::shared_ptr<const Communicator>& processes) {
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 30});
  const Share share(problem.host);
  HostShare twice = problem.host;
  for (double& value : twice.values)
    value *= 2;
  distributed::Parameters p;
  p.gather_rows = 100;
  p.solve.amg.reuse = amg::Reuse::symbolic;
  // A device's sums have one order only then.
  p.reproducible = !kernels::is_host_space<Space>;
  DistributedSolver solver(processes, p);
  solver.setup(Space(), share.rows());
  std::vector<double> all;
  for (const bool updates : {false, true}) {
    if (updates) solver.update_values(Space(), on_device(twice.values));
    const Vectors x = zeros(problem.num_rows(), 2);
    EXPECT_TRUE(solver.solve(Space(), waves(problem.first, problem.num_rows(), 2), x).converged());
    const auto found = on_host(x);
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

TEST(DistributedDevicePointers, MayBeReadAndWrittenUntilTheWaitIsOver) {
  if (num_processes() == 1) GTEST_SKIP() << "one process sends nothing";
  if (!kernels::is_host_space<Space>) GTEST_SKIP() << "the host writes into what is received";
  EXPECT_EQ(solutions(std::make_shared<Late>(all_processes())), solutions(all_processes()));
}

#ifdef TESSERA_TEST_WITH_MPI
std::shared_ptr<const Communicator> by_pointers(bool takes_device_pointers) {
  return distributed::mpi_communicator(MPI_COMM_WORLD,
                                       {.takes_device_pointers = takes_device_pointers});
}

TEST(DistributedDevicePointers, GiveTheSameSolutions) {
  if (!pointers_may_be_sent()) GTEST_SKIP() << "the MPI at hand may not take a GPU's pointers";
  EXPECT_EQ(solutions(by_pointers(true)), solutions(by_pointers(false)));
}

void fill(const Space& exec, const Array<double, Space>& numbers, double first) {
  Kokkos::parallel_for(
      "tessera::test::fill", Kokkos::RangePolicy<Space>(exec, 0, static_cast<int>(numbers.size())),
      KOKKOS_LAMBDA(const int i) { numbers(i) = first + i; });
}

/// How many of the numbers are not what `fill` makes.
int num_wrong(const Space& exec, const Array<double, Space>& numbers, double first) {
  int wrong = 0;
  Kokkos::parallel_reduce(
      "tessera::test::num_wrong",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<int>(numbers.size())),
      KOKKOS_LAMBDA(const int i, int& sum) { sum += numbers(i) == first + i ? 0 : 1; }, wrong);
  return wrong;
}

/// Around a ring of processes, in two messages and an empty one between them. Kernels write right
/// before and read right after, and the arrays are used again at once. The lengths are such as
/// MPIs have different ways for, from a few bytes to some megabytes.
TEST(DistributedDevicePointers, CarryMessagesOfEachLength) {
  if (num_processes() == 1) GTEST_SKIP() << "one process sends nothing";
  if (!pointers_may_be_sent()) GTEST_SKIP() << "the MPI at hand may not take a GPU's pointers";
  using Messages = distributed::ArrayMessages<double, Space>;
  const Space exec;
  const auto processes = by_pointers(true);
  const int to = (process() + 1) % num_processes();
  const int from = (process() + num_processes() - 1) % num_processes();
  constexpr std::size_t lengths[] = {1, 7, 1000, 5000, 20000, 400000};
  for (const std::size_t length : lengths) {
    SCOPED_TRACE(length);
    const Array<double, Space> sent("sent", length), received("received", length);
    const std::size_t cut = length / 3;
    const auto parts = [&](int other) {
      return Messages::Parts{{other, 0, cut}, {other, cut, 0}, {other, cut, length - cut}};
    };
    Messages messages;
    for (int round = 0; round < 3; ++round) {
      const auto first_of = [&](int rank) { return 1e6 * (10 * rank + round); };
      fill(exec, sent, first_of(process()));
      messages.begin(exec, *processes, sent, received, parts(to), parts(from));
      messages.end(exec);
      EXPECT_EQ(num_wrong(exec, received, first_of(from)), 0);
    }
  }
}
#endif

}  // namespace tessera::test::device_pointers_test
