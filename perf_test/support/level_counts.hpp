// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The products with vectors of a multigrid cycle, counted by level.
#pragma once

#include "support/counted_operator.hpp"

#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/kernels/execution/types.hpp"
#include "tessera/smoother/jacobi.hpp"

#include <memory>
#include <stdexcept>
#include <vector>

namespace tessera::perf {

/// Products with vectors of one level.
struct LevelCount {
  ProductCount A, P, R;
};

inline ProductCount sum_of(const std::vector<LevelCount>& levels) {
  ProductCount sum;
  for (const LevelCount& level : levels) {
    sum.calls += level.A.calls + level.P.calls + level.R.calls;
    sum.ms += level.A.ms + level.P.ms + level.R.ms;
  }
  return sum;
}

/// The diagonal D of a sweep x += D (b - A x): what the first sweep from zero makes of ones, in
/// whatever A is stored.
template <class Space>
Array<double, Space> weights_of(const Space& exec, Smoother<double, Space>& one_sweep,
                                Ordinal num_rows) {
  const auto n = static_cast<std::size_t>(num_rows);
  const auto ones = allocate_multivector<double>(exec, "tessera::perf::ones", n);
  const auto weights = allocate<double>(exec, "tessera::perf::weights", n);
  Kokkos::deep_copy(exec, ones, 1.0);
  one_sweep.prepare(exec, 1);
  one_sweep.apply(exec, ones, as_multivector(weights));
  return weights;
}

/// Makes the products of `hierarchy`, whose smoothers are one sweep by a diagonal each, count: into
/// `counts`, one a level, which has to stay where it is. The smoothers then have `sweeps` sweeps.
/// @throws std::invalid_argument where there is another smoother.
template <class Space>
void count_products(const Space& exec, int sweeps, amg::Hierarchy<double, Space>& hierarchy,
                    std::vector<LevelCount>& counts) {
  using Counted = CountedOperator<Space>;
  using Jacobi = JacobiSmoother<double, Space>;
  counts.assign(hierarchy.levels.size(), {});
  for (std::size_t l = 0; l < hierarchy.levels.size(); ++l) {
    auto& level = hierarchy.levels[l];
    level.A = std::make_shared<Counted>(level.A, counts[l].A);
    if (level.P != nullptr) level.P = std::make_shared<Counted>(level.P, counts[l].P);
    if (level.R != nullptr) level.R = std::make_shared<Counted>(level.R, counts[l].R);
    if (level.smoother == nullptr) continue;
    if (dynamic_cast<const Jacobi*>(level.smoother.get()) == nullptr) {
      throw std::invalid_argument(
          "products are counted of the smoothers jacobi, l1_jacobi and spai0 alone; set "
          "amg.smoother.type to one of these");
    }
    level.smoother = std::make_unique<Jacobi>(
        level.A, weights_of(exec, *level.smoother, level.A->num_rows()), sweeps);
  }
}

}  // namespace tessera::perf
