// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instances of fill_rows.

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spgemm/detail/fill_rows_impl.hpp"

namespace tessera::kernels::spgemm_detail {

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                           \
  template void fill_rows(const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&,               \
                          const CsrView<SCALAR, SPACE, OFFSET>&, const SizeHistogram&,       \
                          const RowWorkspace<SPACE>&, const ArrayView<const OFFSET, SPACE>&, \
                          const ArrayView<Ordinal, SPACE>&, const ArrayView<SCALAR, SPACE>&);

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels::spgemm_detail
