// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/machine.hpp"
#include "app/output_file.hpp"
#include "app/parameter_tree.hpp"
#include "tessera/io/binary.hpp"
#include "tessera/io/matrix_market.hpp"
#include "tessera/io/vector.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::app {

namespace {

/// Refuses a suffix that would promise another format than is written.
void check_suffix(const std::string& option, const std::string& path, bool binary_too) {
  if (path.empty() || path.ends_with(".mtx") || (binary_too && path.ends_with(".tsr")) ||
      path.starts_with("/dev/")) {
    return;
  }
  throw UsageError(fmt::format("{} {}: the name must end in .mtx{}", option, path,
                               binary_too ? " (Matrix Market) or .tsr (binary)" : ""));
}

void list_problems() {
  for (const EnumName<ProblemKind>& problem : problem_names()) {
    fmt::print("{:<15}{}\n", problem.name, problem.text);
  }
}

template <class Offset>
void write_problem(const GalleryOptions& options, const GalleryParameters& parameters) {
  const HostSpace exec;
  const auto problem = make_problem<double, HostSpace, Offset>(exec, parameters);
  if (options.output.ends_with(".tsr")) {
    write_binary(exec, options.output, problem.A, std::optional(problem.b));
  } else if (!options.output.empty()) {
    MatrixMarketWriteOptions how;
    how.symmetry = problem.symmetric ? MatrixSymmetry::symmetric : MatrixSymmetry::general;
    how.comment = problem.description;
    write_matrix_market(exec, options.output, problem.A, how);
  }
  if (!options.rhs_output.empty()) write_vector(exec, options.rhs_output, problem.b);
  if (!options.near_nullspace_output.empty()) {
    write_vector(exec, options.near_nullspace_output, problem.near_nullspace);
  }
  if (!options.coordinates_output.empty()) {
    if (problem.coordinates.extent(0) == 0) {
      throw UsageError(fmt::format("--coordinates: {} has none", options.problem.name));
    }
    write_vector(exec, options.coordinates_output, problem.coordinates);
  }
  fmt::print("{}: {} rows, {} entries\n", problem.description, problem.A.num_rows,
             problem.A.num_entries());
}

/// With 32-bit offsets, and with 64-bit ones where the problem has more entries than those count.
void write_with_offsets(const GalleryOptions& options, const GalleryParameters& parameters) {
  try {
    write_problem<std::int32_t>(options, parameters);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::precondition) throw;
    write_problem<std::int64_t>(options, parameters);
  }
}

}  // namespace

GalleryParameters gallery_parameters(const GalleryChoice& choice, int seed) {
  GalleryParameters parameters;
  ParameterTree tree(parameters);
  try {
    tree.set_text("problem", choice.name, "gallery");
    for (const auto& [key, text] : choice.settings)
      tree.set_text(key, text, "gallery");
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  parameters.seed = seed;
  return parameters;
}

ExitCode run_gallery(const GalleryOptions& options) {
  if (options.problem.name.empty()) {
    list_problems();
    return ExitCode::success;
  }
  const GalleryParameters parameters = gallery_parameters(options.problem, options.seed);
  const std::pair<const char*, std::string> outputs[] = {
      {"-o", options.output},
      {"--rhs", options.rhs_output},
      {"--near-nullspace", options.near_nullspace_output},
      {"--coordinates", options.coordinates_output}};
  bool any = false;
  for (const auto& [option, path] : outputs) {
    if (path.empty()) continue;
    any = true;
    check_suffix(option, path, path == options.output);
    const OutputFile checked(option, path);
  }
  if (!any) throw UsageError("nothing to write: give -o FILE, --rhs FILE, or another output");

  const KokkosSession kokkos(0);
  try {
    write_with_offsets(options, parameters);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::io) throw OutputError(error.what());
    if (error.kind() == ErrorKind::configuration) throw UsageError(error.what());
    throw;
  }
  return ExitCode::success;
}

}  // namespace tessera::app
