// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera selected by name in Stratimikos: which solver and which preconditioner stands in an XML
/// file. A program that uses Stratimikos already needs one line more.
// expect: solved: Thyra::BelosLinearOpWithSolveFactory<double>{tessera::stratimikos
// expect: iterations: [1-9][0-9]?[^0-9]
#include "tessera/stratimikos/enable_tessera.hpp"

#include <Teuchos_XMLParameterListHelpers.hpp>
#include <Thyra_LinearOpWithSolveFactoryHelpers.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include <iostream>
#include <string>

namespace {

using Matrix = Tpetra::CrsMatrix<double>;
using Map = Tpetra::Map<>;

/// 2 on the diagonal, -1 beside it.
Teuchos::RCP<Matrix> laplacian(int n, const Teuchos::RCP<const Teuchos::Comm<int>>& processes) {
  const auto rows = Teuchos::rcp(new Map(Tpetra::global_size_t(n), 0, processes));
  const auto A = Teuchos::rcp(new Matrix(rows, 3));
  for (const auto i : rows->getLocalElementList()) {
    A->insertGlobalValues(i, Teuchos::tuple(i), Teuchos::tuple(2.0));
    if (i > 0) A->insertGlobalValues(i, Teuchos::tuple(i - 1), Teuchos::tuple(-1.0));
    if (i < n - 1) A->insertGlobalValues(i, Teuchos::tuple(i + 1), Teuchos::tuple(-1.0));
  }
  A->fillComplete();
  return A;
}

}  // namespace

int main(int argc, char** argv) {
  const Tpetra::ScopeGuard tpetra(&argc, &argv);
  const auto matrix = laplacian(5000, Tpetra::getDefaultComm());
  const Teuchos::RCP<const Tpetra::Operator<double>> as_operator = matrix;
  const auto A = Thyra::constTpetraLinearOp<double>(
      Thyra::tpetraVectorSpace<double>(matrix->getRangeMap()),
      Thyra::tpetraVectorSpace<double>(matrix->getDomainMap()), as_operator);

  //! [enable]
  Stratimikos::DefaultLinearSolverBuilder builder;
  tessera::stratimikos::enableTessera(builder);
  builder.setParameterList(Teuchos::getParametersFromXmlFile(
      argc > 1 ? std::string(argv[1]) : std::string(EXAMPLE_FOLDER "stratimikos_poisson.xml")));
  const auto factory = builder.createLinearSolveStrategy("");
  const auto solver = Thyra::linearOpWithSolve<double>(*factory, A);
  //! [enable]

  const auto b = Thyra::createMember<double>(A->range());
  const auto x = Thyra::createMember<double>(A->domain());
  Thyra::put_scalar<double>(1, b.ptr());
  Thyra::put_scalar<double>(0, x.ptr());
  const Thyra::SolveStatus<double> status =
      Thyra::solve<double>(*solver, Thyra::NOTRANS, *b, x.ptr());
  const bool solved = status.solveStatus == Thyra::SOLVE_STATUS_CONVERGED;
  if (Tpetra::getDefaultComm()->getRank() == 0) {
    std::cout << (solved ? "solved: " : "not solved: ") << factory->description() << '\n';
    std::cout << "iterations: " << status.extraParameters->get<int>("Belos/Iteration Count")
              << '\n';
  }
  return solved ? 0 : 1;
}
