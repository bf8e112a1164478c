// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The pattern of a CSR matrix as its plan knows it.
#pragma once

#include "tessera/kernels/spmv/csr/csr_format.hpp"
#include "tessera/kernels/spmv/detail/find_patterns.hpp"
#include "tessera/kernels/spmv/pattern_fingerprint.hpp"

namespace tessera::kernels::detail {

template <class Storage, class Space, class Offset>
PatternPlace place_of(const CsrView<Storage, Space, Offset>& A, bool by_columns) {
  return {A.offsets.data(), nullptr, static_cast<std::size_t>(A.num_rows), A.num_entries,
          by_columns ? A.columns.data() : nullptr};
}

/// Throws unless `plan` was made for the pattern of `A`.
template <class Storage, class Space, class Offset>
void require_plan_of(const Space& exec, const CsrSpmvPlan<Space>& plan,
                     const CsrView<Storage, Space, Offset>& A) {
  const bool by_columns = plan.patterns.found;
  plan.pattern.require_same(place_of(A, by_columns), [&] {
    const auto fingerprint = row_facts<Space, Offset>(exec, A.offsets, A.num_rows).fingerprint;
    const ColumnsOf<Space, Offset> columns(A);
    // Another one than the plan's, where the rows are as long and the columns differ.
    const bool differs = by_columns && !are_columns_of(exec, plan.patterns, columns);
    return differs ? ~fingerprint : fingerprint;
  });
}

}  // namespace tessera::kernels::detail
