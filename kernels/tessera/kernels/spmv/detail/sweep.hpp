// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The skeleton that all CSR products share: row sums by the plan's kernel, then an epilogue.
#pragma once

#include "tessera/kernels/spmv/detail/classical.hpp"
#include "tessera/kernels/spmv/detail/load_balanced.hpp"
#include "tessera/kernels/spmv/detail/pattern_rows.hpp"
#include "tessera/kernels/spmv/detail/plan_of.hpp"
#include "tessera/kernels/spmv/detail/staging.hpp"

#include <algorithm>
#include <string>

namespace tessera::kernels::detail {

/// Calls epilogue(row, column, (A x)(row, column)) for every row and every column of `x`, reading
/// the matrix once for up to `max_columns_at_once` columns.
template <class Storage, class Working, class Space, class Offset, class Epilogue>
void sweep(const Space& exec, const std::string& label, const CsrSpmvPlan<Space>& plan,
           const CsrView<Storage, Space, Offset>& A, const ConstMultiVectorView<Working, Space>& x,
           const Epilogue& epilogue) {
  const int k = static_cast<int>(x.extent(1));
  if (A.num_rows == 0 || k == 0) return;
  require_plan_of(exec, plan, A);
  if (plan.algorithm == CsrSpmvAlgorithm::load_balanced) {
    for (int first = 0; first < k; first += max_columns_at_once) {
      sweep_balanced(exec, label, plan, A, x, first, std::min(k - first, max_columns_at_once),
                     epilogue);
    }
    return;
  }
  if constexpr (has_staged_rows<Space> && is_staged_pair<Storage, Working>) {
    if (is_staged(plan) && k == 1) {
      if (const auto kernel = choose_staged_rows(exec, plan, A, x, epilogue)) {
        launch_staged_parts(exec, label, plan.launches, *kernel);
        return;
      }
    }
  }
  if constexpr (is_host_space<Space>) {
    if (plan.patterns.found && k == 1) {
      sweep_patterns(exec, label, plan.patterns, A, x, epilogue);
      return;
    }
  }
  const auto pass = [&](auto columns, int first) {
    sweep_classical<columns.value>(exec, label, plan.threads_per_row, A, x, first, epilogue);
  };
  if constexpr (std::is_same_v<Storage, Working>) {
    for_column_groups(k, pass);
  } else {
    for_few_column_groups(k, pass);
  }
}

}  // namespace tessera::kernels::detail
