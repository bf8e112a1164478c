// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// When a solve within one launch ends because its residuals fall too slowly.
#pragma once

#include <Kokkos_Macros.hpp>
#include <Kokkos_MathematicalFunctions.hpp>

#include <cmath>

namespace tessera::kernels {

/// More than `too_many` further iterations are left to `tolerance` at the mean rate of the last
/// `window`.
struct SlowRate {
  int too_many = 0;  ///< 0: no rate is too slow
  int first = 30;  ///< iterations before the first look, at least `window`
  int window = 20;
  double tolerance = 1e-8;  ///< of the residual norm over the reference, at least
  /// Of the squared residual norm within a window: where it falls by as much, the rate is not slow
  /// from any residual of the reference or less.
  double fast_gain = 0;

  static SlowRate of(int too_many, int first, int window, double tolerance) {
    return {too_many, first, window, tolerance,
            too_many > 0 ? std::pow(tolerance, -2.0 * window / too_many) : 0};
  }

  /// Whether the residual is looked at after so many iterations, `limit` being the most that there
  /// may be.
  KOKKOS_FUNCTION bool looks_after(int iterations, int limit) const {
    return too_many > 0 && iterations >= first && iterations + window <= limit;
  }

  /// With squared norms over the reference: of the residual now, of that before the window, and of
  /// the one where the solve ends.
  KOKKOS_FUNCTION bool is_slow(double now, double before, double end) const {
    if (now <= 1 && before >= fast_gain * now) return false;
    const double least = tolerance * tolerance;
    const double left = Kokkos::log(now / (end > least ? end : least));
    return left > 0 && too_many * Kokkos::log(before / now) < window * left;
  }
};

}  // namespace tessera::kernels
