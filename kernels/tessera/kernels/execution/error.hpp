// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The one exception type, and the precondition check that throws it.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

namespace tessera {

/// What kind of thing went wrong; the `tessera` command maps it to its exit code.
enum class ErrorKind {
  precondition,  ///< an argument is not what the function takes
  bad_input,  ///< a file or a matrix holds bad data
  configuration,  ///< a parameter, section or key is unknown or out of its range
  out_of_memory,  ///< memory ran out; the message names the step and what it asked for
  io,  ///< a file cannot be read or written
  device  ///< the device's runtime refused a call; the message has its words
};

/// Thrown on a broken precondition. Non-convergence, breakdown and NaN are results, never this.
/// `what()` is a plain sentence for whoever runs the program, without the place in the source.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message,
        std::source_location where = std::source_location::current())
      : std::runtime_error(message), m_kind(kind), m_where(where) {}

  ErrorKind kind() const noexcept { return m_kind; }
  /// Where in Tessera's own source the check stands, with the function's name: for a report of a
  /// defect.
  const std::source_location& where() const noexcept { return m_where; }

 private:
  ErrorKind m_kind;
  std::source_location m_where;
};

/// Throws `Error` of kind `precondition` unless `ok`. The message says which argument, its value,
/// and what was expected; it is a callable so that the true path builds no string.
template <class Message>
void require(bool ok, Message&& message,
             std::source_location where = std::source_location::current()) {
  if (!ok) {
    throw Error(ErrorKind::precondition, message(), where);
  }
}

}  // namespace tessera
