// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Messages and sums in the order of a stream, beside those that the host waits for: by NCCL where
/// each process has a GPU for itself, on hosts by processes that are as late as they may be.
#include "distributed/in_order.hpp"
#include "distributed/shares.hpp"

#include "tessera/distributed/exchange.hpp"
#include "tessera/distributed/inner_products.hpp"

#include <string>
#include <utility>

namespace tessera::test::ordered_test {

using distributed::Communicator;
using distributed::Parameters;
using distributed::Partition;
using Processes = std::shared_ptr<const Communicator>;

class DistributedOrdered : public InOrderTest {};

/// Rows from all processes to the first one and back, twice, so that buffers are used again.
TEST_F(DistributedOrdered, ExchangesForwardAndBackward) {
  const int own = process() == 1 ? 0 : 4;
  const Partition shares(*processes, own);
  distributed::Exchange<double, Space> exchange(
      distributed::gathering_plan(Space(), processes, shares));
  distributed::Exchange<float, Space> in_float(
      distributed::gathering_plan(Space(), processes, shares));
  const int all = process() == 0 ? static_cast<int>(shares.size()) : 0;
  const Space exec;
  for (const int columns : {2, 1}) {
    const Vectors gathered = zeros(all, columns);
    const auto x = waves(shares.first(), own, columns);
    exchange.forward(exec, x, gathered);
    exec.fence();
    EXPECT_EQ(on_host(gathered), on_host(waves(0, all, columns)));
    const Vectors back = zeros(own, columns);
    exchange.backward(exec, gathered, back);
    exec.fence();
    EXPECT_EQ(on_host(back), on_host(x));
  }
  const MultiVector<float, Space> ones("ones", own, 1);
  const MultiVector<float, Space> come("come", all, 1);
  Kokkos::deep_copy(ones, 1.0F);
  in_float.forward(exec, ones, come);
  exec.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), come);
  for (int i = 0; i < all; ++i)
    EXPECT_EQ(host(i, 0), 1.0F);
}

/// Between the two ends of a transfer there is time for other work, which does not see it.
TEST_F(DistributedOrdered, ComesAtTheEnd) {
  const Partition shares(*processes, 3);
  std::vector<Partition::Global> ghosts;
  for (std::int64_t number = 0; number < shares.size(); ++number)
    if (!shares.is_own(number)) ghosts.push_back(number);
  distributed::Exchange<double, Space> exchange(
      distributed::halo_plan(Space(), processes, shares, ghosts));
  const Space exec;
  for (int round = 1; round < 4; ++round) {
    const Vectors x = waves(round * 100 + shares.first(), 3);
    exchange.begin(exec, x);
    Kokkos::deep_copy(exec, x, 0.0);  // x has been packed
    const auto received = exchange.end(exec);
    const Vectors copy("copy", ghosts.size(), 1);
    Kokkos::deep_copy(exec, Kokkos::subview(copy, Kokkos::ALL, 0),
                      Kokkos::subview(received, std::make_pair(std::size_t(0), ghosts.size())));
    exec.fence();
    for (std::size_t g = 0; g < ghosts.size(); ++g)
      EXPECT_EQ(on_host(copy)[g], std::sin(1 + 3.7 * static_cast<double>(round * 100 + ghosts[g])));
  }
}

TEST_F(DistributedOrdered, SumsAsTheHost) {
  const Space exec;
  const int rows = process() == 0 ? 0 : 5 * process();
  const auto x = waves(0, rows, 2);
  const auto y = waves(1, rows, 2);
  for (const std::size_t few : {1U, 3U}) {
    const std::vector<distributed::InnerProducts<Space>::Pair> pairs(few, {x, y});
    std::vector<double> along{static_cast<double>(process()), 1};
    std::vector<double> along_host = along;
    const auto sums = distributed::InnerProducts<Space>(exec, processes, 2)(exec, pairs, along);
    const auto expected =
        distributed::InnerProducts<Space>(exec, all_processes(), 2)(exec, pairs, along_host);
    ASSERT_EQ(sums.size(), expected.size());
    for (std::size_t i = 0; i < sums.size(); ++i)
      EXPECT_NEAR(sums[i], expected[i], 1e-14 * num_processes() * num_processes() * 5);
    EXPECT_EQ(along, along_host);
    EXPECT_EQ(along[1], num_processes());
  }
  // Of no pairs, what goes along is summed all the same.
  std::vector<double> along{2};
  EXPECT_TRUE(distributed::InnerProducts<Space>(exec, processes, 1)(exec, {}, along).empty());
  EXPECT_EQ(along[0], 2 * num_processes());
}

/// The same levels, iterations and messages, and the same solution.
TEST_F(DistributedOrdered, SolvesAsTheHost) {
  const Space exec;
  for (const auto kind :
       {ProblemKind::poisson3d, ProblemKind::convdiff2d, ProblemKind::elasticity3d}) {
    SCOPED_TRACE(to_string(kind));
    const GalleryParameters gallery{.problem = kind, .n = kind == ProblemKind::convdiff2d ? 40 : 7};
    const SharedProblem problem(gallery);
    const Share share(problem.host);
    Parameters p;
    p.gather_rows = 60;
    p.solve.solver.tolerance = 1e-12;
    p.solve.amg.reuse = amg::Reuse::symbolic;
    p.block_size = problem.own.block_size;
    DistributedSolver by_host(all_processes(), p);
    DistributedSolver in_order(processes, p);
    const auto b = waves(problem.first, problem.num_rows(), 2);
    for (int round = 0; round < 2; ++round) {
      const Vectors expected = zeros(problem.num_rows(), 2);
      const Vectors x = zeros(problem.num_rows(), 2);
      std::vector<SolveResult> results;
      for (auto* const solver : {&by_host, &in_order}) {
        if (round == 0)
          solver->setup(exec, share.rows(), problem.near_nullspace());
        else
          solver->update_values(exec, share.values);
        results.push_back(solver->solve(exec, b, solver == &by_host ? expected : x));
        ASSERT_TRUE(results.back().converged()) << to_string(results.back().status);
      }
      EXPECT_EQ(results[0].iterations, results[1].iterations);
      EXPECT_EQ(by_host.hierarchy().levels.size(), in_order.hierarchy().levels.size());
      const auto numbers = on_host(expected);
      const auto other = on_host(x);
      for (std::size_t i = 0; i < numbers.size(); ++i)
        EXPECT_NEAR(other[i], numbers[i], 1e-9 * (1 + std::abs(numbers[i])));
      const auto traffic = by_host.cycle_traffic(exec);
      const auto traffic_in_order = in_order.cycle_traffic(exec);
      EXPECT_EQ(traffic.messages, traffic_in_order.messages);
      EXPECT_EQ(traffic.bytes, traffic_in_order.bytes);
      EXPECT_EQ(traffic.messages > 0, num_processes() > 1);
      EXPECT_EQ(by_host.cycle_traffic_by_level(exec), in_order.cycle_traffic_by_level(exec));
    }
  }
}

/// What a cycle does by products and solves by sums is ordered, and nothing of it left to the host.
TEST_F(DistributedOrdered, LeavesVectorsToNobodyElse) {
  const auto* const counting = dynamic_cast<const InOrder*>(processes.get());
  if (counting == nullptr) GTEST_SKIP() << "NCCL does not count";
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 20};
  const SharedProblem problem(gallery);
  const Share share(problem.host);
  Parameters p;
  p.gather_rows = 50;
  DistributedSolver solver(processes, p);
  const Space exec;
  solver.setup(exec, share.rows());
  const int before = counting->num_ordered();
  const Vectors x = zeros(problem.num_rows());
  const auto result = solver.solve(exec, waves(problem.first, problem.num_rows()), x);
  EXPECT_TRUE(result.converged());
  EXPECT_GE(counting->num_ordered() - before, (num_processes() > 1 ? 7 : 1) * result.iterations);
}

}  // namespace tessera::test::ordered_test
