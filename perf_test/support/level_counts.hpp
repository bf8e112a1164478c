// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The products with vectors of a multigrid cycle, counted by level.
#pragma once

#include "support/counted_operator.hpp"

#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/matrix/stored_matrix.hpp"
#include "tessera/smoother/jacobi.hpp"
#include "tessera/smoother/parameters.hpp"

#include <memory>
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

/// 1 / A_ii of a level in compressed rows or on tiles.
template <class Space>
Array<double, Space> inverse_diagonal_of(const Space& exec,
                                         const SparseOperator<double, Space>& A) {
  using Rows = StoredCsr<double, Space, std::int32_t>;
  using Tiles = StoredMatrix<double, kernels::Mbsr<double, Space>>;
  if (const auto* const rows = dynamic_cast<const Rows*>(&A))
    return kernels::inverse_diagonal(exec, rows->view());
  const auto tiles = dynamic_cast<const Tiles&>(A).view();
  return kernels::inverse_diagonal(exec,
                                   kernels::mbsr_to_csr<double, std::int32_t>(exec, tiles).view());
}

/// Makes the products of `hierarchy`, relaxed by Jacobi, count: into `counts`, one a level, which
/// has to stay where it is.
template <class Space>
void count_products(const Space& exec, const SmootherParameters& smoother,
                    amg::Hierarchy<double, Space>& hierarchy, std::vector<LevelCount>& counts) {
  using Counted = CountedOperator<Space>;
  counts.assign(hierarchy.levels.size(), {});
  for (std::size_t l = 0; l < hierarchy.levels.size(); ++l) {
    auto& level = hierarchy.levels[l];
    const auto A = level.A;
    level.A = std::make_shared<Counted>(A, counts[l].A);
    if (level.P != nullptr) level.P = std::make_shared<Counted>(level.P, counts[l].P);
    if (level.R != nullptr) level.R = std::make_shared<Counted>(level.R, counts[l].R);
    if (level.smoother == nullptr) continue;
    level.smoother = std::make_unique<JacobiSmoother<double, Space>>(
        make_jacobi<double, Space>(exec, level.A, inverse_diagonal_of(exec, *A),
                                   smoother.jacobi.omega, level.spectral_radius, smoother.sweeps));
  }
}

}  // namespace tessera::perf
