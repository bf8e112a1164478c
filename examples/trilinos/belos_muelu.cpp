// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's solvers by name: as solvers of Belos, and as the coarsest level's solver and the
/// smoother inside MueLu, as lists say.
// expect: TESSERA: converged, [0-9]+ iterations
// expect: in one kernel: converged, [0-9]+ iterations
// expect: CG with MueLu: converged, [0-9]+ iterations
// expect: CG with MueLu, Tessera's smoother: converged, [0-9]+ iterations
// expect: CG with MueLu, coarse CG in one kernel: converged, [0-9]+ iterations
#include "tessera/belos/register_tessera.hpp"

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

void solve(const std::string& method, const char* shown, const Teuchos::RCP<Operator>& A,
           const Teuchos::RCP<Operator>& M) {
  const auto b = Teuchos::rcp(new Vectors(A->getRangeMap(), 1));
  const auto x = Teuchos::rcp(new Vectors(A->getDomainMap(), 1));
  b->putScalar(1);
  const auto problem = Teuchos::rcp(new Belos::LinearProblem<double, Vectors, Operator>(A, x, b));
  if (!M.is_null()) problem->setRightPrec(M);
  problem->setProblem();
  //! [by name]
  const auto parameters = Teuchos::parameterList();
  parameters->set("Convergence Tolerance", 1e-8);
  Belos::SolverFactory<double, Vectors, Operator> factory;
  const auto solver = factory.create(method, parameters);  // "TESSERA" is one of the names
  solver->setProblem(problem);
  const bool converged = solver->solve() == Belos::Converged;
  //! [by name]
  if (A->getRangeMap()->getComm()->getRank() == 0)
    std::cout << shown << ": " << (converged ? "converged" : "not converged") << ", "
              << solver->getNumIters() << " iterations\n";
}

}  // namespace

int main(int argc, char** argv) {
  const Tpetra::ScopeGuard tpetra(&argc, &argv);
  const auto A = laplacian(100, Tpetra::getDefaultComm());

  //! [register]
  tessera::belos::registerTesseraSolver();
  //! [register]
  solve("TESSERA", "TESSERA", A, Teuchos::null);

  //! [muelu]
  const Teuchos::RCP<Operator> M =
      MueLu::CreateTpetraPreconditioner(A, std::string(EXAMPLE_FOLDER "belos_muelu.xml"));
  //! [muelu]
  solve("CG", "CG with MueLu", A, M);
  const Teuchos::RCP<Operator> smoothed =
      MueLu::CreateTpetraPreconditioner(A, std::string(EXAMPLE_FOLDER "belos_smoother.xml"));
  solve("CG", "CG with MueLu, Tessera's smoother", A, smoothed);

  // What runs in one kernel runs on one process.
  if (A->getRangeMap()->getComm()->getSize() > 1) return 0;
  solve("TESSERA SINGLE KERNEL CG", "in one kernel", A, Teuchos::null);
  const Teuchos::RCP<Operator> with_kernel =
      MueLu::CreateTpetraPreconditioner(A, std::string(EXAMPLE_FOLDER "belos_single_kernel.xml"));
  solve("CG", "CG with MueLu, coarse CG in one kernel", A, with_kernel);
}
