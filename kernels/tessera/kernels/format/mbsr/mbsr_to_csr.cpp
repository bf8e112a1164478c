// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `mbsr_to_csr`.
#include "tessera/kernels/format/mbsr/mbsr_to_csr_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE_TO(Storage, Scalar, Space, Offset) \
  TESSERA_INSTANTIATE_FUNCTION(mbsr_to_csr, Scalar, Offset, Storage, Space)
#define TESSERA_INSTANTIATE(Storage, Space)                    \
  TESSERA_INSTANTIATE_TO(Storage, double, Space, std::int32_t) \
  TESSERA_INSTANTIATE_TO(Storage, float, Space, std::int32_t)  \
  TESSERA_INSTANTIATE_TO(Storage, double, Space, std::int64_t) \
  TESSERA_INSTANTIATE_TO(Storage, float, Space, std::int64_t)
TESSERA_FOR_EACH_STORED(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_TO

}  // namespace tessera::kernels
