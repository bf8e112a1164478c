// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of StoredMatrix for every format beside CSR.
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/matrix/stored_matrix_impl.hpp"

namespace tessera {

#define TESSERA_DETAIL_OF_FORMAT(Matrix, Storage, Working, Space) \
  template class StoredMatrix<Working, kernels::Matrix<Storage, Space>>;
#define TESSERA_INSTANTIATE(Storage, Working, Space) \
  TESSERA_FOR_EACH_FORMAT_BESIDE_CSR(TESSERA_DETAIL_OF_FORMAT, Storage, Working, Space)
TESSERA_FOR_EACH_MIXED(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE
#undef TESSERA_DETAIL_OF_FORMAT

}  // namespace tessera
