// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/info_text.hpp"
#include "app/machine.hpp"
#include "app/matrix_properties.hpp"
#include "app/terminal.hpp"
#include "tessera/io/matrix_file.hpp"

namespace tessera::app {

ExitCode run_info(const InfoOptions& options) {
  const KokkosSession kokkos(0);
  const HostSpace exec;
  ReadOptions how;
  how.duplicates = options.sum_duplicates ? Duplicates::sum : Duplicates::error;
  MatrixProperties properties;
  {
    Progress progress(true);
    progress.start("reading " + options.matrix);
    const auto file = read_matrix<double, std::int64_t>(exec, options.matrix, how);
    progress.start("looking at " + options.matrix);
    properties = matrix_properties(exec, file.A);
  }
  fmt::print("{}", options.json ? info_json(properties, options.matrix)
                                : info_text(properties, options.matrix, terminal_shows_unicode()));
  return ExitCode::success;
}

}  // namespace tessera::app
