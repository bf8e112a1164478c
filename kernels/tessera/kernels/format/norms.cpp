// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of the norms.
#include "tessera/kernels/format/norms_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                            \
  template double frobenius_norm(const Space& exec, const CsrView<Scalar, Space, Offset>& A); \
  template double inf_norm(const Space& exec, const CsrView<Scalar, Space, Offset>& A);       \
  template double one_norm(const Space& exec, const CsrView<Scalar, Space, Offset>& A);       \
  template double max_abs(const Space& exec, const CsrView<Scalar, Space, Offset>& A);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
