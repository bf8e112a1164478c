// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `analyse_spmv` for ELL.
#include "tessera/kernels/spmv/ell/analyse_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Storage, Space) \
  template EllSpmvPlan analyse_spmv(const Space& exec, const EllView<Storage, Space>& A);
TESSERA_FOR_EACH_STORED(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
