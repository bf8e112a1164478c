// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One file of MueLu's parameters for MueLu's preconditioner and for Tessera's, under Belos's CG.
// expect: MueLu: converged, [0-9]+ iterations
// expect: Tessera: converged, [0-9]+ iterations
#include "tessera/muelu/preconditioner.hpp"

#include <BelosSolverFactory.hpp>
#include <BelosTpetraAdapter.hpp>
#include <MueLu_CreateTpetraPreconditioner.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include <iostream>
#include <string>

namespace {

using Matrix = Tpetra::CrsMatrix<double>;
using Vectors = Tpetra::MultiVector<double>;
using Operator = Tpetra::Operator<double>;
using Map = Tpetra::Map<>;

/// The 5-point Laplacian on n by n points.
Teuchos::RCP<Operator> laplacian(int n, const Teuchos::RCP<const Teuchos::Comm<int>>& processes) {
  const auto rows = Teuchos::rcp(new Map(Tpetra::global_size_t(n) * n, 0, processes));
  const auto A = Teuchos::rcp(new Matrix(rows, 5));
  for (const auto i : rows->getLocalElementList()) {
    const auto couple = [&](bool exists, Map::global_ordinal_type j) {
      if (exists) A->insertGlobalValues(i, Teuchos::tuple(j), Teuchos::tuple(-1.0));
    };
    couple(i >= n, i - n);
    couple(i % n > 0, i - 1);
    couple(i % n < n - 1, i + 1);
    couple(i / n < n - 1, i + n);
    A->insertGlobalValues(i, Teuchos::tuple(i), Teuchos::tuple(4.0));
  }
  A->fillComplete();
  return A;
}

void solve(const char* name, const Teuchos::RCP<Operator>& A, const Teuchos::RCP<Operator>& M) {
  const auto b = Teuchos::rcp(new Vectors(A->getRangeMap(), 1));
  const auto x = Teuchos::rcp(new Vectors(A->getDomainMap(), 1));
  b->putScalar(1);
  const auto problem = Teuchos::rcp(new Belos::LinearProblem<double, Vectors, Operator>(A, x, b));
  problem->setRightPrec(M);
  problem->setProblem();
  const auto parameters = Teuchos::parameterList();
  parameters->set("Convergence Tolerance", 1e-8);
  Belos::SolverFactory<double, Vectors, Operator> factory;
  const auto solver = factory.create("CG", parameters);
  solver->setProblem(problem);
  const bool converged = solver->solve() == Belos::Converged;
  if (A->getRangeMap()->getComm()->getRank() == 0)
    std::cout << name << ": " << (converged ? "converged" : "not converged") << ", "
              << solver->getNumIters() << " iterations\n";
}

}  // namespace

int main(int argc, char** argv) {
  const Tpetra::ScopeGuard tpetra(&argc, &argv);
  const auto A = laplacian(200, Tpetra::getDefaultComm());
  //! [create]
  const std::string xml = EXAMPLE_FOLDER "muelu_parameters.xml";
  const Teuchos::RCP<Operator> theirs = MueLu::CreateTpetraPreconditioner(A, xml);
  const Teuchos::RCP<Operator> ours = tessera::muelu::CreateTesseraPreconditioner(A, xml);
  //! [create]
  solve("MueLu", A, theirs);
  solve("Tessera", A, ours);
}
