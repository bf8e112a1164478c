// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `fitting_scale`.
#include "tessera/kernels/format/mbsr/fitting_scale_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE_CSR(Storage, Scalar, Space, Offset) \
  template double fitting_scale<Storage>(const Space& exec,     \
                                         const CsrView<Scalar, Space, Offset>& A);
#define TESSERA_INSTANTIATE_TILES(Storage, From, Space) \
  template double fitting_scale<Storage>(const Space& exec, const MbsrView<From, Space>& A);
#define TESSERA_INSTANTIATE(Space)                                               \
  TESSERA_FOR_EACH_STORAGE(TESSERA_INSTANTIATE_CSR, double, Space, std::int32_t) \
  TESSERA_FOR_EACH_STORAGE(TESSERA_INSTANTIATE_CSR, float, Space, std::int32_t)  \
  TESSERA_FOR_EACH_STORAGE(TESSERA_INSTANTIATE_CSR, double, Space, std::int64_t) \
  TESSERA_FOR_EACH_STORAGE(TESSERA_INSTANTIATE_CSR, float, Space, std::int64_t)  \
  TESSERA_FOR_EACH_STORAGE(TESSERA_INSTANTIATE_TILES, double, Space)             \
  TESSERA_FOR_EACH_STORAGE(TESSERA_INSTANTIATE_TILES, float, Space)              \
  TESSERA_FOR_EACH_STORAGE(TESSERA_INSTANTIATE_TILES, Half, Space)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#if TESSERA_ALL_STORAGE_SCALARS
#define TESSERA_INSTANTIATE_REST(Space)                                \
  TESSERA_FOR_EACH_STORAGE(TESSERA_INSTANTIATE_TILES, BFloat16, Space) \
  TESSERA_FOR_EACH_STORAGE(TESSERA_INSTANTIATE_TILES, Fp8E4M3, Space)  \
  TESSERA_FOR_EACH_STORAGE(TESSERA_INSTANTIATE_TILES, Fp8E5M2, Space)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_REST)
#undef TESSERA_INSTANTIATE_REST
#endif

#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_TILES
#undef TESSERA_INSTANTIATE_CSR

}  // namespace tessera::kernels
