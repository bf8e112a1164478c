// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiates the problems with coefficients.
#include "tessera/gallery/detail/diffusion_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::gallery_detail {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                    \
  TESSERA_INSTANTIATE_FAMILY(make_anisotropic, Scalar, Space, Offset) \
  TESSERA_INSTANTIATE_FAMILY(make_jump, Scalar, Space, Offset)        \
  TESSERA_INSTANTIATE_FAMILY(make_convection_diffusion, Scalar, Space, Offset)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::gallery_detail
