// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CSR to ELL, to COO, and to HYB, which is made of the parts of both.
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/coo.hpp"
#include "tessera/kernels/format/detail/lanes.hpp"
#include "tessera/kernels/format/detail/scaled_values.hpp"
#include "tessera/kernels/format/ell.hpp"
#include "tessera/kernels/format/hyb.hpp"
#include "tessera/kernels/format/offsets.hpp"
#include "tessera/kernels/format/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <string>

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

/// The first of the rows that have `length` entries, for a message; empty where none has.
template <class Space, class Offset>
std::string row_of_length(const Space& exec, const ArrayView<const Offset, Space>& offsets,
                          Ordinal num_rows, std::size_t length) {
  Ordinal first = num_rows;
  Kokkos::parallel_reduce(
      "tessera::row_of_length", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
      KOKKOS_LAMBDA(const Ordinal row, Ordinal& least) {
        const auto entries = static_cast<std::size_t>(offsets(row + 1) - offsets(row));
        if (entries == length && row < least) least = row;
      },
      Kokkos::Min<Ordinal>(first));
  return first < num_rows ? ", the length of row " + std::to_string(first) : std::string();
}

/// Throws where `width` slots per row are nearly all padding.
template <class Storage, class Scalar, class Space, class Offset>
void require_little_padding(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                            std::size_t width) {
  const std::size_t slots = width * ell_stride(A.num_rows);
  const double allowed =
      max_ell_slots_per_entry * static_cast<double>(A.num_entries) + ell_free_slots;
  require(static_cast<double>(width) * A.num_rows <= allowed, [&] {
    return "ELL of A, " + std::to_string(A.num_rows) + " rows with " +
           std::to_string(A.num_entries) + " entries, would take " + std::to_string(slots) +
           " slots (" + std::to_string(slots * (sizeof(Ordinal) + sizeof(Storage))) +
           " bytes) with " + std::to_string(width) + " slots per row" +
           row_of_length<Space, Offset>(exec, A.offsets, A.num_rows, width) +
           "; expected at most " + std::to_string(static_cast<std::size_t>(allowed)) +
           " slots: HYB with fewer slots per row, or CSR, suits A better";
  });
}

}  // namespace detail

template <class Storage, class Scalar, class Space, class Offset>
Ell<Storage, Space> csr_to_ell(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                               double scale) {
  detail::require_power_of_two(scale);
  const auto width = static_cast<std::size_t>(row_statistics(exec, A).longest);
  detail::require_little_padding<Storage>(exec, A, width);
  return detail::first_entries<Storage>(exec, A, static_cast<Ordinal>(width), A.num_entries, scale);
}

namespace detail {

/// Writes its number to each entry of a row.
template <class Space, class Offset>
struct NumberEntries {
  ArrayView<const Offset, Space> offsets;
  ArrayView<Ordinal, Space> rows;
  Ordinal num_rows;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row) const {
    for (Offset entry = offsets(row); entry < offsets(row + 1); ++entry)
      rows(entry) = row;
  }

  template <class Member>
    requires requires(const Member& member) { member.league_rank(); }
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const Ordinal row = row_of_thread(member);
    if (row >= num_rows) return;
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, offsets(row), offsets(row + 1)),
                         [&](const Offset entry) { rows(entry) = row; });
  }
};

/// The row of every entry.
template <class Space, class Offset>
Array<Ordinal, Space> rows_of_entries(const Space& exec,
                                      const ArrayView<const Offset, Space>& offsets,
                                      Ordinal num_rows, std::size_t num_entries) {
  const auto rows = allocate<Ordinal>(exec, "tessera::coo_rows", num_entries);
  const NumberEntries<Space, Offset> number{offsets, rows, num_rows};
  if constexpr (is_host_space<Space>) {
    Kokkos::parallel_for("tessera::coo_rows", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
                         number);
  } else {
    Kokkos::parallel_for("tessera::coo_rows", RowTeams<Space>(exec, num_rows, num_entries).policy,
                         number);
  }
  return rows;
}

}  // namespace detail

template <class Storage, class Scalar, class Space, class Offset>
Coo<Storage, Space> csr_to_coo(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                               double scale) {
  detail::require_power_of_two(scale);
  return {A.num_rows,
          A.num_cols,
          scale,
          detail::rows_of_entries<Space, Offset>(exec, A.offsets, A.num_rows, A.num_entries),
          detail::copy_of<Ordinal, Space>(exec, "tessera::columns", A.columns, A.num_entries),
          detail::scaled_values<Storage, Scalar, Space>(exec, A.values, A.num_entries, 1 / scale)};
}

namespace detail {

template <class Space, class Offset>
Ordinal count_rows_up_to(const Space& exec, const ArrayView<const Offset, Space>& offsets,
                         Ordinal num_rows, std::int64_t length) {
  Ordinal count = 0;
  Kokkos::parallel_reduce(
      "tessera::hyb_rows_up_to", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
      KOKKOS_LAMBDA(const Ordinal row, Ordinal& mine) {
        mine += offsets(row + 1) - offsets(row) <= length ? 1 : 0;
      },
      count);
  return count;
}

/// The least length that more than a share `quantile` of the rows do not exceed: Q_R of the Ginkgo
/// thesis, section 4.1.4.
template <class Space, class Offset>
std::int64_t row_length_quantile(const Space& exec, const ArrayView<const Offset, Space>& offsets,
                                 Ordinal num_rows, const RowStatistics& lengths, double quantile) {
  std::int64_t low = lengths.shortest;
  std::int64_t high = lengths.longest;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (count_rows_up_to<Space, Offset>(exec, offsets, num_rows, middle) > quantile * num_rows) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
Ordinal hyb_width(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                  const HybStrategy& strategy, std::size_t value_bytes) {
  using Width = HybStrategy::Width;
  if (strategy.width == Width::fixed) {
    require(strategy.slots >= 0, [&] {
      return "strategy.slots is " + std::to_string(strategy.slots) + ", expected at least 0";
    });
    return strategy.slots;
  }
  require(strategy.quantile >= 0 && strategy.quantile <= 1, [&] {
    return "strategy.quantile is " + std::to_string(strategy.quantile) + ", expected 0 up to 1";
  });
  if (A.num_rows == 0) return 0;
  const RowStatistics lengths = row_statistics(exec, A);
  // One slot more costs a value and a column in every row, and saves a row number besides in those
  // that are longer: it pays while these are more than the share (value + column) / (value + column
  // + row number), a quarter of the rows being shorter for double.
  const double index_bytes = sizeof(Ordinal);
  const bool smallest = strategy.width == Width::least_bytes;
  const double quantile = smallest
                              ? index_bytes / (static_cast<double>(value_bytes) + 2 * index_bytes)
                              : strategy.quantile;
  const std::int64_t width =
      detail::row_length_quantile<Space, Offset>(exec, A.offsets, A.num_rows, lengths, quantile);
  if (smallest) return static_cast<Ordinal>(width);
  const double most = std::floor(strategy.max_slots_per_row_count * A.num_rows);
  return static_cast<Ordinal>(std::min(static_cast<double>(width), most));
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, hyb_width)

namespace detail {

/// offsets(i) = the number of entries of rows before `i` that `width` slots per row do not take.
template <class Space, class Offset>
Array<Offset, Space> offsets_of_rest(const Space& exec,
                                     const ArrayView<const Offset, Space>& offsets,
                                     Ordinal num_rows, Ordinal width, std::size_t& num_rest) {
  const auto rest = allocate<Offset>(exec, "tessera::offsets", num_rows + std::size_t(1));
  Kokkos::parallel_for(
      "tessera::hyb_rest", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
      KOKKOS_LAMBDA(const Ordinal row) {
        const Offset length = offsets(row + 1) - offsets(row);
        rest(row) = length > width ? length - width : Offset(0);
      });
  num_rest = counts_to_offsets<Offset, Space>(exec, rest);
  return rest;
}

/// Entries of the rest from their rows: entry `e` of row `i` of the rest is entry
/// offsets(i) + width + e - rest_offsets(i) of `A`.
template <class Storage, class Scalar, class Space, class Offset>
void fill_rest(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
               const ArrayView<const Offset, Space>& rest_offsets,
               const ArrayView<const Ordinal, Space>& rows, Ordinal width, double factor,
               const ArrayView<Ordinal, Space>& columns, const ArrayView<Storage, Space>& values) {
  Kokkos::parallel_for(
      "tessera::hyb_fill", Kokkos::RangePolicy<Space>(exec, 0, rows.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e) {
        const Ordinal row = rows(e);
        const auto entry = A.offsets(row) + width + (static_cast<Offset>(e) - rest_offsets(row));
        columns(e) = A.columns(entry);
        values(e) = scaled_value<Storage>(A.values(entry), factor);
      });
}

}  // namespace detail

template <class Storage, class Scalar, class Space, class Offset>
Hyb<Storage, Space> csr_to_hyb(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                               const HybStrategy& strategy, double scale) {
  detail::require_power_of_two(scale);
  const Ordinal width = hyb_width(exec, A, strategy, sizeof(Storage));
  detail::require_little_padding<Storage>(exec, A, static_cast<std::size_t>(width));
  std::size_t num_rest = 0;
  const auto rest_offsets =
      detail::offsets_of_rest<Space, Offset>(exec, A.offsets, A.num_rows, width, num_rest);
  Hyb<Storage, Space> result;
  result.ell = detail::first_entries<Storage>(exec, A, width, A.num_entries - num_rest, scale);
  const auto rows =
      detail::rows_of_entries<Space, Offset>(exec, rest_offsets, A.num_rows, num_rest);
  const auto columns = allocate<Ordinal>(exec, "tessera::columns", num_rest);
  const auto values = allocate<Storage>(exec, "tessera::values", num_rest);
  detail::fill_rest<Storage, Scalar, Space, Offset>(exec, A, rest_offsets, rows, width, 1 / scale,
                                                    columns, values);
  result.coo = {A.num_rows, A.num_cols, scale, rows, columns, values};
  return result;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_STORED, csr_to_hyb)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_STORED, csr_to_ell)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_STORED, csr_to_coo)

}  // namespace tessera::kernels
