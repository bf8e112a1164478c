// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The pattern of a COO matrix as its plan knows it: the row numbers.
#pragma once

#include "tessera/kernels/spmv/coo/coo_spmv.hpp"
#include "tessera/kernels/spmv/pattern_fingerprint.hpp"

namespace tessera::kernels::detail {

template <class Storage, class Space>
PatternPlace place_of(const CooView<Storage, Space>& A) {
  return {A.rows.data(), nullptr, static_cast<std::size_t>(A.num_rows), A.num_entries};
}

/// Throws unless `plan` was made for the row numbers of `A`.
template <class Storage, class Space>
void require_plan_of(const Space& exec, const CooSpmvPlan<Space>& plan,
                     const CooView<Storage, Space>& A) {
  plan.pattern.require_same(
      place_of(A), [&] { return fingerprint_of<Space, Ordinal>(exec, A.rows, A.num_entries); });
}

}  // namespace tessera::kernels::detail
