// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A time loop: a heated cube whose conductivity follows the temperature, by implicit Euler, in an
/// application's own Views. Each of the 50 steps has new values in one pattern, and the
/// preconditioner follows them in each step, or when it no longer fits.
// expect: multigrid as needed: 50 steps converged, [0-9]+ iterations, [1-9][0-9]? times new .*
// expect: multigrid each step: 50 steps converged, [0-9]+ iterations, 49 times new values.*
#include "tessera/solve.hpp"

#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Matrix = tessera::kernels::Csr<double, Space>;
using Vector = tessera::MultiVector<double, Space>;

/// Points of a cube, `width` a side; 7-point couplings.
struct Grid {
  int width;

  KOKKOS_FUNCTION int neighbours(const int i, int (&found)[6]) const {
    const int stride[3] = {1, width, width * width};
    int count = 0;
    for (int d = 2; d >= 0; --d)
      if (i / stride[d] % width > 0) found[count++] = i - stride[d];
    for (int d = 0; d < 3; ++d)
      if (i / stride[d] % width + 1 < width) found[count++] = i + stride[d];
    return count;
  }
};

/// offsets(i), the entries of all rows before i; each row has one for itself.
struct CountRows {
  Grid grid;
  tessera::Array<int, Space> offsets;

  KOKKOS_FUNCTION void operator()(const int i, int& sum, const bool is_final) const {
    int neighbours[6];
    sum += 1 + grid.neighbours(i, neighbours);
    if (is_final) offsets(i + 1) = sum;
  }
};

/// The columns of row i, in rising order.
struct FillColumns {
  Grid grid;
  tessera::Array<int, Space> offsets;
  tessera::Array<int, Space> columns;

  KOKKOS_FUNCTION void operator()(const int i) const {
    int neighbours[6];
    const int count = grid.neighbours(i, neighbours);
    int entry = offsets(i);
    for (int k = 0; k < count && neighbours[k] < i; ++k)
      columns(entry++) = neighbours[k];
    columns(entry++) = i;
    for (int k = 0; k < count; ++k)
      if (neighbours[k] > i) columns(entry++) = neighbours[k];
  }
};

/// The application's Views as a matrix, without values yet.
Matrix matrix_on(const Space& exec, const Grid& grid) {
  const int n = grid.width * grid.width * grid.width;
  const Kokkos::RangePolicy<Space> rows(exec, 0, n);
  const tessera::Array<int, Space> offsets("offsets", n + 1);
  int entries = 0;
  Kokkos::parallel_scan("offsets", rows, CountRows{grid, offsets}, entries);
  const tessera::Array<int, Space> columns("columns", entries);
  const tessera::Array<double, Space> values("values", entries);
  Kokkos::parallel_for("columns", rows, FillColumns{grid, offsets, columns});
  return {n, n, offsets, columns, values};
}

/// When the preconditioner takes a step's values.
enum class Renewal { as_needed, each_step };

/// Row i of 1 / dt - div(k(u) grad), k(u) = 1 + 50 u^2 as the mean of both ends of a coupling.
struct FillRow {
  Matrix A;
  Vector u;
  double inverse_dt;

  KOKKOS_FUNCTION double conductivity(int i, int j) const {
    return 1 + 25 * (u(i, 0) * u(i, 0) + u(j, 0) * u(j, 0));
  }
  KOKKOS_FUNCTION void operator()(const int i) const {
    // What the row lacks of six neighbours are walls of temperature 0.
    double sum = inverse_dt + (7 - (A.offsets(i + 1) - A.offsets(i))) * conductivity(i, i);
    int diagonal = 0;
    for (int e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const int j = A.columns(e);
      if (j == i) diagonal = e;
      if (j == i) continue;
      A.values(e) = -conductivity(i, j);
      sum += conductivity(i, j);
    }
    A.values(diagonal) = sum;
  }
};

/// b = u / dt + source.
struct FillRhs {
  Vector u;
  Vector b;
  double inverse_dt;
  double source;
  KOKKOS_FUNCTION void operator()(const int i) const { b(i, 0) = inverse_dt * u(i, 0) + source; }
};

/// 50 steps from the temperature 0; lengths are in points of the grid, `width` of them a side.
void run(const Space& exec, const char* name, const Matrix& A, int width,
         const tessera::SolveParameters& parameters, Renewal renewal) {
  const int n = A.num_rows;
  const double inverse_dt = 20.0 / (width * width);
  const double source = 60.0 / (width * width);
  const Kokkos::RangePolicy<Space> rows(exec, 0, n);
  Vector u("u", n, 1);
  Vector b("b", n, 1);
  Kokkos::deep_copy(exec, u, 0.0);
  Kokkos::parallel_for("fill", rows, FillRow{A, u, inverse_dt});

  const Kokkos::Timer timer;
  //! [time loop]
  tessera::Solver<double, Space> solver(parameters);
  solver.setup(exec, A);
  double setups_ms = solver.setup_ms();
  int updates = 0;
  int total = 0;
  int fresh = 0;  // iterations with a preconditioner of this step's values
  int last = 0;
  for (int step = 0; step < 50; ++step) {
    Kokkos::parallel_for("rhs", rows, FillRhs{u, b, inverse_dt, source});
    Kokkos::parallel_for("fill", rows, FillRow{A, u, inverse_dt});
    const bool no_longer_fits = 2 * last > 3 * fresh;
    const bool follows = step > 0 && (renewal == Renewal::each_step || no_longer_fits);
    if (follows) {
      solver.update_values(exec);  // the values in A's arrays
      setups_ms += solver.setup_ms();
    }
    const tessera::SolveResult result = solver.solve(exec, b, u);
    if (!result.converged()) {
      std::cout << "step " << step << ": " << to_string(result.status) << '\n';
      return;
    }
    last = result.iterations;
    if (follows || step == 0) fresh = last;
    updates += follows ? 1 : 0;
    total += last;
  }
  //! [time loop]
  std::cout << name << ": 50 steps converged, " << total << " iterations, " << updates
            << " times new values, " << static_cast<int>(timer.seconds() * 1e3) << " ms, of which "
            << static_cast<int>(setups_ms) << " ms for setups\n";
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Space exec;
  const int width = argc > 1 ? std::max(2, std::atoi(argv[1])) : 32;
  const Matrix A = matrix_on(exec, Grid{width});

  tessera::SolveParameters parameters;
  parameters.preconditioner = tessera::PreconditionerKind::jacobi;
  run(exec, "jacobi", A, width, parameters, Renewal::as_needed);
  parameters.preconditioner = tessera::PreconditionerKind::amg;
  parameters.amg.reuse = tessera::amg::Reuse::symbolic;
  run(exec, "multigrid as needed", A, width, parameters, Renewal::as_needed);
  run(exec, "multigrid each step", A, width, parameters, Renewal::each_step);
}
