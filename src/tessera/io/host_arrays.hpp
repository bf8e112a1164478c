// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices from plain arrays: compressed rows or triplets of the host, copied, and compressed rows
/// that lie where the solver works, as they are.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tessera {
namespace detail {

template <class Scalar, class Offset>
constexpr void require_matrix_types() {
  static_assert(std::is_same_v<Scalar, double> || std::is_same_v<Scalar, float>,
                "Tessera: the values of a matrix are double or float");
  static_assert(std::is_same_v<Offset, std::int32_t> || std::is_same_v<Offset, std::int64_t>,
                "Tessera: the offsets of a matrix are std::int32_t or std::int64_t");
}

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> copied_rows(const Space& exec, Ordinal num_rows,
                                                Ordinal num_cols, const Offset* offsets,
                                                const Ordinal* columns, const Scalar* values);

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> rows_of_triplets(const Space& exec, Ordinal num_rows,
                                                     Ordinal num_cols, std::size_t count,
                                                     const Ordinal* rows, const Ordinal* columns,
                                                     const Scalar* values);

}  // namespace detail

/// A copy in the memory of `Space` of compressed rows in the host's: `offsets` has num_rows + 1
/// numbers from 0 on, or may be null where there are no rows, `columns` (from 0) and `values` have
/// offsets[num_rows]. The arrays are free again when this returns. Rows may be in any order; values
/// may be NaN.
/// @throws Error of kind `precondition` for a negative size or an array that is null; of kind
///         `bad_input` for offsets that do not ascend from 0, a column that is not below num_cols,
///         and one that is twice in a row: it names the first.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> csr_from_host(const Space& exec, Ordinal num_rows,
                                                  Ordinal num_cols, const Offset* offsets,
                                                  const Ordinal* columns, const Scalar* values) {
  detail::require_matrix_types<Scalar, Offset>();
  return detail::copied_rows<Scalar, Space, Offset>(exec, num_rows, num_cols, offsets, columns,
                                                    values);
}

/// Compressed rows with ascending columns from `count` triplets of the host: values[k] stands in
/// row rows[k] and column columns[k], both from 0. Triplets may be in any order; those of one place
/// are added in theirs, to the same bits whatever the threads.
/// @throws Error of kind `precondition` for a negative size or an array that is null; of kind
///         `bad_input` for a row or column outside the matrix: it names the first triplet;
///         OffsetOverflow for more triplets than an `Offset` counts.
template <class Scalar, class Space, class Offset = std::int32_t>
kernels::Csr<Scalar, Space, Offset> csr_from_triplets(const Space& exec, Ordinal num_rows,
                                                      Ordinal num_cols, std::size_t count,
                                                      const Ordinal* rows, const Ordinal* columns,
                                                      const Scalar* values) {
  detail::require_matrix_types<Scalar, Offset>();
  return detail::rows_of_triplets<Scalar, Space, Offset>(exec, num_rows, num_cols, count, rows,
                                                         columns, values);
}

/// Compressed rows as they lie, without a copy, in memory that `Space` reads; they outlive all that
/// the matrix is given to. The values are const: Tessera reads them, and nobody is to write to them
/// through the `values` of what is returned. Nothing is checked but the sizes: `validate` does.
/// @throws Error of kind `precondition` for a negative number of rows or columns.
template <class Space, class Scalar, class Offset>
kernels::Csr<Scalar, Space, Offset> csr_in_place(Ordinal num_rows, Ordinal num_cols,
                                                 std::size_t num_entries, const Offset* offsets,
                                                 const Ordinal* columns, const Scalar* values) {
  detail::require_matrix_types<Scalar, Offset>();
  require(num_rows >= 0 && num_cols >= 0, [&] {
    return "the matrix is " + std::to_string(num_rows) + " by " + std::to_string(num_cols) +
           ", expected sizes of 0 or more";
  });
  const std::size_t length = offsets == nullptr ? 0 : static_cast<std::size_t>(num_rows) + 1;
  return {num_rows, num_cols, Array<const Offset, Space>(offsets, length),
          Array<const Ordinal, Space>(columns, num_entries),
          Array<Scalar, Space>(const_cast<Scalar*>(values), num_entries)};
}

}  // namespace tessera
