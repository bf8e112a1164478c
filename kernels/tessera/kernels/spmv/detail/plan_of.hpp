// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The pattern of a CSR matrix as its plan knows it.
#pragma once

#include "tessera/kernels/spmv/csr_spmv.hpp"
#include "tessera/kernels/spmv/pattern_fingerprint.hpp"

namespace tessera::kernels::detail {

template <class Storage, class Space, class Offset>
PatternPlace place_of(const CsrView<Storage, Space, Offset>& A) {
  return {A.offsets.data(), nullptr, static_cast<std::size_t>(A.num_rows), A.num_entries};
}

/// Throws unless `plan` was made for the pattern of `A`.
template <class Storage, class Space, class Offset>
void require_plan_of(const Space& exec, const CsrSpmvPlan<Space>& plan,
                     const CsrView<Storage, Space, Offset>& A) {
  plan.pattern.require_same(place_of(A), [&] {
    return row_facts<Space, Offset>(exec, A.offsets, A.num_rows).fingerprint;
  });
}

}  // namespace tessera::kernels::detail
