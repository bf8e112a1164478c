// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The report of `validate`.
#include "tessera/matrix/validate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/operator/error.hpp"

namespace tessera {
namespace detail {

/// The lowest entry that a pass found, and its row.
struct FirstEntry {
  std::int64_t entry = std::numeric_limits<std::int64_t>::max();
  Ordinal row = 0;

  KOKKOS_INLINE_FUNCTION FirstEntry& operator+=(const FirstEntry& other) {
    if (other.entry < entry) *this = other;
    return *this;
  }
  KOKKOS_INLINE_FUNCTION void note(bool bad, std::int64_t at, Ordinal in_row) {
    if (bad && at < entry) {
      entry = at;
      row = in_row;
    }
  }
  bool found() const { return entry != std::numeric_limits<std::int64_t>::max(); }
};

/// One item of an array, on the host.
template <class T, class Space>
std::remove_const_t<T> item(const Space& exec, const ArrayView<T, Space>& array,
                            std::size_t place) {
  std::remove_const_t<T> value{};
  const Kokkos::View<std::remove_const_t<T>, Kokkos::HostSpace,
                     Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      host(&value);
  Kokkos::deep_copy(exec, host, Kokkos::subview(array, place));
  exec.fence("tessera::validate: a value is needed for a message");
  return value;
}

/// The first place i where offsets(i) is not what it must be, given the one before and the end.
template <class Space, class Offset>
FirstEntry first_bad_offset(const Space& exec, const ArrayView<const Offset, Space>& offsets,
                            Ordinal num_rows, std::size_t num_entries) {
  FirstEntry first;
  const auto last = static_cast<std::int64_t>(num_entries);
  Kokkos::parallel_reduce(
      "tessera::validate_offsets",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<std::int64_t>(num_rows) + 1),
      KOKKOS_LAMBDA(const std::int64_t i, FirstEntry& mine) {
        const auto here = static_cast<std::int64_t>(offsets(i));
        const bool start = i == 0 && here != 0;
        const bool descends = i > 0 && here < static_cast<std::int64_t>(offsets(i - 1));
        const bool end = i == num_rows ? here != last : here > last;
        mine.note(start || descends || end, i, static_cast<Ordinal>(i));
      },
      first);
  return first;
}

/// The first entry with is_wrong(entry), of those of `rows` behind the first `skipped` of each.
template <class Scalar, class Space, class Offset, class IsWrong>
FirstEntry first_entry(const Kokkos::RangePolicy<Space>& rows, const char* label,
                       const kernels::CsrView<Scalar, Space, Offset>& A, int skipped,
                       const IsWrong& is_wrong) {
  FirstEntry first;
  Kokkos::parallel_reduce(
      label, rows,
      KOKKOS_LAMBDA(const Ordinal row, FirstEntry& mine) {
        for (Offset e = A.offsets(row) + skipped; e < A.offsets(row + 1); ++e)
          mine.note(is_wrong(e), e, row);
      },
      first);
  return first;
}

template <class Scalar, class Space, class Offset>
FirstEntry first_bad_column(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  return first_entry(
      Kokkos::RangePolicy<Space>(exec, 0, A.num_rows), "tessera::validate_columns", A, 0,
      KOKKOS_LAMBDA(const Offset e) { return A.columns(e) < 0 || A.columns(e) >= A.num_cols; });
}

template <class Scalar, class Space, class Offset>
FirstEntry first_not_finite(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  return first_entry(
      Kokkos::RangePolicy<Space>(exec, 0, A.num_rows), "tessera::validate_values", A, 0,
      KOKKOS_LAMBDA(const Offset e) { return !Kokkos::isfinite(A.values(e)); });
}

/// The first entry whose column is below the one before it in its row.
template <class Scalar, class Space, class Offset>
FirstEntry first_descent(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  return first_entry(
      Kokkos::RangePolicy<Space>(exec, 0, A.num_rows), "tessera::validate_order", A, 1,
      KOKKOS_LAMBDA(const Offset e) { return A.columns(e) < A.columns(e - 1); });
}

/// The first entry of a matrix with sorted rows whose column is that of the one before it.
template <class Scalar, class Space, class Offset>
FirstEntry first_repeat(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  return first_entry(
      Kokkos::RangePolicy<Space>(exec, 0, A.num_rows), "tessera::validate_duplicates", A, 1,
      KOKKOS_LAMBDA(const Offset e) { return A.columns(e) == A.columns(e - 1); });
}

/// The first entry after `after` of `row` that has `column`.
template <class Scalar, class Space, class Offset>
FirstEntry next_with_column(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                            Ordinal row, Ordinal column, std::int64_t after) {
  return first_entry(
      Kokkos::RangePolicy<Space>(exec, row, row + 1), "tessera::validate_find", A, 0,
      KOKKOS_LAMBDA(const Offset e) { return A.columns(e) == column && e > after; });
}

template <class Scalar, class Space, class Offset>
class Validator {
 public:
  Validator(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A)
      : m_exec(exec), m_A(A) {}

  ValidationReport run() {
    if (!check_offsets()) return m_report;
    check_columns();
    const bool sorted = check_order();
    check_duplicates(sorted);
    check_values();
    return m_report;
  }

 private:
  void add(MatrixDefect defect, const FirstEntry& first, const std::string& what) {
    m_report.problems.push_back({defect, first.row, first.entry,
                                 "row " + std::to_string(first.row) + ", entry " +
                                     std::to_string(first.entry) + ": " + what});
  }
  Ordinal column_of(std::int64_t entry) const {
    return item<const Ordinal, Space>(m_exec, m_A.columns, entry);
  }

  bool check_offsets() {
    const FirstEntry first =
        first_bad_offset<Space, Offset>(m_exec, m_A.offsets, m_A.num_rows, m_A.num_entries);
    if (!first.found()) return true;
    const auto at = [&](std::int64_t i) {
      return std::to_string(item<const Offset, Space>(m_exec, m_A.offsets, i));
    };
    std::string message = "offsets(" + std::to_string(first.entry) + ") is " + at(first.entry);
    message += first.entry == 0 ? ", expected 0"
                                : ", expected at least offsets(" + std::to_string(first.entry - 1) +
                                      "), " + at(first.entry - 1);
    if (first.entry > 0) message += ", and at most the number of entries";
    message += ", " + std::to_string(m_A.num_entries) + ", which the last offset must be";
    m_report.problems.push_back({MatrixDefect::offsets, first.row, first.entry, message});
    return false;
  }

  void check_columns() {
    const FirstEntry first = first_bad_column(m_exec, m_A);
    if (!first.found()) return;
    add(MatrixDefect::column, first,
        "column " + std::to_string(column_of(first.entry)) + " is not in a matrix of " +
            std::to_string(m_A.num_cols) + " columns");
  }

  bool check_order() {
    const FirstEntry first = first_descent(m_exec, m_A);
    if (!first.found()) return true;
    add(MatrixDefect::unsorted, first,
        "column " + std::to_string(column_of(first.entry)) + " comes after column " +
            std::to_string(column_of(first.entry - 1)));
    return false;
  }

  void check_duplicates(bool sorted) {
    if (sorted) {
      report_duplicate(first_repeat(m_exec, m_A), m_A.columns);
    } else {
      const auto copy = kernels::sort_rows(m_exec, m_A);
      report_duplicate(first_repeat(m_exec, copy.view()), copy.columns);
    }
  }

  void report_duplicate(const FirstEntry& repeat, const ArrayView<const Ordinal, Space>& columns) {
    if (!repeat.found()) return;
    const Ordinal column = item<const Ordinal, Space>(m_exec, columns, repeat.entry);
    const FirstEntry once = next_with_column(m_exec, m_A, repeat.row, column, -1);
    const FirstEntry again = next_with_column(m_exec, m_A, repeat.row, column, once.entry);
    add(MatrixDefect::duplicate, again,
        "column " + std::to_string(column) + " is stored already at entry " +
            std::to_string(once.entry));
  }

  void check_values() {
    const FirstEntry first = first_not_finite(m_exec, m_A);
    if (!first.found()) return;
    const Scalar value = item<const Scalar, Space>(m_exec, m_A.values, first.entry);
    add(MatrixDefect::not_finite, first,
        "the value at column " + std::to_string(column_of(first.entry)) + " is " +
            (std::isnan(value) ? "NaN"
             : value > 0       ? "infinite"
                               : "minus infinite"));
  }

  const Space& m_exec;
  kernels::CsrView<Scalar, Space, Offset> m_A;
  ValidationReport m_report;
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
ValidationReport validate(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  return detail::Validator<Scalar, Space, Offset>(exec, A).run();
}

template <class Scalar, class Space, class Offset>
void require_valid(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  const ValidationReport report = validate(exec, A);
  if (!report.valid()) throw Error(ErrorKind::bad_input, to_string(report));
}

const char* to_string(MatrixDefect defect) {
  switch (defect) {
    case MatrixDefect::offsets:
      return "offsets";
    case MatrixDefect::column:
      return "column";
    case MatrixDefect::unsorted:
      return "unsorted";
    case MatrixDefect::duplicate:
      return "duplicate";
    case MatrixDefect::not_finite:
      return "not_finite";
  }
  return "unknown";
}

bool ValidationReport::valid() const {
  return std::all_of(problems.begin(), problems.end(), [](const MatrixProblem& problem) {
    return problem.defect == MatrixDefect::unsorted;
  });
}

bool ValidationReport::has(MatrixDefect defect) const {
  return std::any_of(problems.begin(), problems.end(),
                     [&](const MatrixProblem& problem) { return problem.defect == defect; });
}

std::string to_string(const ValidationReport& report) {
  if (report.problems.empty()) return "the matrix is valid";
  std::string text;
  for (const MatrixProblem& problem : report.problems) {
    if (!text.empty()) text += "\n";
    text += std::string(to_string(problem.defect)) + ": " + problem.message;
  }
  return text;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, validate)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, require_valid)

}  // namespace tessera
