// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CG and BiCGSTAB within one launch: what they find with each preconditioner inside.
#include "kernels_persistent/preconditioned_solves.hpp"

namespace tessera::test::preconditioned_solve_test {

TESSERA_TEST_SUITE(PreconditionedSolveTest, Matrices, TypeNames);

TESSERA_TYPED_TEST(PreconditionedSolveTest, FindsTheSolution) {
  Preconditioned<Scalar, Space, Offset> one;
  const auto limits = reachable<Scalar>();
  for (const std::int32_t n : {1, 2, 15, 16, 17, 127, 301}) {
    const auto spd = random_spd_matrix<Scalar>(n, std::min(1.0, 5.0 / n), n);
    const auto general = nonsymmetric_matrix<Scalar>(n, n);
    const auto b = some_vector<Scalar>(n);
    for (const Inside inside : all_inside) {
      for (const Method method : both_methods) {
        SCOPED_TRACE(std::to_string(n) + " " + name_of(inside) + name_of(method));
        const auto& A = method == Method::cg ? spd : general;
        // The sweeps are positive definite for the first alone.
        if (method == Method::bicgstab && is_program(inside) && n > 127) continue;
        const auto answer = one.solve(method, A, b, inside, limits);
        expect_converged(A, b, answer, limits);
        expect_near(answer.x, dense_solve(A, b), sizeof(Scalar) == 8 ? 1e-7 : 2e-3);
      }
    }
  }
}

/// Blocks of every size, of which the last is shorter, and which cross no share's end.
TESSERA_TYPED_TEST(PreconditionedSolveTest, BlocksOfAnySizeAndShapesOfGroups) {
  Preconditioned<Scalar, Space, Offset> one;
  const auto A = poisson<Scalar>(61, 47);
  const auto b = some_vector<Scalar>(A.num_rows);
  for (const Method method : both_methods) {
    for (const int rows : {1, 2, 3, 7, 32}) {
      one.block_rows = rows;
      std::vector<int> iterations;
      for (const int shares : {0, 1, 5, 40, 90}) {
        const auto answer =
            one.solve(method, A, b, Inside::blocks, reachable<Scalar>(), {}, {.shares = shares});
        SCOPED_TRACE(std::to_string(rows) + " rows, " + std::to_string(shares) + " shares");
        expect_converged(A, b, answer);
        iterations.push_back(answer.report.iterations);
      }
      // A block that a share's end had cut would be another preconditioner.
      const auto [least, most] = std::minmax_element(iterations.begin(), iterations.end());
      EXPECT_LE(*most - *least, method == Method::cg ? 2 : 12);
    }
  }
}

TESSERA_TYPED_TEST(PreconditionedSolveTest, ShapesOfGroupsBeyondTheirRows) {
  Preconditioned<Scalar, Space, Offset> one;
  const auto A = poisson<Scalar>(61, 47);
  const auto b = some_vector<Scalar>(A.num_rows);
  for (const auto& tuning : shapes_of_groups<Space>()) {
    for (const Inside inside : {Inside::sweeps, Inside::in_float, Inside::in_one_block, Inside::ilu,
                                Inside::ilu_by_one_block}) {
      for (const Method method : both_methods) {
        const auto answer = one.solve(method, A, b, inside, reachable<Scalar>(), {}, tuning);
        SCOPED_TRACE(name_of(inside) + ", " + std::to_string(answer.report.shape.shares));
        expect_converged(A, b, answer);
        EXPECT_LT(answer.report.iterations, method == Method::cg ? 170 : 150);
        expect_same_answer(one.solve(method, A, b, inside, reachable<Scalar>(), {}, tuning),
                           answer);
      }
    }
  }
}

TESSERA_TYPED_TEST(PreconditionedSolveTest, AgreesWithTheOrdinarySolverIterationByIteration) {
  Preconditioned<Scalar, Space, Offset> one;
  const auto A = poisson<Scalar>(20, 21);
  const auto N = nonsymmetric_matrix<Scalar>(120);
  for (const Method method : both_methods) {
    const auto& matrix = method == Method::cg ? A : N;
    const auto b = some_vector<Scalar>(matrix.num_rows);
    const SolverParameters parameters{
        .name = method == Method::cg ? SolverName::cg : SolverName::bicgstab,
        .tolerance = reachable_tolerance<Scalar>,
        .cg = {.flexible = true}};
    const TestOperator<Scalar, Space> op(exec, matrix);
    const auto csr = make_csr<Offset>(exec, matrix);
    for (const Inside inside : {Inside::blocks, Inside::sweeps, Inside::in_one_block, Inside::ilu,
                                Inside::ilu_by_one_block}) {
      SCOPED_TRACE(name_of(inside));
      std::unique_ptr<Preconditioner<Scalar, Space>> M;
      if (inside == Inside::blocks) {
        M = std::make_unique<BlockJacobiPreconditioner<Scalar, Space>>(exec, op.view(),
                                                                       one.block_rows);
      } else if (is_program(inside)) {
        M = std::make_unique<SweepsPreconditioner<Scalar, Space, Offset>>(exec, csr);
      } else {
        auto ilu = std::make_unique<IluPreconditioner<Scalar, Space, Offset>>();
        ilu->initialize(exec, csr);
        ASSERT_TRUE(ilu->compute(exec, csr.view()));
        M = std::move(ilu);
      }
      const auto solver = make_solver<Scalar, Space>(parameters);
      const auto x = to_multivector(exec, std::vector<Scalar>(b.size(), 0), b.size(), 1);
      const auto ordinary =
          solver->solve(exec, op, M.get(), to_multivector(exec, b, b.size(), 1), x);
      const auto answer = one.solve(method, matrix, b, inside);
      ASSERT_TRUE(ordinary.converged());
      ASSERT_EQ(answer.report.end, PersistentEnd::converged);
      EXPECT_NEAR(answer.report.iterations, ordinary.iterations, 2);
      const auto& history = answer.report.history;
      for (std::size_t i = 0; i < std::min<std::size_t>(history.size(), 8); ++i)
        EXPECT_NEAR(history[i], ordinary.residual_history[i], 1e-2 * history[i]) << i;
    }
  }
}

TESSERA_TYPED_TEST(PreconditionedSolveTest, LargeAndSmallNumbers) {
  Preconditioned<Scalar, Space, Offset> one;
  // A program in float stands for its matrix in float.
  const std::vector<double> of_A{1e-12, 1e12};
  const std::vector<double> of_b =
      sizeof(Scalar) == 8 ? std::vector<double>{1e-150, 1e-30, 1e150} : of_A;
  for (const Inside inside : {Inside::blocks, Inside::sweeps, Inside::in_float, Inside::ilu}) {
    for (const Method method : both_methods) {
      SCOPED_TRACE(name_of(inside) + name_of(method));
      const auto solve = [&](const auto& A, const std::vector<Scalar>& b) {
        return one.solve(method, A, b, inside);
      };
      expect_any_sizes<Scalar>(solve, of_A, of_b);
    }
  }
}

TESSERA_TYPED_TEST(PreconditionedSolveTest, RefusesWhatDoesNotFit) {
  const auto small = make_csr<Offset>(exec, poisson<Scalar>(4, 4));
  const auto large = make_csr<Offset>(exec, poisson<Scalar>(5, 4));
  const auto b = to_device(exec, std::vector<Scalar>(20, 1));
  const auto x = to_device(exec, std::vector<Scalar>(20, 0));
  kernels::PersistentWorkspace<Scalar, Space> workspace;
  const auto solve = [&](const kernels::PersistentPreconditioner<Scalar, Space>& M) {
    kernels::persistent_cg(exec, workspace, large.view(), M, b, x, {});
  };
  EXPECT_NO_THROW(solve({}));
  Preconditioners<Scalar, Space, Offset> of_small(exec, small, 4);
  for (const Inside inside : {Inside::jacobi, Inside::blocks, Inside::sweeps, Inside::ilu})
    EXPECT_THROW(solve(of_small(inside)), Error) << name_of(inside);
  kernels::StepProgram<Scalar, Space> empty;
  kernels::PersistentPreconditioner<Scalar, Space> program;
  program.program = &empty;
  EXPECT_THROW(solve(program), Error);
}

}  // namespace tessera::test::preconditioned_solve_test
