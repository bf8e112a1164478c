// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The numeric phase of a product of tiles, in its two forms, and the storages that it is
/// instantiated for.
#pragma once

#include "tessera/kernels/execution/instantiate.hpp"
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

/// Calls `M(StorageA, StorageB, StorageC, Space)`: factors of one storage.
#define TESSERA_DETAIL_PRODUCTS_WIDE(M, SPACE) \
  M(double, double, double, SPACE)             \
  M(double, double, float, SPACE)              \
  M(float, float, double, SPACE)               \
  M(float, float, float, SPACE)
#define TESSERA_DETAIL_PRODUCTS_OF_SMALL(M, SMALL, SPACE) \
  M(SMALL, SMALL, double, SPACE) M(SMALL, SMALL, float, SPACE)
#if TESSERA_ALL_STORAGE_SCALARS
#define TESSERA_DETAIL_PRODUCTS_NARROW(M, SPACE)              \
  TESSERA_DETAIL_PRODUCTS_OF_SMALL(M, ::tessera::Half, SPACE) \
  TESSERA_DETAIL_PRODUCTS_OF_SMALL(M, ::tessera::BFloat16, SPACE)
#else
#define TESSERA_DETAIL_PRODUCTS_NARROW(M, SPACE) \
  TESSERA_DETAIL_PRODUCTS_OF_SMALL(M, ::tessera::Half, SPACE)
#endif

/// The same: factors of two storages.
#define TESSERA_DETAIL_PRODUCTS_BESIDE_SMALL(M, SMALL, SPACE) \
  M(SMALL, double, double, SPACE) M(double, SMALL, double, SPACE) M(SMALL, float, float, SPACE)
#if TESSERA_ALL_STORAGE_SCALARS
#define TESSERA_DETAIL_PRODUCTS_MIXED(M, SPACE)                   \
  M(float, double, double, SPACE)                                 \
  M(double, float, double, SPACE)                                 \
  TESSERA_DETAIL_PRODUCTS_BESIDE_SMALL(M, ::tessera::Half, SPACE) \
  TESSERA_DETAIL_PRODUCTS_BESIDE_SMALL(M, ::tessera::BFloat16, SPACE)
#else
#define TESSERA_DETAIL_PRODUCTS_MIXED(M, SPACE) \
  M(float, double, double, SPACE)               \
  M(double, float, double, SPACE) TESSERA_DETAIL_PRODUCTS_BESIDE_SMALL(M, ::tessera::Half, SPACE)
#endif

#define TESSERA_DETAIL_PRODUCTS_OF(M, SPACE) \
  TESSERA_DETAIL_PRODUCTS_WIDE(M, SPACE)     \
  TESSERA_DETAIL_PRODUCTS_NARROW(M, SPACE)   \
  TESSERA_DETAIL_PRODUCTS_MIXED(M, SPACE)

/// Calls `M(StorageA, StorageB, StorageC, Space)` for every product and enabled space.
#if TESSERA_HAVE_DEVICE
#define TESSERA_FOR_EACH_TILE_PRODUCT(M)              \
  TESSERA_DETAIL_PRODUCTS_OF(M, ::tessera::HostSpace) \
  TESSERA_DETAIL_PRODUCTS_OF(M, ::tessera::DeviceSpace)
#else
#define TESSERA_FOR_EACH_TILE_PRODUCT(M) TESSERA_DETAIL_PRODUCTS_OF(M, ::tessera::HostSpace)
#endif
