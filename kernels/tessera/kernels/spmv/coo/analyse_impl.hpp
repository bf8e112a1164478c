// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of `analyse_spmv` for COO.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/spmv/coo/coo_format.hpp"
#include "tessera/kernels/spmv/detail/coo_shares.hpp"
#include "tessera/kernels/spmv/pattern_fingerprint_impl.hpp"

namespace tessera::kernels {
namespace detail {

/// Entries per team: on a device what fits a little scratch memory; on a host so many that the sums
/// of rows in several shares do not count, and the number of threads changes no bit.
template <class Space>
inline constexpr std::size_t coo_share =
    is_host_space<Space> ? 8192 : std::size_t(coo_team_threads) * coo_entries_per_thread;

/// A plan without a list of empty rows.
template <class Space>
CooSpmvPlan<Space> divide_entries(const Space& exec, Ordinal num_rows, std::size_t num_entries,
                                  std::size_t share) {
  CooSpmvPlan<Space> plan;
  plan.num_rows = num_rows;
  plan.num_entries = num_entries;
  plan.entries_per_team = share;
  plan.teams = num_entries == 0 ? 0 : static_cast<int>((num_entries - 1) / share + 1);
  // Sized for double, so that the plan serves the same pattern in any precision.
  const std::size_t sums = 2 * static_cast<std::size_t>(plan.teams) * max_columns_at_once;
  plan.workspace = allocate<std::byte>(exec, "tessera::spmv_workspace", sums * sizeof(double));
  return plan;
}

/// The pattern of `A`, for a plan to know it by.
template <class Storage, class Space>
PlannedPattern pattern_of(const Space& exec, const CooView<Storage, Space>& A) {
  return {place_of(A), fingerprint_of<Space, Ordinal>(exec, A.rows, A.num_entries)};
}

/// Marks the rows that have entries, each by its first one.
template <class Space>
struct MarkPresentRows {
  ArrayView<const Ordinal, Space> rows;
  Array<Ordinal, Space> present;

  KOKKOS_FUNCTION void operator()(std::size_t e) const {
    if (e == 0 || rows(e - 1) != rows(e)) present(rows(e)) = 1;
  }
};

/// Counts the rows that are not marked.
template <class Space>
struct CountMissingRows {
  Array<Ordinal, Space> present;

  KOKKOS_FUNCTION void operator()(Ordinal row, Ordinal& mine) const { mine += 1 - present(row); }
};

/// Lists them, as a scan.
template <class Space>
struct ListMissingRows {
  Array<Ordinal, Space> present, missing;

  KOKKOS_FUNCTION void operator()(Ordinal row, Ordinal& before, bool is_final) const {
    const bool is_missing = present(row) == 0;
    if (is_final && is_missing) missing(before) = row;
    before += is_missing ? 1 : 0;
  }
};

/// The rows below `num_rows` that the ascending `rows` lack.
template <class Space>
Array<Ordinal, Space> missing_rows(const Space& exec, const ArrayView<const Ordinal, Space>& rows,
                                   Ordinal num_rows, std::size_t num_entries) {
  const auto present = allocate<Ordinal>(exec, "tessera::coo_present_rows", num_rows);
  Kokkos::deep_copy(exec, present, 0);
  Kokkos::parallel_for("tessera::coo_present_rows",
                       Kokkos::RangePolicy<Space>(exec, 0, num_entries),
                       MarkPresentRows<Space>{rows, present});
  Ordinal num_missing = 0;
  Kokkos::parallel_reduce("tessera::coo_empty_rows", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
                          CountMissingRows<Space>{present}, num_missing);
  const auto missing = allocate<Ordinal>(exec, "tessera::coo_empty_rows", num_missing);
  if (num_missing == 0) return missing;
  Kokkos::parallel_scan("tessera::coo_empty_rows", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
                        ListMissingRows<Space>{present, missing});
  return missing;
}

}  // namespace detail

template <class Storage, class Space>
CooSpmvPlan<Space> analyse_spmv(const Space& exec, const CooView<Storage, Space>& A) {
  CooSpmvPlan<Space> plan =
      detail::divide_entries(exec, A.num_rows, A.num_entries, detail::coo_share<Space>);
  plan.empty_rows = detail::missing_rows<Space>(exec, A.rows, A.num_rows, A.num_entries);
  plan.pattern = detail::pattern_of(exec, A);
  return plan;
}

}  // namespace tessera::kernels
