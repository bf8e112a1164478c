// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Divergence of solves that take several launches.
#pragma once

#include <algorithm>

namespace tessera::kernels {

/// The `divergence_limit` of a launch that goes on with an earlier one's x. A launch bounds growth
/// over the residual that it starts from; with this limit the bound is that of the whole solve.
/// `first` and `now`: residual norms over the reference where the solve started, and now.
inline double divergence_limit_of_next(double limit, double first, double now) {
  return limit * std::max(1.0, first) / std::max(1.0, now);
}

}  // namespace tessera::kernels
