// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `csr_to_ell`.
#include "tessera/kernels/format/ell/convert_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE_OFFSET(Storage, Scalar, Space, Offset) \
  template Ell<Storage, Space> csr_to_ell(const Space& exec,       \
                                          const CsrView<Scalar, Space, Offset>& A, double scale);
#define TESSERA_INSTANTIATE(Storage, Scalar, Space)                \
  TESSERA_INSTANTIATE_OFFSET(Storage, Scalar, Space, std::int32_t) \
  TESSERA_INSTANTIATE_OFFSET(Storage, Scalar, Space, std::int64_t)
TESSERA_FOR_EACH_MIXED(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_OFFSET

}  // namespace tessera::kernels
