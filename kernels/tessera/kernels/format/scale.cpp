// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `scale_rows` and `scale_columns`.
#include "tessera/kernels/format/scale_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                    \
  template void scale_rows(const Space& exec, const Csr<Scalar, Space, Offset>& A,    \
                           const NonDeduced<ArrayView<const Scalar, Space>>& d);      \
  template void scale_columns(const Space& exec, const Csr<Scalar, Space, Offset>& A, \
                              const NonDeduced<ArrayView<const Scalar, Space>>& d);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
