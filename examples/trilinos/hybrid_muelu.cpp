// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
//
// MueLu sets up, Tessera cycles: over a hierarchy of MueLu's by MueLu's parameters, and over one
// that a program has already.
//
// expect: by parameters: converged, [0-9]+ iterations
// expect: over a hierarchy: converged, [0-9]+ iterations
// expect: with new values: converged, [0-9]+ iterations
#include "tessera/hybrid/operator.hpp"

#include <BelosSolverFactory.hpp>
#include <BelosTpetraAdapter.hpp>
#include <MueLu_CreateTpetraPreconditioner.hpp>
#include <Tpetra_Core.hpp>

#include <iostream>

using Matrix = Tpetra::CrsMatrix<double>;
using Operator = Tpetra::Operator<double>;
using Vectors = Tpetra::MultiVector<double>;
using Ordinal = Tpetra::Map<>::global_ordinal_type;

/// -u'' on a grid of n by n points, five to a row.
Teuchos::RCP<Matrix> laplace(int n) {
  const auto map = Teuchos::rcp(new Tpetra::Map<>(n * n, 0, Tpetra::getDefaultComm()));
  const auto A = Teuchos::rcp(new Matrix(map, 5));
  for (const Ordinal i : map->getLocalElementList()) {
    const auto set = [&](Ordinal j, double value) {
      A->insertGlobalValues(i, Teuchos::tuple(j), Teuchos::tuple(value));
    };
    if (i >= n) set(i - n, -1);
    if (i % n > 0) set(i - 1, -1);
    set(i, 4);
    if (i % n < n - 1) set(i + 1, -1);
    if (i < n * (n - 1)) set(i + n, -1);
  }
  A->fillComplete();
  return A;
}

void solve(const char* what, const Teuchos::RCP<Matrix>& A, const Teuchos::RCP<Operator>& M) {
  using Problem = Belos::LinearProblem<double, Vectors, Operator>;
  const auto x = Teuchos::rcp(new Vectors(A->getDomainMap(), 1));
  const auto b = Teuchos::rcp(new Vectors(A->getRangeMap(), 1));
  b->putScalar(1);
  const auto problem = Teuchos::rcp(new Problem(A, x, b));
  problem->setRightPrec(M);
  problem->setProblem();
  const auto parameters = Teuchos::parameterList();
  parameters->set("Convergence Tolerance", 1e-8);
  Belos::SolverFactory<double, Vectors, Operator> factory;
  const auto solver = factory.create("CG", parameters);
  solver->setProblem(problem);
  const bool converged = solver->solve() == Belos::Converged;
  if (A->getComm()->getRank() == 0)
    std::cout << what << ": " << (converged ? "converged, " : "not converged, ")
              << solver->getNumIters() << " iterations" << std::endl;
}

int main(int argc, char** argv) {
  const Tpetra::ScopeGuard tpetra(&argc, &argv);
  const Teuchos::RCP<Matrix> A = laplace(200);

  //! [create]
  Teuchos::ParameterList parameters;
  parameters.sublist("MueLu").set("multigrid algorithm", "sa");
  parameters.sublist("MueLu").set("reuse: type", "tP");
  parameters.sublist("amg").sublist("smoother").set("type", "chebyshev");
  parameters.set("precision", "float");
  const auto M = tessera::hybrid::CreateTesseraPreconditioner(A, parameters);
  //! [create]
  solve("by parameters", A, M);

  Teuchos::ParameterList theirs;
  theirs.set("verbosity", "none");
  //! [hierarchy]
  const auto muelu = MueLu::CreateTpetraPreconditioner(Teuchos::RCP<Operator>(A), theirs);
  const auto over_it = Teuchos::rcp(new tessera::hybrid::Operator<>(muelu->GetHierarchy()));
  //! [hierarchy]
  solve("over a hierarchy", A, over_it);

  //! [reuse]
  A->resumeFill();
  A->scale(2);
  A->fillComplete();
  tessera::hybrid::ReuseTesseraPreconditioner(A, *M);
  //! [reuse]
  solve("with new values", A, M);
}
