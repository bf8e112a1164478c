// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves with a reduction over processes.
#pragma once

#include "distributed/classical_cases.hpp"

#include <string>
#include <vector>

namespace tessera::test::reduction_cases {

using namespace classical_cases;

/// The matrix as it is and cycles in double, as levels over processes have them, on process 0, too;
/// and as many levels, wherever they are gathered.
inline Parameters reducing() {
  Parameters p;
  p.solve.amg.coarse_size = 30;
  p.solve.equilibration = Equilibration::none;
  p.solve.precision = Precision::same;
  p.gather_rows = 30;
  p.solve.solver.tolerance = 1e-10;
  p.solve.preconditioner = PreconditionerKind::amg;
  p.solve.amg.coarsening = amg::CoarseningKind::reduction;
  return p;
}

inline std::vector<GalleryParameters> flows() {
  using enum ProblemKind;
  return {{.problem = convdiff2d, .n = 40, .peclet = 1e2},
          {.problem = convdiff2d, .n = 30, .peclet = 1e4},
          {.problem = convdiff2d, .n = 30, .peclet = 1e6},
          {.problem = convdiff2d, .n = 31, .peclet = 1e10},
          {.problem = convdiff3d, .n = 11, .peclet = 1e2},
          {.problem = convdiff3d, .n = 10, .peclet = 1e6}};
}

inline std::string name_of(const GalleryParameters& gallery) {
  return std::string(to_string(gallery.problem)) + " " + std::to_string(gallery.n) + " " +
         std::to_string(gallery.peclet);
}

/// Upwind differences of a flow that closes on itself, in the unit square of n^2 points.
inline WholeRows vortex(int n, double peclet) {
  WholeRows made;
  const double h = 1.0 / (n + 1);
  for (int i = 0; i < n * n; ++i) {
    const double x = (i % n + 1) * h, y = (i / n + 1) * h;
    const double u = peclet * 4 * x * (x - 1) * (1 - 2 * y) * h;
    const double v = -peclet * 4 * y * (y - 1) * (1 - 2 * x) * h;
    Row& row = made.rows.emplace_back();
    row[i] = 4 + std::abs(u) + std::abs(v);
    if (i % n > 0) row[i - 1] = -1 - std::max(u, 0.0);
    if (i % n + 1 < n) row[i + 1] = -1 + std::min(u, 0.0);
    if (i >= n) row[i - n] = -1 - std::max(v, 0.0);
    if (i + n < n * n) row[i + n] = -1 + std::min(v, 0.0);
  }
  return made;
}

/// Solves for `columns` right-hand sides; `factor`, if not 1, times the values after setup.
inline Solved solved_rows(const Communicator& processes, const WholeRows& whole, ShareOf share,
                          const Parameters& p, int columns = 1, double factor = 1) {
  const auto n = static_cast<int>(whole.rows.size());
  const RowRange range = share(n, processes->size(), processes->rank());
  const HostShare host = whole.share(range);
  const Share rows(host);
  DistributedSolver solver(processes, p);
  const Space exec;
  solver.setup(exec, rows.rows());
  if (factor != 1) {
    auto values = host.values;
    for (double& value : values)
      value *= factor;
    solver.update_values(exec, on_device(values));
  }
  const Vectors x = zeros(range.count, columns);
  auto result = solver.solve(exec, waves(range.first, range.count, columns), x);
  return {std::move(result), solver.hierarchy(), x, range.first};
}

/// Set up for `before`, and solved with the values of `after`, which has the same pattern.
inline Solved solved_again(const Communicator& processes, const WholeRows& before,
                           const WholeRows& after, ShareOf share, const Parameters& p) {
  const auto n = static_cast<int>(before.rows.size());
  const RowRange range = share(n, processes->size(), processes->rank());
  const Share first(before.share(range)), second(after.share(range));
  DistributedSolver solver(processes, p);
  const Space exec;
  solver.setup(exec, first.rows());
  solver.update_values(exec, second.values);
  const Vectors x = zeros(range.count);
  auto result = solver.solve(exec, waves(range.first, range.count), x);
  return {std::move(result), solver.hierarchy(), x, range.first};
}

/// Each process has a row at most, and the last one what is left over.
inline RowRange one_row_each(int rows, int processes, int rank) {
  if (rank + 1 == processes) return {std::min(rank, rows), std::max(rows - rank, 0)};
  return {std::min(rank, rows), rank < rows ? 1 : 0};
}

/// The same residuals but for rounding.
inline void expect_residuals(const Solved& made, const Solved& alone) {
  const auto& a = made.result.residual_history;
  const auto& b = alone.result.residual_history;
  ASSERT_FALSE(b.empty());
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k)
    EXPECT_NEAR(a[k], b[k], 1e-3 * b[k]) << k;
}

/// The same levels and iterations, and solutions but for rounding.
inline void expect_equal(const Solved& together, const Solved& alone) {
  ASSERT_TRUE(together.result.converged()) << to_string(together.result.status);
  EXPECT_EQ(together.result.iterations, alone.result.iterations);
  EXPECT_EQ(level_rows_of(together.hierarchy), level_rows_of(alone.hierarchy));
  EXPECT_LT(distance(together.x, together.first, on_host(alone.x)), 1e-7);
  expect_residuals(together, alone);
}

}  // namespace tessera::test::reduction_cases
