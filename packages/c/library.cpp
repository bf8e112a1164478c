// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include <fmt/format.h>

#include "c/failure.hpp"
#include "c/runtime.hpp"
#include "frontend/machine.hpp"
#include "tessera/parameters/json.hpp"
#include "tessera/parameters/nearest_name.hpp"
#include "tessera/solve/parameters.hpp"
#include "tessera/version.hpp"

using namespace tessera::c;

const char* tessera_version(void) {
  static const auto* const text = new std::string(tessera::version());
  return text->c_str();
}

const char* tessera_build(void) {
  static const auto* const text = [] {
    const auto info = tessera::frontend::build_info();
    return new std::string(fmt::format("tessera {} ({}), Kokkos {}, execution spaces: {}, {}",
                                       info.version, info.commit, info.kokkos_version,
                                       tessera::parameters::join_names(info.execution_spaces),
                                       info.compiler));
  }();
  return text->c_str();
}

const char* tessera_status_name(tessera_status status) {
  switch (status) {
    case TESSERA_SUCCESS:
      return "success";
    case TESSERA_LEAST_SQUARES:
      return "least_squares";
    case TESSERA_MAX_ITERATIONS:
      return "max_iterations";
    case TESSERA_TIME_LIMIT:
      return "time_limit";
    case TESSERA_STAGNATED:
      return "stagnated";
    case TESSERA_DIVERGED:
      return "diverged";
    case TESSERA_NOT_A_NUMBER:
      return "not_a_number";
    case TESSERA_BREAKDOWN:
      return "breakdown";
    case TESSERA_INTERRUPTED:
      return "interrupted";
    case TESSERA_ERROR_ARGUMENT:
      return "error_argument";
    case TESSERA_ERROR_INPUT:
      return "error_input";
    case TESSERA_ERROR_CONFIGURATION:
      return "error_configuration";
    case TESSERA_ERROR_MEMORY:
      return "error_memory";
    case TESSERA_ERROR_DEVICE:
      return "error_device";
    case TESSERA_ERROR_BUSY:
      return "error_busy";
    case TESSERA_ERROR_RUNTIME:
      return "error_runtime";
    case TESSERA_ERROR_INTERNAL:
      return "error_internal";
  }
  return "unknown";
}

const char* tessera_last_error(void) { return last_error(); }

tessera_status tessera_initialize(int32_t threads) {
  return guarded(__func__, [&] { start_runtime(threads); });
}

tessera_status tessera_parameter_schema(const char** json) {
  return guarded(__func__, [&] {
    require_pointer(json, "json");
    static const auto* const text = [] {
      tessera::SolveParameters parameters;
      const tessera::parameters::ParameterTree tree(parameters);
      return new std::string(tessera::parameters::json_schema(tree));
    }();
    *json = text->c_str();
  });
}
