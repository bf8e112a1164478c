// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "app/machine.hpp"
#include "app/options.hpp"
#include "app/output_file.hpp"
#include "app/report.hpp"
#include "app/settings.hpp"
#include "tessera/io/binary.hpp"
#include "tessera/io/matrix_market.hpp"
#include "tessera/io/vector.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::app {

namespace {

/// Checks the options' files, and puts each one's own path for "-". True where one of them is
/// standard output.
bool check_outputs(GalleryOptions& options) {
  const std::pair<const char*, std::string*> named[] = {
      {"-o", &options.output},
      {"--rhs", &options.rhs_output},
      {"--near-nullspace", &options.near_nullspace_output},
      {"--coordinates", &options.coordinates_output}};
  std::vector<OutputFile> outputs;
  for (const auto& [option, path] : named) {
    if (path->empty()) continue;
    const OutputFile& output = outputs.emplace_back(option, *path);
    check_ending(output, path == &options.output ? matrix_endings() : vector_endings());
    *path = output.path();
  }
  if (outputs.empty()) {
    throw UsageError("nothing to write: give -o FILE, --rhs FILE, or another output");
  }
  check_distinct({}, outputs);
  return std::any_of(outputs.begin(), outputs.end(),
                     [](const OutputFile& output) { return output.is_standard_output(); });
}

/// Throws where a problem's option or output stands without its name.
void check_nothing_asked(const GalleryOptions& options) {
  const bool nothing = options.problem.settings.empty() && options.output.empty() &&
                       options.rhs_output.empty() && options.near_nullspace_output.empty() &&
                       options.coordinates_output.empty();
  if (!nothing) throw UsageError("a problem's name is needed; 'tessera gallery' lists them");
}

void list_problems() {
  std::size_t width = 0;
  for (const EnumName<ProblemKind>& problem : problem_names())
    width = std::max(width, problem.name.size());
  for (const EnumName<ProblemKind>& problem : problem_names())
    fmt::print("{:<{}}  {}\n", problem.name, width, problem.text);
}

/// Writes the problem; says on `summary` what it is.
template <class Offset>
void write_problem(const GalleryOptions& options, const GalleryParameters& parameters,
                   std::FILE* summary) {
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
  fmt::print(summary, "{}: {}, {}\n", problem.description,
             counted(problem.A.num_rows, "row", "rows"),
             counted(static_cast<std::int64_t>(problem.A.num_entries()), "entry", "entries"));
}

/// With 32-bit offsets, and with 64-bit ones where the problem has more entries than those count.
void write_with_offsets(const GalleryOptions& options, const GalleryParameters& parameters,
                        std::FILE* summary) {
  try {
    write_problem<std::int32_t>(options, parameters, summary);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::precondition) throw;
    write_problem<std::int64_t>(options, parameters, summary);
  }
}

}  // namespace

ExitCode run_gallery(const GalleryOptions& options) {
  if (options.problem.name.empty()) {
    check_nothing_asked(options);
    list_problems();
    return ExitCode::success;
  }
  const GalleryParameters parameters = gallery_parameters(options.problem);
  GalleryOptions files = options;
  // What is piped on must hold nothing but the file.
  std::FILE* const summary = check_outputs(files) ? stderr : stdout;

  const KokkosSession kokkos(0);
  try {
    write_with_offsets(files, parameters, summary);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::io) throw OutputError(error.what());
    if (error.kind() == ErrorKind::configuration) throw UsageError(error.what());
    throw;
  }
  return ExitCode::success;
}

}  // namespace tessera::app
