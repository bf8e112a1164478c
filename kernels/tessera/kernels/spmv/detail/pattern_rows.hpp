// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The CSR product for one vector with the columns of patterns, on a host: the same sums as those
/// of the classical kernel, bit for bit.
#pragma once

#include "tessera/kernels/spmv/csr/csr_format.hpp"
#include "tessera/kernels/spmv/detail/classical.hpp"

#include <string>

namespace tessera::kernels::detail {

/// The column of an entry, of a row that begins with entry `begin`.
template <class Offset>
struct PatternColumns {
  const Ordinal* pattern;
  Ordinal base;
  Offset begin;

  KOKKOS_INLINE_FUNCTION Ordinal operator[](Offset entry) const {
    return base + pattern[entry - begin];
  }
};

/// The product of one row with one column of `x`.
template <class Storage, class Space, class Offset, class Working>
struct PatternRowProduct {
  using Row = RowProduct<Storage, Offset, 1, Working>;
  using Scalar = typename Row::Scalar;
  using Sums = typename Row::Sums;

  Row row_product;
  const std::uint8_t* pattern_of;
  const Ordinal* table;
  const Ordinal* first_columns;  ///< null where the row's number is the base
  Ordinal stride;

  PatternRowProduct(const ColumnPatterns<Space>& patterns, const CsrView<Storage, Space, Offset>& A,
                    const ConstMultiVectorView<Working, Space>& x)
      : row_product(A, x, 0),
        pattern_of(patterns.pattern_of.data()),
        table(patterns.table.data()),
        first_columns(A.num_rows == A.num_cols ? nullptr : patterns.first_columns.data()),
        stride(patterns.stride) {}

  Sums operator()(Ordinal row) const {
    const int pattern = pattern_of[row];
    if (pattern == ColumnPatterns<Space>::none) return row_product(row);
    const Ordinal* const entries = table + pattern * stride;
    const Offset begin = row_product.offsets[row];
    const PatternColumns<Offset> columns{
        entries + 1, first_columns == nullptr ? row : first_columns[row], begin};
    return sum_of_entries<1, Scalar>(columns, row_product.values, row_product.x, row_product.ldx,
                                     begin, begin + entries[0]);
  }
};

/// epilogue(row, 0, (A x)(row, 0)) for every row.
template <class Storage, class Working, class Space, class Offset, class Epilogue>
void sweep_patterns(const Space& exec, const std::string& label,
                    const ColumnPatterns<Space>& patterns, const CsrView<Storage, Space, Offset>& A,
                    const ConstMultiVectorView<Working, Space>& x, const Epilogue& epilogue) {
  using Product = PatternRowProduct<Storage, Space, Offset, Working>;
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
                       ThreadPerRow<Product, 1, Epilogue>{Product(patterns, A, x), epilogue, 0});
}

}  // namespace tessera::kernels::detail
