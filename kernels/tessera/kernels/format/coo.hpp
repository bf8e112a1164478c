// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// COO, a row and a column number for each entry: the view that kernels see and the arrays that own
/// the memory; and CSR to COO, on the device.
#pragma once

#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/format/csr.hpp"

#include <cstddef>

namespace tessera::kernels {

/// A `num_rows` by `num_cols` matrix as a list of entries, not owned; row numbers ascend, the
/// entries of a row are in any order. An entry's value is `scale`, a power of two, times what is
/// stored.
template <class Storage, class Space>
struct CooView {
  using storage_type = Storage;
  using execution_space = Space;

  Ordinal num_rows = 0;
  Ordinal num_cols = 0;
  std::size_t num_entries = 0;
  double scale = 1;
  ArrayView<const Ordinal, Space> rows;
  ArrayView<const Ordinal, Space> columns;
  ArrayView<const Storage, Space> values;
};

/// The same with ownership shared through Kokkos Views. Rows and columns are never changed in
/// place; values may be.
template <class Storage, class Space>
struct Coo {
  using storage_type = Storage;
  using execution_space = Space;

  Ordinal num_rows = 0;
  Ordinal num_cols = 0;
  double scale = 1;
  Array<const Ordinal, Space> rows;
  Array<const Ordinal, Space> columns;
  Array<Storage, Space> values;

  std::size_t num_entries() const { return columns.extent(0); }
  /// Bytes of all arrays.
  std::size_t bytes() const { return num_entries() * (2 * sizeof(Ordinal) + sizeof(Storage)); }

  CooView<Storage, Space> view() const {
    return {num_rows, num_cols, num_entries(), scale, rows, columns, values};
  }
};

namespace detail {

/// The first of the ascending `rows` from `from` up to `to` that is not below `row`; `to` where
/// there is none.
template <class Rows>
KOKKOS_INLINE_FUNCTION std::size_t first_of_row(const Rows& rows, std::size_t from, std::size_t to,
                                                Ordinal row) {
  while (from < to) {
    const std::size_t middle = from + (to - from) / 2;
    if (rows[middle] < row) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

}  // namespace detail

/// The entries of `A` in their order, each stored as value / scale rounded to `Storage`; `scale` is
/// a power of two.
template <class Storage, class Scalar, class Space, class Offset>
Coo<Storage, Space> csr_to_coo(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                               double scale = 1);

}  // namespace tessera::kernels
