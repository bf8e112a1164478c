// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `transpose`.
#include "tessera/kernels/format/transpose_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                 \
  template Csr<Scalar, Space, Offset> transpose(const Space& exec, \
                                                const CsrView<Scalar, Space, Offset>& A);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
