// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The Galerkin product R A P on mBSR tiles.
#pragma once

#include "tessera/kernels/spgemm/galerkin_regions.hpp"
#include "tessera/kernels/spgemm/mbsr/mbsr_spgemm.hpp"

namespace tessera::kernels {

/// What repeating the values of a Galerkin product keeps: the intermediate A P and the two plans.
/// The values of A P may be freed in between (`release_intermediate`): they are nearly as many
/// as A's.
template <class Storage, class Space>
struct MbsrGalerkinPlan {
  Mbsr<Storage, Space> AP;
  MbsrSpgemmPlan<Space> first;  ///< of A P
  MbsrSpgemmPlan<Space> second;  ///< of R (A P)
};

/// R (A P) by two sparse products (AmgT paper, section IV.E), packed or dense, and `plan` for
/// `galerkin_numeric`. R: n_c by n, A: n by n, P: n by n_c; A P is stored as the result is, packed.
/// Pattern, order, storages and errors as `spgemm_symbolic` and `spgemm_numeric`.
template <class Storage, class StorageR, class StorageA, class StorageP, class Space>
Mbsr<Storage, Space> galerkin_product(const Space& exec, const MbsrView<StorageR, Space>& R,
                                      const MbsrView<StorageA, Space>& A,
                                      const MbsrView<StorageP, Space>& P, TileLayout layout,
                                      MbsrGalerkinPlan<Storage, Space>& plan) {
  GalerkinRegions region;
  plan.AP = spgemm_symbolic<Storage>(exec, A, P, TileLayout::packed, plan.first);
  spgemm_numeric(exec, plan.first, A, P, plan.AP);
  region.second();
  const auto Ac = spgemm_symbolic<Storage>(exec, R, plan.AP.view(), layout, plan.second);
  spgemm_numeric(exec, plan.second, R, plan.AP.view(), Ac);
  return Ac;
}

/// The same without the plan; where `Storage` is void, the wider of the storages of R and A.
template <class Storage = void, class StorageR, class StorageA, class StorageP, class Space>
Mbsr<ProductStorage<Storage, StorageR, StorageA>, Space> galerkin_product(
    const Space& exec, const MbsrView<StorageR, Space>& R, const MbsrView<StorageA, Space>& A,
    const MbsrView<StorageP, Space>& P, TileLayout layout = TileLayout::packed) {
  MbsrGalerkinPlan<ProductStorage<Storage, StorageR, StorageA>, Space> plan;
  return galerkin_product(exec, R, A, P, layout, plan);
}

/// Frees the values of A P, for which `galerkin_numeric` makes room again.
template <class Storage, class Space>
void release_intermediate(MbsrGalerkinPlan<Storage, Space>& plan) {
  plan.AP.values = {};
}

/// The values of `Ac` = R A P again, for R, A and P of the patterns that made `plan` and `Ac`.
/// Overwrites the values of `plan.AP` or, where these were freed, has its own, for which some
/// devices wait. No other wait for the host, and no other allocation but the threads' workspace on
/// one (`spgemm_numeric`).
template <class Storage, class StorageR, class StorageA, class StorageP, class Space>
void galerkin_numeric(const Space& exec, const MbsrGalerkinPlan<Storage, Space>& plan,
                      const MbsrView<StorageR, Space>& R, const MbsrView<StorageA, Space>& A,
                      const MbsrView<StorageP, Space>& P, const Mbsr<Storage, Space>& Ac) {
  GalerkinRegions region;
  auto AP = plan.AP;
  if (AP.values.extent(0) == 0)
    AP.values = allocate<Storage>(exec, "tessera::spgemm::values", AP.num_entries);
  spgemm_numeric(exec, plan.first, A, P, AP);
  region.second();
  spgemm_numeric(exec, plan.second, R, AP.view(), Ac);
}

}  // namespace tessera::kernels
