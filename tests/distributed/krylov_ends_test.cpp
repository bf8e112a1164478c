// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How the variants of the methods end where there is no solution, or a limit comes first.
#include "distributed/krylov_variants.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace tessera::test::krylov_ends_test {

using namespace krylov_variants;

/// Columns of b are the columns given, which have an entry per row.
auto columns_of(const std::vector<std::vector<double>>& columns) {
  return [columns](const RowRange& range) {
    const Vectors b("b", range.count, columns.size());
    const auto host = Kokkos::create_mirror_view(b);
    for (std::size_t j = 0; j < columns.size(); ++j)
      for (int i = 0; i < range.count; ++i)
        host(i, j) = columns[j][static_cast<std::size_t>(range.first + i)];
    Kokkos::deep_copy(b, host);
    return b;
  };
}

Parameters unpreconditioned(void (*ask)(SolverParameters&)) {
  Parameters p;
  p.solve.preconditioner = PreconditionerKind::none;
  ask(p.solve.solver);
  return p;
}

/// Statuses and iterations of each column are those of tessera::Solver; returns the result.
SolveResult ends_as_one(const WholeRows& whole, const Parameters& p,
                        const std::vector<std::vector<double>>& b) {
  const Solved by_one = solved_by_one_for(whole, p, columns_of(b));
  const Solved together = solved_for(all_processes(), whole, odd_share, p, columns_of(b));
  EXPECT_EQ(to_string(together.result.status), to_string(by_one.result.status));
  EXPECT_EQ(together.result.iterations, by_one.result.iterations);
  EXPECT_EQ(together.result.residual_history.size(), by_one.result.residual_history.size());
  for (std::size_t j = 0; j < b.size(); ++j) {
    SCOPED_TRACE(j);
    const ColumnResult& column = together.result.columns[j];
    const ColumnResult& expected = by_one.result.columns[j];
    EXPECT_EQ(to_string(column.status), to_string(expected.status));
    EXPECT_EQ(column.iterations, expected.iterations);
    EXPECT_NEAR(column.true_relative_residual, expected.true_relative_residual, 1e-6);
  }
  return together.result;
}

void ask_for_richardson(SolverParameters& p) {
  p.name = SolverName::richardson;
  p.tolerance = 1e-5;
  p.divergence_limit = 100;
  p.richardson.stagnation_window = 20;
}

/// Undamped, the error grows threefold in the second row and shrinks in the first; in the third it
/// keeps its size.
TEST(DistributedEnds, RichardsonDivergesAndStagnatesInOneColumn) {
  const WholeRows whole{{{{0, 0.8}}, {{1, 4.0}}, {{2, 2.0}}}};
  const SolveResult result =
      ends_as_one(whole, unpreconditioned(ask_for_richardson), {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  EXPECT_EQ(to_string(result.columns[0].status), "converged");
  EXPECT_EQ(to_string(result.columns[1].status), "diverged");
  EXPECT_EQ(to_string(result.columns[2].status), "stagnated");
  EXPECT_EQ(result.columns[2].iterations, 20);
  EXPECT_LE(result.columns[1].true_relative_residual, 1.0) << "the guess is its best iterate";
}

/// The first step ends the large error, and each triples the small one.
TEST(DistributedEnds, RichardsonReturnsItsBestIterate) {
  Parameters p = unpreconditioned(ask_for_richardson);
  p.solve.solver.max_iterations = 5;
  const WholeRows whole{{{{0, 1.0}}, {{1, 4.0}}}};
  const SolveResult result = ends_as_one(whole, p, {{1, 1e-3}, {0, 0}});
  EXPECT_EQ(to_string(result.status), "max_iterations");
  EXPECT_NEAR(result.residual_history.back(), 0.243, 1e-4);
  EXPECT_NEAR(result.true_relative_residual, 3e-3, 1e-6);
}

/// <A p, p> is 0 in the first column.
TEST(DistributedEnds, CgBreaksDown) {
  const WholeRows whole{{{{0, 1.0}}, {{1, -1.0}}, {{2, 2.0}}}};
  for (const auto ask : {+[](SolverParameters& p) { p.cg.flexible = true; },
                         +[](SolverParameters& p) { p.residual = ResidualKind::true_residual; }}) {
    Parameters p = unpreconditioned(ask);
    p.solve.solver.name = SolverName::cg;
    const SolveResult result = ends_as_one(whole, p, {{1, 1, 0}, {1, 0, 1}});
    EXPECT_EQ(to_string(result.columns[0].status), "breakdown");
    EXPECT_EQ(to_string(result.columns[1].status), "converged");
  }
}

/// A v is orthogonal to v: the restart that answers the first breakdown breaks down, too.
TEST(DistributedEnds, BicgstabBreaksDown) {
  const WholeRows whole{{{{1, 1.0}}, {{0, -1.0}}}};
  for (const auto ask : {+[](SolverParameters& p) { p.side = PreconditioningSide::left; },
                         +[](SolverParameters& p) { p.residual = ResidualKind::true_residual; }}) {
    Parameters p = unpreconditioned(ask);
    p.solve.solver.name = SolverName::bicgstab;
    const SolveResult result = ends_as_one(whole, p, {{1, 0}});
    EXPECT_EQ(to_string(result.status), "breakdown");
    EXPECT_EQ(result.iterations, 2);
  }
}

void (*const ways_of_bicgstab[])(SolverParameters&) = {
    [](SolverParameters& p) { p.side = PreconditioningSide::right; },
    [](SolverParameters& p) { p.side = PreconditioningSide::left; },
    [](SolverParameters& p) { p.residual = ResidualKind::true_residual; }};

/// Rows and columns scaled by up to 16, so that residuals grow and shrink in turn.
TEST(DistributedEnds, CgReturnsItsBestIterate) {
  WholeRows whole = dominant(8, 0);
  const auto scale = [](std::int64_t i) { return std::pow(4.0, static_cast<double>(i % 3)); };
  for (std::size_t i = 0; i < whole.rows.size(); ++i)
    for (auto& [column, value] : whole.rows[i])
      value *= scale(static_cast<std::int64_t>(i)) * scale(column);
  std::vector<std::vector<double>> b(2);
  for (int i = 0; i < 64; ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      b[j].push_back(std::sin(1 + 3.7 * i + static_cast<double>(j)));
  for (const auto ask : {+[](SolverParameters& p) { p.cg.flexible = false; },
                         +[](SolverParameters& p) { p.cg.flexible = true; },
                         +[](SolverParameters& p) { p.residual = ResidualKind::true_residual; }}) {
    int before_the_last = 0;
    for (int limit = 1; limit <= 8; ++limit) {
      SCOPED_TRACE(limit);
      Parameters p = unpreconditioned(ask);
      p.solve.solver.name = SolverName::cg;
      p.solve.solver.max_iterations = limit;
      const SolveResult result = ends_as_one(whole, p, b);
      EXPECT_EQ(to_string(result.status), "max_iterations");
      // Neither the guess nor the last one.
      if (result.true_relative_residual < 0.99 &&
          result.true_relative_residual < 0.9 * result.residual_history.back())
        ++before_the_last;
    }
    EXPECT_GE(before_the_last, 3);
  }
}

/// Couplings upwind are three times the diagonal, and residuals grow and shrink in turn.
TEST(DistributedEnds, BicgstabReturnsItsBestIterate) {
  WholeRows whole = dominant(8, 2);
  std::vector<std::vector<double>> b(2);
  for (int i = 0; i < 64; ++i) {
    whole.rows[static_cast<std::size_t>(i)][i] = 1 + 0.1 * (i % 3);
    for (std::size_t j = 0; j < b.size(); ++j)
      b[j].push_back(std::sin(1 + 3.7 * i + static_cast<double>(j)));
  }
  for (const auto ask : ways_of_bicgstab) {
    int before_the_last = 0;
    for (int limit = 1; limit <= 8; ++limit) {
      SCOPED_TRACE(limit);
      Parameters p = unpreconditioned(ask);
      p.solve.preconditioner = PreconditionerKind::jacobi;
      p.solve.precision = Precision::same;
      p.solve.solver.name = SolverName::bicgstab;
      p.solve.solver.max_iterations = limit;
      const SolveResult result = ends_as_one(whole, p, b);
      EXPECT_EQ(to_string(result.status), "max_iterations");
      if (result.true_relative_residual < 0.9 * result.residual_history.back()) ++before_the_last;
    }
    EXPECT_GE(before_the_last, 2);
  }
}

/// Rows 0 and 1 couple by what cancels but for rounding, and from a vector that is in row 0 alone
/// the residual soon has nothing there, while it is large in the last two rows.
WholeRows orthogonal_at_once() {
  return {{{{0, 49.0}, {1, 3.0 / 7}, {2, -5.0 / 7}},
           {{0, 5.0}, {1, 10.0}},
           {{0, 3.0}, {2, 20.0}},
           {{0, 490.0}, {3, 30.0}},
           {{0, 490.0}, {4, -20.0}}}};
}

/// The same a row further on.
WholeRows orthogonal_later() {
  return {{{{0, 8.6}, {1, 1.0}},
           {{0, 1.0}, {1, 7.6}, {2, 1.0 / 7}, {3, -5.0 / 21}},
           {{1, 5.0}, {2, 7.0}},
           {{1, 3.0}, {3, 2.7}},
           {{1, 5.0}, {4, 9.0}},
           {{1, 5.0}, {5, -4.0}}}};
}

/// <shadow, r> is less than 1e-16 of the vectors' norms by then: the restart from the guess meets
/// the same, and one from a later iterate has a shadow residual that goes on to the solution.
TEST(DistributedEnds, BicgstabBreaksDownWhereItsShadowIsOrthogonal) {
  for (const auto ask : ways_of_bicgstab) {
    Parameters p = unpreconditioned(ask);
    p.solve.solver.name = SolverName::bicgstab;
    const SolveResult at_once = ends_as_one(orthogonal_at_once(), p,
                                            {{1, 0, 0, 0, 0}, {1, 2, -1, 3, 0.5}, {0, 0, 0, 0, 0}});
    EXPECT_EQ(to_string(at_once.columns[0].status), "breakdown");
    EXPECT_EQ(at_once.columns[0].iterations, 2);
    EXPECT_EQ(to_string(at_once.columns[1].status), "converged");
    EXPECT_EQ(at_once.columns[2].iterations, 0);
    // In b - A x the rounding of b is larger than what is left of its row by then.
    if (p.solve.solver.residual == ResidualKind::true_residual) continue;
    const SolveResult later =
        ends_as_one(orthogonal_later(), p, {{1, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1}});
    EXPECT_TRUE(later.converged()) << to_string(later.status);
    EXPECT_LE(later.columns[0].iterations, 9) << "10 to 17 without a restart";
  }
}

/// The second row is empty: what b has there is out of reach.
TEST(DistributedEnds, GmresBreaksDown) {
  const WholeRows whole{{{{1, 1.0}}, {}}};
  for (const auto ask : {+[](SolverParameters& p) { p.side = PreconditioningSide::left; },
                         +[](SolverParameters& p) { p.side = PreconditioningSide::right; }}) {
    Parameters p = unpreconditioned(ask);
    p.solve.solver.name = SolverName::gmres;
    const SolveResult result = ends_as_one(whole, p, {{1, 1}, {1, 0}});
    EXPECT_EQ(to_string(result.columns[0].status), "breakdown");
  }
}

TEST(DistributedEnds, LimitsAreThoseOfOneProcess) {
  for (const Variant& variant : variants) {
    SCOPED_TRACE(variant.name);
    const WholeRows whole = dominant(16, variant.is_for_symmetric ? 0 : 0.4);
    for (const int limit : {0, 1, 3}) {
      Parameters p = by_jacobi(variant);
      p.solve.solver.max_iterations = limit;
      const Solved by_one = solved_by_one(whole, p, 2);
      const Solved made = solved(all_processes(), whole, odd_share, p, 2);
      EXPECT_EQ(to_string(made.result.status), "max_iterations");
      EXPECT_EQ(made.result.iterations, limit);
      EXPECT_NEAR(made.result.true_relative_residual, by_one.result.true_relative_residual,
                  1e-6 * by_one.result.true_relative_residual);
    }
    Parameters p = by_jacobi(variant);
    p.solve.solver.time_limit_s = 1e-9;
    const Solved late = solved(all_processes(), whole, odd_share, p, 2);
    EXPECT_EQ(to_string(late.result.status), "time_limit");
    EXPECT_LE(late.result.iterations, 1);
  }
}

/// One process's logger stops all, and one process's NaN is all processes'.
TEST(DistributedEnds, WhatOneProcessMeetsEndsAll) {
  const bool is_last = process() == num_processes() - 1;
  for (const Variant& variant : variants) {
    SCOPED_TRACE(variant.name);
    const WholeRows whole = dominant(16, variant.is_for_symmetric ? 0 : 0.4);
    const Parameters p = by_jacobi(variant);
    const Solved stopped =
        solved(all_processes(), whole, odd_share, p, 2,
               [&](const IterationInfo& info) { return !is_last || info.iteration < 2; });
    EXPECT_EQ(to_string(stopped.result.status), "interrupted");
    EXPECT_EQ(stopped.result.iterations, 3);
    const auto spoilt = [&](const RowRange& range) {
      const Vectors b = right_hand_sides(range, 2);
      if (is_last)
        Kokkos::deep_copy(Kokkos::subview(b, 0, 1), std::numeric_limits<double>::quiet_NaN());
      return b;
    };
    const Solved made = solved_for(all_processes(), whole, odd_share, p, spoilt);
    EXPECT_EQ(to_string(made.result.columns[0].status), "converged");
    EXPECT_EQ(to_string(made.result.columns[1].status), "not_a_number");
  }
}

}  // namespace tessera::test::krylov_ends_test
