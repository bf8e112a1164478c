// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The system that the command solves, in shares.
#pragma once

#include "app/report.hpp"
#include "app/terminal.hpp"
#include "app_mpi/options.hpp"
#include "app_mpi/row_shares.hpp"
#include "app_mpi/vectors.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/io/binary_rows.hpp"

#include <optional>

namespace tessera::app_mpi {

/// This process's share, in the host's memory.
struct System {
  RowShares shares;
  HostCsr rows;
  Columns b;
  Columns near_nullspace;  ///< without columns for a constant
  int block_size = 0;  ///< unknowns per node; 0: to be found from the pattern
};

/// Reads or makes what the options name, and fills in the report's problem; `gallery` is empty
/// where the matrix is a file. Collective. @throws CommandError on all processes where one cannot.
System load_system(const distributed::Communicator& processes, const Options& options,
                   const std::optional<GalleryParameters>& gallery, app::Progress& progress,
                   app::SolveReport& report);

}  // namespace tessera::app_mpi
