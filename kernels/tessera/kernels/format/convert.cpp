// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiations of `convert_values` and `convert_offsets`.
#include "tessera/kernels/format/convert_impl.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, convert_values, double)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, convert_values, float)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, convert_offsets, std::int32_t)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, convert_offsets, std::int64_t)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, convert_values, double)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, convert_values, float)

}  // namespace tessera::kernels
