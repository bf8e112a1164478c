// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/ilu/ilu.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

#include <string>

namespace tessera::kernels {
namespace detail {

/// What keeps A's arrays from serving, counted over its rows.
struct PatternFaults {
  std::int64_t disorders = 0;  ///< columns that are not above the one before
  std::int64_t missing = 0;  ///< diagonal entries

  KOKKOS_FUNCTION PatternFaults& operator+=(const PatternFaults& other) {
    disorders += other.disorders;
    missing += other.missing;
    return *this;
  }
};

template <class Scalar, class Space, class Offset>
PatternFaults find_faults(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  PatternFaults faults;
  Kokkos::parallel_reduce(
      "tessera::ilu::disorders", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal row, std::int64_t& disorders, std::int64_t& missing) {
        bool has_diagonal = false;
        const Offset begin = A.offsets(row);
        for (Offset e = begin; e < A.offsets(row + 1); ++e) {
          has_diagonal = has_diagonal || A.columns(e) == row;
          disorders += e > begin && A.columns(e) <= A.columns(e - 1) ? 1 : 0;
        }
        missing += has_diagonal ? 0 : 1;
      },
      faults.disorders, faults.missing);
  return faults;
}

/// Calls `visit(entry, column, is_new)` for the entries of a sorted row and for its diagonal, in
/// order; `entry` is -1 for a diagonal that is not stored, and `is_new` false for a duplicate.
template <class Offset, class Columns, class Visit>
KOKKOS_FUNCTION void visit_with_diagonal(Ordinal row, Offset begin, Offset end,
                                         const Columns& columns, const Visit& visit) {
  bool has_diagonal = false;
  for (Offset e = begin; e < end; ++e) {
    const Ordinal column = columns(e);
    if (column > row && !has_diagonal) {
      visit(Offset(-1), row, true);
      has_diagonal = true;
    }
    has_diagonal = has_diagonal || column == row;
    visit(e, column, e == begin || columns(e - 1) != column);
  }
  if (!has_diagonal) visit(Offset(-1), row, true);
}

/// A pattern of its own, sorted, with the diagonal and without duplicates.
template <class Scalar, class Space, class Offset>
IluPattern<Space, Offset> complete(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  const Ordinal n = A.num_rows;
  // The entries' numbers, sorted with their columns: a double holds those of any matrix.
  const auto numbers = allocate<double>(exec, "tessera::ilu::numbers", A.num_entries);
  Kokkos::parallel_for(
      "tessera::ilu::numbers", Kokkos::RangePolicy<Space>(exec, 0, A.num_entries),
      KOKKOS_LAMBDA(const std::size_t e) { numbers(e) = static_cast<double>(e); });
  const auto in_order = sort_rows(
      exec,
      CsrView<double, Space, Offset>{n, A.num_cols, A.num_entries, A.offsets, A.columns, numbers});
  const ArrayView<const Offset, Space> from = A.offsets;
  const ArrayView<const Ordinal, Space> sorted_columns = in_order.columns;
  const auto offsets = allocate<Offset>(exec, "tessera::ilu::offsets", n + 1ul);
  Kokkos::parallel_for(
      "tessera::ilu::row_lengths", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal row) {
        Offset length = 0;
        visit_with_diagonal(row, from(row), from(row + 1), sorted_columns,
                            [&](Offset, Ordinal, bool is_new) { length += is_new ? 1 : 0; });
        offsets(row) = length;
      });
  const std::size_t num_entries =
      counts_to_offsets<Offset, Space>(exec, offsets, "the incomplete factorisation");
  IluPattern<Space, Offset> pattern;
  const auto columns = allocate<Ordinal>(exec, "tessera::ilu::columns", num_entries);
  pattern.sorted = allocate<Offset>(exec, "tessera::ilu::sorted", A.num_entries);
  pattern.targets = allocate<Offset>(exec, "tessera::ilu::targets", A.num_entries);
  const auto sorted = pattern.sorted;
  const auto targets = pattern.targets;
  const auto sorted_numbers = in_order.values;
  Kokkos::parallel_for(
      "tessera::ilu::columns", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal row) {
        Offset next = offsets(row);
        visit_with_diagonal(row, from(row), from(row + 1), sorted_columns,
                            [&](Offset e, Ordinal column, bool is_new) {
                              if (is_new) columns(next++) = column;
                              if (e < 0) return;
                              sorted(e) = static_cast<Offset>(sorted_numbers(e));
                              targets(e) = next - 1;
                            });
      });
  pattern.num_rows = n;
  pattern.offsets = offsets;
  pattern.columns = columns;
  return pattern;
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
IluPattern<Space, Offset> make_ilu_pattern(const Space& exec, const Csr<Scalar, Space, Offset>& A) {
  require(A.num_rows == A.num_cols, [&] {
    return "A is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
           ", expected a square matrix";
  });
  const auto faults = detail::find_faults(exec, A.view());
  IluPattern<Space, Offset> pattern;
  if (faults.disorders == 0 && faults.missing == 0) {
    pattern.num_rows = A.num_rows;
    pattern.offsets = A.offsets;
    pattern.columns = A.columns;
  } else {
    pattern = detail::complete(exec, A.view());
  }
  pattern.num_added = faults.missing;
  const CsrView<Scalar, Space, Offset> with_diagonal{pattern.num_rows,      pattern.num_rows,
                                                     pattern.num_entries(), pattern.offsets,
                                                     pattern.columns,       {}};
  pattern.cut = cut_at_diagonal(exec, with_diagonal);
  return pattern;
}

template <class Scalar, class Space, class Offset>
void fill_ilu_values(const Space& exec, const IluPattern<Space, Offset>& pattern,
                     const CsrView<Scalar, Space, Offset>& A,
                     const NonDeduced<ArrayView<Scalar, Space>>& values) {
  if (pattern.targets.extent(0) == 0 && A.num_entries == pattern.num_entries()) {
    Kokkos::deep_copy(exec, values, A.values);
    return;
  }
  Kokkos::deep_copy(exec, values, Scalar(0));
  const auto sorted = pattern.sorted;
  const auto targets = pattern.targets;
  Kokkos::parallel_for(
      "tessera::ilu::values", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal row) {
        for (Offset e = A.offsets(row); e < A.offsets(row + 1); ++e)
          values(targets(e)) += A.values(sorted(e));
      });
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_ilu_pattern)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, fill_ilu_values)

}  // namespace tessera::kernels
