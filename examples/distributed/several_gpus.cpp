// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Processes with a GPU each, which send and sum by NCCL where it is there, and by MPI where not.
//
// expect: by (NCCL|MPI): 2 processes, 40000 rows: converged
#include <tessera/distributed/mpi/comm_by_place.hpp>
#include <tessera/distributed/mpi/mpi_communicator.hpp>
#include <tessera/distributed/nccl/nccl_communicator.hpp>
#include <tessera/distributed/solver.hpp>
#include <tessera/operator/error.hpp>

#include <Kokkos_Core.hpp>

#include <iostream>
#include <memory>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Communicator = tessera::distributed::Communicator;

/// This process's rows of -u'' on a line of points, a fifth of u added.
tessera::distributed::ShareOfRows<Space> rows_of(std::int64_t first, int count, std::int64_t all,
                                                 Kokkos::View<std::int64_t*, Space>& offsets,
                                                 Kokkos::View<std::int64_t*, Space>& columns,
                                                 Kokkos::View<double*, Space>& values) {
  offsets = Kokkos::View<std::int64_t*, Space>("offsets", count + 1);
  columns = Kokkos::View<std::int64_t*, Space>("columns", 3 * count);
  values = Kokkos::View<double*, Space>("values", 3 * count);
  const auto starts = offsets;
  const auto numbers = columns;
  const auto entries = values;
  // The line is a ring, so that each row has three entries.
  Kokkos::parallel_for(
      "rows", Kokkos::RangePolicy<Space>(0, count), KOKKOS_LAMBDA(const int i) {
        for (int j = 0; j < 3; ++j) {
          numbers(3 * i + j) = (first + i + j - 1 + all) % all;
          entries(3 * i + j) = j == 1 ? 2.2 : -1;
        }
        starts(i + 1) = 3 * (i + 1);
      });
  return {offsets, columns, values};
}

void solve() {
  const Space exec;
  //! [processes]
  // Ranks by host and GPU, whatever the launcher's are; rows go by them.
  const auto comm = tessera::distributed::comm_by_place(exec, MPI_COMM_WORLD);
  std::shared_ptr<const Communicator> processes =
      tessera::distributed::mpi_communicator(*comm, {}, comm);
  bool by_nccl = true;
  try {
    processes = tessera::distributed::nccl_communicator(processes, exec);
  } catch (const tessera::Error& error) {
    by_nccl = false;  // on all processes: MPI serves them
    if (processes->rank() == 0) std::cout << error.what() << '\n';
  }
  tessera::distributed::Solver<Space> solver(processes);
  //! [processes]

  const int count = 20000;
  Kokkos::View<std::int64_t*, Space> offsets, columns;
  Kokkos::View<double*, Space> values;
  solver.setup(exec, rows_of(std::int64_t(count) * processes->rank(), count,
                             std::int64_t(count) * processes->size(), offsets, columns, values));
  const tessera::MultiVector<double, Space> b("b", count, 1);
  const tessera::MultiVector<double, Space> x("x", count, 1);
  Kokkos::deep_copy(b, 1.0);
  const tessera::SolveResult result = solver.solve(exec, b, x);
  if (processes->rank() == 0)
    std::cout << "by " << (by_nccl ? "NCCL" : "MPI") << ": " << processes->size() << " processes, "
              << solver.num_rows() << " rows: " << tessera::to_string(result.status) << " in "
              << result.iterations << " iterations\n";
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);  // first: Kokkos gives the processes of a host its GPUs in turn
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    solve();
  }
  MPI_Finalize();
  return 0;
}
