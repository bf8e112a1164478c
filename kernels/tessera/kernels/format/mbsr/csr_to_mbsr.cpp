// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `csr_to_mbsr`.
#include "tessera/kernels/format/mbsr/csr_to_mbsr_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE_FROM(Storage, Scalar, Space, Offset)                              \
  template Mbsr<Storage, Space> csr_to_mbsr<Storage>(const Space& exec,                       \
                                                     const CsrView<Scalar, Space, Offset>& A, \
                                                     TileLayout layout, double scale);
#define TESSERA_INSTANTIATE(Storage, Space)                      \
  TESSERA_INSTANTIATE_FROM(Storage, double, Space, std::int32_t) \
  TESSERA_INSTANTIATE_FROM(Storage, float, Space, std::int32_t)  \
  TESSERA_INSTANTIATE_FROM(Storage, double, Space, std::int64_t) \
  TESSERA_INSTANTIATE_FROM(Storage, float, Space, std::int64_t)
TESSERA_FOR_EACH_STORED(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_FROM

}  // namespace tessera::kernels
