// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// `tessera::tpetra::Operator` on several processes.
#include "tpetra/operator_cases.hpp"

namespace tessera::test::distributed_operator_test {

/// Each process's own block and nothing else: what block Jacobi promises.
TEST(DistributedTpetraOperator, IsBlockJacobiOnSeveralProcesses) {
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

/// Levels distributed over the processes take about as many iterations as those of one process do.
TEST(DistributedTpetraOperator, DistributesItsLevelsOverTheProcesses) {
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

TEST(DistributedTpetraOperator, RefusesWhatDistributedLevelsDoNotHave) {
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  for (const auto& [key, value] :
       {std::pair("amg.cycle", "k"), std::pair("amg.coarsening", "pairwise")}) {
    auto list = with_multigrid();
    list.set(key, std::string(value));
    const auto error = error_of([&] { CreateTesseraPreconditioner(system.A, list); });
    if (num_processes() == 1) {
      EXPECT_FALSE(error.has_value());
    } else {
      expect_error(error, ErrorKind::configuration, {"on several processes", key, "block_jacobi"});
    }
  }
}

TEST(DistributedTpetraOperator, RefusesSeveralProcessesWhereAskedTo) {
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

/// What goes wrong on one process is an error on all of them, and none waits for another.
TEST(DistributedTpetraOperator, FailsOnAllProcessesTogether) {
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

TEST(DistributedTpetraOperator, BearsProcessesWithoutRows) {
  const TpetraSystem system(ProblemKind::poisson2d, 30);
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::amg;
  const int alone = own_solve(system, parameters).iterations;
  for (const auto& map : {map_on_last(900), map_with_gaps(900)}) {
    const auto A = distribute(system.problem.A, map);
    const auto M = CreateTesseraPreconditioner(A, with_multigrid());
    EXPECT_TRUE(M->hasTransposeApply());
    const auto x = Teuchos::rcp(new TpetraVectors(map, 1));
    const BelosOutcome outcome = solve_by_belos("CG", A, M, x, waves(map));
    EXPECT_TRUE(outcome.converged);
    EXPECT_NEAR(outcome.iterations, alone, 1);
    ReuseTesseraPreconditioner(A, *M);
    std::ostringstream text;
    Teuchos::FancyOStream out(Teuchos::rcpFromRef(text));
    M->describe(out);
    EXPECT_NE(text.str().find(num_processes() > 1 ? "900 unknowns" : "level 0: 900"),
              std::string::npos)
        << text.str();
  }
}

/// Columns in another order than the rows: the numbers differ, and the arrays cannot be shared.
TEST(DistributedTpetraOperator, BearsColumnsInAnotherOrder) {
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

}  // namespace tessera::test::distributed_operator_test
