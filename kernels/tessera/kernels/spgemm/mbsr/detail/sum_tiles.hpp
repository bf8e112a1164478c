// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The numeric phase of a product of tiles, in its two forms.
#pragma once

#include "tessera/kernels/spgemm/mbsr/mbsr_spgemm.hpp"

namespace tessera::kernels::spgemm_detail {

/// The values of C = A B by 16 sums for each tile of a row, for each thread; for host spaces only.
template <class StorageA, class StorageB, class StorageC, class Space>
void sum_tiles_by_threads(const Space& exec, const MbsrSpgemmPlan<Space>& plan,
                          const MbsrView<StorageA, Space>& A, const MbsrView<StorageB, Space>& B,
                          const Mbsr<StorageC, Space>& C);

/// The values of C = A B by teams, whose sums lie in scratch, or in the plan's workspace for rows
/// beyond it.
template <class StorageA, class StorageB, class StorageC, class Space>
void sum_tiles_by_teams(const Space& exec, const MbsrSpgemmPlan<Space>& plan,
                        const MbsrView<StorageA, Space>& A, const MbsrView<StorageB, Space>& B,
                        const Mbsr<StorageC, Space>& C);

/// What a sum of stored products is multiplied by, a power of two.
template <class StorageA, class StorageB, class StorageC, class Space>
double product_scale(const MbsrView<StorageA, Space>& A, const MbsrView<StorageB, Space>& B,
                     const Mbsr<StorageC, Space>& C) {
  return A.scale * B.scale / C.scale;
}

/// The workspace of the sums, as `Scalar`.
template <class Scalar, class Space>
Scalar* sums_of(const MbsrSpgemmPlan<Space>& plan) {
  return reinterpret_cast<Scalar*>(plan.sums.data());
}

/// Bytes of the sums of `num_tiles` tiles, whatever they are summed in.
inline std::size_t bytes_of_sums(std::size_t num_tiles) {
  return num_tiles * tile_places * sizeof(double);
}

}  // namespace tessera::kernels::spgemm_detail
