// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// An application's own Views go in without a copy: a 1-D Laplacian assembled by a kernel.
// expect: converged, largest error [0-9.]+e-
#include "tessera/solve.hpp"

#include <iostream>

namespace {

using Space = Kokkos::DefaultExecutionSpace;

/// Row i of the matrix (-1, 2, -1) with both ends fixed.
struct FillRow {
  tessera::Array<int, Space> offsets;
  tessera::Array<int, Space> columns;
  tessera::Array<double, Space> values;
  int n;

  KOKKOS_FUNCTION void operator()(const int i) const {
    int entry = i == 0 ? 0 : 3 * i - 1;
    offsets(i) = entry;
    if (i > 0) {
      columns(entry) = i - 1;
      values(entry++) = -1;
    }
    columns(entry) = i;
    values(entry++) = 2;
    if (i + 1 < n) {
      columns(entry) = i + 1;
      values(entry++) = -1;
    }
    if (i + 1 == n) offsets(n) = entry;
  }
};

/// How far x is from the solution (i + 1) (n - i) / 2 of A x = 1, relative to its size.
struct Error {
  Kokkos::View<double*, Space::memory_space> x;
  int n;

  KOKKOS_FUNCTION void operator()(const int i, double& largest) const {
    const double exact = 0.5 * (i + 1.0) * (n - i);
    const double error = Kokkos::fabs(x(i) - exact) / (0.125 * n * n);
    if (error > largest) largest = error;
  }
};

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Space exec;
  const int n = 1000;

  //! [own views]
  tessera::Array<int, Space> offsets("offsets", n + 1);
  tessera::Array<int, Space> columns("columns", 3 * n - 2);
  tessera::Array<double, Space> values("values", 3 * n - 2);
  Kokkos::parallel_for("assemble", Kokkos::RangePolicy<Space>(exec, 0, n),
                       FillRow{offsets, columns, values, n});
  const tessera::kernels::Csr<double, Space> A{n, n, offsets, columns, values};

  Kokkos::View<double*, Space::memory_space> b("b", n);
  Kokkos::View<double*, Space::memory_space> x("x", n);
  Kokkos::deep_copy(exec, b, 1.0);

  tessera::Solver<double, Space> solver;
  solver.setup(exec, A);
  const auto result = solver.solve(exec, tessera::as_multivector(b), tessera::as_multivector(x));
  //! [own views]

  double error = 0;
  Kokkos::parallel_reduce("error", Kokkos::RangePolicy<Space>(exec, 0, n), Error{x, n},
                          Kokkos::Max<double>(error));
  std::cout << to_string(result.status) << ", largest error " << std::scientific << error << '\n';
  return result.converged() && error < 1e-4 ? 0 : 1;
}
