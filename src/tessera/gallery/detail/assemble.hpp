// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// From a description of rows to a CSR matrix: the sum of the lengths, their scan, one pass that
/// fills.
///
/// A *row generator* is a functor with
/// - `Ordinal num_rows() const`,
/// - `std::int64_t row_length(Ordinal row) const`, and
/// - `void fill(Ordinal row, RowWriter<Scalar>& out) const`, which writes the row's entries in
///   ascending order of columns.
/// Rows are written by one thread each: no two threads synchronize, and the result has one value.
#pragma once

#include "tessera/gallery/problem_rows.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace tessera::gallery_detail {

/// The output function of SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014), of element `index` of the stream `seed`. Two elements of one
/// stream differ.
KOKKOS_INLINE_FUNCTION std::uint64_t hash(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = (seed << 32) + (index + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// Writes the entries of one row, one after the other.
template <class Scalar>
struct RowWriter {
  Ordinal* columns;
  Scalar* values;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal column, double value) {
    *columns++ = column;
    *values++ = static_cast<Scalar>(value);
  }
};

template <class Rows>
struct SumRowLengths {
  Rows rows;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, std::int64_t& sum) const {
    sum += rows.row_length(row);
  }
};

/// For lengths whose sum an `Offset` holds. The scan is in no wider type: of one wider than a word,
/// Kokkos's scans let two lanes of a warp write the upper word without a wait between them.
template <class Space, class Offset, class Rows>
struct ScanRowLengths {
  Rows rows;
  Array<Offset, Space> offsets;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, Offset& sum, bool final) const {
    if (final) offsets(row) = sum;
    sum += static_cast<Offset>(rows.row_length(row));
    if (final && row == rows.num_rows() - 1) offsets(row + 1) = sum;
  }
};

template <class Scalar, class Space, class Offset, class Rows>
struct FillRows {
  Rows rows;
  Array<Offset, Space> offsets;
  Array<Ordinal, Space> columns;
  Array<Scalar, Space> values;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row) const {
    const Offset first = offsets(row);
    RowWriter<Scalar> out{columns.data() + first, values.data() + first};
    rows.fill(row, out);
  }
};

/// The matrix of a row generator. Throws `OffsetOverflow` where its entries are more than an
/// `Offset` counts, before any of them is stored.
template <class Scalar, class Space, class Offset, class Rows>
kernels::Csr<Scalar, Space, Offset> assemble_all(const Space& exec, const Rows& rows,
                                                 Ordinal num_cols) {
  const Ordinal num_rows = rows.num_rows();
  std::int64_t num_entries = 0;
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>> policy(exec, 0, num_rows);
  Kokkos::parallel_reduce("tessera::gallery::sum_row_lengths", policy, SumRowLengths<Rows>{rows},
                          num_entries);
  kernels::require_countable<Offset>(num_entries, "the matrix");
  auto offsets =
      allocate<Offset>(exec, "tessera::gallery::offsets", static_cast<std::size_t>(num_rows) + 1);
  if (num_rows == 0) Kokkos::deep_copy(exec, offsets, Offset(0));
  Kokkos::parallel_scan("tessera::gallery::scan_row_lengths", policy,
                        ScanRowLengths<Space, Offset, Rows>{rows, offsets});
  auto columns = allocate<Ordinal>(exec, "tessera::gallery::columns", num_entries);
  auto values = allocate<Scalar>(exec, "tessera::gallery::values", num_entries);
  Kokkos::parallel_for("tessera::gallery::fill_rows", policy,
                       FillRows<Scalar, Space, Offset, Rows>{rows, offsets, columns, values});
  return {num_rows, num_cols, offsets, columns, values};
}

/// A vector, n by 1, of one value.
template <class Scalar, class Space>
MultiVector<Scalar, Space> constant_vector(const Space& exec, const std::string& label,
                                           std::size_t n, Scalar value) {
  auto v = allocate_multivector<Scalar>(exec, label, n);
  Kokkos::deep_copy(exec, v, value);
  return v;
}

/// Some rows of a row generator, as one of its own.
template <class Rows>
struct RangeOfRows {
  Rows rows;
  RowRange range;

  KOKKOS_INLINE_FUNCTION Ordinal num_rows() const { return range.count; }
  KOKKOS_INLINE_FUNCTION std::int64_t row_length(Ordinal row) const {
    return rows.row_length(range.first + row);
  }
  template <class Writer>
  KOKKOS_INLINE_FUNCTION void fill(Ordinal row, Writer& out) const {
    rows.fill(range.first + row, out);
  }
};

/// Those rows of a row generator's square matrix; see `assemble_all`.
template <class Scalar, class Space, class Offset, class Rows>
kernels::Csr<Scalar, Space, Offset> assemble(const Space& exec, const Rows& rows,
                                             const RowRange& range) {
  return assemble_all<Scalar, Space, Offset>(exec, RangeOfRows<Rows>{rows, range}, rows.num_rows());
}

/// Those rows of the problem of a row generator of one unknown per node: right-hand side and near
/// null space are constant 1.
template <class Scalar, class Space, class Offset, class Rows>
Problem<Scalar, Space, Offset> assemble_scalar_problem(const Space& exec, const Rows& rows,
                                                       const RowRange& range) {
  Problem<Scalar, Space, Offset> problem;
  problem.A = assemble<Scalar, Space, Offset>(exec, rows, range);
  const auto n = static_cast<std::size_t>(range.count);
  problem.b = constant_vector<Scalar>(exec, "tessera::gallery::b", n, Scalar(1));
  problem.near_nullspace =
      constant_vector<Scalar>(exec, "tessera::gallery::near_nullspace", n, Scalar(1));
  return problem;
}

}  // namespace tessera::gallery_detail
