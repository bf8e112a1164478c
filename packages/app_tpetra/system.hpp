// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The system that the command solves, distributed over the processes.
#pragma once

#include "app/report.hpp"
#include "app_tpetra/options.hpp"

#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>

namespace tessera::app_tpetra {

using Matrix = Tpetra::CrsMatrix<double>;
using Vectors = Tpetra::MultiVector<double>;
using Operator = Tpetra::Operator<double>;

struct System {
  Teuchos::RCP<Matrix> A;
  Teuchos::RCP<Vectors> b;
  Teuchos::RCP<const Vectors> vectors;  ///< near-nullspace; null for the constant
  int block_size = 0;  ///< 0: to be found from the pattern
};

/// Reads or generates what the options name, and fills in the report's problem. Collective.
/// @throws CommandError on all processes where one cannot.
System load(const Teuchos::RCP<const Teuchos::Comm<int>>& processes, const Options& options,
            app::SolveReport& report);

}  // namespace tessera::app_tpetra
