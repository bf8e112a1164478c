// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Errors of the C interface: exceptions within, statuses and a text outside.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "c/tessera.h"
#include "tessera/operator/solve_result.hpp"

namespace tessera::c {

/// What no `tessera::Error` says: a status and its text.
class Failure : public std::runtime_error {
 public:
  Failure(tessera_status status, const std::string& message)
      : std::runtime_error(message), m_status(status) {}
  tessera_status status() const noexcept { return m_status; }

 private:
  tessera_status m_status;
};

/// Throws a Failure of TESSERA_ERROR_ARGUMENT unless `ok`; the message is a callable.
template <class Message>
void require_argument(bool ok, Message&& message) {
  if (!ok) throw Failure(TESSERA_ERROR_ARGUMENT, message());
}

/// "NAME is null" unless it is not.
void require_pointer(const void* pointer, const char* name);

/// Sets the text of this thread, as much of it as there is room for. Allocates nothing.
void set_last_error(const char* function, const char* message) noexcept;
void clear_last_error() noexcept;
const char* last_error() noexcept;

/// The status of what was thrown; its text becomes the last error.
tessera_status status_of_current_exception(const char* function) noexcept;

/// The status for how a solve ended.
tessera_status status_of(SolveStatus status);

/// Runs `work`, which returns a status or nothing, and lets no exception out.
template <class Work>
tessera_status guarded(const char* function, Work&& work) noexcept {
  clear_last_error();
  try {
    if constexpr (std::is_void_v<decltype(work())>) {
      work();
      return TESSERA_SUCCESS;
    } else {
      return work();
    }
  } catch (...) {
    return status_of_current_exception(function);
  }
}

}  // namespace tessera::c
