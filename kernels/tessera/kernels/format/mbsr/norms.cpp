// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of the norms of tiles.
#include "tessera/kernels/format/mbsr/norms_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Storage, Space)                                             \
  template double frobenius_norm(const Space& exec, const MbsrView<Storage, Space>& A); \
  template double inf_norm(const Space& exec, const MbsrView<Storage, Space>& A);       \
  template double one_norm(const Space& exec, const MbsrView<Storage, Space>& A);       \
  template double max_abs(const Space& exec, const MbsrView<Storage, Space>& A);
TESSERA_FOR_EACH_STORED(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
