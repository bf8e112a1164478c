// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// `tessera::tpetra::Operator` on several processes.
#include "support/device.hpp"
#include "tpetra/operator_cases.hpp"

namespace tessera::test::distributed_operator_test {

/// Each process's own block and nothing else: what block Jacobi promises.
TEST(DistributedTpetraOperator, IsBlockJacobiOnSeveralProcesses) {
  const TpetraSystem system(ProblemKind::poisson2d, 25);
  auto list = with_block_jacobi();
  const auto M = CreateTesseraPreconditioner(system.A, list);
  const auto b = waves(system.map);
  TpetraVectors z = applied(*M, *b);

  // The rows and columns from `first` on, from the whole matrix.
  const auto& whole = system.problem.A;
  const auto first = static_cast<int>(system.map->getMinGlobalIndex());
  const auto count = static_cast<Ordinal>(system.map->getLocalNumElements());
  const HostSpace exec;
  const auto block = make_csr<std::int64_t>(
      exec, by_rows<double>(count, count, [&](auto& A, int row) {
        for (int e = whole.offsets(first + row); e < whole.offsets(first + row + 1); ++e) {
          const int j = whole.columns(e) - first;
          if (j >= 0 && j < count) A.push(j, whole.values(e));
        }
      }));
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

TEST(DistributedTpetraOperator, TakesTheCyclesAndCoarseningsOfOneProcess) {
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  auto list = with_multigrid();
  for (const char* cycle : {"w", "k"}) {
    list.set("amg.cycle", std::string(cycle));
    for (const char* coarsening : {"smoothed_aggregation", "pairwise", "classical"}) {
      list.set("amg.coarsening", std::string(coarsening));
      EXPECT_FALSE(error_of([&] { CreateTesseraPreconditioner(system.A, list); }).has_value());
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
    auto list = with_multigrid(gather_rows);
    expect_error(error_of([&] { CreateTesseraPreconditioner(A, list); }), ErrorKind::bad_input,
                 {"NaN"});
  }
  const auto error = error_of([&] { CreateTesseraPreconditioner(A, with_block_jacobi()); });
  expect_error(error, ErrorKind::bad_input, {"NaN"});
  if (num_processes() > 1)
    expect_error(error, ErrorKind::bad_input, {"on process " + std::to_string(last) + " of"});
}

TEST(DistributedTpetraOperator, TakesProcessesWithoutRows) {
  const TpetraSystem system(ProblemKind::poisson2d, 30);
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::amg;
  const int alone = own_solve(system, parameters).iterations;
  for (const auto& map : {map_on_last(900), map_with_gaps(900)}) {
    const auto A = distribute(system.problem.A, map);
    const auto M = CreateTesseraPreconditioner(A, with_multigrid());
    EXPECT_TRUE(M->hasTransposeApply());
    const auto outcome = waves_by_belos("CG", A, M);
    EXPECT_NEAR(outcome.iterations, alone, 1);
    ReuseTesseraPreconditioner(A, *M);
    const std::string text = described(*M);
    EXPECT_NE(text.find(num_processes() > 1 ? "900 unknowns" : "level 0: 900"), std::string::npos)
        << text;
  }
}

/// Columns in another order than the rows: the numbers differ, and the arrays cannot be shared.
TEST(DistributedTpetraOperator, TakesColumnsInAnotherOrder) {
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
  TpetraVectors z = applied(*M, *b);
  TpetraVectors z_expected = applied(*expected, *b);
  EXPECT_LT(relative_difference(z, z_expected), 1e-8);
}

}  // namespace tessera::test::distributed_operator_test
