// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// `tessera::tpetra::Operator`: what it applies and solves.
#include "tpetra/operator_cases.hpp"

namespace tessera::test::operator_test {

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
    EXPECT_LT(outcome.residual, 1.1e-8) << name;
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
  TpetraVectors before = applied(*M, *b);
  system->A = Teuchos::null;
  system.reset();
  TpetraVectors after = applied(*M, *b);
  EXPECT_EQ(relative_difference(after, before), 0);
}

TEST(TpetraOperator, AppliesToVectorsOfAnyStride) {
  const TpetraSystem system(ProblemKind::poisson2d, 30);
  const auto M = CreateTesseraPreconditioner(system.A, with_multigrid());
  const auto b = waves(system.map, 5);
  TpetraVectors expected(system.map, 5);
  for (std::size_t j = 0; j < 5; ++j)
    M->apply(*b->getVector(j), *expected.getVectorNonConst(j));

  TpetraVectors all = applied(*M, *b);
  EXPECT_LT(relative_difference(all, expected), 1e-12);

  const Teuchos::Array<std::size_t> odd = Teuchos::tuple<std::size_t>(3, 0, 4);
  const auto uneven = b->subView(odd());
  ASSERT_FALSE(uneven->isConstantStride());
  const auto expected_of_odd = expected.subView(odd());
  TpetraVectors even = applied(*M, *uneven);
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
  TpetraVectors expected = applied(*M, *b);
  M->apply(*b, *b);
  EXPECT_LT(relative_difference(*b, expected), 1e-15);
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
    TpetraVectors before = applied(*M, *b);
    // In place, by Tpetra's own means, then a second matrix.
    scale_in_place(*A, 2);
    ReuseTesseraPreconditioner(A, *M);
    TpetraVectors half = applied(*M, *b);
    half.scale(2);
    EXPECT_LT(relative_difference(half, before), 1e-10) << reuse;
    ReuseTesseraPreconditioner(distribute(system.problem.A, system.map, 4), *M);
    TpetraVectors quarter = applied(*M, *b);
    quarter.scale(4);
    EXPECT_LT(relative_difference(quarter, before), 1e-10) << reuse;
  }
}

}  // namespace tessera::test::operator_test
