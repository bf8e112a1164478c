// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `scale_rows` and `scale_columns` of tiles.
#include "tessera/kernels/format/mbsr/scale_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Storage, Working, Space)                                       \
  template void scale_rows<Working>(const Space& exec, const Mbsr<Storage, Space>& A,      \
                                    const NonDeduced<ArrayView<const Working, Space>>& d); \
  template void scale_columns<Working>(const Space& exec, const Mbsr<Storage, Space>& A,   \
                                       const NonDeduced<ArrayView<const Working, Space>>& d);
TESSERA_FOR_EACH_MIXED(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
