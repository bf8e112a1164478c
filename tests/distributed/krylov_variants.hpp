// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Variants of the methods, and systems for them.
#pragma once

#include "distributed/reduction_cases.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/solve.hpp"

#include <utility>
#include <vector>

namespace tessera::test::krylov_variants {

using namespace reduction_cases;

struct Variant {
  const char* name;
  bool is_for_symmetric;
  void (*ask)(SolverParameters&);
};

inline const Variant variants[] = {{"richardson", false,
                                    [](SolverParameters& p) {
                                      p.name = SolverName::richardson;
                                      p.richardson.damping = 0.9;
                                    }},
                                   {"flexible_cg", true,
                                    [](SolverParameters& p) {
                                      p.name = SolverName::cg;
                                      p.cg.flexible = true;
                                    }},
                                   {"cg_with_true_residuals", true,
                                    [](SolverParameters& p) {
                                      p.name = SolverName::cg;
                                      p.residual = ResidualKind::true_residual;
                                    }},
                                   {"flexible_cg_with_true_residuals", true,
                                    [](SolverParameters& p) {
                                      p.name = SolverName::cg;
                                      p.cg.flexible = true;
                                      p.residual = ResidualKind::true_residual;
                                    }},
                                   {"bicgstab_with_true_residuals", false,
                                    [](SolverParameters& p) {
                                      p.name = SolverName::bicgstab;
                                      p.residual = ResidualKind::true_residual;
                                    }},
                                   {"bicgstab_from_the_left", false,
                                    [](SolverParameters& p) {
                                      p.name = SolverName::bicgstab;
                                      p.side = PreconditioningSide::left;
                                    }},
                                   {"gmres_from_the_left", false, [](SolverParameters& p) {
                                      p.name = SolverName::gmres;
                                      p.side = PreconditioningSide::left;
                                      p.gmres.restart = 8;
                                    }}};

/// Couplings of a grid of n^2 points, downwind by 1 - skew and upwind by 1 + skew, and diagonals
/// that jump and dominate them.
inline WholeRows dominant(int n, double skew) {
  WholeRows made;
  for (int i = 0; i < n * n; ++i) {
    Row& row = made.rows.emplace_back();
    row[i] = 6 + i % 5;
    if (i % n > 0) row[i - 1] = -1 - skew;
    if (i % n + 1 < n) row[i + 1] = -1 + skew;
    if (i >= n) row[i - n] = -1 - skew;
    if (i + n < n * n) row[i + n] = -1 + skew;
  }
  return made;
}

inline Parameters by_jacobi(const Variant& variant) {
  Parameters p;
  p.solve.preconditioner = PreconditionerKind::jacobi;
  p.solve.precision = Precision::same;
  p.solve.solver.tolerance = 1e-8;
  variant.ask(p.solve.solver);
  return p;
}

/// Waves, but for a second right-hand side of three, which is zero.
inline Vectors right_hand_sides(const RowRange& range, int columns) {
  const Vectors b = waves(range.first, range.count, columns);
  if (columns == 3) Kokkos::deep_copy(Kokkos::subview(b, Kokkos::ALL, 1), 0.0);
  return b;
}

/// For the rows of b that `b_of` makes of a range.
template <class Values>
Solved solved_for(const Communicator& processes, const WholeRows& whole, ShareOf share,
                  const Parameters& p, const Values& b_of, const Logger& logger = {}) {
  const auto n = static_cast<int>(whole.rows.size());
  const RowRange range = share(n, processes->size(), processes->rank());
  const Share rows(whole.share(range));
  DistributedSolver solver(processes, p);
  const Space exec;
  solver.setup(exec, rows.rows());
  solver.set_logger(logger);
  const Vectors b = b_of(range);
  const Vectors x = zeros(range.count, static_cast<int>(b.extent(1)));
  auto result = solver.solve(exec, b, x);
  return {std::move(result), solver.hierarchy(), x, range.first};
}

inline Solved solved(const Communicator& processes, const WholeRows& whole, ShareOf share,
                     const Parameters& p, int columns, const Logger& logger = {}) {
  return solved_for(
      processes, whole, share, p,
      [&](const RowRange& range) { return right_hand_sides(range, columns); }, logger);
}

/// tessera::Solver's, by each process by itself.
template <class Values>
Solved solved_by_one_for(const WholeRows& whole, const Parameters& p, const Values& b_of) {
  const auto n = static_cast<int>(whole.rows.size());
  const Share rows(whole.share({0, n}));
  const Space exec;
  const auto A = distributed::numbered(exec, distributed::alone(), rows.rows()).matrix;
  Solver<double, Space, std::int64_t> solver(p.solve);
  solver.setup(exec, A.rows);
  const Vectors b = b_of(RowRange{0, n});
  const Vectors x = zeros(n, static_cast<int>(b.extent(1)));
  auto result = solver.solve(exec, b, x);
  return {std::move(result), solver.hierarchy(), x, 0};
}

inline Solved solved_by_one(const WholeRows& whole, const Parameters& p, int columns) {
  return solved_by_one_for(whole, p,
                           [&](const RowRange& range) { return right_hand_sides(range, columns); });
}

/// Of column j, as `distance` has it.
inline double distance_of_column(const Solved& made, const Solved& whole, std::size_t j) {
  const Vectors own("column", made.x.extent(0), 1);
  Kokkos::deep_copy(Kokkos::subview(own, Kokkos::ALL, 0), Kokkos::subview(made.x, Kokkos::ALL, j));
  const auto all = on_host(whole.x);
  const auto n = static_cast<std::ptrdiff_t>(whole.x.extent(0));
  const auto begin = all.begin() + n * static_cast<std::ptrdiff_t>(j);
  return distance(own, made.first, std::vector<double>(begin, begin + n));
}

}  // namespace tessera::test::krylov_variants
