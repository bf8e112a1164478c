// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "app/parameter_json.hpp"
#include "tessera/solve.hpp"

namespace tessera::app {

ExitCode run_params(const ParamsOptions& options) {
  SolveParameters defaults;
  const ParameterTree tree(defaults);
  if (options.json_schema) {
    fmt::print("{}\n", json_schema(tree).dump(2));
  } else {
    fmt::print("Set by -p key=value or in the file of --config.\n\n{}", parameter_table(tree));
  }
  return ExitCode::success;
}

}  // namespace tessera::app
