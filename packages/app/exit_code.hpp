// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The exit codes of the command `tessera`, and what leads to each.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "tessera/operator/error.hpp"
#include "tessera/operator/solve_result.hpp"

namespace tessera::app {

/// What the command returns to the shell. Codes from 64 on are those of sysexits.h.
enum class ExitCode : int {
  success = 0,  ///< converged, or a command other than solve did its work
  not_converged = 2,  ///< a limit came first, or Ctrl-C; the best iterate was written
  diverged = 3,  ///< the residual grew past the limit, or became NaN or infinite
  breakdown = 4,  ///< the method divided by (nearly) zero
  out_of_memory = 5,  ///< memory ran out
  least_squares = 6,  ///< the system has no solution; x is the least-squares solution
  usage = 64,  ///< the command line is wrong
  bad_input = 65,  ///< a matrix or a vector cannot be read, or does not fit
  internal_error = 70,  ///< none of the others; a defect of Tessera or of the machine
  cannot_write = 74,  ///< an output file, or standard output, cannot be written
  bad_configuration = 78  ///< a parameter or a configuration file is wrong, or a device is missing
};

/// A command line that does not make sense; leads to ExitCode::usage.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An output that cannot be written; leads to ExitCode::cannot_write.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The code for the end of a solve.
ExitCode exit_code(SolveStatus status);

/// The code for an error that the library threw.
ExitCode exit_code(ErrorKind kind);

/// What the command says and returns for an exception.
struct Failure {
  std::string message;
  ExitCode code = ExitCode::internal_error;
};
Failure failure_of(const std::exception& error);

}  // namespace tessera::app
