// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Systems for sparse factors on process 0, and solves of them.
#pragma once

#include "distributed/shares.hpp"
#include "tessera/direct/sparse_direct.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"

#include <cmath>
#include <utility>

namespace tessera::test::factors_cases {

using Communicator = std::shared_ptr<const distributed::Communicator>;
using distributed::Parameters;

/// Nobody's choice but on a host, and not without SuiteSparse.
inline constexpr bool on_host_space = kernels::is_host_space<Space>;
inline bool may_be_picked() { return on_host_space && direct::available(); }

struct Shared {
  HostShare host;
  RowRange range;
};

/// 13 points of the biharmonic operator on n by n: stiffness that smoothers take long with.
inline Shared biharmonic(int n, const Communicator& processes,
                         RowRange (*share)(int, int, int) = odd_share) {
  Shared made{{}, share(n * n, processes->size(), processes->rank())};
  const auto push = [&](int i, int j, double value) {
    if (i >= 0 && i < n && j >= 0 && j < n) made.host.push(i * n + j, value);
  };
  for (int row = made.range.first; row < made.range.first + made.range.count; ++row) {
    const int i = row / n, j = row % n;
    push(i, j, 20);
    for (const int s : {-1, 1}) {
      push(i + s, j, -8);
      push(i, j + s, -8);
      push(i + 2 * s, j, 1);
      push(i, j + 2 * s, 1);
      push(i + s, j + s, 2);
      push(i + s, j - s, 2);
    }
    made.host.end_row();
  }
  return made;
}

/// Rows of a Laplacian, those of the second half times -1: a diagonal of both signs, no symmetry.
inline Shared of_both_signs(int n, const Communicator& processes,
                            RowRange (*share)(int, int, int) = odd_share) {
  const SharedProblem grid({.problem = ProblemKind::poisson2d, .n = n}, processes->size(),
                           processes->rank(), share);
  Shared made{grid.host, {static_cast<int>(grid.first), grid.num_rows()}};
  for (int i = 0; i < made.range.count; ++i)
    for (auto e = made.host.offsets[i];
         made.range.first + i >= n * n / 2 && e < made.host.offsets[i + 1]; ++e)
      made.host.values[e] *= -1;
  return made;
}

struct Solved {
  SolveResult result;
  Vectors x;
  Parameters parameters;
  HierarchyInfo hierarchy;
};

inline Solved solved(const Communicator& processes, const Shared& rows, const Parameters& p,
                     int columns = 1) {
  const Share share(rows.host);
  DistributedSolver solver(processes, p);
  solver.setup(Space(), share.rows());
  const Vectors x = zeros(rows.range.count, columns);
  auto result = solver.solve(Space(), waves(rows.range.first, rows.range.count, columns), x);
  return {std::move(result), x, solver.parameters(), solver.hierarchy()};
}

/// As one: the same end after as many iterations on all processes.
inline void expect_alike(const SolveResult& result) {
  const double residual = result.true_relative_residual;
  double numbers[] = {static_cast<double>(result.status), static_cast<double>(result.iterations),
                      std::isnan(residual) ? -1 : residual};
  double largest[] = {numbers[0], numbers[1], numbers[2]};
  all_processes()->maximum(largest);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(numbers[i], largest[i]) << i;
}

/// By a weak smoother, so that iterations are many.
inline Parameters slow() {
  Parameters p;
  p.gather_rows = 100;
  p.solve.solver.tolerance = 1e-10;
  p.solve.amg.smoother.type = SmootherType::jacobi;
  return p;
}

inline Parameters asked_for() {
  Parameters p;
  p.solve.preconditioner = PreconditionerKind::direct;
  return p;
}

inline Parameters within(double limit_mb, Parameters p) {
  p.solve.max_memory_mb = limit_mb;
  return p;
}

/// What a setup takes at once on this process, and what that and a solve do, in bytes.
struct Measured {
  double setup = 0;
  double peak = 0;
  bool converged = false;
};

inline Measured measure(const Shared& rows, const Parameters& p) {
  const Share share(rows.host);
  const Vectors x = zeros(rows.range.count);
  const Vectors b = waves(rows.range.first, rows.range.count);
  const MemoryTracker memory(Space::memory_space::name(), true);
  DistributedSolver solver(all_processes(), p);
  solver.setup(Space(), share.rows());
  Measured measured;
  measured.setup = static_cast<double>(memory.peak_bytes());
  measured.converged = solver.solve(Space(), b, x).converged();
  measured.peak = static_cast<double>(memory.peak_bytes());
  return measured;
}

}  // namespace tessera::test::factors_cases
