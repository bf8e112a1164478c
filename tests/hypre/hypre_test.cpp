// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "hypre/hypre_problem.hpp"

#include <HYPRE_krylov.h>

#include <limits>
#include <optional>

namespace tessera::test {
namespace hypre_test {
namespace {

const auto as_setup = reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_TesseraSetup);
const auto as_solve = reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_TesseraSolve);

class Hypre : public ::testing::Test {
 protected:
  void SetUp() override {
    HYPRE_Initialize();
    take_message();
  }
  void TearDown() override { EXPECT_EQ(take_message(), ""); }
};

std::vector<double> waves_of(const SharedProblem& problem) {
  return on_host(waves(problem.first, problem.num_rows()));
}

/// || b - A x || / || b || by hypre's product.
double residual_of(const HypreMatrix& A, const HypreVector& b, const HypreVector& x,
                   const SharedProblem& problem) {
  const HypreVector r(problem.first, b.entries());
  HYPRE_ParCSRMatrixMatvec(-1, A.get(), x.get(), 1, r.get());
  HYPRE_Real rr = 0;
  HYPRE_Real bb = 0;
  HYPRE_ParVectorInnerProd(r.get(), r.get(), &rr);
  HYPRE_ParVectorInnerProd(b.get(), b.get(), &bb);
  return std::sqrt(rr / bb);
}

struct Outcome {
  int iterations = 0;
  double residual = 0;
};

/// By hypre's PCG.
Outcome solve_by_pcg(HYPRE_Solver M, const HypreMatrix& A, const SharedProblem& problem) {
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

/// The same preconditioner as that of `distributed::Solver` with the same rows, to the last bit.
TEST_F(Hypre, AppliesTheCycleOfDistributedSolver) {
  const SharedProblem problem(GalleryParameters{.problem = ProblemKind::poisson2d, .n = 40});
  const HypreMatrix A(problem.first, problem.host);
  const TesseraHandle M("gather_rows=200");
  ASSERT_EQ(HYPRE_TesseraSetup(M.get(), A.get(), nullptr, nullptr), 0);
  const HypreVector r(problem.first, waves_of(problem));
  const HypreVector z(problem.first, waves_of(problem));  // a guess that does not count
  ASSERT_EQ(HYPRE_TesseraSolve(M.get(), A.get(), r.get(), z.get()), 0);

  distributed::Parameters parameters;
  parameters.gather_rows = 200;
  DistributedSolver solver(all_processes(), parameters);
  const Space exec;
  const Share share(problem.host);
  solver.setup(exec, share.rows());
  const Vectors expected = zeros(problem.num_rows());
  solver.apply_preconditioner(exec, waves(problem.first, problem.num_rows()), expected);
  exec.fence();
  EXPECT_EQ(z.entries(), on_host(expected));
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
  // The same matrix inside, another right-hand side.
  EXPECT_NEAR(same.iterations, good.iterations, 1);
  EXPECT_LE(same.residual, 2e-10);
}

/// Expects hypre's error `code` in what a call returned, and each of `parts` in the message.
void expect_failure(HYPRE_Int returned, HYPRE_Int code, std::initializer_list<const char*> parts) {
  EXPECT_NE(returned, 0);
  EXPECT_NE(HYPRE_CheckError(returned, code), 0) << returned;
  const std::string message = take_message();
  for (const char* part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST_F(Hypre, WrongArguments) {
  expect_failure(HYPRE_TesseraCreate(nullptr), HYPRE_ERROR_ARG, {"HYPRE_TesseraCreate: "});
  expect_failure(HYPRE_TesseraSetup(nullptr, nullptr, nullptr, nullptr), HYPRE_ERROR_ARG,
                 {"HYPRE_TesseraSetup: the solver is a null pointer"});
  EXPECT_EQ(HYPRE_TesseraDestroy(nullptr), 0);
  HYPRE_Solver gone = nullptr;
  HYPRE_TesseraCreate(&gone);
  HYPRE_TesseraDestroy(gone);
  expect_failure(HYPRE_TesseraDestroy(gone), HYPRE_ERROR_ARG, {"was destroyed before"});

  const TesseraHandle M;
  const auto set = [&](const char* name, const char* value) {
    return HYPRE_TesseraSetParameter(M.get(), name, value);
  };
  expect_failure(set("amg.cicle", "w"), HYPRE_ERROR_ARG, {"did you mean 'amg.cycle'"});
  expect_failure(set("amg.cycle", "x"), HYPRE_ERROR_ARG, {"amg.cycle", "v, w, f"});
  expect_failure(set("amg.cycle", nullptr), HYPRE_ERROR_ARG, {"the value is a null pointer"});
  expect_failure(set(nullptr, "w"), HYPRE_ERROR_ARG, {"the name is a null pointer"});
  set("amg.cicle", "w");
  EXPECT_EQ(HYPRE_GetErrorArg(), 2);
  take_message();
  set("amg.cycle", "x");
  EXPECT_EQ(HYPRE_GetErrorArg(), 3);
  take_message();
  expect_failure(HYPRE_TesseraSetParameters(M.get(), "amg.cycle=w nonsense"), HYPRE_ERROR_ARG,
                 {"nonsense"});
  expect_failure(HYPRE_TesseraSetNumFunctions(M.get(), -3), HYPRE_ERROR_ARG, {"block_size"});
  expect_failure(HYPRE_TesseraSetPrintLevel(M.get(), 4), HYPRE_ERROR_ARG, {"0 to 3"});
  expect_failure(HYPRE_TesseraSetNearNullspace(M.get(), 11, nullptr), HYPRE_ERROR_ARG, {"0 to 10"});
  expect_failure(HYPRE_TesseraSetNearNullspace(M.get(), 2, nullptr), HYPRE_ERROR_ARG,
                 {"the array of vectors is a null pointer"});
  HYPRE_ParVector nothing[] = {nullptr};
  expect_failure(HYPRE_TesseraSetNearNullspace(M.get(), 1, nothing), HYPRE_ERROR_ARG, {"vector 0"});
  expect_failure(HYPRE_TesseraSetup(M.get(), nullptr, nullptr, nullptr), HYPRE_ERROR_ARG,
                 {"the matrix is a null pointer"});
  HYPRE_Int number = 0;
  expect_failure(HYPRE_TesseraGetNumLevels(M.get(), &number), HYPRE_ERROR_GENERIC, {"setup"});
}

TEST_F(Hypre, CallsOutOfTurn) {
  const SharedProblem problem(GalleryParameters{.problem = ProblemKind::poisson2d, .n = 10});
  const HypreMatrix A(problem.first, problem.host);
  const HypreVector b(problem.first, waves_of(problem));
  const HypreVector x(problem.first, waves_of(problem));
  const TesseraHandle M;
  expect_failure(HYPRE_TesseraSolve(M.get(), A.get(), b.get(), x.get()), HYPRE_ERROR_GENERIC,
                 {"HYPRE_TesseraSetup comes first"});
  HYPRE_TesseraSetup(M.get(), A.get(), nullptr, nullptr);
  HYPRE_TesseraSolve(M.get(), A.get(), b.get(), x.get());
  HYPRE_Int iterations = 0;
  expect_failure(HYPRE_TesseraGetNumIterations(M.get(), &iterations), HYPRE_ERROR_GENERIC,
                 {"used as a preconditioner", "'apply' to 'solve'"});
  expect_failure(HYPRE_TesseraSolve(M.get(), A.get(), b.get(), nullptr), HYPRE_ERROR_GENERIC,
                 {"x is a null pointer"});
  expect_failure(HYPRE_TesseraSolve(M.get(), A.get(), b.get(), b.get()), HYPRE_ERROR_GENERIC,
                 {num_processes() > 0 && problem.num_rows() > 0 ? "same vector" : ""});
}

TEST_F(Hypre, SolveThatDoesNotConverge) {
  const SharedProblem problem(GalleryParameters{.problem = ProblemKind::poisson2d, .n = 60});
  const HypreMatrix A(problem.first, problem.host);
  const HypreVector b(problem.first, waves_of(problem));
  const HypreVector x(problem.first,
                      std::vector<double>(static_cast<std::size_t>(problem.num_rows())));
  const TesseraHandle solver("apply=solve solver.max_iterations=2 gather_rows=200");
  HYPRE_TesseraSetup(solver.get(), A.get(), b.get(), x.get());
  expect_failure(HYPRE_TesseraSolve(solver.get(), A.get(), b.get(), x.get()), HYPRE_ERROR_CONV,
                 {"after 2 iterations", "solver.max_iterations"});
  HYPRE_Int iterations = 0;
  EXPECT_EQ(HYPRE_TesseraGetNumIterations(solver.get(), &iterations), 0);
  EXPECT_EQ(iterations, 2);
}

/// What is wrong on one process is an error on all of them, and what was there before is gone.
TEST_F(Hypre, NaNOfOneProcess) {
  SharedProblem problem(GalleryParameters{.problem = ProblemKind::poisson2d, .n = 20});
  HypreMatrix A(problem.first, problem.host);
  const TesseraHandle M;
  ASSERT_EQ(HYPRE_TesseraSetup(M.get(), A.get(), nullptr, nullptr), 0);
  SharedProblem spoiled = problem;
  if (process() == num_processes() - 1)
    spoiled.host.values[0] = std::numeric_limits<double>::quiet_NaN();
  A.fill(spoiled.host);
  const HYPRE_Int returned = HYPRE_TesseraSetup(M.get(), A.get(), nullptr, nullptr);
  expect_failure(returned, HYPRE_ERROR_GENERIC, {"HYPRE_TesseraSetup: "});
  A.fill(problem.host);
  EXPECT_EQ(HYPRE_TesseraSetup(M.get(), A.get(), nullptr, nullptr), 0);
  EXPECT_LE(solve_by_pcg(M.get(), A, problem).residual, 2e-10);
}

/// A vector over other shares on some processes: those tell, and none waits.
TEST_F(Hypre, VectorOfAnotherPartition) {
  const SharedProblem problem(GalleryParameters{.problem = ProblemKind::poisson2d, .n = 20});
  const HypreMatrix A(problem.first, problem.host);
  const HypreVector x(problem.first, waves_of(problem));
  // Everything on the last process.
  const bool is_last = process() == num_processes() - 1;
  const HypreVector other(0, std::vector<double>(is_last ? 400 : 0, 1.0));
  const auto returned_by = [&](const std::string& apply) {
    const TesseraHandle solver("gather_rows=100 apply=" + apply);
    HYPRE_TesseraSetup(solver.get(), A.get(), nullptr, nullptr);
    return HYPRE_TesseraSolve(solver.get(), A.get(), other.get(), x.get());
  };
  if (num_processes() == 1) {
    EXPECT_EQ(returned_by("solve"), 0);
    return;
  }
  expect_failure(returned_by("preconditioner"), HYPRE_ERROR_GENERIC, {"entries on this process"});
  expect_failure(returned_by("solve"), HYPRE_ERROR_GENERIC, {"entries on this process"});
}

TEST_F(Hypre, RectangularMatrix) {
  // Each process has two rows and three columns.
  HostShare rows;
  for (int i = 0; i < 2; ++i) {
    rows.push(3 * process() + i, 1.0);
    rows.end_row();
  }
  const HypreMatrix A(2 * process(), rows, 3 * process(), 3);
  const TesseraHandle M;
  expect_failure(HYPRE_TesseraSetup(M.get(), A.get(), nullptr, nullptr), HYPRE_ERROR_GENERIC,
                 {"a solver is for a square one"});
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
