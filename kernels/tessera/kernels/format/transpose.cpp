// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `transpose`.
#include "tessera/kernels/format/transpose_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, transpose)

}  // namespace tessera::kernels
