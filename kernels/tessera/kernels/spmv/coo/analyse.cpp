// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `analyse_spmv` for COO.
#include "tessera/kernels/spmv/coo/analyse_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Storage, Space) \
  template CooSpmvPlan<Space> analyse_spmv(const Space& exec, const CooView<Storage, Space>& A);
TESSERA_FOR_EACH_STORED(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
