// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Work on an iterate that may end without one.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <exception>
#include <utility>

namespace tessera::detail {

/// Runs `work`, which writes `x`. Where it throws, x is what it was before, as far as the device
/// still does copies: a launch whose workers were lost may have left a part of a step in it.
/// `kept`: room for a copy of x, made here where it is too small.
template <class Space, class Kept, class View, class Work>
auto with_guess_kept(const Space& exec, Kept& kept, const View& x, const Work& work) {
  if (kept.extent(0) < x.extent(0))
    kept = allocate<typename View::value_type>(exec, "tessera::solver::kept_guess", x.extent(0));
  const auto copy = Kokkos::subview(kept, std::make_pair(std::size_t(0), x.extent(0)));
  Kokkos::deep_copy(exec, copy, x);
  try {
    return work();
  } catch (...) {
    const std::exception_ptr why = std::current_exception();
    try {
      Kokkos::deep_copy(exec, x, copy);
      exec.fence("tessera::solver::guess");
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
      // Of a device that is gone the first error says more.
    }
    std::rethrow_exception(why);
  }
}

}  // namespace tessera::detail
