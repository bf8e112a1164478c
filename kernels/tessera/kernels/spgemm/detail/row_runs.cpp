// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spgemm/detail/row_sample.hpp"
#include "tessera/kernels/spgemm/selection_rules.hpp"

namespace tessera::kernels::spgemm_detail {

/// A pattern, not owned.
template <class Space, class Offset>
struct Pattern {
  ArrayView<const Offset, Space> offsets;
  ArrayView<const Ordinal, Space> columns;

  Ordinal num_rows() const { return static_cast<Ordinal>(offsets.extent(0)) - 1; }
  bool operator==(const Pattern& other) const {
    return offsets.data() == other.offsets.data() && columns.data() == other.columns.data();
  }

  /// Whether the columns of `row` are those of `other`, each `shift` further.
  KOKKOS_INLINE_FUNCTION bool is_shifted(Ordinal row, Ordinal other, Ordinal shift) const {
    const Offset begin = offsets(row);
    const Offset length = offsets(row + 1) - begin;
    const Offset other_begin = offsets(other);
    if (offsets(other + 1) - other_begin != length) return false;
    for (Offset k = 0; k < length; ++k)
      if (columns(begin + k) != columns(other_begin + k) + shift) return false;
    return true;
  }
};

/// follows(row) = whether the row follows the one `by.distance` before.
template <class Space, class Offset>
struct MarkFollowers {
  Pattern<Space, Offset> M;
  RowShift by;
  ArrayView<unsigned char, Space> follows;

  KOKKOS_FUNCTION void operator()(Ordinal row) const {
    follows(row) = row >= by.distance && M.is_shifted(row, row - by.distance, by.shift);
  }
};

template <class Space, class Offset>
void mark_followers(const Space& exec, const Pattern<Space, Offset>& M, const RowShift& by,
                    const ArrayView<unsigned char, Space>& follows) {
  Kokkos::parallel_for(
      "tessera::spgemm::mark_followers",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, M.num_rows()),
      MarkFollowers<Space, Offset>{M, by, follows});
}

/// The longest row whose products one thread counts.
inline constexpr Ordinal longest_counted_row = 256;

/// What there is to know of the first rows of runs: a reduction's value.
struct RunTotals {
  Ordinal num_runs = 0;
  Ordinal long_rows = 0;  ///< of more than `longest_counted_row` entries, which `bounds` leaves out
  std::int64_t entries = 0;  ///< of A
  SizeHistogram bounds;

  KOKKOS_INLINE_FUNCTION RunTotals& operator+=(const RunTotals& other) {
    num_runs += other.num_runs;
    long_rows += other.long_rows;
    entries += other.entries;
    bounds += other.bounds;
    return *this;
  }
};

/// leads(row) = whether a run begins at the row.
template <class Space, class Offset>
struct MarkLeaders {
  Pattern<Space, Offset> A;
  ArrayView<const Offset, Space> b_offsets;
  std::int64_t num_cols;
  ArrayView<const unsigned char, Space> a_follows;
  ArrayView<const unsigned char, Space> b_follows;  ///< empty: every row of B follows, itself
  Ordinal distance;
  ArrayView<unsigned char, Space> leads;

  KOKKOS_FUNCTION void operator()(Ordinal row, RunTotals& totals) const {
    const bool lead = !joins(row);
    leads(row) = lead;
    if (!lead) return;
    const Offset length = A.offsets(row + 1) - A.offsets(row);
    ++totals.num_runs;
    totals.entries += length;
    if (length > longest_counted_row) {
      ++totals.long_rows;
    } else {
      count_products(row, totals.bounds);
    }
  }

  /// As bound_row_sizes does, so that it need not be waited for.
  KOKKOS_INLINE_FUNCTION void count_products(Ordinal row, SizeHistogram& bounds) const {
    std::int64_t products = 0;
    for (Offset k = A.offsets(row); k < A.offsets(row + 1); ++k) {
      const Ordinal column = A.columns(k);
      products += b_offsets(column + 1) - b_offsets(column);
    }
    const auto bound = static_cast<Ordinal>(Kokkos::min(products, num_cols));
    bounds.add(TableFill::full, bound);
  }

  /// Runs begin again where `longest_run` of them side by side would end.
  KOKKOS_INLINE_FUNCTION bool joins(Ordinal row) const {
    if (row / distance % longest_run == 0 || a_follows(row) == 0) return false;
    if (b_follows.extent(0) == 0) return true;
    for (Offset k = A.offsets(row); k < A.offsets(row + 1); ++k)
      if (b_follows(A.columns(k)) == 0) return false;
    return true;
  }
};

/// Numbers runs, those side by side one after the other: leaders(p) = the first row of run p,
/// run_of(row) = its run. A step is `longest_run` rows `distance` apart, some beyond the last row.
template <class Space>
struct ListLeaders {
  Ordinal distance;
  ArrayView<const unsigned char, Space> leads;
  ArrayView<Ordinal, Space> leaders, run_of;

  KOKKOS_FUNCTION void operator()(Ordinal step, Ordinal& runs, bool final) const {
    const std::int64_t rows_per_group = std::int64_t(longest_run) * distance;
    const std::int64_t first = step / distance * rows_per_group + step % distance;
    for (Ordinal r = 0; r < longest_run; ++r) {
      const std::int64_t row = first + static_cast<std::int64_t>(r) * distance;
      if (row >= static_cast<std::int64_t>(leads.extent(0))) return;
      if (leads(row) != 0) {
        if (final) leaders(runs) = static_cast<Ordinal>(row);
        ++runs;
      }
      if (final) run_of(row) = runs - 1;
    }
  }
};

template <class Space, class Offset>
RowRuns<Space> find_row_runs(const Space& exec, const ArrayView<const Offset, Space>& a_offsets,
                             const ArrayView<const Ordinal, Space>& a_columns,
                             const ArrayView<const Offset, Space>& b_offsets,
                             const ArrayView<const Ordinal, Space>& b_columns, Ordinal num_cols,
                             Ordinal max_runs) {
  const Pattern<Space, Offset> A{a_offsets, a_columns};
  const Pattern<Space, Offset> B{b_offsets, b_columns};
  const Ordinal num_rows = A.num_rows();
  RowRuns<Space> runs;
  const bool same_factors = A == B;
  const auto samples =
      sample_rows<Space, Offset>(exec, a_offsets, a_columns, b_offsets, b_columns, same_factors);
  const ShiftsOfFactors shifts =
      best_shifts(samples.first, same_factors ? samples.first : samples.second);
  runs.a = shifts.a;
  runs.b = shifts.b;
  runs.num_runs = num_rows;
  if (max_runs < num_rows && shifts.share() < rules::min_share_of_sample_in_runs) return runs;

  // One allocation for all, as each makes a GPU wait: first what the caller keeps.
  const std::size_t n = num_rows, num_marks = 2 * n + B.num_rows();
  const std::size_t listed = std::min(num_rows, max_runs);
  const auto memory = allocate<Ordinal>(exec, "tessera::spgemm::runs",
                                        n + listed + num_marks / sizeof(Ordinal) + 1);
  runs.run_of = Kokkos::subview(memory, Kokkos::make_pair(std::size_t(0), n));
  runs.leaders = Kokkos::subview(memory, Kokkos::make_pair(n, n + listed));
  auto* const marks = reinterpret_cast<unsigned char*>(memory.data() + n + listed);
  const ArrayView<unsigned char, Space> leads(marks, n), a_follows(marks + n, n);
  ArrayView<unsigned char, Space> b_follows;
  mark_followers(exec, A, runs.a, a_follows);
  if (same_factors && runs.a.distance == runs.a.shift) {
    b_follows = a_follows;
  } else if (runs.a.shift > 0) {
    b_follows = ArrayView<unsigned char, Space>(marks + 2 * n, B.num_rows());
    mark_followers(exec, B, runs.b, b_follows);
  }
  RunTotals totals;
  Kokkos::parallel_reduce("tessera::spgemm::mark_leaders",
                          Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, num_rows),
                          MarkLeaders<Space, Offset>{A, b_offsets, num_cols, a_follows, b_follows,
                                                     runs.a.distance, leads},
                          totals);
  runs.num_runs = totals.num_runs;
  runs.leader_entries = totals.entries;
  if (totals.long_rows == 0) runs.bounds = totals.bounds;
  if (runs.num_runs > max_runs) return runs;

  const std::int64_t rows_per_group = std::int64_t(longest_run) * runs.a.distance;
  const std::int64_t steps = (num_rows + rows_per_group - 1) / rows_per_group * runs.a.distance;
  Kokkos::parallel_scan(
      "tessera::spgemm::list_leaders",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, static_cast<Ordinal>(steps)),
      ListLeaders<Space>{runs.a.distance, leads, runs.leaders, runs.run_of});
  return runs;
}

TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, find_row_runs)

}  // namespace tessera::kernels::spgemm_detail
