// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Products with matrices in Tessera's formats against Tpetra's own.
#include "tessera/tpetra/matrix_operator.hpp"
#include "tpetra/operator_cases.hpp"

#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tessera::test::matrix_operator_test {

using tpetra::CreateTesseraMatrixOperator;

Teuchos::ParameterList storage(const std::string& format, const std::string& scalar = "same") {
  Teuchos::ParameterList list("test");
  list.set("storage.format", format);
  list.set("storage.scalar", scalar);
  list.set("transpose", true);
  return list;
}

/// Rows over `rows`, columns over `domain`: some empty, some long, in no order.
Teuchos::RCP<TpetraMatrix> random_matrix(const Teuchos::RCP<const TpetraMap>& rows,
                                         const Teuchos::RCP<const TpetraMap>& domain) {
  const auto A = Teuchos::rcp(new TpetraMatrix(rows, 40));
  const auto columns = static_cast<int>(domain->getGlobalNumElements());
  for (const auto i : rows->getLocalElementList()) {
    std::mt19937 engine(static_cast<unsigned>(i) + 7);
    const int length = static_cast<int>(i % 5) * (i % 11 == 0 ? 6 : 2);
    for (int e = 0; e < length; ++e) {
      const auto j = static_cast<TpetraOrdinal>(engine() % static_cast<unsigned>(columns));
      const double value = static_cast<double>(engine() % 1000) / 500.0 - 1;
      A->insertGlobalValues(i, Teuchos::tuple(j), Teuchos::tuple(value));
    }
  }
  A->fillComplete(domain, rows);
  return A;
}

/// All rows on the last process but one, where there are so many.
Teuchos::RCP<const TpetraMap> uneven_map(int rows) {
  const int owner = num_processes() > 1 ? num_processes() - 2 : 0;
  return Teuchos::rcp(new TpetraMap(Tpetra::global_size_t(rows),
                                    process() == owner ? static_cast<std::size_t>(rows) : 0, 0,
                                    Tpetra::getDefaultComm()));
}

void expect_products(const TpetraOperator& ours, const TpetraMatrix& A, double tolerance) {
  for (const auto mode : {Teuchos::NO_TRANS, Teuchos::TRANS}) {
    const bool forward = mode == Teuchos::NO_TRANS;
    const auto from = forward ? A.getDomainMap() : A.getRangeMap();
    const auto to = forward ? A.getRangeMap() : A.getDomainMap();
    for (const std::size_t k : {std::size_t(1), std::size_t(3)}) {
      const auto x = waves(from, k);
      const auto start = waves(to, k);
      for (const auto& [alpha, beta] :
           {std::pair(1.0, 0.0), std::pair(-2.0, 0.5), std::pair(0.0, 3.0), std::pair(0.0, 0.0)}) {
        TpetraVectors y(*start, Teuchos::Copy);
        if (beta == 0) y.putScalar(std::numeric_limits<double>::quiet_NaN());
        TpetraVectors expected(*start, Teuchos::Copy);
        ours.apply(*x, y, mode, alpha, beta);
        A.apply(*x, expected, mode, alpha, beta);
        expected.update(-1, y, 1);
        std::vector<double> norms(k);
        expected.normInf(Teuchos::arrayViewFromVector(norms));
        for (const double norm : norms)
          EXPECT_LE(norm, tolerance) << forward << " " << k << " " << alpha << " " << beta;
      }
    }
  }
}

TEST(MatrixOperator, MultipliesAsTpetraDoes) {
  for (const auto kind : {ProblemKind::elasticity3d, ProblemKind::convdiff2d}) {
    const TpetraSystem system(kind, kind == ProblemKind::elasticity3d ? 5 : 20);
    const double largest = system.A->getFrobeniusNorm();
    for (const auto& format : storage_format_names()) {
      SCOPED_TRACE(format.name);
      const auto ours = CreateTesseraMatrixOperator(system.A, storage(std::string(format.name)));
      EXPECT_TRUE(ours->getDomainMap()->isSameAs(*system.A->getDomainMap()));
      EXPECT_TRUE(ours->getRangeMap()->isSameAs(*system.A->getRangeMap()));
      expect_products(*ours, *system.A, 1e-14 * largest);
    }
    const auto half = CreateTesseraMatrixOperator(system.A, storage("mbsr", "float"));
    if (system.A->getLocalNumRows() > 0) {
      EXPECT_EQ(half->info().storage, "float");
      EXPECT_EQ(half->info().format.substr(0, 4), "mbsr");
    }
    expect_products(*half, *system.A, 1e-6 * largest);
  }
}

/// Any domain map, empty rows, and processes that have rows or columns alone.
TEST(MatrixOperator, TakesRectanglesAndEmptyShares) {
  const std::vector<std::pair<Teuchos::RCP<const TpetraMap>, Teuchos::RCP<const TpetraMap>>> shapes{
      {contiguous_map(90), contiguous_map(37)}, {contiguous_map(20), contiguous_map(150)},
      {uneven_map(60), contiguous_map(45)},     {contiguous_map(45), uneven_map(60)},
      {uneven_map(33), uneven_map(21)},         {contiguous_map(2), contiguous_map(3)},
      {contiguous_map(1), contiguous_map(1)}};
  for (const auto& [rows, domain] : shapes) {
    SCOPED_TRACE(std::to_string(rows->getGlobalNumElements()) + " by " +
                 std::to_string(domain->getGlobalNumElements()));
    const auto A = random_matrix(rows, domain);
    for (const char* const format : {"csr", "mbsr", "coo"})
      expect_products(*CreateTesseraMatrixOperator(A, storage(format)), *A, 1e-13);
  }
}

/// Columns that are not evenly spaced, a column of another vector, and X as Y.
TEST(MatrixOperator, TakesAnyStride) {
  const TpetraSystem system(ProblemKind::poisson2d, 15);
  const auto ours = CreateTesseraMatrixOperator(system.A, storage("mbsr"));
  const auto many = waves(system.map, 5);
  const Teuchos::Array<std::size_t> some = Teuchos::tuple<std::size_t>(0, 3, 4);
  const auto x = many->subView(some);
  TpetraVectors wide(system.map, 5);
  TpetraVectors expected(system.map, 3);
  const auto y = wide.subViewNonConst(Teuchos::tuple<std::size_t>(4, 0, 2));
  ours->apply(*x, *y);
  system.A->apply(*x, expected);
  EXPECT_LT(relative_difference(*y, expected), 1e-14);
  TpetraVectors both(*many, Teuchos::Copy);
  TpetraVectors product(*many, Teuchos::Copy);
  system.A->apply(*many, product, Teuchos::NO_TRANS, 2, 1);
  ours->apply(both, both, Teuchos::NO_TRANS, 2, 1);
  EXPECT_LT(relative_difference(both, product), 1e-14);
}

TEST(MatrixOperator, TakesNewValues) {
  const TpetraSystem system(ProblemKind::elasticity2d, 12);
  const auto A = distribute(system.problem.A, system.map);
  const auto ours = CreateTesseraMatrixOperator(A, storage("mbsr"));
  scale_in_place(*A, -3);
  ours->update(A);
  expect_products(*ours, *A, 1e-13 * A->getFrobeniusNorm());
  const TpetraSystem other(ProblemKind::elasticity2d, 11);
  expect_error(error_of([&] { ours->update(other.A); }), ErrorKind::precondition,
               {"range map is another one", std::to_string(other.problem.A.num_rows),
                std::to_string(system.problem.A.num_rows)});
}

TEST(MatrixOperator, IsAnOperatorForBelos) {
  const TpetraSystem system(ProblemKind::elasticity3d, 6);
  auto list = with_multigrid();
  list.set("block_size", 3);
  list.sublist("user data").set("Nullspace", distribute(system.problem.near_nullspace, system.map));
  const auto M = CreateTesseraPreconditioner(system.A, list);
  using LinearProblem = Belos::LinearProblem<double, TpetraVectors, TpetraOperator>;
  const auto iterations = [&](const Teuchos::RCP<const TpetraOperator>& A) {
    const auto x = Teuchos::rcp(new TpetraVectors(system.map, 2));
    const Teuchos::RCP<const TpetraVectors> b = waves(system.map, 2);
    const auto problem = Teuchos::rcp(new LinearProblem(A, x, b));
    problem->setRightPrec(M);
    problem->setProblem();
    const auto parameters = Teuchos::parameterList();
    parameters->set("Convergence Tolerance", 1e-8);
    Belos::SolverFactory<double, TpetraVectors, TpetraOperator> factory;
    const auto solver = factory.create("PSEUDOBLOCK CG", parameters);
    solver->setProblem(problem);
    EXPECT_EQ(solver->solve(), Belos::Converged);
    EXPECT_LT(relative_residual(*system.A, *x, *b), 1e-7);
    return solver->getNumIters();
  };
  const auto ours = CreateTesseraMatrixOperator(system.A, storage("mbsr"));
  EXPECT_EQ(iterations(ours), iterations(system.A));
}

TEST(MatrixOperator, SaysWhatIsWrong) {
  const TpetraSystem system(ProblemKind::poisson2d, 10);
  const Teuchos::RCP<TpetraMatrix> none;
  expect_error(error_of([&] { CreateTesseraMatrixOperator(none); }), ErrorKind::precondition,
               {"null pointer"});
  Teuchos::ParameterList wrong("test");
  wrong.set("storage.fromat", "mbsr");
  expect_error(error_of([&] { CreateTesseraMatrixOperator(system.A, wrong); }),
               ErrorKind::configuration, {"storage.fromat", "did you mean 'storage.format'?"});
  const auto open = Teuchos::rcp(new TpetraMatrix(system.map, 1));
  expect_error(error_of([&] { CreateTesseraMatrixOperator(open); }), ErrorKind::precondition,
               {"fillComplete"});

  const auto ours = CreateTesseraMatrixOperator(system.A);
  EXPECT_FALSE(ours->hasTransposeApply());
  const auto x = waves(system.map);
  TpetraVectors y(system.map, 1);
  expect_error(error_of([&] { ours->apply(*x, y, Teuchos::TRANS); }), ErrorKind::precondition,
               {"'transpose' = true"});
  TpetraVectors two(system.map, 2);
  expect_error(error_of([&] { ours->apply(*x, two); }), ErrorKind::precondition,
               {"X has 1 columns, Y has 2"});
  TpetraVectors longer(contiguous_map(101), 1);
  expect_error(error_of([&] { ours->apply(longer, y); }), ErrorKind::precondition,
               {"X is over another map", "101 in all", "100 in all"});
  const TpetraOperator& not_a_matrix = *ours;
  expect_error(error_of([&] { CreateTesseraMatrixOperator(Teuchos::rcpFromRef(not_a_matrix)); }),
               ErrorKind::precondition, {"must be a Tpetra::CrsMatrix", "MatrixOperator"});
  EXPECT_NE(ours->description().find("storage.format=auto"), std::string::npos)
      << ours->description();
}

}  // namespace tessera::test::matrix_operator_test
