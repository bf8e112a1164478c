// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// `tessera::tpetra::Operator` on one process and on several.
#include "tessera/tpetra/preconditioner.hpp"

#include "support/belos_solve.hpp"
#include "support/error_of.hpp"
#include "support/tpetra_system.hpp"
#include "tessera/core/crs_matrix.hpp"

#include <cmath>
#include <limits>

namespace tessera::test {
namespace {

using tpetra::CreateTesseraPreconditioner;
using tpetra::ReuseTesseraPreconditioner;

/// Tessera's own solve of the whole system on this process.
SolveResult own_solve(const TpetraSystem& system, const SolveParameters& parameters = {}) {
  const HostSpace exec;
  const MultiVector<double, HostSpace> b("b", system.problem.A.num_rows, 1);
  const MultiVector<double, HostSpace> x("x", system.problem.A.num_rows, 1);
  for (std::size_t i = 0; i < b.extent(0); ++i)
    b(i, 0) = std::sin(1.0 + 3.7 * static_cast<double>(i));
  Solver<double, HostSpace> solver(parameters);
  solver.setup(exec, system.problem.A);
  return solver.solve(exec, b, x);
}

Teuchos::ParameterList with_multigrid() {
  Teuchos::ParameterList list("test");
  list.set("preconditioner", "amg");
  return list;
}

Teuchos::ParameterList with_block_jacobi() {
  auto list = with_multigrid();
  list.set("distributed", "block_jacobi");
  return list;
}

TEST(TpetraOperator, PreconditionsBelos) {
  const TpetraSystem system(ProblemKind::poisson3d, 24);
  const auto M = CreateTesseraPreconditioner(system.A, with_multigrid());
  const auto b = waves(system.map);
  const auto x = Teuchos::rcp(new TpetraVectors(system.map, 1));
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::amg;
  const SolveResult own = own_solve(system, parameters);
  for (const char* name : {"CG", "GMRES", "BICGSTAB"}) {
    const BelosOutcome outcome = solve_by_belos(name, system.A, M, x, b);
    EXPECT_TRUE(outcome.converged) << name;
    EXPECT_LT(outcome.residual, 1e-7) << name;
    RecordProperty(name, outcome.iterations);
    if (num_processes() == 1) {
      EXPECT_LE(outcome.iterations, own.iterations + 1) << name;
    } else {
      EXPECT_LE(outcome.iterations, 1.2 * own.iterations + 1) << name;
    }
  }
  const BelosOutcome cg = solve_by_belos("CG", system.A, M, x, b);
  if (num_processes() == 1) {
    EXPECT_NEAR(cg.iterations, own.iterations, 1);
  }
  auto in_float = with_multigrid();
  in_float.set("precision", "float");
  const auto rounded = CreateTesseraPreconditioner(system.A, in_float);
  for (const char* name : {"CG", "FLEXIBLE GMRES"}) {
    const BelosOutcome outcome = solve_by_belos(name, system.A, rounded, x, b);
    EXPECT_TRUE(outcome.converged) << name;
    EXPECT_LE(outcome.iterations, cg.iterations + 2) << name;
  }
}

TEST(TpetraOperator, SharesTheArraysOfAWholeMatrix) {
  const TpetraSystem system(ProblemKind::poisson2d, 12);
  const auto M = CreateTesseraPreconditioner(system.A, with_block_jacobi());
  const auto local = system.A->getLocalMatrixDevice();
  const auto& used = M->local_matrix();
  EXPECT_EQ(used.num_rows, static_cast<Ordinal>(system.map->getLocalNumElements()));
  EXPECT_EQ(used.num_cols, used.num_rows);
  const bool shares = num_processes() == 1;
  EXPECT_EQ(used.values.data() == local.values.data(), shares);
  EXPECT_EQ(used.columns.data() == local.graph.entries.data(), shares);
  EXPECT_EQ(static_cast<const void*>(used.offsets.data()) == local.graph.row_map.data(), shares);
}

TEST(TpetraOperator, KeepsTheArraysAlive) {
  auto system = std::make_unique<TpetraSystem>(ProblemKind::poisson2d, 30);
  const auto b = waves(system->map);
  const auto M = CreateTesseraPreconditioner(system->A, with_multigrid());
  TpetraVectors before(system->map, 1);
  M->apply(*b, before);
  system->A = Teuchos::null;
  system.reset();
  TpetraVectors after(b->getMap(), 1);
  M->apply(*b, after);
  EXPECT_EQ(relative_difference(after, before), 0);
}

TEST(TpetraOperator, AppliesToVectorsOfAnyStride) {
  const TpetraSystem system(ProblemKind::poisson2d, 30);
  const auto M = CreateTesseraPreconditioner(system.A, with_multigrid());
  const auto b = waves(system.map, 5);
  TpetraVectors expected(system.map, 5);
  for (std::size_t j = 0; j < 5; ++j)
    M->apply(*b->getVector(j), *expected.getVectorNonConst(j));

  TpetraVectors all(system.map, 5);
  M->apply(*b, all);
  EXPECT_LT(relative_difference(all, expected), 1e-12);

  const Teuchos::Array<std::size_t> odd = Teuchos::tuple<std::size_t>(3, 0, 4);
  const auto uneven = b->subView(odd());
  ASSERT_FALSE(uneven->isConstantStride());
  const auto expected_of_odd = expected.subView(odd());
  TpetraVectors even(system.map, 3);
  M->apply(*uneven, even);
  EXPECT_LT(relative_difference(even, *expected_of_odd), 1e-12);

  TpetraVectors target(system.map, 5);
  target.putScalar(7);
  const auto uneven_target = target.subViewNonConst(odd());
  M->apply(*uneven, *uneven_target);
  EXPECT_LT(relative_difference(*uneven_target, *expected_of_odd), 1e-12);
  for (const std::size_t untouched : {1, 2}) {
    EXPECT_EQ(target.getVector(untouched)->normInf(), 7);
    EXPECT_EQ(target.getVector(untouched)->meanValue(), 7);
  }

  TpetraVectors none(system.map, 0);
  EXPECT_NO_THROW(M->apply(TpetraVectors(system.map, 0), none));
}

TEST(TpetraOperator, FollowsAlphaAndBeta) {
  const TpetraSystem system(ProblemKind::poisson2d, 30);
  const auto M = CreateTesseraPreconditioner(system.A, with_multigrid());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto b = waves(system.map, 2);
  TpetraVectors z(system.map, 2);
  z.putScalar(nan);
  M->apply(*b, z);  // beta = 0 overwrites
  ASSERT_TRUE(std::isfinite(z.getVector(0)->norm2()));

  const auto start = waves(system.map, 2);
  for (const double alpha : {-2.0, 1.0}) {
    for (const double beta : {0.0, 1.0, 0.5}) {
      TpetraVectors y(*start, Teuchos::Copy);
      if (beta == 0) y.putScalar(nan);
      M->apply(*b, y, Teuchos::NO_TRANS, alpha, beta);
      TpetraVectors expected(*start, Teuchos::Copy);
      expected.update(alpha, z, beta);
      EXPECT_LT(relative_difference(y, expected), 1e-13) << alpha << ' ' << beta;
    }
  }
  TpetraVectors broken(system.map, 2);
  broken.putScalar(nan);
  TpetraVectors y(*start, Teuchos::Copy);
  M->apply(broken, y, Teuchos::NO_TRANS, 0, 2);
  TpetraVectors expected(*start, Teuchos::Copy);
  expected.scale(2);
  EXPECT_LT(relative_difference(y, expected), 1e-15);
  M->apply(broken, broken, Teuchos::NO_TRANS, 0, 0);
  EXPECT_EQ(broken.getVector(1)->normInf(), 0);
}

TEST(TpetraOperator, MayOverwriteItsArgument) {
  const TpetraSystem system(ProblemKind::poisson2d, 30);
  const auto M = CreateTesseraPreconditioner(system.A, with_multigrid());
  const auto b = waves(system.map, 2);
  TpetraVectors expected(system.map, 2);
  M->apply(*b, expected);
  M->apply(*b, *b);
  EXPECT_LT(relative_difference(*b, expected), 1e-15);
}

/// Each process's own block and nothing else: what block Jacobi promises.
TEST(TpetraOperator, IsBlockJacobiOnSeveralProcesses) {
  const TpetraSystem system(ProblemKind::poisson2d, 25);
  auto list = with_block_jacobi();
  const auto M = CreateTesseraPreconditioner(system.A, list);
  const auto b = waves(system.map);
  TpetraVectors z(system.map, 1);
  M->apply(*b, z);

  // The rows and columns from `first` on, from the whole matrix.
  const auto& whole = system.problem.A;
  const auto first = static_cast<int>(system.map->getMinGlobalIndex());
  const auto count = static_cast<Ordinal>(system.map->getLocalNumElements());
  std::vector<std::int64_t> offsets{0};
  std::vector<Ordinal> columns;
  std::vector<double> values;
  for (int i = first; i < first + count; ++i) {
    for (int e = whole.offsets(i); e < whole.offsets(i + 1); ++e) {
      const int j = whole.columns(e) - first;
      if (j < 0 || j >= count) continue;
      columns.push_back(j);
      values.push_back(whole.values(e));
    }
    offsets.push_back(static_cast<std::int64_t>(columns.size()));
  }
  const HostSpace exec;
  const kernels::Csr<double, HostSpace, std::int64_t> block{
      count, count, Array<const std::int64_t, HostSpace>(offsets.data(), offsets.size()),
      Array<const Ordinal, HostSpace>(columns.data(), columns.size()),
      Array<double, HostSpace>(values.data(), values.size())};
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::amg;
  parameters.precision = Precision::same;
  Solver<double, HostSpace, std::int64_t> solver(parameters);
  solver.setup(exec, block);
  const MultiVector<double, HostSpace> expected("expected", count, 1);
  solver.preconditioner()->prepare(exec, 1);
  const auto local_b = b->getLocalViewHost(Tpetra::Access::ReadOnly);
  solver.preconditioner()->apply(exec, as_multivector(local_b), expected);
  const auto local_z = z.getLocalViewHost(Tpetra::Access::ReadOnly);
  for (Ordinal i = 0; i < count; ++i)
    ASSERT_NEAR(local_z(i, 0), expected(i, 0), 1e-12 * std::abs(expected(i, 0)) + 1e-12) << i;
  EXPECT_EQ(M->description().find("block_jacobi") != std::string::npos, num_processes() > 1);
}

/// Levels spread over the processes take about as many iterations as those of one process do.
TEST(TpetraOperator, SpreadsItsLevelsOverTheProcesses) {
  struct Case {
    ProblemKind kind;
    int n;
  };
  for (const Case& c : {Case{ProblemKind::poisson2d, 120}, Case{ProblemKind::poisson3d, 28},
                        Case{ProblemKind::poisson3d27, 24}, Case{ProblemKind::elasticity2d, 40},
                        Case{ProblemKind::elasticity3d, 9}, Case{ProblemKind::neumann2d, 60}}) {
    const TpetraSystem system(c.kind, c.n);
    auto list = with_multigrid();
    list.set("gather_rows", 300);
    if (system.problem.block_size > 1)
      list.sublist("user data")
          .set("Nullspace", distribute(system.problem.near_nullspace, system.map));
    const auto M = CreateTesseraPreconditioner(system.A, list);
    const auto b = Teuchos::rcp(new TpetraVectors(system.map, 1));
    system.A->apply(*waves(system.map), *b);  // in the range of singular ones, too
    const auto x = Teuchos::rcp(new TpetraVectors(system.map, 1));
    const BelosOutcome outcome = solve_by_belos("CG", system.A, M, x, b);
    EXPECT_TRUE(outcome.converged) << to_string(c.kind);

    SolveParameters parameters;
    parameters.preconditioner = PreconditionerKind::amg;
    parameters.precision = Precision::same;
    const HostSpace exec;
    Solver<double, HostSpace> own(parameters);
    if (system.problem.block_size > 1) {
      own.setup(exec, system.problem.A, system.problem.near_nullspace, system.problem.block_size);
    } else {
      own.setup(exec, system.problem.A);
    }
    const MultiVector<double, HostSpace> waves_here("waves", system.problem.A.num_rows, 1);
    for (std::size_t i = 0; i < waves_here.extent(0); ++i)
      waves_here(i, 0) = std::sin(1.0 + 3.7 * static_cast<double>(i));
    const MultiVector<double, HostSpace> b_here("b", system.problem.A.num_rows, 1);
    CrsMatrix<double, HostSpace>(exec, system.problem.A).apply(exec, 1, waves_here, 0, b_here);
    const MultiVector<double, HostSpace> x_here("x", system.problem.A.num_rows, 1);
    const int alone = own.solve(exec, b_here, x_here).iterations;
    EXPECT_LE(outcome.iterations, 1.2 * alone + 1)
        << to_string(c.kind) << ": " << alone << " alone";
    if (num_processes() > 1) {
      EXPECT_NE(M->description().find("distributed=multigrid"), std::string::npos);
      std::ostringstream text;
      Teuchos::FancyOStream out(Teuchos::rcpFromRef(text));
      M->describe(out);
      EXPECT_NE(text.str().find("level 1 of all processes"), std::string::npos) << text.str();
    }
  }
}

TEST(TpetraOperator, RefusesWhatSpreadLevelsDoNotHave) {
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  const auto error_with = [&](const char* key, const char* value) {
    auto list = with_multigrid();
    list.set(key, value);
    return error_of([&] { CreateTesseraPreconditioner(system.A, list); });
  };
  for (const auto& error : {error_with("amg.smoother.type", "spai0"), error_with("amg.cycle", "k"),
                            error_with("amg.levels.0.smoother.type", "jacobi")}) {
    if (num_processes() == 1) {
      EXPECT_FALSE(error.has_value());
    } else {
      expect_error(error, ErrorKind::configuration, {"on several processes", "block_jacobi"});
    }
  }
}

TEST(TpetraOperator, RefusesSeveralProcessesWhereAskedTo) {
  const TpetraSystem system(ProblemKind::poisson2d, 10);
  Teuchos::ParameterList list("test");
  list.set("distributed", "refuse");
  const auto error = error_of([&] { CreateTesseraPreconditioner(system.A, list); });
  if (num_processes() == 1) {
    EXPECT_FALSE(error.has_value());
  } else {
    expect_error(error, ErrorKind::configuration,
                 {std::to_string(num_processes()) + " processes", "refuse"});
  }
}

TEST(TpetraOperator, SolvesOnOneProcess) {
  const TpetraSystem system(ProblemKind::poisson3d, 16);
  Teuchos::ParameterList list("test");
  list.set("apply", "solve");
  list.set("preconditioner", "amg");
  list.sublist("solver").set("tolerance", 1e-10);
  if (num_processes() > 1) {
    expect_error(error_of([&] { CreateTesseraPreconditioner(system.A, list); }),
                 ErrorKind::configuration, {"'apply' is 'solve'", "one process"});
    return;
  }
  const auto inverse = CreateTesseraPreconditioner(system.A, list);
  const auto b = waves(system.map, 2);
  TpetraVectors x(system.map, 2);
  x.putScalar(std::numeric_limits<double>::quiet_NaN());
  inverse->apply(*b, x);
  EXPECT_TRUE(inverse->last_result().converged());
  EXPECT_LT(relative_residual(*system.A, x, *b), 1e-10);
  TpetraVectors transposed(system.map, 2);
  inverse->apply(*b, transposed, Teuchos::TRANS);
  EXPECT_LT(relative_difference(transposed, x), 1e-9);
}

TEST(TpetraOperator, SolvesFromAGuess) {
  const TpetraSystem system(ProblemKind::poisson2d, 40);
  const auto M = CreateTesseraPreconditioner(system.A, with_multigrid());
  const auto b = waves(system.map, 3);
  TpetraVectors x(system.map, 3);
  if (num_processes() > 1) {
    expect_error(error_of([&] { M->solve(*b, x); }), ErrorKind::precondition, {"one process"});
    return;
  }
  EXPECT_TRUE(M->solve(*b, x).converged());
  EXPECT_LT(relative_residual(*system.A, x, *b), 1e-8);
  EXPECT_EQ(M->solve(*b, x).iterations, 0);
  // Columns of others, which are copied, start from what they hold as well.
  const Teuchos::Array<std::size_t> odd = Teuchos::tuple<std::size_t>(2, 0);
  EXPECT_EQ(M->solve(*b->subView(odd()), *x.subViewNonConst(odd())).iterations, 0);
  x.putScalar(0);
  EXPECT_TRUE(M->solve(*b->subView(odd()), *x.subViewNonConst(odd())).converged());
  EXPECT_LT(relative_residual(*system.A, *x.subView(odd()), *b->subView(odd())), 1e-8);
  int seen = 0;
  M->set_logger([&](const IterationInfo&) { return ++seen < 3; });
  x.putScalar(0);
  EXPECT_EQ(M->solve(*b, x).status, SolveStatus::interrupted);
}

TEST(TpetraOperator, HasATransposeWhereItIsSymmetric) {
  const TpetraSystem system(ProblemKind::poisson2d, 40);
  auto list = with_multigrid();
  for (const char* smoother : {"jacobi", "chebyshev", "spai0"}) {
    list.set("amg.smoother.type", smoother);
    list.set("distributed", smoother == std::string("spai0") ? "block_jacobi" : "multigrid");
    list.set("gather_rows", 200);
    list.set("amg.cycle", smoother == std::string("chebyshev") ? "w" : "v");
    const auto M = CreateTesseraPreconditioner(system.A, list);
    ASSERT_TRUE(M->hasTransposeApply()) << smoother;
    const auto x = waves(system.map);
    const auto y = Teuchos::rcp(new TpetraVectors(system.map, 1));
    system.A->apply(*x, *y);
    TpetraVectors Mx(system.map, 1);
    TpetraVectors My(system.map, 1);
    M->apply(*x, Mx, Teuchos::TRANS);
    M->apply(*y, My);
    const double one = Mx.getVector(0)->dot(*y->getVector(0));
    const double other = My.getVector(0)->dot(*x->getVector(0));
    EXPECT_NEAR(one, other, 1e-10 * std::abs(one)) << smoother;
  }
}

TEST(TpetraOperator, RefusesTheTransposeElsewhere) {
  const TpetraSystem flow(ProblemKind::convdiff2d, 30);
  const TpetraSystem poisson(ProblemKind::poisson2d, 40);
  auto k_cycle = with_block_jacobi();
  k_cycle.set("amg.cycle", "k");
  for (const auto& M : {CreateTesseraPreconditioner(flow.A, with_multigrid()),
                        CreateTesseraPreconditioner(poisson.A, k_cycle)}) {
    EXPECT_FALSE(M->hasTransposeApply());
    const auto x = waves(M->getDomainMap());
    TpetraVectors y(M->getDomainMap(), 1);
    expect_error(error_of([&] { M->apply(*x, y, Teuchos::TRANS); }), ErrorKind::precondition,
                 {"transpose", "symmetric", "amg"});
  }
}

TEST(TpetraOperator, TakesNewValues) {
  const TpetraSystem system(ProblemKind::poisson3d, 16);
  const auto b = waves(system.map);
  for (const char* reuse : {"none", "symbolic", "interpolation"}) {
    auto list = with_multigrid();
    list.set("amg.reuse", reuse);
    const auto A = distribute(system.problem.A, system.map);
    const auto M = CreateTesseraPreconditioner(A, list);
    TpetraVectors before(system.map, 1);
    M->apply(*b, before);
    // In place, by Tpetra's own means, then a second matrix.
    A->resumeFill();
    A->scale(2);
    A->fillComplete();
    ReuseTesseraPreconditioner(A, *M);
    TpetraVectors half(system.map, 1);
    M->apply(*b, half);
    half.scale(2);
    EXPECT_LT(relative_difference(half, before), 1e-10) << reuse;
    ReuseTesseraPreconditioner(distribute(system.problem.A, system.map, 4), *M);
    TpetraVectors quarter(system.map, 1);
    M->apply(*b, quarter);
    quarter.scale(4);
    EXPECT_LT(relative_difference(quarter, before), 1e-10) << reuse;
  }
}

TEST(TpetraOperator, RefusesAnotherPatternOrMap) {
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  const TpetraSystem other(ProblemKind::poisson2d9, 20);
  const TpetraSystem larger(ProblemKind::poisson2d, 21);
  const auto M = CreateTesseraPreconditioner(system.A, with_block_jacobi());
  expect_error(error_of([&] { ReuseTesseraPreconditioner(larger.A, *M); }), ErrorKind::precondition,
               {"row map", "441 against 400"});
  EXPECT_TRUE(error_of([&] { ReuseTesseraPreconditioner(other.A, *M); }).has_value());
}

TEST(TpetraOperator, TakesANearNullspaceAndCoordinates) {
  const TpetraSystem system(ProblemKind::elasticity3d, 14);
  ASSERT_EQ(system.problem.block_size, 3);
  const auto b = waves(system.map);
  const auto x = Teuchos::rcp(new TpetraVectors(system.map, 1));
  auto list = with_multigrid();
  list.set("block_size", 3);
  const int without =
      solve_by_belos("CG", system.A, CreateTesseraPreconditioner(system.A, list), x, b).iterations;

  auto modes = list;
  modes.sublist("user data")
      .set("Nullspace", distribute(system.problem.near_nullspace, system.map));
  const auto M = CreateTesseraPreconditioner(system.A, modes);
  const int with_modes = solve_by_belos("CG", system.A, M, x, b).iterations;
  if (num_processes() == 1) {
    EXPECT_LT(with_modes, without);
  } else {
    EXPECT_LE(with_modes, without);
  }

  const auto nodes = contiguous_map(system.problem.A.num_rows / 3);
  auto places = with_multigrid();
  places.set("rigid_body_modes", true);
  const Teuchos::RCP<const TpetraVectors> coordinates =
      distribute(system.problem.coordinates, nodes);
  places.sublist("user data").set("Coordinates", coordinates);
  const auto by_places = CreateTesseraPreconditioner(system.A, places);
  const int with_places = solve_by_belos("CG", system.A, by_places, x, b).iterations;
  EXPECT_LE(std::abs(with_places - with_modes), 1);
}

TEST(TpetraOperator, RefusesWrongUserData) {
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  const auto create = [&](const char* name, const auto& value, bool modes = false) {
    return error_of([&] {
      Teuchos::ParameterList list("test");
      list.set("rigid_body_modes", modes);
      list.sublist("user data").set(name, value);
      CreateTesseraPreconditioner(system.A, list);
    });
  };
  const auto vectors = waves(system.map);
  const auto shorter = waves(contiguous_map(399));
  expect_error(create("Nulspace", vectors), ErrorKind::configuration,
               {"unknown user data 'Nulspace'", "did you mean 'Nullspace'?"});
  expect_error(create("Material", vectors), ErrorKind::configuration,
               {"'Material'", "Nullspace, Coordinates"});
  expect_error(create("Nullspace", shorter), ErrorKind::precondition,
               {"'Nullspace'", "399 against 400"});
  expect_error(create("Nullspace", 3), ErrorKind::configuration,
               {"has the type int", "MultiVector"});
  expect_error(create("Nullspace", Teuchos::RCP<TpetraVectors>()), ErrorKind::configuration,
               {"null"});
  expect_error(create("Nullspace", vectors, true), ErrorKind::configuration, {"one of them"});
  expect_error(create("Coordinates", vectors, true), ErrorKind::precondition, {"1 columns"});
  expect_error(create("Coordinates", waves(system.map, 2), true), ErrorKind::precondition,
               {"on this process", "2 unknowns"});
  Teuchos::ParameterList list("test");
  list.set("rigid_body_modes", true);
  expect_error(error_of([&] { CreateTesseraPreconditioner(system.A, list); }),
               ErrorKind::configuration, {"needs user data 'Coordinates'"});
}

TEST(TpetraOperator, RefusesWrongMatricesAndVectors) {
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  const TpetraSystem other(ProblemKind::poisson2d, 10);
  expect_error(error_of([] { CreateTesseraPreconditioner(Teuchos::RCP<TpetraMatrix>()); }),
               ErrorKind::precondition, {"null"});
  const auto filling = Teuchos::rcp(new TpetraMatrix(system.map, 1));
  expect_error(error_of([&] { CreateTesseraPreconditioner(filling); }), ErrorKind::precondition,
               {"fillComplete"});
  const auto wide = Teuchos::rcp(new TpetraMatrix(system.map, 1));
  wide->fillComplete(other.map, system.map);
  expect_error(error_of([&] { CreateTesseraPreconditioner(wide); }), ErrorKind::precondition,
               {"domain map", "100 against 400"});
  const auto M = CreateTesseraPreconditioner(system.A, with_multigrid());
  const Teuchos::RCP<const TpetraOperator> no_matrix = M;
  expect_error(error_of([&] { CreateTesseraPreconditioner(no_matrix); }), ErrorKind::precondition,
               {"must be a Tpetra::CrsMatrix", "tessera::tpetra::Operator"});
  const auto x = waves(system.map, 2);
  TpetraVectors y(system.map, 1);
  TpetraVectors z(other.map, 2);
  expect_error(error_of([&] { M->apply(*x, y); }), ErrorKind::precondition,
               {"X has 2 columns, Y has 1"});
  expect_error(error_of([&] { M->apply(*x, z); }), ErrorKind::precondition,
               {"Y is over another map", "100 against 400"});
}

/// What goes wrong on one process is an error on all of them, and none waits for another.
TEST(TpetraOperator, FailsOnAllProcessesTogether) {
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  const auto A = distribute(system.problem.A, system.map);
  const int last = num_processes() - 1;
  if (process() == last)
    A->getLocalMatrixHost().values(0) = std::numeric_limits<double>::quiet_NaN();
  for (const int gather_rows : {10, 10000}) {
    auto list = with_multigrid();
    list.set("gather_rows", gather_rows);
    expect_error(error_of([&] { CreateTesseraPreconditioner(A, list); }), ErrorKind::bad_input,
                 {"NaN"});
  }
  const auto error = error_of([&] { CreateTesseraPreconditioner(A, with_block_jacobi()); });
  expect_error(error, ErrorKind::bad_input, {"NaN"});
  if (num_processes() > 1)
    expect_error(error, ErrorKind::bad_input, {"on process " + std::to_string(last) + " of"});
}

/// All rows on the last process, none on the others.
TEST(TpetraOperator, BearsProcessesWithoutRows) {
  const TpetraSystem system(ProblemKind::poisson2d, 30);
  const bool is_last = process() == num_processes() - 1;
  const Teuchos::RCP<const TpetraMap> map = Teuchos::rcp(new TpetraMap(
      Tpetra::global_size_t(900), is_last ? std::size_t(900) : 0, 0, Tpetra::getDefaultComm()));
  const auto A = distribute(system.problem.A, map);
  const auto M = CreateTesseraPreconditioner(A, with_multigrid());
  EXPECT_TRUE(M->hasTransposeApply());
  const auto x = Teuchos::rcp(new TpetraVectors(map, 1));
  const BelosOutcome outcome = solve_by_belos("CG", A, M, x, waves(map));
  EXPECT_TRUE(outcome.converged);
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::amg;
  EXPECT_NEAR(outcome.iterations, own_solve(system, parameters).iterations, 1);
  ReuseTesseraPreconditioner(A, *M);
  std::ostringstream text;
  Teuchos::FancyOStream out(Teuchos::rcpFromRef(text));
  M->describe(out);
  EXPECT_NE(text.str().find(num_processes() > 1 ? "900 unknowns" : "level 0: 900"),
            std::string::npos)
      << text.str();
}

/// Columns in another order than the rows: the numbers differ, and the arrays cannot be shared.
TEST(TpetraOperator, BearsColumnsInAnotherOrder) {
  const TpetraSystem system(ProblemKind::anisotropic2d, 20);
  const auto old_columns = system.A->getColMap();
  std::vector<TpetraOrdinal> numbers;
  for (std::size_t j = old_columns->getLocalNumElements(); j-- > 0;)
    numbers.push_back(old_columns->getGlobalElement(static_cast<int>(j)));
  const Teuchos::RCP<const TpetraMap> columns = Teuchos::rcp(
      new TpetraMap(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                    Teuchos::arrayViewFromVector(numbers), 0, Tpetra::getDefaultComm()));
  const auto A = Teuchos::rcp(new TpetraMatrix(system.map, columns, 9));
  const auto& whole = system.problem.A;
  for (std::size_t k = 0; k < system.map->getLocalNumElements(); ++k) {
    const auto i = system.map->getGlobalElement(static_cast<int>(k));
    for (int e = whole.offsets(i); e < whole.offsets(i + 1); ++e)
      A->insertGlobalValues(i, Teuchos::tuple<TpetraOrdinal>(whole.columns(e)),
                            Teuchos::tuple(whole.values(e)));
  }
  A->fillComplete();
  ASSERT_FALSE(A->getColMap()->isSameAs(*old_columns));
  auto list = with_multigrid();
  const auto M = CreateTesseraPreconditioner(A, list);
  const auto expected = CreateTesseraPreconditioner(system.A, list);
  EXPECT_NE(M->local_matrix().values.data(), A->getLocalMatrixDevice().values.data());
  const auto b = waves(system.map);
  TpetraVectors z(system.map, 1);
  TpetraVectors z_expected(system.map, 1);
  M->apply(*b, z);
  expected->apply(*b, z_expected);
  EXPECT_LT(relative_difference(z, z_expected), 1e-8);
}

}  // namespace
}  // namespace tessera::test
