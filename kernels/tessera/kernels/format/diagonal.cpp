// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `extract_diagonal`.
#include "tessera/kernels/format/diagonal_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                           \
  template void extract_diagonal(const Space& exec, const CsrView<Scalar, Space, Offset>& A, \
                                 const NonDeduced<ArrayView<Scalar, Space>>& d);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
