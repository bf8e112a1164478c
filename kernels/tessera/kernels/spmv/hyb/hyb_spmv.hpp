// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse matrix times vectors in HYB: the plan. The products are those of products.hpp.
#pragma once

#include "tessera/kernels/format/hyb.hpp"
#include "tessera/kernels/spmv/coo/coo_spmv.hpp"
#include "tessera/kernels/spmv/ell/ell_spmv.hpp"

#include <cstddef>
#include <cstdint>

namespace tessera::kernels {

/// The plans of both parts, and how the ELL part finds the sums of the COO part: a bit for every
/// row that has one, with the number of such rows before each word of bits. Products throw `Error`
/// (precondition) for a matrix whose COO part has other row numbers. It holds the workspace of its
/// products, so one plan serves one product at a time.
template <class Space>
struct HybSpmvPlan {
  EllSpmvPlan ell;
  CooSpmvPlan<Space> coo;
  Array<const std::uint32_t, Space> long_rows;  ///< bit i % 32 of word i / 32: row i is in COO
  Array<const Ordinal, Space> long_rows_before;  ///< those before each word
  Ordinal num_long_rows = 0;
  Array<std::byte, Space> workspace;  ///< their sums
};

/// Divides the entries of the COO part and lists its rows (a pass over its row numbers; waits).
template <class Storage, class Space>
HybSpmvPlan<Space> analyse_spmv(const Space& exec, const HybView<Storage, Space>& A);

}  // namespace tessera::kernels
