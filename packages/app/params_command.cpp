// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include <fmt/format.h>

#include "app/options.hpp"
#include "tessera/parameters/json.hpp"
#include "tessera/parameters/table.hpp"
#include "tessera/solve.hpp"

namespace tessera::app {

ExitCode run_params(const ParamsOptions& options) {
  SolveParameters defaults;
  const parameters::ParameterTree tree(defaults);
  if (options.json_schema) {
    fmt::print("{}\n", parameters::json_schema(tree));
  } else {
    fmt::print("Set by -p key=value or in the file of --config.\n\n{}",
               parameters::parameter_table(tree));
  }
  return ExitCode::success;
}

}  // namespace tessera::app
