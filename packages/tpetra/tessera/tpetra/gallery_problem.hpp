// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Problems of the gallery over the processes of a communicator, none of which makes the whole.
#pragma once

#include "tessera/gallery/problem.hpp"

#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>

#include <string>

namespace tessera::tpetra {

/// As `tessera::Problem`, distributed: whole nodes, and whole lines of grids that have one for each
/// process, one process after the other.
struct GalleryProblem {
  Teuchos::RCP<::Tpetra::CrsMatrix<double>> A;
  Teuchos::RCP<::Tpetra::MultiVector<double>> b;
  /// The constant, or the rigid body modes.
  Teuchos::RCP<::Tpetra::MultiVector<double>> near_nullspace;
  int block_size = 1;
  bool symmetric = true;
  std::string description;
};

/// The same matrix and vectors on any number of processes, to the last bit: each makes the rows
/// that are its own (`make_problem_rows`, which says what memory that takes) on the host.
/// Collective.
/// @throws Error as `make_problem`, on all processes.
GalleryProblem make_gallery_problem(const Teuchos::RCP<const Teuchos::Comm<int>>& processes,
                                    const GalleryParameters& parameters);

}  // namespace tessera::tpetra
