// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves by Belos's methods end as Tessera's own do, on any number of processes.
#include "tessera/belos/krylov.hpp"

#include "support/error_of.hpp"

#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include <cmath>
#include <functional>
#include <vector>

namespace tessera::test::krylov_test {

using belos::Operator;
using belos::Vectors;
using Matrix = Tpetra::CrsMatrix<double>;
using Map = Tpetra::Map<>;
using Row = std::vector<std::pair<int, double>>;

Teuchos::RCP<Matrix> matrix_of(int n, const std::function<Row(int)>& row_of) {
  const auto map =
      Teuchos::rcp(new Map(static_cast<Tpetra::global_size_t>(n), 0, Tpetra::getDefaultComm()));
  const auto A = Teuchos::rcp(new Matrix(map, 5));
  for (std::size_t k = 0; k < map->getLocalNumElements(); ++k) {
    const auto i = map->getGlobalElement(static_cast<int>(k));
    for (const auto& [j, value] : row_of(static_cast<int>(i))) {
      const Map::global_ordinal_type column = j;
      A->insertGlobalValues(i, 1, &value, &column);
    }
  }
  A->fillComplete();
  return A;
}

/// `sign` times the second difference, with what is on the diagonal; free ends where it is
/// singular.
Row second_difference(int i, int n, double sign, bool has_free_ends = false) {
  Row row;
  if (i > 0) row.emplace_back(i - 1, -sign);
  if (i + 1 < n) row.emplace_back(i + 1, -sign);
  row.emplace_back(i, has_free_ends ? sign * static_cast<double>(row.size()) : 2 * sign);
  return row;
}

Teuchos::RCP<Matrix> tridiagonal(int n, double sign = 1) {
  return matrix_of(n, [=](int i) { return second_difference(i, n, sign); });
}

/// y = factor x, and after so many applications NaN.
class Scaling : public Operator {
 public:
  Scaling(Teuchos::RCP<const Map> map, double factor) : m_map(std::move(map)), m_factor(factor) {}
  Teuchos::RCP<const Map> getDomainMap() const override { return m_map; }
  Teuchos::RCP<const Map> getRangeMap() const override { return m_map; }
  bool hasTransposeApply() const override { return true; }
  void apply(const Vectors& X, Vectors& Y, Teuchos::ETransp, double alpha,
             double beta) const override {
    const bool breaks = m_applications++ >= breaks_at;
    Y.update(breaks ? std::nan("") : alpha * m_factor, X, beta);
  }
  int breaks_at = 1000000;

 private:
  Teuchos::RCP<const Map> m_map;
  double m_factor;
  mutable int m_applications = 0;
};

struct Solved {
  Teuchos::RCP<Matrix> A;
  Teuchos::RCP<Vectors> b;
  Teuchos::RCP<Vectors> x;
  Teuchos::RCP<Scaling> M;

  explicit Solved(const Teuchos::RCP<Matrix>& matrix, std::size_t columns = 1)
      : A(matrix),
        b(Teuchos::rcp(new Vectors(A->getRowMap(), columns))),
        x(Teuchos::rcp(new Vectors(A->getRowMap(), columns))),
        M(Teuchos::rcp(new Scaling(A->getRowMap(), 1))) {
    const auto local = b->getLocalViewHost(Tpetra::Access::OverwriteAll);
    for (std::size_t i = 0; i < local.extent(0); ++i) {
      const auto row = static_cast<double>(A->getRowMap()->getGlobalElement(static_cast<int>(i)));
      for (std::size_t j = 0; j < columns; ++j)
        local(i, j) = std::sin(1 + 3.7 * row + static_cast<double>(j));
    }
  }
  double residual(std::size_t j = 0) const {
    Vectors r(*b->getVector(j), Teuchos::Copy);
    A->apply(*x->getVector(j), r, Teuchos::NO_TRANS, -1, 1);
    return r.getVector(0)->norm2() / b->getVector(j)->norm2();
  }
  SolveResult by(SolverName method, SolverParameters p = {}) const {
    p.name = method;
    return belos::solve_by_belos(A, M, p, belos::chosen_method(p, *A, *M), *b, *x);
  }
  SolverName chosen() const { return belos::chosen_method({}, *A, *M); }
};

Teuchos::RCP<Matrix> alternating(int n) {
  return matrix_of(n, [](int i) { return Row{{i, i % 2 == 0 ? 1.0 : -1.0}}; });
}

constexpr SolverName methods[] = {SolverName::cg, SolverName::gmres, SolverName::fgmres,
                                  SolverName::bicgstab};

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

TEST(Krylov, BreaksDownUnderCgWhereTheMatrixIsIndefinite) {
  for (const std::size_t columns : {1, 3}) {
    const Solved s(alternating(16), columns);
    s.b->putScalar(1);
    const SolveResult result = s.by(SolverName::cg);  // p^T A p = 0
    EXPECT_EQ(result.status, SolveStatus::breakdown);
    ASSERT_EQ(result.columns.size(), columns);
    for (const ColumnResult& column : result.columns)
      EXPECT_EQ(column.status, SolveStatus::breakdown);
    EXPECT_TRUE(std::isfinite(result.true_relative_residual));
    EXPECT_LE(result.true_relative_residual, 1);
  }
}

/// One column breaks down, the others go on.
TEST(Krylov, EndsEachColumnByItself) {
  const int n = 24;
  const auto half_indefinite = matrix_of(n, [&](int i) {
    if (i < n / 2) return Row{{i, 1.0 + i}};
    return Row{{i, i % 2 == 0 ? 1.0 : -1.0}};
  });
  // With a third column, where b = 0, they do not all start together.
  for (const std::size_t columns : {2, 3}) {
    const Solved s(half_indefinite, columns);
    s.b->putScalar(0);
    {
      const auto local = s.b->getLocalViewHost(Tpetra::Access::ReadWrite);
      for (std::size_t i = 0; i < local.extent(0); ++i) {
        const bool is_first = s.A->getRowMap()->getGlobalElement(static_cast<int>(i)) < n / 2;
        local(i, is_first ? 0 : 1) = 1;
      }
    }
    if (columns == 3) s.x->getVectorNonConst(2)->putScalar(1);
    const SolveResult result = s.by(SolverName::cg);
    ASSERT_EQ(result.columns.size(), columns);
    EXPECT_EQ(result.columns[0].status, SolveStatus::converged);
    EXPECT_EQ(result.columns[1].status, SolveStatus::breakdown);
    EXPECT_LE(s.residual(0), 1e-8);
    if (columns == 3) {
      EXPECT_EQ(result.columns[2].status, SolveStatus::converged);
      EXPECT_EQ(s.x->getVector(2)->normInf(), 0);
    }
    EXPECT_EQ(result.status, SolveStatus::breakdown);
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

TEST(Krylov, StagnatesBelowThePrecision) {
  const auto A = tridiagonal(50);
  for (const SolverName method : methods) {
    SCOPED_TRACE(static_cast<int>(method));
    const Solved s(A);
    SolverParameters p{.tolerance = 1e-20, .max_iterations = 5000};
    const SolveResult result = s.by(method, p);
    EXPECT_NE(result.status, SolveStatus::converged);
    EXPECT_NE(result.status, SolveStatus::max_iterations);
    EXPECT_LT(s.residual(), 1e-13);
    EXPECT_LT(result.iterations, 1000);
  }
}

TEST(Krylov, CountsIterationsAndKeepsTheLimit) {
  const auto A = tridiagonal(200);
  for (const SolverName method : {SolverName::cg, SolverName::gmres, SolverName::fgmres,
                                  SolverName::bicgstab, SolverName::richardson}) {
    SCOPED_TRACE(static_cast<int>(method));
    const Solved s(A, 2);
    SolverParameters p{.max_iterations = 7};
    p.richardson.damping = method == SolverName::richardson ? 0.4 : 1;
    const SolveResult result = s.by(method, p);
    EXPECT_EQ(result.status, SolveStatus::max_iterations);
    EXPECT_EQ(result.iterations, 7);
    EXPECT_EQ(result.columns[0].iterations, 7);
    EXPECT_EQ(result.columns[1].iterations, 7);
    EXPECT_EQ(result.residual_history.size(), method == SolverName::cg ? 8U : 0U);
    p.max_iterations = 0;
    EXPECT_EQ(s.by(method, p).iterations, 0);
  }
}

TEST(Krylov, StopsAtTheTimeLimit) {
  const auto A = tridiagonal(2000);
  for (const SolverName method : methods) {
    const Solved s(A);
    SolverParameters p{.time_limit_s = 1e-9};
    EXPECT_EQ(s.by(method, p).status, SolveStatus::time_limit);
    p.time_limit_s = 1e4;
    p.max_iterations = 3;
    EXPECT_EQ(s.by(method, p).status, SolveStatus::max_iterations);
  }
}

TEST(Krylov, SaysWhereANanAppears) {
  const auto A = tridiagonal(100);
  for (const SolverName method : methods) {
    SCOPED_TRACE(static_cast<int>(method));
    const Solved s(A);
    s.M->breaks_at = 5;
    const SolveResult result = s.by(method);
    EXPECT_EQ(result.status, SolveStatus::not_a_number);
    EXPECT_LE(s.residual(), 1);  // false for a NaN
  }
  const Solved s(A);
  s.b->putScalar(std::nan(""));
  EXPECT_EQ(s.by(SolverName::cg).status, SolveStatus::not_a_number);
}

TEST(Krylov, DivergesByRichardson) {
  const auto A = tridiagonal(50);
  const Solved s(A);
  const SolveResult result = s.by(SolverName::richardson);  // I - A has eigenvalues near -3
  EXPECT_EQ(result.status, SolveStatus::diverged);
  EXPECT_LE(s.residual(), 1);
  SolverParameters p;
  p.richardson.damping = 0.5;
  p.max_iterations = 20000;
  p.tolerance = 1e-3;
  EXPECT_EQ(s.by(SolverName::richardson, p).status, SolveStatus::converged);
}

TEST(Krylov, EndsByTheAbsoluteTolerance) {
  const auto A = tridiagonal(50);
  for (const SolverName method : methods) {
    for (const auto reference : {StoppingReference::rhs, StoppingReference::initial_residual}) {
      for (const double factor : {1.0, 0x1p200, 0x1p-200}) {
        const Solved s(A, 2);
        s.b->getVectorNonConst(0)->scale(factor);
        s.b->getVectorNonConst(1)->scale(1e-6 * factor);
        SolverParameters p{
            .tolerance = 0, .absolute_tolerance = 1e-3 * factor, .reference = reference};
        const SolveResult result = s.by(method, p);
        EXPECT_TRUE(result.converged()) << to_string(result.status);
        EXPECT_GT(result.columns[0].iterations, 0);
        EXPECT_EQ(result.columns[1].iterations, 0);
        for (const std::size_t j : {0, 1})
          EXPECT_TRUE(result.columns[j].by_absolute_tolerance);
        EXPECT_LE(s.residual() * s.b->getVector(0)->norm2(), 1e-3 * factor * (1 + 1e-9));
        if (reference == StoppingReference::initial_residual) continue;
        p.tolerance = 1e-8;
        p.absolute_tolerance *= 1e-9;
        const SolveResult further = s.by(method, p);
        EXPECT_TRUE(further.converged());
        EXPECT_FALSE(further.columns[0].by_absolute_tolerance);
      }
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
