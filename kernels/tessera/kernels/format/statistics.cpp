// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `row_statistics` and `diagonal_dominance`.
#include "tessera/kernels/format/statistics_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                \
  template RowStatistics row_statistics(const Space& exec,                        \
                                        const CsrView<Scalar, Space, Offset>& A); \
  template DiagonalDominance diagonal_dominance(const Space& exec,                \
                                                const CsrView<Scalar, Space, Offset>& A);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
