// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/write_matrix_market_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                              \
  template void write_matrix_market(const Space&, const std::filesystem::path&, \
                                    const kernels::Csr<Scalar, Space, Offset>&, \
                                    const MatrixMarketWriteOptions&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
