// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A program whose last process dies in a solve: mpirun has to end the others.
#include "distributed/shares.hpp"

#include "tessera/distributed/mpi/mpi_communicator.hpp"

#include <Kokkos_Core.hpp>

#include <csignal>
#include <cstdio>

namespace tessera::test {

std::shared_ptr<const distributed::Communicator> all_processes() {
  static const auto processes = distributed::mpi_communicator(MPI_COMM_WORLD);
  return processes;
}

void die_in_a_solve() {
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 40});
  const Share share(problem.host);
  distributed::Parameters parameters;
  parameters.gather_rows = 100;
  DistributedSolver solver(all_processes(), parameters);
  solver.setup(Space(), share.rows());
  solver.set_logger([](const IterationInfo& info) {
    if (info.iteration == 3 && process() == num_processes() - 1) {
      std::fputs("a process dies in iteration 3\n", stderr);
      std::raise(SIGKILL);
    }
    return true;
  });
  const Vectors x = zeros(problem.num_rows());
  solver.solve(Space(), waves(problem.first, problem.num_rows()), x);
  std::puts("the solve has come to its end");
}

}  // namespace tessera::test

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    tessera::test::die_in_a_solve();
  }
  MPI_Finalize();
  return 0;
}
