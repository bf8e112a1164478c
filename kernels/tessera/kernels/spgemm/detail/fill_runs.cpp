// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instances of fill_runs.

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spgemm/detail/fill_runs_impl.hpp"

namespace tessera::kernels::spgemm_detail {

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                                 \
  template void fill_runs(const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&,                     \
                          const CsrView<SCALAR, SPACE, OFFSET>&, const RowRuns<SPACE>&,            \
                          const CsrView<SCALAR, SPACE, OFFSET>&,                                   \
                          const ArrayView<const OFFSET, SPACE>&, const ArrayView<Ordinal, SPACE>&, \
                          const ArrayView<SCALAR, SPACE>&);

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels::spgemm_detail
