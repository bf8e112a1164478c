// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera as a preconditioner of Belos, for a matrix of Tpetra: on one process the multigrid of
/// the whole matrix, on several each one's of its own rows. New values in a second solve.
// expect: Belos CG: converged, [0-9]+ iterations.*twice the matrix: converged, [0-9]+ iterations
#include "tessera/tpetra/preconditioner.hpp"

#include <BelosSolverFactory.hpp>
#include <BelosTpetraAdapter.hpp>
#include <Tpetra_Core.hpp>

#include <iostream>

namespace {

using Matrix = Tpetra::CrsMatrix<double>;
using Vectors = Tpetra::MultiVector<double>;
using Operator = Tpetra::Operator<double>;
using Map = Tpetra::Map<>;

/// The 5-point Laplacian on n by n points.
Teuchos::RCP<Matrix> laplacian(int n, const Teuchos::RCP<const Teuchos::Comm<int>>& processes) {
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

/// Conjugate gradients of Belos with the preconditioner M.
void solve(const char* name, const Teuchos::RCP<Matrix>& A, const Teuchos::RCP<Operator>& M) {
  const auto b = Teuchos::rcp(new Vectors(A->getRowMap(), 1));
  const auto x = Teuchos::rcp(new Vectors(A->getRowMap(), 1));
  b->putScalar(1);
  //! [solve]
  using Problem = Belos::LinearProblem<double, Vectors, Operator>;
  const auto problem = Teuchos::rcp(new Problem(A, x, b));
  problem->setRightPrec(M);
  problem->setProblem();
  const auto parameters = Teuchos::parameterList();
  parameters->set("Convergence Tolerance", 1e-8);
  Belos::SolverFactory<double, Vectors, Operator> factory;
  const auto solver = factory.create("CG", parameters);
  solver->setProblem(problem);
  const bool converged = solver->solve() == Belos::Converged;
  //! [solve]
  if (A->getComm()->getRank() == 0)
    std::cout << name << ": " << (converged ? "converged" : "not converged") << ", "
              << solver->getNumIters() << " iterations\n";
}

}  // namespace

int main(int argc, char** argv) {
  const Tpetra::ScopeGuard tpetra(&argc, &argv);
  const auto A = laplacian(100, Tpetra::getDefaultComm());

  //! [create]
  Teuchos::ParameterList parameters;
  parameters.set("preconditioner", "amg");
  parameters.sublist("amg").sublist("smoother").set("type", "chebyshev");
  parameters.sublist("amg").set("reuse", "symbolic");
  const auto M = tessera::tpetra::CreateTesseraPreconditioner(A, parameters);
  //! [create]
  solve("Belos CG", A, M);

  //! [reuse]
  A->resumeFill();
  A->scale(2);
  A->fillComplete();
  tessera::tpetra::ReuseTesseraPreconditioner(A, *M);
  //! [reuse]
  solve("twice the matrix", A, M);
}
