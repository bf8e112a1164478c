// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the tests of Tessera's solvers of Belos share.
#pragma once

#include "tessera/belos/register_tessera.hpp"
#include "tessera/belos/solver_manager.hpp"

#include "support/error_of.hpp"
#include "support/tpetra_system.hpp"

#include <BelosSolverFactory.hpp>

#include <string>

namespace tessera::test {

using BelosFactory = Belos::SolverFactory<double, TpetraVectors, TpetraOperator>;

/// A system with right-hand sides and the solver of that name for it.
struct Solving {
  Teuchos::RCP<TpetraVectors> x;
  Teuchos::RCP<TpetraVectors> b;
  Teuchos::RCP<belos::LinearProblem> problem;
  Teuchos::RCP<Belos::SolverManager<double, TpetraVectors, TpetraOperator>> solver;

  Solving(const TpetraSystem& system, const Teuchos::ParameterList& list, std::size_t columns = 1,
          const std::string& name = "TESSERA")
      : x(Teuchos::rcp(new TpetraVectors(system.map, columns))),
        b(waves(system.map, columns)),
        problem(Teuchos::rcp(new belos::LinearProblem(system.A, x, b))) {
    belos::registerTesseraSolver();
    problem->setProblem();
    BelosFactory factory;
    solver = factory.create(name, Teuchos::rcp(new Teuchos::ParameterList(list)));
    solver->setProblem(problem);
  }

  belos::SolverManager& tessera() { return dynamic_cast<belos::SolverManager&>(*solver); }
};

}  // namespace tessera::test
