// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Orders in which the rows of a triangle can be solved for.
#pragma once

#include "tessera/kernels/sptrsv/triangle.hpp"

#include <cstdint>

namespace tessera::kernels {

/// Rows in an order in which each comes after those that it needs: that of `list`, or, without
/// one, `first` and on, by `step` 1 or -1.
struct RowOrder {
  Ordinal count = 0;
  Ordinal first = 0;
  Ordinal step = 1;
  const Ordinal* list = nullptr;
  double at_once = 0;  ///< rows that can be worked on at the same time, about; 0: not known

  KOKKOS_FUNCTION Ordinal row(std::int64_t position) const {
    return list != nullptr ? list[position] : first + step * static_cast<Ordinal>(position);
  }
  /// The rows from `begin` up to `end` of a triangle of that kind, in the order of their numbers.
  static RowOrder natural(TriangleKind kind, Ordinal begin, Ordinal end) {
    if (kind == TriangleKind::lower) return {end - begin, begin, 1, nullptr, 0};
    return {end - begin, end - 1, -1, nullptr, 0};
  }
};

}  // namespace tessera::kernels
