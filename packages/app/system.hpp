// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The system that `tessera solve` solves, from files or from the gallery.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/exit_code.hpp"
#include "app/options.hpp"
#include "app/report.hpp"
#include "app/terminal.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/format/csr.hpp"

namespace tessera::app {

/// A x = b with what is known of it. All arrays live in the memory of `Space`.
template <class Scalar, class Space, class Offset>
struct System {
  kernels::Csr<Scalar, Space, Offset> A;
  MultiVector<Scalar, Space> b;  ///< n by number of right-hand sides
  MultiVector<Scalar, Space>
      near_nullspace;  ///< near-nullspace vectors, n by m; 0 by 0 for a constant
  int block_size = 0;  ///< unknowns per node; 0: to be found from the pattern
  /// Exponents of the powers of two that were taken out of b's columns, for float to hold them, and
  /// that x lacks; empty: none were.
  std::vector<int> exponents;
};

/// Reads or generates what the options name, and fills in the report's problem; `gallery` is empty
/// where the matrix is a file. What was decided on the way is appended to `picks`.
/// @throws Error of kind bad_input for files that are damaged or do not fit together
template <class Scalar, class Space, class Offset>
System<Scalar, Space, Offset> load_system(const Space& exec, const SolveOptions& options,
                                          const std::optional<GalleryParameters>& gallery,
                                          Progress& progress, ProblemReport& report,
                                          std::vector<std::string>& picks);

}  // namespace tessera::app
