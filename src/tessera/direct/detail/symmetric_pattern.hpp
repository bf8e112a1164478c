// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The pattern of A + A^T.
#pragma once

#include "tessera/direct/large_pages.hpp"

namespace tessera::direct::detail {

/// Compressed rows without values, each sorted.
struct Pattern {
  HostArray<int> offsets;
  HostArray<int> columns;
};

/// Whether each entry's transpose is one, too. Rows sorted, without duplicates.
bool is_symmetric(int n, const HostArray<int>& offsets, const HostArray<int>& columns);

/// The entries of either.
Pattern with_transpose(int n, const HostArray<int>& offsets, const HostArray<int>& columns);

}  // namespace tessera::direct::detail
