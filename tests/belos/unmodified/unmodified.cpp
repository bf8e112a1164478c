// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// unmodified NAME: a program that knows nothing of Tessera and solves by the solver of Belos that
/// its user names.
#include <BelosSolverFactory.hpp>
#include <BelosTpetraAdapter.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include <iostream>

int main(int argc, char** argv) {
  using Matrix = Tpetra::CrsMatrix<double>;
  using Vectors = Tpetra::MultiVector<double>;
  using Operator = Tpetra::Operator<double>;
  const Tpetra::ScopeGuard tpetra(&argc, &argv);
  const int n = 1000;
  const auto rows = Teuchos::rcp(new Tpetra::Map<>(n, 0, Tpetra::getDefaultComm()));
  const auto A = Teuchos::rcp(new Matrix(rows, 3));
  for (const auto i : rows->getLocalElementList()) {
    for (const auto j : {i - 1, i, i + 1})
      if (j >= 0 && j < n)
        A->insertGlobalValues(i, Teuchos::tuple(j), Teuchos::tuple(i == j ? 2.0 : -1.0));
  }
  A->fillComplete();
  const auto b = Teuchos::rcp(new Vectors(rows, 1));
  const auto x = Teuchos::rcp(new Vectors(rows, 1));
  b->putScalar(1);
  const auto problem = Teuchos::rcp(new Belos::LinearProblem<double, Vectors, Operator>(A, x, b));
  problem->setProblem();
  const auto list = Teuchos::parameterList();
  list->set("Convergence Tolerance", 1e-8);
  list->set("Maximum Iterations", 2000);
  Belos::SolverFactory<double, Vectors, Operator> factory;
  const auto solver = factory.create(argc > 1 ? argv[1] : "CG", list);
  solver->setProblem(problem);
  const bool converged = solver->solve() == Belos::Converged;
  std::cout << solver->description() << ": " << (converged ? "converged" : "not converged") << ", "
            << solver->getNumIters() << " iterations\n";
  return converged ? 0 : 1;
}
