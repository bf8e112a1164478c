// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `convert_values` to and from storage of 16 and 8 bits.
#include "tessera/kernels/format/convert_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE_PAIR(Storage, Scalar, ...)                       \
  TESSERA_INSTANTIATE_FUNCTION(convert_values, Storage, Scalar, __VA_ARGS__) \
  TESSERA_INSTANTIATE_FUNCTION(convert_values, Scalar, Storage, __VA_ARGS__)
#define TESSERA_INSTANTIATE_SMALL(Scalar, Space, Offset) \
  TESSERA_FOR_EACH_SMALL_STORAGE(TESSERA_INSTANTIATE_PAIR, Scalar, Space, Offset)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_SMALL)

#undef TESSERA_INSTANTIATE_SMALL
#undef TESSERA_INSTANTIATE_PAIR

}  // namespace tessera::kernels
