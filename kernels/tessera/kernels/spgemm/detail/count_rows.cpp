// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instances of count_rows.

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spgemm/detail/count_rows_impl.hpp"

namespace tessera::kernels::spgemm_detail {

TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, count_rows)

}  // namespace tessera::kernels::spgemm_detail
