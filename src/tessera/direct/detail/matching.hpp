// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Large entries for the diagonal.
#pragma once

#include "tessera/direct/host_matrix.hpp"

#include <optional>
#include <vector>

namespace tessera::direct::detail {

/// A column for each row, all different, and powers of two for rows and columns. Scaled by these no
/// entry is much larger than one, and the matched ones are not much smaller.
struct Matching {
  std::vector<int> column;  ///< of each row
  std::vector<int> row_exponent;
  std::vector<int> column_exponent;
};

/// The matching whose product of entries is large, by shortest augmenting paths (Duff & Koster
/// 2001). Nothing where there is none of entries that are not zero, or one is not finite.
std::optional<Matching> match_rows(const HostMatrix& A);

}  // namespace tessera::direct::detail
