// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/binary_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                     \
  template MatrixFile<Scalar, Space, Offset> detail::load_binary(                      \
      const Space&, const detail::FileBytes&, const std::string&, const ReadOptions&); \
  template MatrixFile<Scalar, Space, Offset> read_binary(                              \
      const Space&, const std::filesystem::path&, const ReadOptions&);                 \
  template void write_binary(const Space&, const std::filesystem::path&,               \
                             const kernels::Csr<Scalar, Space, Offset>&,               \
                             const std::optional<MultiVector<Scalar, Space>>&,         \
                             const std::optional<MultiVector<Scalar, Space>>&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
