// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instances of repeat_rows_spgemm.

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spgemm/repeat_rows_spgemm_impl.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                                \
  template std::optional<Csr<SCALAR, SPACE, OFFSET>> repeat_rows_spgemm(                          \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, const CsrView<SCALAR, SPACE, OFFSET>&, \
      Ordinal);

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
