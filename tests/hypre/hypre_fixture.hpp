// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera in hypre's methods.
#pragma once

#include "hypre/hypre_problem.hpp"

#include <HYPRE_krylov.h>

#include <vector>

namespace tessera::test::hypre_test {

inline const auto as_setup = reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_TesseraSetup);
inline const auto as_solve = reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_TesseraSolve);

/// A test ends without an error of hypre's that nobody asked for.
class Hypre : public ::testing::Test {
 protected:
  void SetUp() override {
    HYPRE_Initialize();
    take_message();
  }
  void TearDown() override { EXPECT_EQ(take_message(), ""); }
};

inline std::vector<double> waves_of(const SharedProblem& problem) {
  return on_host(waves(problem.first, problem.num_rows()));
}

/// || b - A x || / || b || by hypre's product.
inline double residual_of(const HypreMatrix& A, const HypreVector& b, const HypreVector& x,
                          const SharedProblem& problem) {
  const HypreVector r(problem.first, b.entries());
  HYPRE_ParCSRMatrixMatvec(-1, A.get(), x.get(), 1, r.get());
  HYPRE_Real rr = 0;
  HYPRE_Real bb = 0;
  HYPRE_ParVectorInnerProd(r.get(), r.get(), &rr);
  HYPRE_ParVectorInnerProd(b.get(), b.get(), &bb);
  return std::sqrt(rr / bb);
}

/// How a solve ended.
struct Outcome {
  int iterations = 0;
  double residual = 0;
};

/// By hypre's PCG.
inline Outcome solve_by_pcg(HYPRE_Solver M, const HypreMatrix& A, const SharedProblem& problem) {
  const HypreVector b(problem.first, waves_of(problem));
  const HypreVector x(problem.first,
                      std::vector<double>(static_cast<std::size_t>(problem.num_rows())));
  HYPRE_Solver pcg = nullptr;
  HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &pcg);
  HYPRE_PCGSetTol(pcg, 1e-10);
  HYPRE_PCGSetTwoNorm(pcg, 1);
  HYPRE_PCGSetMaxIter(pcg, 200);
  HYPRE_PCGSetPrecond(pcg, as_solve, as_setup, M);
  EXPECT_EQ(HYPRE_ParCSRPCGSetup(pcg, A.get(), b.get(), x.get()), 0);
  EXPECT_EQ(HYPRE_ParCSRPCGSolve(pcg, A.get(), b.get(), x.get()), 0);
  HYPRE_Int iterations = 0;
  HYPRE_PCGGetNumIterations(pcg, &iterations);
  HYPRE_ParCSRPCGDestroy(pcg);
  return {static_cast<int>(iterations), residual_of(A, b, x, problem)};
}

}  // namespace tessera::test::hypre_test
