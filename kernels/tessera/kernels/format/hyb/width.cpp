// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `hyb_width`.
#include "tessera/kernels/format/hyb/width_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                       \
  template Ordinal hyb_width(const Space& exec, const CsrView<Scalar, Space, Offset>& A, \
                             const HybStrategy& strategy, std::size_t value_bytes);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
