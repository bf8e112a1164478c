// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/hypre/guarded.hpp"

#include "tessera/operator/out_of_memory.hpp"

#include <array>
#include <cstdio>
#include <exception>

namespace tessera::hypre {
namespace {

/// hypre's own room for a message is 2048. Without a destructor, so that calls at the end of a
/// thread find it, too.
thread_local std::array<char, 1500> last_message;
thread_local bool has_message = false;

void tell(const char* function, HYPRE_Int code, const char* message) noexcept {
  std::snprintf(last_message.data(), last_message.size(), "%s: %s", function, message);
  has_message = true;
  hypre_error_handler("HYPRE_tessera", 0, code, last_message.data());
}

}  // namespace

void set_error_flag(const char* function) noexcept {
  try {
    throw;
  } catch (const ArgumentError& error) {
    tell(function, HYPRE_ERROR_ARG | error.number() << 3, error.what());
  } catch (const NotConverged& error) {
    tell(function, HYPRE_ERROR_CONV, error.what());
  } catch (const std::exception& error) {
    const auto* const own = dynamic_cast<const Error*>(&error);
    const bool out_of_memory =
        own != nullptr ? own->kind() == ErrorKind::out_of_memory : is_out_of_memory(error);
    tell(function, out_of_memory ? HYPRE_ERROR_MEMORY : HYPRE_ERROR_GENERIC, error.what());
  } catch (...) {
    tell(function, HYPRE_ERROR_GENERIC, "an exception of an unknown type");
  }
}

const char* take_message() noexcept {
  const char* const message = has_message ? last_message.data() : "";
  has_message = false;
  return message;
}

}  // namespace tessera::hypre
