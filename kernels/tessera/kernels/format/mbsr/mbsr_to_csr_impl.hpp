// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of `mbsr_to_csr`.
#pragma once

#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/format/mbsr/detail/for_each_tile.hpp"
#include "tessera/kernels/format/mbsr/detail/rows_by_parts.hpp"
#include "tessera/kernels/format/mbsr/detail/tile_row.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"

namespace tessera::kernels {
namespace detail {

/// Writes the rows of a tile matrix as CSR, one thread per tile row.
template <class Scalar, class Offset, class Storage, class Space>
struct RowsByThreads {
  MbsrView<Storage, Space> A;
  ArrayView<const std::int64_t, Space> entries_before_row;  ///< by tile row
  RowTarget<Scalar, Offset, Space> target;

  KOKKOS_INLINE_FUNCTION void emit(Offset entry, Ordinal column, std::size_t value) const {
    target.columns(entry) = column;
    target.values(entry) = static_cast<Scalar>(A.scale * static_cast<double>(A.values(value)));
  }

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal tile_row) const {
    const std::int32_t begin = A.tile_offsets(tile_row);
    const std::int32_t end = A.tile_offsets(tile_row + 1);
    const std::int64_t first = entries_before_row(tile_row);
    std::int64_t next[tile_size + 1] = {first, 0, 0, 0, 0};
    for (std::int32_t tile = begin; tile < end; ++tile) {
      const std::uint32_t counts = row_counts(A.maps(tile));
      for (int r = 0; r < tile_size; ++r)
        next[r + 1] += (counts >> (tile_size * r)) & 0xfu;
    }
    for (int r = 0; r < tile_size; ++r) {
      next[r + 1] += next[r];
      target.begin_row(tile_size * tile_row + r, next[r]);
    }
    const bool packed = A.layout == TileLayout::packed;
    auto packed_value = static_cast<std::size_t>(first);
    for (std::int32_t tile = begin; tile < end; ++tile) {
      const std::size_t dense_value = static_cast<std::size_t>(tile) * tile_places;
      for_each_place(A.maps(tile), [&](const int place) {
        emit(static_cast<Offset>(next[place / tile_size]++),
             tile_size * A.tile_columns(tile) + place % tile_size,
             packed ? packed_value++ : dense_value + place);
      });
    }
  }
};

/// Arrays for the rows of `A`, with the offsets of a matrix that has none.
template <class Scalar, class Offset, class Storage, class Space>
RowTarget<Scalar, Offset, Space> allocate_rows(const Space& exec,
                                               const MbsrView<Storage, Space>& A) {
  require_countable<Offset>(static_cast<std::int64_t>(A.num_entries), "A");
  const auto offsets = allocate<Offset>(exec, "tessera::offsets", A.num_rows + 1ul);
  if (A.num_rows == 0) Kokkos::deep_copy(exec, offsets, Offset(0));
  return {A.num_rows, A.num_entries, offsets,
          allocate<Ordinal>(exec, "tessera::columns", A.num_entries),
          allocate<Scalar>(exec, "tessera::values", A.num_entries)};
}

/// The entries before each tile row.
template <class Storage, class Space>
Array<const std::int64_t, Space> entries_before_rows(const Space& exec,
                                                     const MbsrView<Storage, Space>& A) {
  if (A.layout == TileLayout::dense) return count_values(exec, tile_places_of(A));
  return Array<const std::int64_t, Space>(A.value_offsets.data(), A.value_offsets.extent(0));
}

/// `mbsr_to_csr` with one thread per tile row.
template <class Scalar, class Offset, class Storage, class Space>
Csr<Scalar, Space, Offset> mbsr_to_csr_by_threads(const Space& exec,
                                                  const MbsrView<Storage, Space>& A) {
  const auto target = allocate_rows<Scalar, Offset>(exec, A);
  const auto before = entries_before_rows(exec, A);
  Kokkos::parallel_for("tessera::mbsr_to_csr",
                       Kokkos::RangePolicy<Space>(exec, 0, A.num_tile_rows()),
                       RowsByThreads<Scalar, Offset, Storage, Space>{A, before, target});
  return {A.num_rows, A.num_cols, target.offsets, target.columns, target.values};
}

/// `mbsr_to_csr` with one warp per part. A stage holds at most RowEntry::max_staged entries.
template <class Scalar, class Offset, class Storage, class Space>
Csr<Scalar, Space, Offset> mbsr_to_csr_by_parts(const Space& exec,
                                                const MbsrView<Storage, Space>& A,
                                                const TileParts& parts) {
  const auto target = allocate_rows<Scalar, Offset>(exec, A);
  const auto before = entries_before_rows(exec, A);
  const RowsByParts<Scalar, Offset, Storage, Space> work{A, parts, before, target};
  const auto teams = parts.teams(exec, A.num_tile_rows(), work.scratch_bytes());
  Kokkos::parallel_for("tessera::mbsr_to_csr", teams, work);
  return {A.num_rows, A.num_cols, target.offsets, target.columns, target.values};
}

}  // namespace detail

template <class Scalar, class Offset, class Storage, class Space>
Csr<Scalar, Space, Offset> mbsr_to_csr(const Space& exec, const MbsrView<Storage, Space>& A) {
  if constexpr (is_host_space<Space>) {
    return detail::mbsr_to_csr_by_threads<Scalar, Offset>(exec, A);
  } else {
    return detail::mbsr_to_csr_by_parts<Scalar, Offset>(
        exec, A, detail::TileParts(A.num_tile_rows(), A.num_entries));
  }
}

}  // namespace tessera::kernels
