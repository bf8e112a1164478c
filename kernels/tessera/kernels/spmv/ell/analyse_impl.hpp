// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of `analyse_spmv` for ELL.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/spmv/ell/ell_format.hpp"
#include "tessera/kernels/spmv/selection_rules.hpp"

namespace tessera::kernels {

template <class Storage, class Space>
EllSpmvPlan analyse_spmv(const Space& exec, const EllView<Storage, Space>& A) {
  EllSpmvPlan plan;
  if constexpr (!is_host_space<Space>) {
    // As many as fill the device once, and leave each a few slots.
    constexpr int most = 16;
    constexpr int min_slots = rules::min_slots_per_ell_lane;
    const auto threads = static_cast<std::int64_t>(exec.concurrency());
    while (plan.threads_per_row < most && 2 * min_slots * plan.threads_per_row <= A.width &&
           2 * static_cast<std::int64_t>(plan.threads_per_row) * A.num_rows <= threads) {
      plan.threads_per_row *= 2;
    }
  }
  return plan;
}

}  // namespace tessera::kernels
