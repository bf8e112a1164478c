// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices of some entries of another one, in its order. `selection.for_each(row, visit)` calls
/// visit(k) for its entries k that become the row.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/offsets.hpp"

#include <string>

namespace tessera::amg::detail {

/// Counts what is selected of a row.
template <class Space, class Offset, class Selection>
struct CountSelected {
  Selection selection;
  Array<Offset, Space> offsets;

  KOKKOS_FUNCTION void operator()(Ordinal row) const {
    Offset count = 0;
    selection.for_each(row, [&](Offset) { ++count; });
    offsets(row) = count;
  }
};

/// Copies the columns or the values of what is selected of a row.
template <class T, class Space, class Offset, class Selection>
struct CopySelected {
  Selection selection;
  ArrayView<const T, Space> given;
  Array<const Offset, Space> offsets;
  Array<T, Space> selected;

  KOKKOS_FUNCTION void operator()(Ordinal row) const {
    Offset at = offsets(row);
    selection.for_each(row, [&](Offset k) { selected(at++) = given(k); });
  }
};

/// The pattern of what is selected of A; no values. `name`: of kernels and arrays.
template <class Scalar, class Space, class Offset, class Selection>
kernels::Csr<Scalar, Space, Offset> selected_pattern(
    const Space& exec, const std::string& name, Ordinal num_rows,
    const kernels::CsrView<Scalar, Space, Offset>& A, const Selection& selection) {
  const auto offsets = allocate<Offset>(exec, name + "_offsets", num_rows + 1ul);
  const Kokkos::RangePolicy<Space> rows(exec, 0, num_rows);
  Kokkos::parallel_for(name + "_count", rows,
                       CountSelected<Space, Offset, Selection>{selection, offsets});
  const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, name + "_columns", total);
  Kokkos::parallel_for(
      name + "_columns", rows,
      CopySelected<Ordinal, Space, Offset, Selection>{selection, A.columns, offsets, columns});
  return {num_rows, A.num_cols, offsets, columns, {}};
}

/// The values of what is selected, into `part`, of that pattern.
template <class Scalar, class Space, class Offset, class Selection>
void copy_selected_values(const Space& exec, const std::string& name,
                          const kernels::CsrView<Scalar, Space, Offset>& A,
                          const Selection& selection, kernels::Csr<Scalar, Space, Offset>& part) {
  part.values = allocate<Scalar>(exec, name + "_values", part.num_entries());
  Kokkos::parallel_for(name + "_values", Kokkos::RangePolicy<Space>(exec, 0, part.num_rows),
                       CopySelected<Scalar, Space, Offset, Selection>{selection, A.values,
                                                                      part.offsets, part.values});
}

}  // namespace tessera::amg::detail
