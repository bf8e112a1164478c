// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Memory that ran out, as an `Error` that names the step.
#pragma once

#include "tessera/kernels/execution/error.hpp"

#include <exception>
#include <new>
#include <string>

namespace tessera {

/// True for the exceptions by which the standard library, Kokkos and a device's runtime say that
/// memory ran out.
bool is_out_of_memory(const std::exception& error);

namespace detail {

/// What to say of memory that ran out in a setup or a solve.
inline constexpr const char* less_for_a_solver =
    "; less is taken by precision=single, another preconditioner, fewer right-hand sides at once, "
    "and GMRES with a shorter restart";

/// "STEP: memory ran out", with what `error` says of the allocation, and `advice`.
Error out_of_memory(const std::string& step, const std::exception& error, const char* advice);

/// The same where there is no memory for words either.
const Error& out_of_memory_without_words();

/// Runs `work`; where memory runs out in it, throws `Error(out_of_memory)` that begins with what
/// `step()` returns then. Steps may be nested: the innermost is named.
template <class Step, class Work>
decltype(auto) with_memory_errors(const Step& step, const Work& work,
                                  const char* advice = less_for_a_solver) {
  try {
    return work();
  } catch (const std::exception& error) {
    if (!is_out_of_memory(error)) throw;
    try {
      throw out_of_memory(step(), error, advice);
    } catch (const std::bad_alloc&) {
      throw out_of_memory_without_words();
    }
  }
}

}  // namespace detail
}  // namespace tessera
