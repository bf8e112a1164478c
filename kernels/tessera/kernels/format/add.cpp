// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/add.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/offsets.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

#include <limits>

namespace tessera::kernels {
namespace detail {

/// A place in a sorted row; takes one column at a time, duplicates added up.
template <class Scalar, class Space, class Offset>
struct RowCursor {
  static constexpr Ordinal past_the_end = std::numeric_limits<Ordinal>::max();
  const CsrView<Scalar, Space, Offset>& A;
  Offset at;
  Offset end;

  KOKKOS_INLINE_FUNCTION RowCursor(const CsrView<Scalar, Space, Offset>& matrix, Ordinal row)
      : A(matrix), at(matrix.offsets(row)), end(matrix.offsets(row + 1)) {}

  KOKKOS_INLINE_FUNCTION Ordinal column() const { return at < end ? A.columns(at) : past_the_end; }

  /// The sum of the entries of `wanted`, which is not before column(); 0 where there is none.
  KOKKOS_INLINE_FUNCTION Scalar take(Ordinal wanted) {
    Scalar sum = 0;
    for (; at < end && A.columns(at) == wanted; ++at)
      sum += A.values(at);
    return sum;
  }
};

/// Calls visit(column, a, in_A, b, in_B) for every column that row `row` of `A` or of `B` has, in
/// ascending order. The rows are sorted.
template <class Scalar, class Space, class Offset, class Visit>
KOKKOS_INLINE_FUNCTION void merge_rows(const CsrView<Scalar, Space, Offset>& A,
                                       const CsrView<Scalar, Space, Offset>& B, Ordinal row,
                                       const Visit& visit) {
  RowCursor<Scalar, Space, Offset> a(A, row);
  RowCursor<Scalar, Space, Offset> b(B, row);
  while (a.at < a.end || b.at < b.end) {
    const bool in_a = a.column() <= b.column();
    const bool in_b = b.column() <= a.column();
    const Ordinal column = in_a ? a.column() : b.column();
    const Scalar a_value = a.take(column);
    const Scalar b_value = b.take(column);
    visit(column, a_value, in_a, b_value, in_b);
  }
}

template <class Scalar, class Space, class Offset>
void count_sum(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
               const CsrView<Scalar, Space, Offset>& B, const ArrayView<Offset, Space>& lengths) {
  Kokkos::parallel_for(
      "tessera::add_count", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal row) {
        Offset length = 0;
        merge_rows(A, B, row, [&](Ordinal, Scalar, bool, Scalar, bool) { ++length; });
        lengths(row) = length;
      });
}

template <class Scalar, class Space, class Offset>
void fill_sum(const Space& exec, Scalar alpha, const CsrView<Scalar, Space, Offset>& A, Scalar beta,
              const CsrView<Scalar, Space, Offset>& B,
              const ArrayView<const Offset, Space>& offsets,
              const ArrayView<Ordinal, Space>& columns, const ArrayView<Scalar, Space>& values) {
  Kokkos::parallel_for(
      "tessera::add_fill", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal row) {
        Offset place = offsets(row);
        merge_rows(A, B, row, [&](Ordinal column, Scalar a, bool in_a, Scalar b, bool in_b) {
          Scalar sum = 0;
          if (in_a) sum += alpha * a;
          if (in_b) sum += beta * b;
          columns(place) = column;
          values(place) = sum;
          ++place;
        });
      });
}

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> add_sorted(const Space& exec, Scalar alpha,
                                      const CsrView<Scalar, Space, Offset>& A, Scalar beta,
                                      const CsrView<Scalar, Space, Offset>& B) {
  auto offsets = allocate<Offset>(exec, "tessera::offsets", A.num_rows + 1ul);
  count_sum<Scalar, Space, Offset>(exec, A, B, offsets);
  const std::size_t total = counts_to_offsets<Offset, Space>(exec, offsets, "the sum");
  auto columns = allocate<Ordinal>(exec, "tessera::columns", total);
  auto values = allocate<Scalar>(exec, "tessera::values", total);
  fill_sum<Scalar, Space, Offset>(exec, alpha, A, beta, B, offsets, columns, values);
  return {A.num_rows, A.num_cols, offsets, columns, values};
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> add(const Space& exec, NonDeduced<Scalar> alpha,
                               const CsrView<Scalar, Space, Offset>& A, NonDeduced<Scalar> beta,
                               const CsrView<Scalar, Space, Offset>& B) {
  require(A.num_rows == B.num_rows && A.num_cols == B.num_cols, [&] {
    return "B is " + std::to_string(B.num_rows) + " by " + std::to_string(B.num_cols) +
           ", expected the shape of A, " + std::to_string(A.num_rows) + " by " +
           std::to_string(A.num_cols);
  });
  Csr<Scalar, Space, Offset> sorted_a;
  Csr<Scalar, Space, Offset> sorted_b;
  const bool a_ready = rows_sorted(exec, A);
  const bool b_ready = rows_sorted(exec, B);
  if (!a_ready) sorted_a = sort_rows(exec, A);
  if (!b_ready) sorted_b = sort_rows(exec, B);
  return detail::add_sorted(exec, alpha, a_ready ? A : sorted_a.view(), beta,
                            b_ready ? B : sorted_b.view());
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, add)

}  // namespace tessera::kernels
