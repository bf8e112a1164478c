// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera as hypre's preconditioner and as a solver.
#include "hypre/hypre_fixture.hpp"

#include <optional>

namespace tessera::test {
namespace hypre_test {
namespace {

TEST_F(Hypre, PreconditionsPcg) {
  const SharedProblem problem(GalleryParameters{.problem = ProblemKind::poisson2d, .n = 60});
  const HypreMatrix A(problem.first, problem.host);
  const TesseraHandle M("gather_rows=200");
  const Outcome outcome = solve_by_pcg(M.get(), A, problem);
  EXPECT_LE(outcome.iterations, 18);
  EXPECT_LE(outcome.residual, 2e-10);
  HYPRE_Int levels = 0;
  HYPRE_Real complexity = 0;
  EXPECT_EQ(HYPRE_TesseraGetNumLevels(M.get(), &levels), 0);
  EXPECT_EQ(HYPRE_TesseraGetOperatorComplexity(M.get(), &complexity), 0);
  EXPECT_GE(levels, 2);
  EXPECT_GT(complexity, 1.0);
  EXPECT_LT(complexity, 2.0);
}

TEST_F(Hypre, PreconditionsGmres) {
  const SharedProblem problem(GalleryParameters{.problem = ProblemKind::convdiff2d, .n = 50});
  const HypreMatrix A(problem.first, problem.host);
  const HypreVector b(problem.first, waves_of(problem));
  const HypreVector x(problem.first,
                      std::vector<double>(static_cast<std::size_t>(problem.num_rows())));
  const TesseraHandle M("gather_rows=200");
  HYPRE_Solver gmres = nullptr;
  HYPRE_ParCSRGMRESCreate(MPI_COMM_WORLD, &gmres);
  HYPRE_GMRESSetTol(gmres, 1e-8);
  HYPRE_GMRESSetMaxIter(gmres, 100);
  HYPRE_GMRESSetKDim(gmres, 50);
  HYPRE_GMRESSetPrecond(gmres, as_solve, as_setup, M.get());
  EXPECT_EQ(HYPRE_ParCSRGMRESSetup(gmres, A.get(), b.get(), x.get()), 0);
  EXPECT_EQ(HYPRE_ParCSRGMRESSolve(gmres, A.get(), b.get(), x.get()), 0);
  HYPRE_Int iterations = 0;
  HYPRE_GMRESGetNumIterations(gmres, &iterations);
  HYPRE_ParCSRGMRESDestroy(gmres);
  EXPECT_LE(iterations, 25);
  EXPECT_LE(residual_of(A, b, x, problem), 1e-7);
}

/// The same preconditioner as that of `distributed::Solver` with the same rows: to the last bit
/// where rows are summed in one order, whatever order hypre has them in.
TEST_F(Hypre, AppliesTheCycleOfDistributedSolver) {
  const SharedProblem problem(GalleryParameters{.problem = ProblemKind::poisson2d, .n = 40});
  const HypreMatrix A(problem.first, problem.host);
  for (const bool reproducible : {false, true}) {
    const TesseraHandle M(std::string("gather_rows=200 reproducible=") +
                          (reproducible ? "true" : "false"));
    ASSERT_EQ(HYPRE_TesseraSetup(M.get(), A.get(), nullptr, nullptr), 0);
    const HypreVector r(problem.first, waves_of(problem));
    const HypreVector z(problem.first, waves_of(problem));  // a guess that does not count
    ASSERT_EQ(HYPRE_TesseraSolve(M.get(), A.get(), r.get(), z.get()), 0);

    distributed::Parameters parameters;
    parameters.gather_rows = 200;
    parameters.reproducible = reproducible;
    DistributedSolver solver(all_processes(), parameters);
    const Space exec;
    const Share share(problem.host);
    solver.setup(exec, share.rows());
    const Vectors expected = zeros(problem.num_rows());
    solver.apply_preconditioner(exec, waves(problem.first, problem.num_rows()), expected);
    exec.fence();
    const auto by_rows = on_host(expected);
    const auto by_hypre = z.entries();
    if (reproducible) {
      EXPECT_EQ(by_hypre, by_rows);
    }
    for (std::size_t i = 0; i < by_rows.size(); ++i)
      ASSERT_NEAR(by_hypre[i], by_rows[i], 1e-14);
  }
}

TEST_F(Hypre, SolvesByItself) {
  const SharedProblem problem(GalleryParameters{.problem = ProblemKind::poisson3d, .n = 14});
  const HypreMatrix A(problem.first, problem.host);
  const HypreVector b(problem.first, waves_of(problem));
  const HypreVector x(problem.first,
                      std::vector<double>(static_cast<std::size_t>(problem.num_rows())));
  const TesseraHandle solver("apply=solve solver.tolerance=1e-9 gather_rows=200");
  ASSERT_EQ(HYPRE_TesseraSetup(solver.get(), A.get(), b.get(), x.get()), 0);
  ASSERT_EQ(HYPRE_TesseraSolve(solver.get(), A.get(), b.get(), x.get()), 0);
  HYPRE_Int iterations = 0;
  HYPRE_Real norm = 0;
  EXPECT_EQ(HYPRE_TesseraGetNumIterations(solver.get(), &iterations), 0);
  EXPECT_EQ(HYPRE_TesseraGetFinalRelativeResidualNorm(solver.get(), &norm), 0);
  EXPECT_GT(iterations, 3);
  EXPECT_LE(iterations, 15);
  EXPECT_LE(norm, 1e-9);
  EXPECT_NEAR(norm, residual_of(A, b, x, problem), 1e-11);
  // From the solution.
  ASSERT_EQ(HYPRE_TesseraSolve(solver.get(), A.get(), b.get(), x.get()), 0);
  HYPRE_TesseraGetNumIterations(solver.get(), &iterations);
  EXPECT_EQ(iterations, 0);
}

TEST_F(Hypre, TakesNewValuesInThePatternOfBefore) {
  SharedProblem problem(GalleryParameters{.problem = ProblemKind::poisson2d, .n = 30});
  HypreMatrix A(problem.first, problem.host);
  const TesseraHandle M("gather_rows=100 amg.reuse=symbolic");
  const Outcome before = solve_by_pcg(M.get(), A, problem);
  for (double& value : problem.host.values)
    value *= 3;
  A.fill(problem.host);
  const Outcome after = solve_by_pcg(M.get(), A, problem);
  EXPECT_EQ(M.setups_and_updates(), std::pair(1, 1));
  EXPECT_EQ(after.iterations, before.iterations);
  EXPECT_LE(after.residual, 2e-10);
  // What else a setup depends on begins from the start, and so does another pattern.
  HYPRE_TesseraSetParameter(M.get(), "amg.cycle", "w");
  solve_by_pcg(M.get(), A, problem);
  EXPECT_EQ(M.setups_and_updates(), std::pair(2, 1));
  const SharedProblem larger(GalleryParameters{.problem = ProblemKind::poisson2d, .n = 31});
  const HypreMatrix B(larger.first, larger.host);
  EXPECT_LE(solve_by_pcg(M.get(), B, larger).residual, 2e-10);
  EXPECT_EQ(M.setups_and_updates(), std::pair(3, 1));
}

/// A pattern that is another one on one process is another one on all.
TEST_F(Hypre, SetsUpAgainWhereOneProcessHasAnotherPattern) {
  SharedProblem problem(GalleryParameters{.problem = ProblemKind::poisson2d, .n = 20});
  const HypreMatrix A(problem.first, problem.host);
  const TesseraHandle M;
  ASSERT_EQ(HYPRE_TesseraSetup(M.get(), A.get(), nullptr, nullptr), 0);
  HostShare more;
  for (int i = 0; i < problem.num_rows(); ++i) {
    for (auto e = problem.host.offsets[static_cast<std::size_t>(i)];
         e < problem.host.offsets[static_cast<std::size_t>(i) + 1]; ++e)
      more.push(problem.host.columns[static_cast<std::size_t>(e)],
                problem.host.values[static_cast<std::size_t>(e)]);
    if (process() == 0 && i == 0) more.push(399, 0.0);
    more.end_row();
  }
  const HypreMatrix B(problem.first, more);
  ASSERT_EQ(HYPRE_TesseraSetup(M.get(), B.get(), nullptr, nullptr), 0);
  EXPECT_EQ(M.setups_and_updates(), std::pair(2, 0));
}

/// The problem with the unknowns of its nodes one after the other on each process.
struct ByUnknown {
  HostShare rows;
  std::vector<std::vector<double>> vectors;

  explicit ByUnknown(const SharedProblem& problem) {
    const int block = problem.own.block_size;
    const int processes = num_processes();
    std::vector<std::int64_t> counts(static_cast<std::size_t>(processes));
    all_processes()->all_gather(problem.num_rows(), counts);
    std::vector<std::int64_t> starts{0};
    for (const auto count : counts)
      starts.push_back(starts.back() + count);
    const auto moved = [&](std::int64_t number) {
      int p = 0;
      while (number >= starts[static_cast<std::size_t>(p) + 1])
        ++p;
      const auto first = starts[static_cast<std::size_t>(p)];
      const auto nodes = counts[static_cast<std::size_t>(p)] / block;
      return first + (number - first) % block * nodes + (number - first) / block;
    };
    const int nodes = problem.num_rows() / block;
    const auto modes = on_host(problem.near_nullspace());
    vectors.resize(modes.size() / static_cast<std::size_t>(std::max(1, problem.num_rows())));
    for (int c = 0; c < block; ++c) {
      for (int node = 0; node < nodes; ++node) {
        const auto row = static_cast<std::size_t>(node * block + c);
        for (auto e = problem.host.offsets[row]; e < problem.host.offsets[row + 1]; ++e)
          rows.push(moved(problem.host.columns[static_cast<std::size_t>(e)]),
                    problem.host.values[static_cast<std::size_t>(e)]);
        rows.end_row();
        for (std::size_t j = 0; j < vectors.size(); ++j)
          vectors[j].push_back(modes[j * static_cast<std::size_t>(problem.num_rows()) + row]);
      }
    }
  }
};

void set_near_nullspace(HYPRE_Solver M, std::int64_t first,
                        const std::vector<std::vector<double>>& columns) {
  std::vector<std::unique_ptr<HypreVector>> owners;
  std::vector<HYPRE_ParVector> vectors;
  for (const auto& column : columns) {
    owners.push_back(std::make_unique<HypreVector>(first, column));
    vectors.push_back(owners.back()->get());
  }
  ASSERT_EQ(
      HYPRE_TesseraSetNearNullspace(M, static_cast<HYPRE_Int>(vectors.size()), vectors.data()), 0);
}

TEST_F(Hypre, RigidBodyModesInEitherNumbering) {
  const SharedProblem problem(GalleryParameters{.problem = ProblemKind::elasticity3d, .n = 6});
  const HypreMatrix A(problem.first, problem.host);
  std::vector<std::vector<double>> modes;
  const auto flat = on_host(problem.near_nullspace());
  const auto n = static_cast<std::size_t>(problem.num_rows());
  for (std::size_t j = 0; j < 6; ++j)
    modes.emplace_back(flat.begin() + static_cast<std::ptrdiff_t>(j * n),
                       flat.begin() + static_cast<std::ptrdiff_t>((j + 1) * n));
  const TesseraHandle with_modes("gather_rows=200");
  HYPRE_TesseraSetNumFunctions(with_modes.get(), 3);
  set_near_nullspace(with_modes.get(), problem.first, modes);
  const Outcome good = solve_by_pcg(with_modes.get(), A, problem);
  const TesseraHandle without("gather_rows=200 block_size=3");
  const Outcome plain = solve_by_pcg(without.get(), A, problem);
  EXPECT_LE(good.iterations, 16);
  EXPECT_LT(good.iterations, plain.iterations);

  const ByUnknown by_unknown(problem);
  const HypreMatrix B(problem.first, by_unknown.rows);
  const TesseraHandle other("gather_rows=200 block_size=3 numbering=by_unknown");
  set_near_nullspace(other.get(), problem.first, by_unknown.vectors);
  const Outcome same = solve_by_pcg(other.get(), B, problem);
  EXPECT_EQ(solve_by_pcg(other.get(), B, problem).iterations, same.iterations);
  EXPECT_EQ(other.setups_and_updates(), std::pair(1, 1));
  // The same matrix inside, another right-hand side.
  EXPECT_NEAR(same.iterations, good.iterations, 1);
  EXPECT_LE(same.residual, 2e-10);
}

/// One row in all, on the last process; the others have none.
TEST_F(Hypre, OneRow) {
  HostShare rows;
  const bool has_it = process() == num_processes() - 1;
  if (has_it) {
    rows.push(0, 4.0);
    rows.end_row();
  }
  const HypreMatrix A(0, rows);
  const HypreVector b(0, std::vector<double>(has_it ? 1 : 0, 2.0));
  const HypreVector x(0, std::vector<double>(has_it ? 1 : 0, 0.0));
  const TesseraHandle solver("apply=solve");
  ASSERT_EQ(HYPRE_TesseraSetup(solver.get(), A.get(), b.get(), x.get()), 0);
  ASSERT_EQ(HYPRE_TesseraSolve(solver.get(), A.get(), b.get(), x.get()), 0);
  if (has_it) {
    EXPECT_DOUBLE_EQ(x.entries()[0], 0.5);
  }
}

}  // namespace
}  // namespace hypre_test
}  // namespace tessera::test
