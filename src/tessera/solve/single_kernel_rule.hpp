// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// For which solves `solver.single_kernel=auto` takes one kernel.
#pragma once

#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/smoother/ilu_preconditioner.hpp"
#include "tessera/solve/parameters.hpp"
#include "tessera/solver/selection_rules.hpp"
#include "tessera/solver/single_kernel.hpp"

#include <cstdint>

namespace tessera::detail {

/// What the choice goes by.
struct SingleKernelCase {
  bool on_host = false;
  PreconditionerKind preconditioner = PreconditionerKind::none;
  bool on_tiles = false;
  std::size_t entries = 0;
  std::int64_t levels = 0;  ///< of L and of U, where the preconditioner is ilu; 0: not known
  bool has_hubs = false;  ///< products share some rows out by entries
  std::int64_t longest_row = 0;  ///< where it has hubs
};

/// Whether one kernel takes less time than launches.
inline bool single_kernel_pays(const SingleKernelCase& given) {
  if (given.on_host) return false;
  std::size_t most =
      given.on_tiles ? rules::single_kernel_entries_on_tiles : rules::single_kernel_entries;
  // Only products with A itself share the work of a long row. In the steps of a cycle, on tiles and
  // in factors it is a warp's at most, and all others wait for it.
  bool shares_rows = !given.on_tiles;
  if (given.preconditioner == PreconditionerKind::amg) {
    most = rules::single_kernel_entries_with_amg;
    shares_rows = false;
  } else if (given.preconditioner == PreconditionerKind::ilu) {
    if (given.levels < 1 || given.levels > rules::single_kernel_levels_of_ilu) return false;
    most = rules::single_kernel_entries_with_ilu;
    shares_rows = false;
  }
  if (given.has_hubs && !(shares_rows && given.longest_row <= rules::single_kernel_longest_row))
    return false;
  return given.entries <= most;
}

/// Whether a solve in one kernel is to be on tiles.
inline bool takes_tiles(const SolveParameters& effective) {
  return effective.solver.tiles != TilePrecision::off &&
         (effective.preconditioner == PreconditionerKind::none ||
          effective.preconditioner == PreconditionerKind::jacobi);
}

/// Whether one kernel is asked for, or by itself what pays. `incomplete`: the factors where they
/// are made, else null.
template <class Scalar, class Space, class Offset>
bool wants_single_kernel(const Space& exec, const SolveParameters& effective,
                         const CrsMatrix<Scalar, Space, Offset>& A,
                         const NonDeduced<IluPreconditioner<Scalar, Space, Offset>>* incomplete);

}  // namespace tessera::detail
