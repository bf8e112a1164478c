// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/refinement.hpp"

#include "tessera/direct/extended_residual.hpp"
#include "tessera/direct/rounding_descent.hpp"
#include "tessera/direct/selection_rules.hpp"

#include <algorithm>
#include <cstddef>

namespace tessera::direct {
namespace {

/// high + low <- high + low + step, each low less than half a unit in its high's last place.
void add(const std::vector<double>& step, std::vector<double>& high, std::vector<double>& low) {
  for (std::size_t i = 0; i < step.size(); ++i) {
    const double rest = low[i] + step[i];
    const double sum = high[i] + rest;
    const double of_rest = sum - high[i];
    low[i] = (high[i] - (sum - of_rest)) + (rest - of_rest);
    high[i] = sum;
  }
}

}  // namespace

Refinement refine(const HostSpace& exec, const HostMatrix& A, const SparseDirect& factors,
                  const double* b, double* x, double target, int max_corrections,
                  const RefinementProgress& goes_on) {
  std::vector<double> high(x, x + A.n), low(A.n), step(A.n), rounded_residual(A.n);
  Refinement result;
  result.norm = result.unrounded_norm = extended_residual(exec, A, b, x, nullptr, step.data());
  std::vector<double> best = high;
  const auto take_better = [&](const std::vector<double>& other, double norm) {
    if (!(norm < result.norm)) return;
    result.norm = norm;
    best = other;
  };
  const auto continues = [&] {
    return goes_on(static_cast<int>(result.history.size()), result.norm);
  };
  while (result.norm > target && static_cast<int>(result.history.size()) < max_corrections &&
         continues()) {
    factors.solve(exec, step.data());
    add(step, high, low);
    const double before = result.unrounded_norm;
    const double now = extended_residual(exec, A, b, high.data(), low.data(), step.data());
    const double norm =
        extended_residual(exec, A, b, high.data(), nullptr, rounded_residual.data());
    result.history.push_back(norm);
    take_better(high, norm);
    if (!(now < before)) break;
    result.unrounded_norm = now;
    if (now > before / 2) break;
  }
  const bool may_be_rounded = result.unrounded_norm <= target &&
                              result.norm <= target * rules::max_residual_before_rounding;
  if (result.norm > target && may_be_rounded && continues()) {
    auto rounded = best;
    const double norm = RoundingDescent(A).descend(b, rounded.data(), target, continues);
    take_better(rounded, norm);
  }
  std::copy(best.begin(), best.end(), x);
  if (!result.history.empty()) result.history.back() = result.norm;
  return result;
}

}  // namespace tessera::direct
