// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Memory that ran out, as an `Error` that names the step.
#pragma once

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"

#include <exception>
#include <new>
#include <string>
#include <string_view>

namespace tessera {

/// True for the exceptions by which the standard library, Kokkos and a device's runtime say that
/// memory ran out.
bool is_out_of_memory(const std::exception& error);

namespace detail {

/// How the text of a `MemoryLimitExceeded` begins that names its step.
inline constexpr const char* limit_in_step = "in ";

/// What to say of memory that ran out in a setup or a solve.
inline constexpr const char* less_for_a_solver =
    "; less is taken by precision=float, another preconditioner, fewer right-hand sides at once, "
    "and GMRES with a shorter restart";

/// "STEP: memory ran out", with what `error` says of the allocation, and `advice`.
Error out_of_memory(const std::string& step, const std::exception& error, const char* advice);

/// The same where there is no memory for words either.
const Error& out_of_memory_without_words();

/// The error for a limit of memory that the call which is named so has come to.
Error limit_reached(const std::string& call, const MemoryLimitExceeded& error);

/// Runs `work`; where memory runs out in it, throws `Error(out_of_memory)` that begins with what
/// `step()` returns then. Steps may be nested: the innermost is named. A limit that was set is
/// named with the step, and stays what it is for who set it.
template <class Step, class Work>
decltype(auto) with_memory_errors(const Step& step, const Work& work,
                                  const char* advice = less_for_a_solver) {
  try {
    return work();
  } catch (const MemoryLimitExceeded& error) {
    if (std::string_view(error.what()).starts_with(limit_in_step)) throw;
    throw MemoryLimitExceeded(limit_in_step + (step() + ": ") + error.what());
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
