// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/vector_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera {

#define TESSERA_INSTANTIATE(Scalar, Space)                                                    \
  template MultiVector<Scalar, Space> read_vector(const Space&, const std::filesystem::path&, \
                                                  const ReadOptions&);                        \
  template void write_vector(const Space&, const std::filesystem::path&,                      \
                             const MultiVector<Scalar, Space>&);
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
