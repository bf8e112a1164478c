// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A solve by Belos with a preconditioner.
#pragma once

#include "support/tpetra_system.hpp"

#include <BelosSolverFactory.hpp>
#include <BelosTpetraAdapter.hpp>

#include <string>

namespace tessera::test {

struct BelosOutcome {
  bool converged = false;
  int iterations = 0;
  double residual = 0;  ///< true and relative
};

/// From the guess zero in `x` to a relative residual of 1e-8, by the solver of that name.
inline BelosOutcome solve_by_belos(const std::string& name, const Teuchos::RCP<TpetraMatrix>& A,
                                   const Teuchos::RCP<const TpetraOperator>& M,
                                   const Teuchos::RCP<TpetraVectors>& x,
                                   const Teuchos::RCP<const TpetraVectors>& b) {
  using LinearProblem = Belos::LinearProblem<double, TpetraVectors, TpetraOperator>;
  x->putScalar(0);
  const auto problem = Teuchos::rcp(new LinearProblem(A, x, b));
  if (!M.is_null()) problem->setRightPrec(M);
  problem->setProblem();
  const auto parameters = Teuchos::parameterList();
  parameters->set("Convergence Tolerance", 1e-8);
  parameters->set("Maximum Iterations", 500);
  Belos::SolverFactory<double, TpetraVectors, TpetraOperator> factory;
  const auto solver = factory.create(name, parameters);
  solver->setProblem(problem);
  const bool converged = solver->solve() == Belos::Converged;
  return {converged, solver->getNumIters(), relative_residual(*A, *x, *b)};
}

}  // namespace tessera::test
