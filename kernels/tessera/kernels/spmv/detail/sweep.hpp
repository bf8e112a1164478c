// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The skeleton that all CSR products share: row sums by the plan's kernel, then an epilogue.
/// On a host, the columns of patterns give one vector the sums of the classical kernel, bit for
/// bit.
#pragma once

#include "tessera/kernels/spmv/csr/csr_format.hpp"
#include "tessera/kernels/spmv/detail/classical.hpp"
#include "tessera/kernels/spmv/detail/find_patterns.hpp"
#include "tessera/kernels/spmv/detail/load_balanced.hpp"
#include "tessera/kernels/spmv/detail/staging.hpp"

#include <algorithm>
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
    const Ordinal* const entries = table + static_cast<std::ptrdiff_t>(pattern) * stride;
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

/// Calls epilogue(row, column, (A x)(row, column)) for every row and every column of `x`, reading
/// the matrix once for up to `max_columns_at_once` columns.
template <class Storage, class Working, class Space, class Offset, class Epilogue>
void sweep(const Space& exec, const std::string& label, const CsrSpmvPlan<Space>& plan,
           const CsrView<Storage, Space, Offset>& A, const ConstMultiVectorView<Working, Space>& x,
           const Epilogue& epilogue) {
  const int k = static_cast<int>(x.extent(1));
  if (A.num_rows == 0 || k == 0) return;
  require_plan_of(exec, plan, A);
  if (plan.algorithm == CsrSpmvAlgorithm::load_balanced) {
    for (int first = 0; first < k; first += max_columns_at_once) {
      sweep_balanced(exec, label, plan, A, x, first, std::min(k - first, max_columns_at_once),
                     epilogue);
    }
    return;
  }
  if constexpr (has_staged_rows<Space> && is_staged_pair<Storage, Working>) {
    if (is_staged(plan) && k == 1) {
      if (const auto kernel = choose_staged_rows(exec, plan, A, x, epilogue)) {
        launch_staged_parts(exec, label, plan.launches, *kernel);
        return;
      }
    }
  }
  if constexpr (is_host_space<Space>) {
    if (plan.patterns.found && k == 1) {
      sweep_patterns(exec, label, plan.patterns, A, x, epilogue);
      return;
    }
  }
  const auto pass = [&](auto columns, int first) {
    sweep_classical<columns.value>(exec, label, plan.threads_per_row, A, x, first, epilogue);
  };
  if constexpr (std::is_same_v<Storage, Working>) {
    for_column_groups(k, pass);
  } else {
    for_few_column_groups(k, pass);
  }
}

}  // namespace tessera::kernels::detail
