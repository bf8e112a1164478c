// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is asked of a solve, checked before anything is read or started: for `tessera solve`, and
/// for the command over several processes.
#pragma once

#include <optional>
#include <string>

#include "app/options.hpp"
#include "app/output_file.hpp"
#include "app/transcript.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/parameters/parameter_tree.hpp"

namespace tessera::app {

/// The files that a solve writes; empty where they were not asked for.
struct SolveOutputs {
  std::optional<OutputFile> solution, report, html;
};

/// @throws UsageError for options that do not go together, and for a -p that is none.
void check_given(const SolveOptions& options);

/// The gallery's problem; empty where the matrix is a file. `command` is what --help is asked of.
/// @throws UsageError unless one of the two is given, and for options that do not go together.
std::optional<GalleryParameters> chosen_problem(const SolveOptions& options,
                                                const std::string& command);

/// The file that --rhs names; empty for one of its words.
/// @throws Error of kind bad_input where it is neither.
std::string rhs_file(const std::string& rhs);

/// Sets what --config, -p and --tolerance say.
/// @throws Error for a file or a parameter, naming it.
void set_solve_parameters(parameters::ParameterTree& tree, const SolveOptions& options);

/// Opens the outputs, once none of them is in the way of another file.
/// @throws UsageError, OutputError
SolveOutputs plan_outputs(const SolveOptions& options);

/// The log is emptied before the other outputs are looked at: their errors belong in it.
void open_log(const SolveOptions& options, Transcript& transcript);

}  // namespace tessera::app
