// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instances of expand_sort_compress_spgemm.

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spgemm/expand_sort_compress_impl.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                                \
  template Csr<SCALAR, SPACE, OFFSET> expand_sort_compress_spgemm(                                \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, const CsrView<SCALAR, SPACE, OFFSET>&, \
      std::int64_t);

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
