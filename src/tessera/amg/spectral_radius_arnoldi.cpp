// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of spectral_radius_arnoldi.
#include "tessera/amg/spectral_radius_arnoldi_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::amg {

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                                \
  template double spectral_radius_arnoldi(                                                        \
      const SPACE&, const kernels::CsrView<SCALAR, SPACE, OFFSET>&,                               \
      const kernels::CsrSpmvPlan<SPACE>&, const NonDeduced<ArrayView<const SCALAR, SPACE>>&, int, \
      std::uint32_t);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
