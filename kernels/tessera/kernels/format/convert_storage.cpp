// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `convert_values` to and from storage of 16 and 8 bits.
#include "tessera/kernels/format/convert_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {

#define TESSERA_INSTANTIATE_PAIR(Storage, Scalar, Space, Offset) \
  template Csr<Storage, Space, Offset> convert_values<Storage>(  \
      const Space& exec, const Csr<Scalar, Space, Offset>& A);   \
  template Csr<Scalar, Space, Offset> convert_values<Scalar>(    \
      const Space& exec, const Csr<Storage, Space, Offset>& A);
#define TESSERA_INSTANTIATE_SMALL(Scalar, Space, Offset) \
  TESSERA_FOR_EACH_SMALL_STORAGE(TESSERA_INSTANTIATE_PAIR, Scalar, Space, Offset)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_SMALL)

#undef TESSERA_INSTANTIATE_SMALL
#undef TESSERA_INSTANTIATE_PAIR

}  // namespace tessera::kernels
