// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The preconditioner of a matrix over several processes, without a type of Kokkos's or of the
/// library's; `distributed/` has what is behind it.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "petsc/report.hpp"
#include "tessera.h"

namespace tessera::petsc {

/// How a call ended, the same on all processes.
struct Outcome {
  tessera_status status = TESSERA_SUCCESS;
  std::string message;  ///< of an error
};

/// Multigrid whose levels are distributed as the rows are. All but `report` is collective.
class SeveralProcesses {
 public:
  struct Settings {
    std::vector<std::string> words;  ///< "amg.cycle=w", the later ones over the earlier ones
    int gather_rows = 0;  ///< levels of at most so many rows go to the first process; 0: by default
    int block_size = 0;  ///< unknowns per node; 0: found from the pattern
  };
  /// This process's rows, whose columns are numbered through over all processes, as the rows are.
  struct Rows {
    std::span<const std::int64_t> offsets;  ///< n + 1
    std::span<const std::int64_t> columns;
    std::span<const double> values;
  };
  /// Entries of this process's n rows.
  template <class Scalar>
  struct Columns {
    Scalar* data = nullptr;
    std::int64_t leading = 0;  ///< from one column to the next, at least n
    int count = 0;
  };

  virtual ~SeveralProcesses() = default;

  /// Copies the rows, and the near-nullspace vectors, of which there may be none.
  virtual Outcome set_up(const Settings& settings, const Rows& rows,
                         const Columns<const double>& near_nullspace) = 0;
  /// New values in the pattern of the last setup, in its order; an update that fails wants a setup
  /// next.
  virtual Outcome update(std::span<const double> values) = 0;
  /// z = M r.
  virtual Outcome apply(const Columns<const double>& r, const Columns<double>& z) = 0;
  /// On the first process with all levels; on the others without those that it alone has.
  virtual Report report() const = 0;
};

/// Over the processes of `communicator`, which is duplicated. Collective.
std::unique_ptr<SeveralProcesses> make_several_processes(MPI_Comm communicator);

}  // namespace tessera::petsc
