// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `extract_diagonal` and `inverse_diagonal` of tiles.
#include "tessera/kernels/format/mbsr/diagonal_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Storage, Working, Space)                                            \
  template void extract_diagonal<Working>(const Space& exec, const MbsrView<Storage, Space>& A, \
                                          const NonDeduced<ArrayView<Working, Space>>& d);      \
  template Array<Working, Space> inverse_diagonal<Working>(                                     \
      const Space& exec, const MbsrView<Storage, Space>& A, NonDeduced<Working> omega);
TESSERA_FOR_EACH_MIXED(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
