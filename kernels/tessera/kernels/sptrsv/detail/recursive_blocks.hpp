// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How the rows of a triangle are halved, and halved again.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels::detail {

/// The 2^h parts of about the same number of rows that `h` levels of recursion make.
struct RecursiveBlocks {
  Ordinal num_rows;

  KOKKOS_FUNCTION Ordinal begin(int h, Ordinal part) const {
    return static_cast<Ordinal>((static_cast<std::int64_t>(num_rows) * part) >> h);
  }
  /// The part that has that row: the last one that begins at it or before.
  KOKKOS_FUNCTION Ordinal part_of(int h, Ordinal row) const {
    return static_cast<Ordinal>((((static_cast<std::int64_t>(row) + 1) << h) - 1) / num_rows);
  }
};

}  // namespace tessera::kernels::detail
