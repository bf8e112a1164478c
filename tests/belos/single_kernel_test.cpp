// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CG and BiCGSTAB in one kernel by name in Belos.
#include "belos/belos_cases.hpp"

namespace tessera::test::single_kernel_test {

using belos::SolverKind;
using belos::SolverManager;

const std::string cg = "TESSERA SINGLE KERNEL CG";
const std::string bicgstab = "TESSERA SINGLE KERNEL BICGSTAB";

Teuchos::ParameterList with(const std::string& preconditioner) {
  Teuchos::ParameterList list("mine");
  list.set("preconditioner", preconditioner);
  return list;
}

TEST(BelosSingleKernel, IsMadeByName) {
  belos::registerTesseraSolver();
  BelosFactory factory;
  const auto names = factory.supportedSolverNames();
  for (const auto& [name, kind] : {std::pair(cg, SolverKind::single_kernel_cg),
                                   std::pair(bicgstab, SolverKind::single_kernel_bicgstab)}) {
    EXPECT_TRUE(factory.isSupported(name));
    EXPECT_FALSE(factory.isSupported(name + "S"));
    EXPECT_EQ(std::ranges::count(names, name), 1);
    const auto made = factory.create(name, Teuchos::null);
    ASSERT_NE(dynamic_cast<SolverManager*>(made.get()), nullptr);
    EXPECT_EQ(dynamic_cast<SolverManager&>(*made).kind(), kind);
    const auto copy = made->clone();
    EXPECT_EQ(dynamic_cast<SolverManager&>(*copy).kind(), kind);
    EXPECT_NE(copy->description().find(name), std::string::npos) << copy->description();
  }
  EXPECT_NE(dynamic_cast<SolverManager*>(
                factory.create("Tessera Single Kernel BiCGStab", Teuchos::null).get()),
            nullptr);
  // Belos's own are still there.
  EXPECT_EQ(dynamic_cast<SolverManager*>(factory.create("BICGSTAB", Teuchos::null).get()), nullptr);
}

/// The same solve as by launches, with each preconditioner that the kernel holds.
TEST(BelosSingleKernel, SolvesAsLaunchesDo) {
  struct Case {
    std::string name;
    const char* method;
    ProblemKind problem;
    int n;
  };
  for (const Case& c :
       {Case{cg, "cg", ProblemKind::poisson3d, 16}, Case{cg, "cg", ProblemKind::poisson2d, 40},
        Case{bicgstab, "bicgstab", ProblemKind::poisson2d, 30},
        Case{bicgstab, "bicgstab", ProblemKind::convdiff2d, 40}}) {
    const TpetraSystem system = TpetraSystem(c.problem, c.n).alone();
    for (const char* preconditioner : {"none", "jacobi", "block_jacobi", "ilu", "amg"}) {
      SCOPED_TRACE(c.name + " with " + preconditioner);
      auto list = with(preconditioner);
      list.set("Maximum Iterations", 2000);
      // Launches on a host smooth a flow with incomplete factors otherwise.
      list.sublist("amg").sublist("smoother").set("type", "jacobi");
      Solving one(system, list, 1, c.name);
      list.sublist("solver").set("name", c.method).set("single_kernel", "off");
      Solving many(system, list);
      EXPECT_EQ(one.solver->solve(), Belos::Converged);
      EXPECT_EQ(many.solver->solve(), Belos::Converged);
      EXPECT_TRUE(one.tessera().result().in_one_kernel);
      EXPECT_FALSE(many.tessera().result().in_one_kernel);
      // BiCGSTAB's last steps go by rounding where it takes many.
      const bool is_long = c.name == bicgstab && many.solver->getNumIters() > 50;
      EXPECT_NEAR(one.solver->getNumIters(), many.solver->getNumIters(), is_long ? 12 : 3);
      EXPECT_LT(relative_residual(*system.A, *one.x, *one.b), 1.01e-8);
      EXPECT_NEAR(one.solver->achievedTol(), relative_residual(*system.A, *one.x, *one.b), 1e-12);
      EXPECT_LT(relative_difference(*one.x, *many.x), 1e-4);
      EXPECT_NE(one.solver->description().find("the last solve in one kernel"), std::string::npos);
    }
  }
}

TEST(BelosSingleKernel, TakesEachColumnAndTheGuess) {
  const TpetraSystem system = TpetraSystem(ProblemKind::poisson2d, 30).alone();
  Solving s(system, with("jacobi"), 3, cg);
  EXPECT_EQ(s.solver->solve(), Belos::Converged);
  EXPECT_LT(relative_residual(*system.A, *s.x, *s.b), 1.01e-8);
  const SolveResult& all = s.tessera().result();
  EXPECT_TRUE(all.in_one_kernel);
  ASSERT_EQ(all.columns.size(), 3);
  int most = 0;
  for (const ColumnResult& column : all.columns) {
    EXPECT_GT(column.iterations, 0);
    most = std::max(most, column.iterations);
  }
  EXPECT_EQ(s.solver->getNumIters(), most);
  EXPECT_EQ(all.residual_history.size(), static_cast<std::size_t>(most) + 1);
  // From the solution there is nothing left to do.
  EXPECT_EQ(s.solver->solve(), Belos::Converged);
  EXPECT_LE(s.solver->getNumIters(), 1);
  // One column more that has no solution within the limit makes the whole unconverged.
  auto limited = with("jacobi");
  limited.set("Maximum Iterations", 4);
  Solving short_of(system, limited, 2, cg);
  EXPECT_EQ(short_of.solver->solve(), Belos::Unconverged);
  EXPECT_EQ(short_of.solver->getNumIters(), 4);
  EXPECT_GT(short_of.solver->achievedTol(), 1e-8);
  EXPECT_TRUE(short_of.tessera().result().in_one_kernel);
}

TEST(BelosSingleKernel, FollowsTheMatrix) {
  const TpetraSystem system = TpetraSystem(ProblemKind::poisson2d, 40).alone();
  auto list = with("amg");
  list.set("amg.reuse", "symbolic");
  Solving s(system, list, 1, cg);
  EXPECT_EQ(s.solver->solve(), Belos::Converged);
  const auto first = s.tessera().preconditioner();
  const int iterations = s.solver->getNumIters();
  system.A->resumeFill();
  system.A->scale(3);
  system.A->fillComplete();
  s.solver->setProblem(s.problem);
  s.x->putScalar(0);
  EXPECT_EQ(s.solver->solve(), Belos::Converged);
  EXPECT_EQ(s.tessera().preconditioner(), first);
  EXPECT_TRUE(s.tessera().result().in_one_kernel);
  EXPECT_EQ(s.solver->getNumIters(), iterations);
  EXPECT_LT(relative_residual(*system.A, *s.x, *s.b), 1.01e-8);
}

/// Lines come after the solve: to print them as they go would take launches.
TEST(BelosSingleKernel, PrintsItsIterations) {
  const TpetraSystem system = TpetraSystem(ProblemKind::poisson2d, 10).alone();
  auto list = with("none");
  list.set("Verbosity", static_cast<int>(Belos::StatusTestDetails));
  list.set("Output Frequency", 5);
  Solving s(system, list, 1, cg);
  testing::internal::CaptureStdout();
  s.solver->solve();
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_TRUE(s.tessera().result().in_one_kernel);
  EXPECT_NE(text.find("Iter 0, relative residual 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Iter 5, "), std::string::npos) << text;
  EXPECT_EQ(text.find("Iter 6, "), std::string::npos) << text;
}

TEST(BelosSingleKernel, HasValidParameters) {
  for (const auto kind : {SolverKind::single_kernel_cg, SolverKind::single_kernel_bicgstab}) {
    const bool is_cg = kind == SolverKind::single_kernel_cg;
    const auto valid = SolverManager(kind).getValidParameters();
    EXPECT_EQ(valid->get<std::string>("preconditioner"), "none");
    EXPECT_EQ(valid->sublist("solver").get<std::string>("name"), is_cg ? "cg" : "bicgstab");
    EXPECT_EQ(valid->sublist("solver").get<std::string>("single_kernel"), "on");
    EXPECT_NO_THROW(belos::parameters_from(*valid, kind));
    Teuchos::ParameterList given("mine");
    given.set("preconditioner", "ilu");
    EXPECT_NO_THROW(given.validateParameters(*valid));
    given.set("preconditioner", "direct");
    EXPECT_THROW(given.validateParameters(*valid), std::exception);
    Teuchos::ParameterList other("mine");
    other.sublist("solver").set("name", is_cg ? "bicgstab" : "cg");
    EXPECT_THROW(other.validateParameters(*valid), std::exception);
  }
}

TEST(BelosSingleKernel, RefusesWrongParameters) {
  belos::registerTesseraSolver();
  const auto refuses = [](const std::string& name, const std::string& key, const std::string& value,
                          std::initializer_list<std::string> parts) {
    const auto list = Teuchos::parameterList("mine");
    list->set(key, value);
    BelosFactory factory;
    expect_error(error_of([&] { factory.create(name, list); }), ErrorKind::configuration, parts);
  };
  refuses(cg, "solver.name", "gmres", {"'mine'", "'solver.name' is 'gmres'", cg, "it takes: cg"});
  refuses(bicgstab, "solver.name", "cg", {"'cg'", bicgstab, "it takes: bicgstab"});
  refuses(cg, "preconditioner", "direct",
          {"'preconditioner' is 'direct'", "none, jacobi, block_jacobi, ilu, amg"});
  refuses(cg, "preconditioner", "auto", {"'preconditioner' is 'auto'"});
  refuses(cg, "apply", "preconditioner", {"'apply' is 'preconditioner'", "it takes: solve"});
  refuses(cg, "solver.single_kernel", "off", {"'solver.single_kernel' is 'off'"});
  refuses(cg, "solver.residual", "true", {"'solver.residual' is 'true'"});
  refuses(bicgstab, "solver.side", "left", {"'solver.side' is 'left'"});
  refuses(cg, "solver.nullspace", "constant", {"'solver.nullspace' is 'constant'"});
  refuses(cg, "solver.tolerence", "1", {"did you mean 'solver.tolerance'?"});
}

/// What only the matrix shows.
TEST(BelosSingleKernel, RefusesWhatSetupFinds) {
  const auto error_with = [](ProblemKind kind, const Teuchos::ParameterList& list,
                             const std::string& name) {
    Solving s(TpetraSystem(kind, 20).alone(), list, 1, name);
    return error_of([&] { s.solver->solve(); });
  };
  auto list = with("amg");
  list.set("amg.cycle", "k");
  expect_error(error_with(ProblemKind::poisson2d, list, cg), ErrorKind::configuration,
               {cg, "cannot be one kernel here: "});
  expect_error(error_with(ProblemKind::neumann2d, with("jacobi"), bicgstab),
               ErrorKind::configuration, {bicgstab, "a nullspace is projected out"});
  list = with("ilu");
  list.set("solver.tiles", "fixed");
  expect_error(error_with(ProblemKind::poisson2d, list, cg), ErrorKind::configuration,
               {cg, "solver.tiles takes preconditioner none or jacobi"});
  const TpetraSystem system = TpetraSystem(ProblemKind::poisson2d, 20).alone();
  Solving s(system, with("none"), 1, cg);
  s.problem->setRightPrec(system.A);
  s.problem->setProblem();
  expect_error(
      error_of([&] { s.solver->solve(); }), ErrorKind::precondition,
      {"has a preconditioner", system.A->description(), "the solver " + cg, "'preconditioner'"});
}

/// A matrix that is distributed has no kernel that sees all of it.
TEST(BelosSingleKernel, IsForOneProcess) {
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  const auto error = error_of([&] { Solving s(system, with("jacobi"), 1, bicgstab); });
  if (num_processes() == 1) {
    EXPECT_FALSE(error.has_value()) << error->what();
    return;
  }
  expect_error(
      error, ErrorKind::configuration,
      {bicgstab, "the matrix of 400 rows is distributed over " + std::to_string(num_processes()),
       "take TESSERA"});
}

}  // namespace tessera::test::single_kernel_test
