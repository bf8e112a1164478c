// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of `csr_to_ell` and `ell_to_csr`.
#pragma once

#include "tessera/kernels/format/detail/scaled_values.hpp"
#include "tessera/kernels/format/ell/convert.hpp"
#include "tessera/kernels/format/statistics.hpp"
#include "tessera/kernels/offset_overflow.hpp"
#include "tessera/kernels/offsets.hpp"

namespace tessera::kernels {
namespace detail {

/// Fills `columns` and `values`, of `width` slots a row, with the first entries of every row.
template <class Storage, class Scalar, class Space, class Offset>
void fill_slots(const Space& exec, const CsrView<Scalar, Space, Offset>& A, Ordinal width,
                double factor, const ArrayView<Ordinal, Space>& columns,
                const ArrayView<Storage, Space>& values) {
  const std::size_t stride = ell_stride(A.num_rows);
  Kokkos::parallel_for(
      "tessera::ell_fill", Kokkos::RangePolicy<Space>(exec, 0, stride),
      KOKKOS_LAMBDA(const std::size_t row) {
        const bool exists = row < static_cast<std::size_t>(A.num_rows);
        const Offset begin = exists ? A.offsets(row) : Offset(0);
        const Offset length = exists ? A.offsets(row + 1) - begin : Offset(0);
        for (Ordinal s = 0; s < width; ++s) {
          const std::size_t slot = row + s * stride;
          const bool taken = s < length;
          const Ordinal column = taken ? A.columns(begin + s) : Ordinal(ell_no_column);
          const Scalar value = taken ? A.values(begin + s) : Scalar(0);
          columns(slot) = column;
          values(slot) = scaled_value<Storage>(value, factor);
        }
      });
}

/// `width` slots a row, which hold `num_entries` entries.
template <class Storage, class Scalar, class Space, class Offset>
Ell<Storage, Space> first_entries(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                  Ordinal width, std::size_t num_entries, double scale) {
  const std::size_t slots = width * ell_stride(A.num_rows);
  const auto columns = allocate<Ordinal>(exec, "tessera::ell_columns", slots);
  const auto values = allocate<Storage>(exec, "tessera::ell_values", slots);
  if (slots > 0) {
    fill_slots<Storage, Scalar, Space, Offset>(exec, A, width, 1 / scale, columns, values);
  }
  return {A.num_rows, A.num_cols, width, num_entries, scale, columns, values};
}

/// Throws where `width` slots a row are nearly all padding.
template <class Storage, class Matrix>
void require_little_padding(const Matrix& A, std::size_t width) {
  const std::size_t slots = width * ell_stride(A.num_rows);
  const double allowed =
      max_ell_slots_per_entry * static_cast<double>(A.num_entries) + ell_free_slots;
  require(static_cast<double>(width) * A.num_rows <= allowed, [&] {
    return "ELL of A, " + std::to_string(A.num_rows) + " rows with " +
           std::to_string(A.num_entries) + " entries, would take " + std::to_string(slots) +
           " slots (" + std::to_string(slots * (sizeof(Ordinal) + sizeof(Storage))) +
           " bytes) with " + std::to_string(width) + " slots a row; expected at most " +
           std::to_string(static_cast<std::size_t>(allowed)) +
           " slots: HYB with fewer slots a row, or CSR, suits A better";
  });
}

/// offsets(i) = the number of taken slots of rows before `i`.
template <class Offset, class Space>
Array<Offset, Space> offsets_of_slots(const Space& exec,
                                      const ArrayView<const Ordinal, Space>& columns,
                                      Ordinal num_rows, Ordinal width) {
  const auto offsets = allocate<Offset>(exec, "tessera::offsets", num_rows + std::size_t(1));
  const std::size_t stride = ell_stride(num_rows);
  Kokkos::parallel_for(
      "tessera::ell_lengths", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
      KOKKOS_LAMBDA(const Ordinal row) {
        Ordinal length = 0;
        while (length < width && columns(row + length * stride) != ell_no_column)
          ++length;
        offsets(row) = length;
      });
  counts_to_offsets_async<Offset, Space>(exec, offsets);
  return offsets;
}

/// Copies the taken slots of row `i` to entries from offsets(i) on.
template <class Scalar, class Storage, class Space, class Offset>
void copy_slots(const Space& exec, const EllView<Storage, Space>& A,
                const ArrayView<const Offset, Space>& offsets,
                const ArrayView<Ordinal, Space>& columns, const ArrayView<Scalar, Space>& values) {
  Kokkos::parallel_for(
      "tessera::ell_to_csr", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal row) {
        const Offset begin = offsets(row);
        for (Ordinal s = 0; s < A.width; ++s) {
          const std::size_t slot = row + s * A.stride;
          const Ordinal column = A.columns(slot);
          if (column == ell_no_column) break;
          columns(begin + s) = column;
          values(begin + s) = scaled_value<Scalar>(A.values(slot), A.scale);
        }
      });
}

}  // namespace detail

template <class Storage, class Scalar, class Space, class Offset>
Ell<Storage, Space> csr_to_ell(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                               double scale) {
  detail::require_power_of_two(scale);
  const auto width = static_cast<std::size_t>(row_statistics(exec, A).longest);
  detail::require_little_padding<Storage>(A, width);
  return detail::first_entries<Storage>(exec, A, static_cast<Ordinal>(width), A.num_entries, scale);
}

template <class Scalar, class Offset, class Storage, class Space>
Csr<Scalar, Space, Offset> ell_to_csr(const Space& exec, const EllView<Storage, Space>& A) {
  require_countable<Offset>(static_cast<std::int64_t>(A.num_entries), "A");
  const auto offsets =
      detail::offsets_of_slots<Offset, Space>(exec, A.columns, A.num_rows, A.width);
  const auto columns = allocate<Ordinal>(exec, "tessera::columns", A.num_entries);
  const auto values = allocate<Scalar>(exec, "tessera::values", A.num_entries);
  detail::copy_slots<Scalar, Storage, Space, Offset>(exec, A, offsets, columns, values);
  return {A.num_rows, A.num_cols, offsets, columns, values};
}

}  // namespace tessera::kernels
