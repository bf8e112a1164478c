// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of `csr_to_ell`.
#pragma once

#include "tessera/kernels/format/detail/scaled_values.hpp"
#include "tessera/kernels/format/ell.hpp"
#include "tessera/kernels/format/statistics.hpp"

namespace tessera::kernels {
namespace detail {

/// Fills `columns` and `values`, of `width` slots per row, with the first entries of every row.
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

/// `width` slots per row, which hold `num_entries` entries.
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

/// Throws where `width` slots per row are nearly all padding.
template <class Storage, class Matrix>
void require_little_padding(const Matrix& A, std::size_t width) {
  const std::size_t slots = width * ell_stride(A.num_rows);
  const double allowed =
      max_ell_slots_per_entry * static_cast<double>(A.num_entries) + ell_free_slots;
  require(static_cast<double>(width) * A.num_rows <= allowed, [&] {
    return "ELL of A, " + std::to_string(A.num_rows) + " rows with " +
           std::to_string(A.num_entries) + " entries, would take " + std::to_string(slots) +
           " slots (" + std::to_string(slots * (sizeof(Ordinal) + sizeof(Storage))) +
           " bytes) with " + std::to_string(width) + " slots per row; expected at most " +
           std::to_string(static_cast<std::size_t>(allowed)) +
           " slots: HYB with fewer slots per row, or CSR, suits A better";
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

}  // namespace tessera::kernels
