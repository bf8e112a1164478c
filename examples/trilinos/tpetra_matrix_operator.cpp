// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Products with a matrix on 4 by 4 tiles under Belos's CG: the operator is Tessera's, and so is
/// the preconditioner.
// expect: converged, [1-9][0-9]? iterations
// expect: stored as mbsr
#include "tessera/tpetra/matrix_operator.hpp"
#include "tessera/tpetra/preconditioner.hpp"

#include <BelosSolverFactory.hpp>
#include <BelosTpetraAdapter.hpp>
#include <Tpetra_Core.hpp>

#include <iostream>

namespace {

using Matrix = Tpetra::CrsMatrix<double>;
using Map = Tpetra::Map<>;
using Operator = Tpetra::Operator<double>;
using Vectors = Tpetra::MultiVector<double>;

/// Four unknowns per node of a line, each coupled to all of its own node and of both neighbours.
Teuchos::RCP<Matrix> four_fields(int nodes,
                                 const Teuchos::RCP<const Teuchos::Comm<int>>& processes) {
  const auto rows = Teuchos::rcp(new Map(Tpetra::global_size_t(4 * nodes), 0, processes));
  const auto A = Teuchos::rcp(new Matrix(rows, 12));
  for (const auto i : rows->getLocalElementList()) {
    for (int v = static_cast<int>(i) / 4 - 1; v <= static_cast<int>(i) / 4 + 1; ++v) {
      if (v < 0 || v >= nodes) continue;
      for (int field = 0; field < 4; ++field) {
        const Matrix::global_ordinal_type j = 4 * v + field;
        const bool is_own = field == static_cast<int>(i) % 4;
        const double value = j == i ? 2.3 : (is_own ? -1.0 : 0.02);
        A->insertGlobalValues(i, Teuchos::tuple(j), Teuchos::tuple(value));
      }
    }
  }
  A->fillComplete();
  return A;
}

}  // namespace

int main(int argc, char** argv) {
  const Tpetra::ScopeGuard tpetra(&argc, &argv);
  const auto A = four_fields(5000, Tpetra::getDefaultComm());

  //! [create]
  Teuchos::ParameterList storage;
  storage.sublist("storage").set("format", "mbsr");
  const auto on_tiles = tessera::tpetra::CreateTesseraMatrixOperator(A, storage);
  //! [create]

  Teuchos::ParameterList parameters;
  parameters.set("preconditioner", "amg");
  parameters.set("block_size", 4);
  const auto M = tessera::tpetra::CreateTesseraPreconditioner(A, parameters);
  const auto x = Teuchos::rcp(new Vectors(A->getDomainMap(), 1));
  const auto b = Teuchos::rcp(new Vectors(A->getRangeMap(), 1));
  b->putScalar(1);
  //! [solve]
  using Problem = Belos::LinearProblem<double, Vectors, Operator>;
  const auto problem = Teuchos::rcp(new Problem(on_tiles, x, b));
  //! [solve]
  problem->setRightPrec(M);
  problem->setProblem();
  Belos::SolverFactory<double, Vectors, Operator> factory;
  const auto solver = factory.create("CG", Teuchos::parameterList());
  solver->setProblem(problem);
  const bool converged = solver->solve() == Belos::Converged;

  //! [update]
  A->resumeFill();
  A->scale(2);
  A->fillComplete();
  on_tiles->update(A);
  //! [update]
  if (A->getComm()->getRank() == 0) {
    std::cout << (converged ? "converged, " : "NOT converged, ") << solver->getNumIters()
              << " iterations\n";
    std::cout << "stored as " << on_tiles->info().format << '\n';
  }
  return converged ? 0 : 1;
}
