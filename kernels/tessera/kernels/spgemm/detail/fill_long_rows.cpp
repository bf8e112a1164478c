// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instances of fill_long_rows.

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spgemm/detail/fill_long_rows_impl.hpp"

namespace tessera::kernels::spgemm_detail {

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                    \
  template void fill_long_rows(const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&,   \
                               const CsrView<SCALAR, SPACE, OFFSET>&,                 \
                               const ArrayView<const Ordinal, SPACE>&, const RowBin&, \
                               const ArrayView<const OFFSET, SPACE>&,                 \
                               const ArrayView<Ordinal, SPACE>&, const ArrayView<SCALAR, SPACE>&);

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels::spgemm_detail
