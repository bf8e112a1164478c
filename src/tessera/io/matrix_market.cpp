// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/matrix_market_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                     \
  template MatrixFile<Scalar, Space, Offset> detail::load_matrix_market(               \
      const Space&, const detail::FileBytes&, const std::string&, const ReadOptions&); \
  template MatrixFile<Scalar, Space, Offset> read_matrix_market(                       \
      const Space&, const std::filesystem::path&, const ReadOptions&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
