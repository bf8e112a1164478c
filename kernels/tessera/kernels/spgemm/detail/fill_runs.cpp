// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spgemm/detail/row_runs.hpp"

#include <cmath>

#include "tessera/kernels/execution/as_argument.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spgemm/detail/launch.hpp"

namespace tessera::kernels::spgemm_detail {

/// A run a team thread; a lane multiplies `ahead` products before it adds the first. Without room
/// for columns C has its pattern already: then `leaders` has its columns, and no values.
template <class Scalar, class Space, class Offset, int ahead>
struct FillRuns {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  CsrView<Scalar, Space, Offset> A, B, leaders;
  ArrayView<const Ordinal, Space> first_rows, run_of;
  Ordinal distance;  ///< of the rows of a run, of A and of C
  Ordinal b_distance;  ///< of the rows of B that they meet
  Ordinal shift;  ///< of the columns of C
  ArrayView<const Offset, Space> offsets;
  ArrayView<Ordinal, Space> columns;
  ArrayView<Scalar, Space> values;
  int lanes;  ///< of a team thread
  int log2_width;  ///< of as many of them as take the entries of one row of B
  int capacity;  ///< sums in scratch

  static KOKKOS_INLINE_FUNCTION constexpr int bytes(int capacity) {
    return (capacity * static_cast<int>(sizeof(Scalar)) + 7) / 8 * 8 +
           2 * longest_run * static_cast<int>(sizeof(Offset));
  }

  /// A run and where its parts lie.
  struct Run {
    Ordinal num_rows;
    Ordinal size;  ///< entries of a row of C
    const Ordinal* leader_columns;
    Offset a_length;
    const Offset* a_begins;  ///< where each row of A begins
    const Offset* c_begins;  ///< where each row of C begins
  };

  /// A row of B that the first row of the run meets.
  struct RowOfB {
    Ordinal row;
    Offset begin, length;
  };

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    auto* memory =
        static_cast<unsigned char*>(member.thread_scratch(0).get_shmem_aligned(bytes(capacity), 8));
    const Ordinal p = member.league_rank() * member.team_size() + member.team_rank();
    if (p >= leaders.num_rows) return;
    auto* sums = reinterpret_cast<Scalar*>(memory);
    auto* a_begins =
        reinterpret_cast<Offset*>(memory + bytes(capacity) - 2 * sizeof(Offset) * longest_run);
    auto* c_begins = a_begins + longest_run;
    const Ordinal row = first_rows(p);
    const bool refills = columns.extent(0) == 0;
    const Offset begin = refills ? offsets(row) : leaders.offsets(p);
    const Offset end = refills ? offsets(row + 1) : leaders.offsets(p + 1);
    const auto size = static_cast<Ordinal>(end - begin);
    if (size == 0) return;
    Ordinal num_rows = 0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(member, longest_run),
        [&](Ordinal r, Ordinal& sum) {
          const std::int64_t other = row + static_cast<std::int64_t>(r) * distance;
          if (other >= A.num_rows || run_of(other) != p) return;
          a_begins[r] = A.offsets(other);
          c_begins[r] = offsets(other);
          ++sum;
        },
        num_rows);
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, 0), [](int) {});  // in step
    const Offset a_length = A.offsets(row + 1) - A.offsets(row);
    const Run run{num_rows, size, leaders.columns.data() + begin, a_length, a_begins, c_begins};
    if (num_rows == 1 && !refills) {
      write_rows(member, run, 0, 1, leaders.values.data() + begin);
    } else {
      multiply(member, run, sums);
    }
  }

  KOKKOS_INLINE_FUNCTION void multiply(const Member& member, const Run& run, Scalar* sums) const {
    const Ordinal rows_at_once = capacity / run.size;
    if (rows_at_once == 0) {
      for (Ordinal r = 0; r < run.num_rows; ++r) {
        Scalar* const in_place = values.data() + run.c_begins[r];
        add_products(member, run, r, 1, in_place);
        write_rows(member, run, r, 1, in_place);
      }
      return;
    }
    for (Ordinal first = 0; first < run.num_rows; first += rows_at_once) {
      const Ordinal left = run.num_rows - first;
      const Ordinal count = left < rows_at_once ? left : rows_at_once;
      add_products(member, run, first, count, sums);
      write_rows(member, run, first, count, sums);
    }
  }

  /// Each lane steps from entry to entry without dividing.
  KOKKOS_INLINE_FUNCTION void write_rows(const Member& member, const Run& run, Ordinal first,
                                         Ordinal count, const Scalar* sums) const {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, lanes), [&](int lane) {
      const std::int64_t end = static_cast<std::int64_t>(count) * run.size;
      const Ordinal rows_per_step = lanes / run.size;
      const Ordinal places_per_step = lanes % run.size;
      Ordinal r = first + lane / run.size;
      Ordinal place = lane % run.size;
      for (std::int64_t i = lane; i < end; i += lanes) {
        const Offset entry = run.c_begins[r] + place;
        if (columns.extent(0) > 0) columns(entry) = run.leader_columns[place] + r * shift;
        values(entry) = sums[i];
        r += rows_per_step;
        place += places_per_step;
        if (place >= run.size) {
          place -= run.size;
          ++r;
        }
      }
    });
  }

  KOKKOS_INLINE_FUNCTION RowOfB row_of_b(const Run& run, Offset t) const {
    const Ordinal row = A.columns(run.a_begins[0] + t);
    const Offset begin = B.offsets(row);
    return {row, begin, B.offsets(row + 1) - begin};
  }

  /// sums = `count` rows of the run from `first` on.
  KOKKOS_INLINE_FUNCTION void add_products(const Member& member, const Run& run, Ordinal first,
                                           Ordinal count, Scalar* sums) const {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, count * run.size),
                         [&](Ordinal i) { sums[i] = Scalar(0); });
    RowOfB next = row_of_b(run, 0);
    for (Offset t = 0; t < run.a_length; ++t) {
      const RowOfB b = next;
      if (t + 1 < run.a_length) next = row_of_b(run, t + 1);
      for (Offset u = 0; u < b.length; u += Offset(1) << log2_width) {
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, lanes), [&](int lane) {
          const Offset mine = u + (lane & ((1 << log2_width) - 1));
          if (mine < b.length) add_products_of_lane(run, t, b, mine, lane, first, count, sums);
        });
      }
    }
  }

  /// Adds A(i, t) times entry `u` of the row of B that it meets, for some rows i of the run. All
  /// loads are asked for before anything waits for them, by no branch: for a row beyond the last a
  /// lane loads the last one's factors, and the sum that it has already, as another lane writes the
  /// last one's.
  KOKKOS_INLINE_FUNCTION void add_products_of_lane(const Run& run, Offset t, const RowOfB& b,
                                                   Offset u, int lane, Ordinal first, Ordinal count,
                                                   Scalar* sums) const {
    const Ordinal column = B.columns(b.begin + u);
    const int rows_per_step = lanes >> log2_width;
    Ordinal place = -1;
    for (Ordinal row = lane >> log2_width; row < count; row += ahead * rows_per_step) {
      Offset b_entries[ahead];
      Scalar factors[ahead], products[ahead];
      for (int i = 0; i < ahead; ++i)
        b_entries[i] = b_begin(b, first + at_most(row + i * rows_per_step, count - 1)) + u;
      for (int i = 0; i < ahead; ++i) {
        factors[i] =
            A.values(run.a_begins[first + at_most(row + i * rows_per_step, count - 1)] + t);
        products[i] = B.values(b_entries[i]);
      }
      if (place < 0) place = place_of(run, column);
      Scalar* const target = sums + place;
      for (int i = 0; i < ahead; ++i) {
        const Ordinal r = row + i * rows_per_step;
        const Scalar sum = target[(r < count ? r : row) * run.size];
        products[i] = sum + factors[i] * products[i];
      }
      for (int i = 0; i < ahead; ++i) {
        const Ordinal r = row + i * rows_per_step;
        if (r < count) target[r * run.size] = products[i];
      }
    }
  }

  static KOKKOS_INLINE_FUNCTION Ordinal at_most(Ordinal row, Ordinal last) {
    return row < last ? row : last;
  }

  /// Where the row of B that row `r` of the run meets begins.
  KOKKOS_INLINE_FUNCTION Offset b_begin(const RowOfB& b, Ordinal r) const {
    // Rows of B side by side follow one another, so that they are as long as the first one.
    return b_distance <= 1 ? b.begin + r * b_distance * b.length
                           : B.offsets(b.row + r * b_distance);
  }

  /// Where a column that is there lies in the first row of the run.
  KOKKOS_INLINE_FUNCTION Ordinal place_of(const Run& run, Ordinal column) const {
    Ordinal low = 0;
    for (Ordinal length = run.size; length > 1;) {
      const Ordinal half = length / 2;
      low += run.leader_columns[low + half] <= column ? half : 0;
      length -= half;
    }
    return low;
  }
};

/// Sums in scratch for rows of C of about `mean_length` entries: of whole runs, unless that leaves
/// a multiprocessor with few warps; then of as many rows as a lane multiplies ahead, if scratch of
/// `max_bytes` holds them.
inline int capacity_for_runs(double mean_length, int max_bytes) {
  constexpr double few_sums = (1 << 14) / static_cast<double>(sizeof(double));
  const double max_sums = std::floor(max_bytes / static_cast<double>(sizeof(double)));
  const double row = 1.05 * mean_length + 1;
  const double rows = std::clamp(std::floor(few_sums / row), 8.0, double(longest_run));
  return static_cast<int>(std::min(rows * row, max_sums));
}

template <int ahead, class Scalar, class Space, class Offset>
void fill_runs_ahead(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                     const CsrView<Scalar, Space, Offset>& B, const RowRuns<Space>& runs,
                     const CsrView<Scalar, Space, Offset>& leaders,
                     const ArrayView<const Offset, Space>& offsets,
                     const ArrayView<Ordinal, Space>& columns,
                     const ArrayView<Scalar, Space>& values, int lanes, int log2_width) {
  using Functor = FillRuns<Scalar, Space, Offset, ahead>;
  const int capacity =
      capacity_for_runs(mean_length(values.extent(0), offsets.extent(0)),
                        Kokkos::TeamPolicy<Space>::scratch_size_max(0) - Functor::bytes(0) - 64);
  const int bytes = Functor::bytes(capacity) + 16;
  const int team = rows_in_team<Space>(lanes, bytes);
  Kokkos::TeamPolicy<Space> policy(exec, (runs.num_runs + team - 1) / team, team, lanes);
  policy.set_scratch_size(0, Kokkos::PerThread(bytes));
  Kokkos::parallel_for(
      "tessera::spgemm::fill_runs", as_argument(policy),
      Functor{A, B, leaders, runs.leaders, runs.run_of, runs.a.distance, runs.a.shift, runs.b.shift,
              offsets, columns, values, lanes, log2_width, capacity});
}

template <class Scalar, class Space, class Offset>
void fill_runs(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
               const CsrView<Scalar, Space, Offset>& B, const RowRuns<Space>& runs,
               const CsrView<Scalar, Space, Offset>& leaders,
               const ArrayView<const Offset, Space>& offsets,
               const ArrayView<Ordinal, Space>& columns, const ArrayView<Scalar, Space>& values) {
  if (runs.num_runs == 0) return;
  const int lanes = is_host_space<Space> ? 1 : 32;
  const double b_length = mean_length(B.columns.extent(0), B.offsets.extent(0));
  int log2_width = 0;
  while (1 << log2_width < lanes && 1 << log2_width < b_length)
    ++log2_width;
  // As many products ahead as a lane has of a whole run, up to eight: each takes registers.
  const auto fill = [&]<int ahead>(std::integral_constant<int, ahead>) {
    fill_runs_ahead<ahead>(exec, A, B, runs, leaders, offsets, columns, values, lanes, log2_width);
  };
  if (is_host_space<Space> || log2_width > 2) {
    fill(std::integral_constant<int, 8>{});
  } else if (log2_width > 0) {
    fill(std::integral_constant<int, 4>{});
  } else {
    fill(std::integral_constant<int, 1>{});
  }
}

template <class Scalar, class Space, class Offset>
void refill_runs(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                 const CsrView<Scalar, Space, Offset>& B, const RowRuns<Space>& runs,
                 const CsrView<Scalar, Space, Offset>& C, const ArrayView<Scalar, Space>& values) {
  const CsrView<Scalar, Space, Offset> leaders{runs.num_runs, C.num_cols, 0, {}, C.columns, {}};
  fill_runs<Scalar, Space, Offset>(exec, A, B, runs, leaders, C.offsets, {}, values);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, fill_runs)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, refill_runs)

}  // namespace tessera::kernels::spgemm_detail
