// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// From exceptions to hypre's error flag.
#pragma once

#include "tessera/operator/error.hpp"

#include <_hypre_utilities.h>

#include <string>

namespace tessera::hypre {

/// An argument of one of the C functions, counted from 1, is not what it takes.
class ArgumentError : public Error {
 public:
  ArgumentError(int number, const std::string& message)
      : Error(ErrorKind::precondition, message), m_number(number) {}
  int number() const { return m_number; }

 private:
  int m_number;
};

/// A solve that has not reached its tolerance.
class NotConverged : public Error {
 public:
  explicit NotConverged(const std::string& message) : Error(ErrorKind::precondition, message) {}
};

/// Sets hypre's error flag for what is being thrown, with a message that begins with `function`.
void set_error_flag(const char* function) noexcept;

/// That message of this thread's last failure; the empty string where there was none, or where it
/// has been asked for already. Valid until the next failure.
const char* take_message() noexcept;

/// Does the work of one of the C functions. Nothing leaves it.
/// @return hypre's error flag
template <class Work>
HYPRE_Int guarded(const char* function, const Work& work) noexcept {
  try {
    work();
  } catch (...) {
    set_error_flag(function);
  }
  return HYPRE_GetError();
}

}  // namespace tessera::hypre
