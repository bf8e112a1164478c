// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Stencils on a square grid, built on the execution space.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels::test {

/// Entries of the 5-point (cross) or 9-point (box) stencil; the diagonal is the number of
/// neighbours in the interior, the others are -1.
struct GridStencil {
  Ordinal n;  ///< points per side
  bool box;

  KOKKOS_FUNCTION bool has(Ordinal x, Ordinal y, Ordinal dx, Ordinal dy) const {
    if (!box && dx != 0 && dy != 0) return false;
    return x + dx >= 0 && x + dx < n && y + dy >= 0 && y + dy < n;
  }

  /// visit(column, value) for the entries of a row, columns ascending.
  template <class Visit>
  KOKKOS_FUNCTION void for_each(Ordinal row, const Visit& visit) const {
    const Ordinal x = row % n;
    const Ordinal y = row / n;
    for (Ordinal dy = -1; dy <= 1; ++dy)
      for (Ordinal dx = -1; dx <= 1; ++dx)
        if (has(x, y, dx, dy)) visit(row + dy * n + dx, dx == 0 && dy == 0 ? (box ? 8 : 4) : -1);
  }
};

template <class Space, class Offset>
struct CountStencil {
  GridStencil stencil;
  Array<Offset, Space> offsets;

  KOKKOS_FUNCTION void operator()(Ordinal row, Offset& sum, bool final) const {
    if (final) offsets(row) = sum;
    if (row < stencil.n * stencil.n) stencil.for_each(row, [&](Ordinal, int) { ++sum; });
  }
};

template <class Scalar, class Space, class Offset>
struct FillStencil {
  GridStencil stencil;
  Array<Offset, Space> offsets;
  Array<Ordinal, Space> columns;
  Array<Scalar, Space> values;

  KOKKOS_FUNCTION void operator()(Ordinal row) const {
    Offset entry = offsets(row);
    stencil.for_each(row, [&](Ordinal column, int value) {
      columns(entry) = column;
      values(entry++) = static_cast<Scalar>(value);
    });
  }
};

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> grid_matrix(const Space& exec, GridStencil stencil) {
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>;
  const Ordinal num_rows = stencil.n * stencil.n;
  const auto offsets = allocate<Offset>(exec, "tessera::test::offsets", num_rows + 1);
  Offset total = 0;
  Kokkos::parallel_scan("tessera::test::count_stencil", Policy(exec, 0, num_rows + 1),
                        CountStencil<Space, Offset>{stencil, offsets}, total);
  exec.fence("tessera::test::grid_matrix");
  const auto columns = allocate<Ordinal>(exec, "tessera::test::columns", total);
  const auto values = allocate<Scalar>(exec, "tessera::test::values", total);
  Kokkos::parallel_for("tessera::test::fill_stencil", Policy(exec, 0, num_rows),
                       FillStencil<Scalar, Space, Offset>{stencil, offsets, columns, values});
  return {num_rows, num_rows, offsets, columns, values};
}

}  // namespace tessera::kernels::test
