// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `csr_to_mbsr`.
#include "tessera/kernels/format/mbsr/csr_to_mbsr_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_STORED, csr_to_mbsr)

}  // namespace tessera::kernels
