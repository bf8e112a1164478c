// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of StoredMatrix for ELL, HYB and COO.
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/matrix/stored_matrix_impl.hpp"

namespace tessera {

#define TESSERA_INSTANTIATE(Storage, Working, Space)                  \
  template class StoredMatrix<Working, kernels::Ell<Storage, Space>>; \
  template class StoredMatrix<Working, kernels::Hyb<Storage, Space>>; \
  template class StoredMatrix<Working, kernels::Coo<Storage, Space>>;
TESSERA_FOR_EACH_MIXED(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
