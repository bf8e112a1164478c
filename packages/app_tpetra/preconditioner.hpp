// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The preconditioner that the command line names, by Tessera's setup or MueLu's.
#pragma once

#include "app_tpetra/system.hpp"
#include "tessera/solver/solver_parameters.hpp"

#include <memory>

namespace tessera::app_tpetra {

/// Parameters that were checked, and what they make of a matrix.
class Preconditioning {
 public:
  virtual ~Preconditioning() = default;
  virtual const SolverParameters& method() const = 0;
  /// Collective.
  virtual Teuchos::RCP<Operator> set_up(const System& system) = 0;
  /// Whether what was made is more than rounding away from one linear operator, on this process.
  virtual bool varies() const = 0;
  /// What was made, with notes on it under `solver`, for the report's tables.
  virtual void describe(SolverName solver, app::SolveReport& report) const = 0;
};

/// @throws UsageError for a word that --setup does not know, Error for a parameter.
std::unique_ptr<Preconditioning> make_preconditioning(const Options& options);

}  // namespace tessera::app_tpetra
