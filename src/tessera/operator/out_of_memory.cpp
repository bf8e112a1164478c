// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/operator/out_of_memory.hpp"

#include <Kokkos_Core.hpp>

#include <stdexcept>
#include <string_view>
#include <typeinfo>

namespace tessera {

bool is_out_of_memory(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return true;
  if (dynamic_cast<const MemoryLimitExceeded*>(&error) != nullptr) return true;
#if KOKKOS_VERSION >= 50200
  if (dynamic_cast<const Kokkos::Experimental::BadAlloc*>(&error) != nullptr) return true;
#endif
  // Before 5.2 Kokkos has no type for it, and never one for what a runtime returns from another
  // call than an allocation: the name of its code is in the text alone.
  if (typeid(error) != typeid(std::runtime_error)) return false;
  const std::string_view text = error.what();
  // Where nothing is left its stream ends with what a string holds by itself, 15 or 22 characters.
  if (text.starts_with("Kokkos ERROR: ") && text.size() <= 22) return true;
  return text.find("memory space failed to allocate") != std::string_view::npos ||
         text.find("cudaErrorMemoryAllocation") != std::string_view::npos ||
         text.find("hipErrorOutOfMemory") != std::string_view::npos;
}

namespace detail {
namespace {

// A copy of an exception allocates nothing that may be refused.
const Error without_words(ErrorKind::out_of_memory,
                          "memory ran out, and there is none for a message that names the step");

}  // namespace

const Error& out_of_memory_without_words() { return without_words; }

Error out_of_memory(const std::string& step, const std::exception& error, const char* advice) {
  // Of the standard library's the text is the name of a type.
  const bool has_words = dynamic_cast<const std::bad_alloc*>(&error) == nullptr;
  return {ErrorKind::out_of_memory, step + ": memory ran out" +
                                        (has_words ? " (" + std::string(error.what()) + ")" : "") +
                                        advice};
}

Error limit_reached(const std::string& call, const MemoryLimitExceeded& error) {
  return {ErrorKind::out_of_memory,
          call + ": max_memory_mb is reached, " + error.what() + less_for_a_solver};
}

}  // namespace detail
}  // namespace tessera
