// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves by Belos's methods end as Tessera's own do, on any number of processes.
#include "belos/krylov_solves.hpp"

#include <gtest/gtest.h>

namespace tessera::test::krylov_status_test {

using namespace krylov_solves;

TEST(KrylovStatus, BreaksDownUnderCgWhereTheMatrixIsIndefinite) {
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
TEST(KrylovStatus, EndsEachColumnByItself) {
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

TEST(KrylovStatus, StagnatesBelowThePrecision) {
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

TEST(KrylovStatus, CountsIterationsAndKeepsTheLimit) {
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

TEST(KrylovStatus, StopsAtTheTimeLimit) {
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

TEST(KrylovStatus, SaysWhereANanAppears) {
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

TEST(KrylovStatus, DivergesByRichardson) {
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

TEST(KrylovStatus, EndsByTheAbsoluteTolerance) {
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

}  // namespace tessera::test::krylov_status_test
