// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `convert_values` and `convert_offsets`.
#include "tessera/kernels/format/convert_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                                 \
  template Csr<double, Space, Offset> convert_values<double>(const Space& exec,                    \
                                                             const Csr<Scalar, Space, Offset>& A); \
  template Csr<float, Space, Offset> convert_values<float>(const Space& exec,                      \
                                                           const Csr<Scalar, Space, Offset>& A);   \
  template Csr<Scalar, Space, std::int32_t> convert_offsets<std::int32_t>(                         \
      const Space& exec, const Csr<Scalar, Space, Offset>& A);                                     \
  template Csr<Scalar, Space, std::int64_t> convert_offsets<std::int64_t>(                         \
      const Space& exec, const Csr<Scalar, Space, Offset>& A);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

#define TESSERA_INSTANTIATE(Scalar, Space)                                     \
  template void convert_values(const Space& exec, const Array<Scalar, Space>&, \
                               const Array<double, Space>&);                   \
  template void convert_values(const Space& exec, const Array<Scalar, Space>&, \
                               const Array<float, Space>&);
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
