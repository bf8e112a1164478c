// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/instantiate.hpp"

#include "tessera/core/store_impl.hpp"

namespace tessera {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                  \
  template Stored<Scalar, Space> store(                                             \
      const Space&, const std::shared_ptr<const StoredCsr<Scalar, Space, Offset>>&, \
      const StorageParameters&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
