// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The pattern of A + A^T.
#pragma once

#include <vector>

namespace tessera::direct::detail {

/// Compressed rows without values, each sorted.
struct Pattern {
  std::vector<int> offsets;
  std::vector<int> columns;
};

/// Whether each entry's transpose is one, too. Rows sorted, without duplicates.
bool is_symmetric(int n, const std::vector<int>& offsets, const std::vector<int>& columns);

/// The entries of either.
Pattern with_transpose(int n, const std::vector<int>& offsets, const std::vector<int>& columns);

}  // namespace tessera::direct::detail
