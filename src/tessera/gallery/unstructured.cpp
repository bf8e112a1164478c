// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiates the problems on irregular meshes.
#include "tessera/gallery/detail/unstructured_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::gallery_detail {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) \
  TESSERA_INSTANTIATE_FAMILY(make_unstructured, Scalar, Space, Offset)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::gallery_detail
