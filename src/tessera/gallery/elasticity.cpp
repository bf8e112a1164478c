// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiates the elasticity problems.
#include "tessera/gallery/detail/elasticity_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::gallery_detail {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) \
  TESSERA_INSTANTIATE_FAMILY(make_elasticity, Scalar, Space, Offset)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::gallery_detail
