// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves by Belos's methods on any number of processes: which method is chosen, what it solves,
/// and which parameters it refuses.
#include "belos/krylov_solves.hpp"
#include "support/error_of.hpp"

#include <initializer_list>
#include <string>

namespace tessera::test::krylov_test {

using namespace krylov_solves;

TEST(Krylov, TakesCgForAPositiveDiagonalAlone) {
  const int n = 30;
  EXPECT_EQ(Solved(tridiagonal(n)).chosen(), SolverName::cg);
  EXPECT_EQ(Solved(tridiagonal(n, -1)).chosen(), SolverName::gmres);
  EXPECT_EQ(Solved(alternating(n)).chosen(), SolverName::gmres);
  const auto lopsided =
      matrix_of(n, [&](int i) { return i > 0 ? Row{{i, 2}, {i - 1, -1}} : Row{{i, 2}}; });
  EXPECT_EQ(Solved(lopsided).chosen(), SolverName::gmres);
  // One row without a diagonal entry, which one process alone has.
  const auto saddle = matrix_of(n, [&](int i) {
    if (i == n - 1) return Row{{i - 1, 1}};
    return i == n - 2 ? Row{{i, 1}, {n - 1, 1}} : Row{{i, 1}};
  });
  EXPECT_EQ(Solved(saddle).chosen(), SolverName::gmres);
}

/// Where one process alone says that M varies, all take the same method.
TEST(Krylov, TakesFlexibleGmresWhereThePreconditionerVaries) {
  const int n = 30;
  const auto processes = Tpetra::getDefaultComm();
  const bool is_last = processes->getRank() == processes->getSize() - 1;
  EXPECT_EQ(Solved(tridiagonal(n, -1)).chosen(is_last), SolverName::fgmres);
  EXPECT_EQ(Solved(alternating(n)).chosen(is_last), SolverName::fgmres);
  EXPECT_EQ(Solved(tridiagonal(n)).chosen(is_last), SolverName::cg) << "M has a transpose";
  const Solved s(alternating(n));
  for (const SolverName named : methods)
    EXPECT_EQ(belos::chosen_method({.name = named}, *s.A, *s.M, true), named);
}

TEST(Krylov, KnowsWhichPreconditionersVary) {
  const auto of = [](PreconditionerKind kind, amg::CycleType cycle, Precision precision) {
    SolveParameters p;
    p.preconditioner = kind;
    p.amg.cycle = cycle;
    p.precision = precision;
    return belos::varies(p);
  };
  for (const auto multigrid : {PreconditionerKind::amg, PreconditionerKind::automatic}) {
    EXPECT_TRUE(of(multigrid, amg::CycleType::k, Precision::same));
    EXPECT_TRUE(of(multigrid, amg::CycleType::v, Precision::single));
    for (const auto linear : {amg::CycleType::v, amg::CycleType::w, amg::CycleType::f})
      EXPECT_FALSE(of(multigrid, linear, Precision::same));
  }
  EXPECT_FALSE(of(PreconditionerKind::jacobi, amg::CycleType::k, Precision::single));
}

TEST(Krylov, SaysWhatTakesAKCycleForLinear) {
  EXPECT_EQ(belos::note_on_K_cycle(SolverName::automatic, SolverName::fgmres),
            "solver fgmres: the K-cycle is not linear");
  for (const SolverName name : {SolverName::fgmres, SolverName::richardson})
    EXPECT_EQ(belos::note_on_K_cycle(name, name), "");
  for (const SolverName name : {SolverName::cg, SolverName::gmres, SolverName::bicgstab}) {
    const std::string note = belos::note_on_K_cycle(name, name);
    EXPECT_TRUE(note.starts_with("K-cycle under ")) << note;
    EXPECT_TRUE(note.ends_with("solver.name=fgmres does not")) << note;
  }
}

TEST(Krylov, SolvesIndefiniteAndNegativeDefiniteSystems) {
  const int n = 40;
  const auto negative = tridiagonal(n, -1);
  // 3 and -3 on the diagonal: eigenvalues of both signs, none near zero.
  const auto shifted = matrix_of(n, [&](int i) {
    Row row = second_difference(i, n, 1);
    row.back().second = i % 2 == 0 ? 3 : -3;
    return row;
  });
  for (const auto& A : {negative, shifted, alternating(n), alternating(2)}) {
    const Solved s(A);
    const SolveResult result = s.by(SolverName::automatic);
    EXPECT_EQ(result.status, SolveStatus::converged);
    EXPECT_LE(s.residual(), 1e-8);
    EXPECT_LE(result.iterations, n);
  }
}

TEST(Krylov, ConvergesByTheTrueResidual) {
  const int n = 60;
  // Of a condition at which recurrences drift away from b - A x.
  const auto A = matrix_of(n, [&](int i) {
    Row row = second_difference(i, n, 1);
    for (auto& [j, value] : row)
      value *= std::pow(10.0, 4.0 * (i + j) / (2 * n));
    return row;
  });
  for (const SolverName method : methods) {
    for (const double tolerance : {1e-8, 1e-12}) {
      SCOPED_TRACE(std::to_string(static_cast<int>(method)) + " to " + std::to_string(tolerance));
      const Solved s(A, 2);
      SolverParameters p{.tolerance = tolerance, .max_iterations = 3000};
      const SolveResult result = s.by(method, p);
      ASSERT_EQ(result.columns.size(), 2U);
      for (const std::size_t j : {0, 1}) {
        const ColumnResult& column = result.columns[j];
        EXPECT_NEAR(column.true_relative_residual, s.residual(j), 1e-3 * tolerance);
        EXPECT_EQ(column.status == SolveStatus::converged, s.residual(j) <= tolerance * (1 + 1e-9));
        EXPECT_GT(column.iterations, 1);
        EXPECT_LE(column.iterations, result.iterations);
      }
      EXPECT_TRUE(tolerance < 1e-8 || result.converged()) << to_string(result.status);
    }
  }
}

TEST(Krylov, GoesOnFromTheGuess) {
  const auto A = tridiagonal(50);
  for (const auto reference : {StoppingReference::rhs, StoppingReference::initial_residual}) {
    for (const SolverName method : methods) {
      const Solved s(A, 2);
      SolverParameters p{.reference = reference};
      EXPECT_TRUE(s.by(method, p).converged());
      const SolveResult again = s.by(method, p);
      if (reference == StoppingReference::rhs) {
        EXPECT_EQ(again.iterations, 0);
        EXPECT_TRUE(again.converged());
      } else {
        EXPECT_EQ(again.columns[0].status == SolveStatus::converged,
                  again.columns[0].true_relative_residual * s.b->getVector(0)->norm2() <=
                      1e-8 * again.columns[0].reference_norm);
      }
    }
  }
}

TEST(Krylov, ProjectsTheConstantOut) {
  const int n = 40;
  const auto A = matrix_of(n, [&](int i) { return second_difference(i, n, 1, true); });
  for (const SolverName method : methods) {
    SCOPED_TRACE(static_cast<int>(method));
    const Solved s(A);
    SolveResult result = s.by(method);
    const double mean = std::abs(s.b->getVector(0)->meanValue());
    const double outside = mean * std::sqrt(static_cast<double>(n)) / s.b->getVector(0)->norm2();
    ASSERT_GT(outside, 1e-4);
    EXPECT_EQ(result.status, SolveStatus::least_squares);
    EXPECT_NEAR(result.outside_range, outside, 1e-6 * outside);
    EXPECT_NEAR(result.true_relative_residual, outside, 1e-3 * outside);  // least squares
    EXPECT_NEAR(s.x->getVector(0)->meanValue(), 0, 1e-12);
    EXPECT_LT(result.iterations, 500);
    // In the range.
    const auto b = s.b->getVectorNonConst(0);
    Vectors ones(s.A->getRowMap(), 1);
    ones.putScalar(1);
    b->update(-b->meanValue(), ones, 1);
    s.x->putScalar(0);
    result = s.by(method);
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    EXPECT_LT(result.outside_range, 1e-12);
  }
}

TEST(Krylov, RefusesParametersWithoutAnEffect) {
  const auto refuses = [](const std::function<void(SolverParameters&)>& set, SolverName method,
                          std::initializer_list<std::string> parts) {
    SolverParameters p{.name = method};
    set(p);
    expect_error(error_of([&] { belos::require_taken(p); }), ErrorKind::configuration, parts);
  };
  const auto left = [](SolverParameters& p) { p.side = PreconditioningSide::left; };
  const auto flexible = [](SolverParameters& p) { p.cg.flexible = true; };
  const auto window = [](SolverParameters& p) { p.richardson.stagnation_window = 3; };
  refuses([](SolverParameters& p) { p.residual = ResidualKind::true_residual; }, SolverName::cg,
          {"'solver.residual' is 'true'", "solver.verify"});
  refuses([](SolverParameters& p) { p.divergence_limit = 10; }, SolverName::cg,
          {"'solver.divergence_limit'", "solver.max_iterations"});
  refuses(left, SolverName::automatic, {"'solver.side' is 'left'", "from the right"});
  refuses(flexible, SolverName::automatic, {"'solver.cg.flexible' is 'true'", "fgmres"});
  refuses(window, SolverName::richardson, {"'solver.richardson.stagnation_window' is '3'"});
  refuses([](SolverParameters& p) { p.single_kernel = SingleKernel::on; }, SolverName::cg,
          {"'solver.single_kernel' is 'on'", "one process"});
  refuses([](SolverParameters& p) { p.tiles = TilePrecision::fixed; }, SolverName::bicgstab,
          {"'solver.tiles' is 'fixed'"});
  // Where the method is another one they have no effect on Tessera's, either.
  SolverParameters p{.name = SolverName::fgmres};
  left(p);
  flexible(p);
  window(p);
  p.ahead = RunAhead::on;
  EXPECT_NO_THROW(belos::require_taken(p));
  EXPECT_NO_THROW(belos::require_taken({}));
}

}  // namespace tessera::test::krylov_test
