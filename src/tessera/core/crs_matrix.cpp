// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of CrsMatrix.
#include "tessera/core/crs_matrix_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) template class CrsMatrix<Scalar, Space, Offset>;
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera
