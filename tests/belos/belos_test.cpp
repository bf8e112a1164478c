// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's solver by name in Belos, on one process and on several.
#include "belos/belos_cases.hpp"

namespace tessera::test::belos_test {

using belos::SolverManager;

Teuchos::ParameterList with_multigrid() {
  Teuchos::ParameterList list("TESSERA");
  list.set("preconditioner", "amg");
  return list;
}

TEST(BelosTessera, IsMadeByNameInAnyCase) {
  belos::registerTesseraSolver();
  belos::registerTesseraSolver();
  BelosFactory factory;
  EXPECT_TRUE(factory.isSupported("TESSERA"));
  EXPECT_TRUE(factory.isSupported("Tessera"));
  EXPECT_FALSE(factory.isSupported("TESSERAE"));
  EXPECT_EQ(std::ranges::count(factory.supportedSolverNames(), "TESSERA"), 1);
  const auto solver = factory.create("tessera", Teuchos::null);
  EXPECT_NE(dynamic_cast<SolverManager*>(solver.get()), nullptr);
  EXPECT_TRUE(factory.isSupported("GMRES"));
}

TEST(BelosTessera, SolvesAsTesseraDoes) {
  const TpetraSystem system(ProblemKind::poisson3d, 20);
  for (const char* method : {"auto", "cg", "gmres", "fgmres", "bicgstab"}) {
    auto list = with_multigrid();
    list.sublist("solver").set("name", method);
    list.set("Convergence Tolerance", 1e-9);
    list.set("Maximum Iterations", 200);
    Solving s(system, list);
    EXPECT_EQ(s.solver->solve(), Belos::Converged) << method;
    EXPECT_LT(relative_residual(*system.A, *s.x, *s.b), 1.01e-9) << method;
    EXPECT_NEAR(s.solver->achievedTol(), relative_residual(*system.A, *s.x, *s.b), 1e-12) << method;
    EXPECT_FALSE(s.solver->isLOADetected()) << method;
    if (num_processes() > 1) {
      EXPECT_LE(s.solver->getNumIters(), 12) << method;
      continue;
    }
    SolveParameters parameters;
    parameters.preconditioner = PreconditionerKind::amg;
    parameters.solver.tolerance = 1e-9;
    parameters.solver.name = s.tessera().preconditioner()->parameters().solve.solver.name;
    const HostSpace exec;
    Solver<double, HostSpace> own(parameters);
    own.setup(exec, system.problem.A);
    const MultiVector<double, HostSpace> x("x", system.problem.A.num_rows, 1);
    const auto b = s.b->getLocalViewHost(Tpetra::Access::ReadOnly);
    EXPECT_EQ(s.solver->getNumIters(), own.solve(exec, as_multivector(b), x).iterations) << method;
  }
}

/// A K-cycle is another operator for each vector.
TEST(BelosTessera, IsFlexibleAroundAKCycle) {
  const TpetraSystem system(ProblemKind::poisson2d, 120);
  const auto iterations_by = [&](const char* method) {
    auto list = with_multigrid();
    list.set("amg.cycle", "k");
    list.set("gather_rows", 500);
    list.set("solver.name", method);
    Solving s(system, list);
    EXPECT_EQ(s.solver->solve(), Belos::Converged) << method;
    EXPECT_LE(relative_residual(*system.A, *s.x, *s.b), 1.01e-8) << method;
    return s.solver->getNumIters();
  };
  const int open = iterations_by("auto");
  EXPECT_LE(open, 16);
  EXPECT_LT(open, iterations_by("gmres"));
  if (num_processes() > 1) {
    EXPECT_EQ(open, iterations_by("fgmres"));
  }
}

TEST(BelosTessera, TakesProcessesWithoutRows) {
  TpetraSystem system(ProblemKind::poisson2d, 30);
  for (const auto& map : {map_on_last(900), map_with_gaps(900)}) {
    system.map = map;
    system.A = distribute(system.problem.A, map);
    Solving s(system, with_multigrid());
    EXPECT_EQ(s.solver->solve(), Belos::Converged);
    EXPECT_LE(s.solver->getNumIters(), 12);
    EXPECT_LT(relative_residual(*system.A, *s.x, *s.b), 1.1e-8);
  }
}

TEST(BelosTessera, TakesSeveralColumnsAndTheGuess) {
  const TpetraSystem system(ProblemKind::poisson2d, 40);
  auto list = with_multigrid();
  list.set("solver.tolerance", 1e-10);
  Solving s(system, list, 3);
  EXPECT_EQ(s.solver->solve(), Belos::Converged);
  EXPECT_LT(relative_residual(*system.A, *s.x, *s.b), 1.01e-10);
  // From the solution there is nothing left to do.
  EXPECT_EQ(s.solver->solve(), Belos::Converged);
  EXPECT_LE(s.solver->getNumIters(), 1);
}

TEST(BelosTessera, SaysWhereItDoesNotConverge) {
  const TpetraSystem system(ProblemKind::poisson2d, 40);
  auto list = with_multigrid();
  list.set("solver.max_iterations", 2);
  Solving s(system, list);
  EXPECT_EQ(s.solver->solve(), Belos::Unconverged);
  EXPECT_EQ(s.solver->getNumIters(), 2);
  EXPECT_GT(s.solver->achievedTol(), 1e-8);
}

/// On any number of processes how each right-hand side ended is there to be asked.
TEST(BelosTessera, SaysHowEachColumnEnded) {
  const TpetraSystem system(ProblemKind::poisson2d, 40);
  Solving s(system, with_multigrid(), 3);
  EXPECT_EQ(s.solver->solve(), Belos::Converged);
  const SolveResult& result = s.tessera().result();
  EXPECT_EQ(result.status, SolveStatus::converged);
  EXPECT_EQ(result.iterations, s.solver->getNumIters());
  EXPECT_EQ(result.true_relative_residual, s.solver->achievedTol());
  ASSERT_EQ(result.columns.size(), 3U);
  for (const ColumnResult& column : result.columns) {
    EXPECT_EQ(column.status, SolveStatus::converged);
    EXPECT_LE(column.true_relative_residual, 1e-8);
    EXPECT_GT(column.iterations, 0);
  }
}

/// CG is for positive definite matrices: what is left open is GMRES for others.
TEST(BelosTessera, SolvesIndefiniteSystems) {
  TpetraSystem system(ProblemKind::poisson2d, 20);
  const auto negative = distribute(system.problem.A, system.map, -1);
  const auto alternating = Teuchos::rcp(new TpetraMatrix(system.map, 1));
  for (const auto i : system.map->getLocalElementList())
    alternating->insertGlobalValues(i, Teuchos::tuple(i), Teuchos::tuple(i % 2 == 0 ? 1.0 : -1.0));
  alternating->fillComplete();
  auto list = with_multigrid();
  list.set("preconditioner", "jacobi");
  for (const auto& A : {negative, alternating}) {
    system.A = A;
    Solving s(system, list);
    EXPECT_EQ(s.solver->solve(), Belos::Converged);
    EXPECT_LE(relative_residual(*A, *s.x, *s.b), 1.01e-8);
    if (num_processes() == 1) continue;  // of Tessera's own CG others say so
    auto by_cg = list;
    by_cg.set("solver.name", "cg");
    by_cg.set("preconditioner", "none");
    Solving fails(system, by_cg);
    fails.b->putScalar(1);
    EXPECT_EQ(fails.solver->solve(), Belos::Unconverged);
    EXPECT_EQ(fails.tessera().result().status, SolveStatus::breakdown);
  }
}

TEST(BelosTessera, RefusesParametersWithoutAnEffect) {
  if (num_processes() == 1) GTEST_SKIP() << "Tessera's own methods have them";
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  auto list = with_multigrid();
  list.set("solver.cg.flexible", true);
  Solving s(system, list);
  expect_error(error_of([&] { s.solver->solve(); }), ErrorKind::configuration,
               {"'solver.cg.flexible' is 'true'", "fgmres"});
}

TEST(BelosTessera, FollowsTheMatrix) {
  const TpetraSystem system(ProblemKind::poisson2d, 40);
  auto list = with_multigrid();
  list.set("amg.reuse", "symbolic");
  Solving s(system, list);
  s.solver->solve();
  const auto first = s.tessera().preconditioner();
  system.A->resumeFill();
  system.A->scale(3);
  system.A->fillComplete();
  // Kept: solves with the new values under the old preconditioner.
  s.x->putScalar(0);
  s.solver->reset(Belos::Problem);
  EXPECT_EQ(s.solver->solve(), Belos::Converged);
  EXPECT_LT(relative_residual(*system.A, *s.x, *s.b), 1.01e-8);
  // Updated: M of the new values is a third of the old one.
  TpetraVectors old_z(system.map, 1);
  TpetraVectors new_z(system.map, 1);
  const bool applies = num_processes() > 1;  // alone "apply" is a solve, of the new values already
  if (applies) first->apply(*s.b, old_z);
  s.solver->setProblem(s.problem);
  s.x->putScalar(0);
  EXPECT_EQ(s.solver->solve(), Belos::Converged);
  EXPECT_EQ(s.tessera().preconditioner(), first);
  if (applies) {
    s.tessera().preconditioner()->apply(*s.b, new_z);
    new_z.scale(3);
    EXPECT_LT(relative_difference(new_z, old_z), 1e-10);
  }
}

TEST(BelosTessera, CorrectsOnceWhereAskedTo) {
  const TpetraSystem system(ProblemKind::poisson2d, 40);
  auto list = with_multigrid();
  list.set("apply", "preconditioner");
  list.set("precision", "same");
  Solving s(system, list);
  s.x->putScalar(1);
  TpetraVectors expected(*s.b, Teuchos::Copy);
  system.A->apply(*s.x, expected, Teuchos::NO_TRANS, -1, 1);
  EXPECT_EQ(s.solver->solve(), Belos::Unconverged);
  TpetraVectors correction(system.map, 1);
  s.tessera().preconditioner()->apply(expected, correction);
  TpetraVectors one(system.map, 1);
  one.putScalar(1);
  correction.update(1, one, 1);
  EXPECT_LT(relative_difference(*s.x, correction), 1e-14);
  EXPECT_EQ(s.solver->getNumIters(), 1);
}

TEST(BelosTessera, RefusesWrongParameters) {
  const auto refuses = [](const std::string& key, const auto& value,
                          std::initializer_list<std::string> parts) {
    const auto list = Teuchos::parameterList("mine");
    list->set(key, value);
    BelosFactory factory;
    expect_error(error_of([&] { factory.create("TESSERA", list); }), ErrorKind::configuration,
                 parts);
  };
  belos::registerTesseraSolver();
  refuses("Maximum Restarts", 3, {"'mine'", "'Maximum Restarts'"});
  refuses("solver.tolerence", 1e-3, {"did you mean 'solver.tolerance'?"});
  refuses("solver.restart", 30, {"'mine': solver.restart is now solver.gmres.restart"});
  refuses("Verbosity", std::string("high"), {"'Verbosity' must be an int"});
  refuses("Convergence Tolerance", std::string("1e-3"), {"'solver.tolerance'", "\"1e-3\""});
  Teuchos::ParameterList twice("mine");
  twice.set("Maximum Iterations", 3);
  twice.set("solver.max_iterations", 3);
  expect_error(error_of([&] { belos::parameters_from(twice); }), ErrorKind::configuration,
               {"are the same parameter"});
  EXPECT_NO_THROW(belos::parameters_from(belos::valid_parameters()));
  Teuchos::ParameterList blocks("mine");
  blocks.set("Num Blocks", 30);
  EXPECT_EQ(belos::parameters_from(blocks).tessera.solve.solver.gmres.restart, 30);
}

TEST(BelosTessera, RefusesWrongProblems) {
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  SolverManager solver;
  expect_error(error_of([&] { solver.solve(); }), ErrorKind::precondition, {"not set"});
  expect_error(error_of([&] { solver.getProblem(); }), ErrorKind::precondition, {"no problem"});
  Solving s(system, with_multigrid());
  s.problem->setLeftPrec(system.A);
  s.problem->setProblem();
  expect_error(error_of([&] { s.solver->solve(); }), ErrorKind::precondition,
               {"has a preconditioner", system.A->description(), "the solver TESSERA brings"});
}

TEST(BelosTessera, IsCloned) {
  auto list = Teuchos::rcp(new Teuchos::ParameterList(with_multigrid()));
  SolverManager solver;
  solver.setParameters(list);
  const auto copy = solver.clone();
  EXPECT_EQ(copy->getCurrentParameters()->get<std::string>("preconditioner"), "amg");
  EXPECT_NE(copy.get(), &solver);
}

}  // namespace tessera::test::belos_test
