// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What Tessera's functions for hypre refuse, on all processes, and what they say.
#include "hypre/hypre_fixture.hpp"

#include <initializer_list>
#include <limits>
#include <string>

namespace tessera::test {
namespace hypre_test {
namespace {

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

}  // namespace
}  // namespace hypre_test
}  // namespace tessera::test
