// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `add`.
#include "tessera/kernels/format/add_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                          \
  template Csr<Scalar, Space, Offset> add(                                                  \
      const Space& exec, NonDeduced<Scalar> alpha, const CsrView<Scalar, Space, Offset>& A, \
      NonDeduced<Scalar> beta, const CsrView<Scalar, Space, Offset>& B);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
