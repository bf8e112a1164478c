// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// ELL, the same number of slots for every row: the view that kernels see and the arrays that own
/// the memory; and CSR to ELL, on the device.
#pragma once

#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/format/csr.hpp"

#include <cstddef>

namespace tessera::kernels {

/// The stride of an ELL matrix is a multiple of so many rows: a warp's reads are aligned, and
/// kernels may read whole groups of rows.
inline constexpr Ordinal ell_row_group = 32;

/// The column of a slot without an entry. Nothing of such a slot is read but this, so that no NaN
/// can come from it.
inline constexpr Ordinal ell_no_column = -1;

/// The least stride for `num_rows` rows.
KOKKOS_INLINE_FUNCTION constexpr std::size_t ell_stride(Ordinal num_rows) {
  return (static_cast<std::size_t>(num_rows) + ell_row_group - 1) / ell_row_group * ell_row_group;
}

/// A `num_rows` by `num_cols` matrix of `width` slots per row, not owned: slot `s` of row `i` is at
/// i + s * stride of `columns` and `values`. A row's entries are its first slots; the others, and
/// all slots of rows from num_rows up to the stride, hold `ell_no_column`. An entry's value is
/// `scale`, a power of two, times what is stored.
template <class Storage, class Space>
struct EllView {
  using storage_type = Storage;
  using execution_space = Space;

  Ordinal num_rows = 0;
  Ordinal num_cols = 0;
  Ordinal width = 0;
  std::size_t stride = 0;  ///< ell_stride(num_rows)
  std::size_t num_entries = 0;  ///< slots with an entry
  double scale = 1;
  ArrayView<const Ordinal, Space> columns;  ///< length width * stride
  ArrayView<const Storage, Space> values;
};

/// The same with ownership shared through Kokkos Views. Columns are never changed in place; values
/// may be.
template <class Storage, class Space>
struct Ell {
  using storage_type = Storage;
  using execution_space = Space;

  Ordinal num_rows = 0;
  Ordinal num_cols = 0;
  Ordinal width = 0;
  std::size_t num_entries = 0;
  double scale = 1;
  Array<const Ordinal, Space> columns;
  Array<Storage, Space> values;

  std::size_t num_slots() const { return columns.extent(0); }
  /// Bytes of all arrays.
  std::size_t bytes() const { return num_slots() * (sizeof(Ordinal) + sizeof(Storage)); }

  EllView<Storage, Space> view() const {
    return {num_rows, num_cols, width, ell_stride(num_rows), num_entries, scale, columns, values};
  }
};

/// How many slots per entry `csr_to_ell` takes at most, beyond `ell_free_slots` in all: more is a
/// row so long that the others are nearly all padding.
inline constexpr double max_ell_slots_per_entry = 10;
inline constexpr std::size_t ell_free_slots = std::size_t(1) << 16;

/// `A` with as many slots per row as its longest row has entries, each stored as value / scale
/// rounded to `Storage`; `scale` is a power of two. The entries of a row keep their order. Throws,
/// with the size that it would take, where padding is most of it (see `max_ell_slots_per_entry`).
/// One pass finds the longest row, and waits for it.
template <class Storage, class Scalar, class Space, class Offset>
Ell<Storage, Space> csr_to_ell(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                               double scale = 1);

}  // namespace tessera::kernels
