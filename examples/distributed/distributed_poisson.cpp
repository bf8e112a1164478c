// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A matrix whose rows are shared out over the processes of MPI: each has some lines of a grid.
//
// expect: 2 processes, 10000 rows: converged
// expect: level 0 of all processes: 10000 unknowns
#include <tessera/distributed/mpi/mpi_communicator.hpp>
#include <tessera/distributed/solver.hpp>

#include <Kokkos_Core.hpp>

#include <iostream>
#include <string_view>
#include <vector>

namespace {

using Space = Kokkos::DefaultExecutionSpace;

template <class T>
Kokkos::View<T*, Space::memory_space> on_device(const std::vector<T>& given) {
  const Kokkos::View<const T*, Kokkos::HostSpace> host(given.data(), given.size());
  const Kokkos::View<T*, Space::memory_space> copy("copy", given.size());
  Kokkos::deep_copy(copy, host);
  return copy;
}

void solve() {
  //! [processes]
  const auto processes = tessera::distributed::mpi_communicator(MPI_COMM_WORLD);
  //! [processes]

  // The Laplacian of n by n points; this process has the lines from `first` up to `last`.
  const int n = 100;
  const int first = n * processes->rank() / processes->size();
  const int last = n * (processes->rank() + 1) / processes->size();
  //! [rows]
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int64_t> columns;
  std::vector<double> values;
  const auto push = [&](int line, int point, double value) {
    if (line < 0 || line >= n || point < 0 || point >= n) return;
    columns.push_back(std::int64_t(line) * n + point);
    values.push_back(value);
  };
  for (int i = first; i < last; ++i) {
    for (int j = 0; j < n; ++j) {
      push(i, j, 4);
      push(i - 1, j, -1);
      push(i + 1, j, -1);
      push(i, j - 1, -1);
      push(i, j + 1, -1);
      offsets.push_back(static_cast<std::int64_t>(columns.size()));
    }
  }
  const auto offsets_view = on_device(offsets);
  const auto columns_view = on_device(columns);
  const auto values_view = on_device(values);
  //! [rows]

  //! [solve]
  const Space exec;
  tessera::distributed::Parameters parameters;
  parameters.solve.solver.tolerance = 1e-10;
  parameters.solve.amg.reuse = tessera::amg::Reuse::symbolic;
  parameters.gather_rows = 1000;
  tessera::distributed::Solver<Space> solver(processes, parameters);
  solver.setup(exec, {offsets_view, columns_view, values_view});

  const tessera::MultiVector<double, Space> b("b", offsets.size() - 1, 1);
  const tessera::MultiVector<double, Space> x("x", offsets.size() - 1, 1);
  Kokkos::deep_copy(b, 1.0);
  const tessera::SolveResult result = solver.solve(exec, b, x);
  //! [solve]

  if (processes->rank() == 0) {
    std::cout << processes->size() << " processes, " << solver.num_rows()
              << " rows: " << tessera::to_string(result.status) << " in " << result.iterations
              << " iterations\n";
    for (const std::string_view line : solver.description())
      std::cout << line << '\n';
  }

  //! [update]
  for (double& value : values)
    value *= 2;
  solver.update_values(exec, on_device(values));
  const tessera::SolveResult again = solver.solve(exec, b, x);
  //! [update]
  if (processes->rank() == 0 && !again.converged()) std::cout << "not again\n";
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    solve();
  }
  MPI_Finalize();
  return 0;
}
