// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/exit_code.hpp"

#include <cstdio>
#include <system_error>

#include "app/terminal.hpp"
#include "tessera/operator/out_of_memory.hpp"

namespace tessera::app {

ExitCode exit_code(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return ExitCode::success;
    case SolveStatus::least_squares:
      return ExitCode::least_squares;
    case SolveStatus::max_iterations:
    case SolveStatus::time_limit:
    case SolveStatus::stagnated:
    case SolveStatus::interrupted:
      return ExitCode::not_converged;
    case SolveStatus::diverged:
    case SolveStatus::not_a_number:
      return ExitCode::diverged;
    case SolveStatus::breakdown:
      return ExitCode::breakdown;
  }
  return ExitCode::not_converged;
}

ExitCode exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::precondition:
    case ErrorKind::bad_input:
    case ErrorKind::io:
      return ExitCode::bad_input;
    case ErrorKind::configuration:
      return ExitCode::bad_configuration;
    case ErrorKind::out_of_memory:
      return ExitCode::out_of_memory;
    case ErrorKind::device:
      return ExitCode::internal_error;
  }
  return ExitCode::bad_input;
}

Failure failure_of(const std::exception& error) {
  const std::string text = error.what();
  if (dynamic_cast<const UsageError*>(&error) != nullptr) return {text, ExitCode::usage};
  if (dynamic_cast<const OutputError*>(&error) != nullptr) return {text, ExitCode::cannot_write};
  const auto* const known = dynamic_cast<const Error*>(&error);
  if (is_out_of_memory(error) || (known != nullptr && known->kind() == ErrorKind::out_of_memory))
    return {text + "; free some, or raise the limit on it", ExitCode::out_of_memory};
  if (known != nullptr) return {text, exit_code(known->kind())};
  if (std::ferror(stdout) != 0) {
    // fmt throws where a print fails.
    const auto* const system = dynamic_cast<const std::system_error*>(&error);
    return {standard_output_error(system != nullptr ? system->code().message() : text).what(),
            ExitCode::cannot_write};
  }
  return {"internal error: " + text, ExitCode::internal_error};
}

}  // namespace tessera::app
