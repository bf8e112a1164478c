// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of `csr_to_coo`.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/format/coo.hpp"
#include "tessera/kernels/format/detail/lanes.hpp"
#include "tessera/kernels/format/detail/scaled_values.hpp"

namespace tessera::kernels {
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

}  // namespace tessera::kernels
