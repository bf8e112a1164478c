// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `convert_mbsr`.
#include "tessera/kernels/format/mbsr/convert_mbsr_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE_TO(To, From, Space)                                            \
  template Mbsr<To, Space> convert_mbsr<To>(const Space& exec, const Mbsr<From, Space>& A, \
                                            TileLayout layout, double scale);
// A macro is not expanded within itself: the storages to convert from are listed here.
#define TESSERA_INSTANTIATE(Space)                                \
  TESSERA_FOR_EACH_STORAGE(TESSERA_INSTANTIATE_TO, double, Space) \
  TESSERA_FOR_EACH_STORAGE(TESSERA_INSTANTIATE_TO, float, Space)  \
  TESSERA_FOR_EACH_STORAGE(TESSERA_INSTANTIATE_TO, Half, Space)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#if TESSERA_ALL_STORAGE_SCALARS
#define TESSERA_INSTANTIATE_REST(Space)                             \
  TESSERA_FOR_EACH_STORAGE(TESSERA_INSTANTIATE_TO, BFloat16, Space) \
  TESSERA_FOR_EACH_STORAGE(TESSERA_INSTANTIATE_TO, Fp8E4M3, Space)  \
  TESSERA_FOR_EACH_STORAGE(TESSERA_INSTANTIATE_TO, Fp8E5M2, Space)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_REST)
#undef TESSERA_INSTANTIATE_REST
#endif

#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_TO

}  // namespace tessera::kernels
