// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A fill-reducing order, by SuiteSparse's AMD.
#pragma once

#include "tessera/direct/detail/elimination_order.hpp"
#include "tessera/direct/large_pages.hpp"

namespace tessera::direct::detail {

/// Of a symmetric pattern; each row sorted, without duplicates.
/// @throws Error of kind `configuration` where the library was built without SuiteSparse.
EliminationOrder minimum_degree(int n, const HostArray<int>& offsets,
                                const HostArray<int>& columns);

}  // namespace tessera::direct::detail
