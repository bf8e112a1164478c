// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `rows_sorted` and `sort_rows`.
#include "tessera/kernels/format/sort_rows_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                       \
  template bool rows_sorted(const Space& exec, const CsrView<Scalar, Space, Offset>& A); \
  template Csr<Scalar, Space, Offset> sort_rows(const Space& exec,                       \
                                                const CsrView<Scalar, Space, Offset>& A);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
