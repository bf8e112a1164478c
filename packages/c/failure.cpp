// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "c/failure.hpp"

#include <cstdio>
#include <cstring>
#include <new>

#include "tessera/operator/error.hpp"
#include "tessera/operator/out_of_memory.hpp"

namespace tessera::c {

namespace {

/// Without a destructor, so that calls at the end of a thread find it, too.
thread_local char last_error_text[4096];

tessera_status status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::precondition:
      return TESSERA_ERROR_ARGUMENT;
    case ErrorKind::bad_input:
    case ErrorKind::io:
      return TESSERA_ERROR_INPUT;
    case ErrorKind::configuration:
      return TESSERA_ERROR_CONFIGURATION;
    case ErrorKind::out_of_memory:
      return TESSERA_ERROR_MEMORY;
    case ErrorKind::device:
      return TESSERA_ERROR_DEVICE;
  }
  return TESSERA_ERROR_INTERNAL;
}

}  // namespace

void require_pointer(const void* pointer, const char* name) {
  require_argument(pointer != nullptr, [&] { return std::string(name) + " is null"; });
}

void set_last_error(const char* function, const char* message) noexcept {
  constexpr std::size_t room = sizeof(last_error_text);
  const int length = std::snprintf(last_error_text, room, "%s: %s", function, message);
  if (length >= static_cast<int>(room)) std::memcpy(last_error_text + room - 4, "...", 4);
}

void clear_last_error() noexcept { last_error_text[0] = '\0'; }

const char* last_error() noexcept { return last_error_text; }

tessera_status status_of_current_exception(const char* function) noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    set_last_error(function, failure.what());
    return failure.status();
  } catch (const Error& error) {
    set_last_error(function, error.what());
    return status_of(error.kind());
  } catch (const std::exception& error) {
    const bool out_of_memory = is_out_of_memory(error);
    set_last_error(function, out_of_memory ? "memory ran out" : error.what());
    return out_of_memory ? TESSERA_ERROR_MEMORY : TESSERA_ERROR_INTERNAL;
  } catch (...) {
    set_last_error(function, "an exception of an unknown type");
    return TESSERA_ERROR_INTERNAL;
  }
}

tessera_status status_of(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return TESSERA_SUCCESS;
    case SolveStatus::least_squares:
      return TESSERA_LEAST_SQUARES;
    case SolveStatus::max_iterations:
      return TESSERA_MAX_ITERATIONS;
    case SolveStatus::time_limit:
      return TESSERA_TIME_LIMIT;
    case SolveStatus::stagnated:
      return TESSERA_STAGNATED;
    case SolveStatus::diverged:
      return TESSERA_DIVERGED;
    case SolveStatus::not_a_number:
      return TESSERA_NOT_A_NUMBER;
    case SolveStatus::breakdown:
      return TESSERA_BREAKDOWN;
    case SolveStatus::interrupted:
      return TESSERA_INTERRUPTED;
  }
  return TESSERA_ERROR_INTERNAL;
}

}  // namespace tessera::c
