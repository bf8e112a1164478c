// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The skeleton that all CSR products share: row sums by the plan's kernel, then an epilogue.
#pragma once

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/spmv/detail/classical.hpp"
#include "tessera/kernels/spmv/detail/load_balanced.hpp"

#include <algorithm>
#include <string>

namespace tessera::kernels::detail {

/// Calls epilogue(row, column, (A x)(row, column)) for every row and every column of `x`, reading
/// the matrix once for up to `max_columns_at_once` columns.
template <class Scalar, class Space, class Offset, class Epilogue>
void sweep(const Space& exec, const std::string& label, const CsrSpmvPlan<Space>& plan,
           const CsrView<Scalar, Space, Offset>& A, const ConstMultiVectorView<Scalar, Space>& x,
           const Epilogue& epilogue) {
  const int k = static_cast<int>(x.extent(1));
  if (A.num_rows == 0 || k == 0) return;
  if (plan.algorithm == CsrSpmvAlgorithm::load_balanced) {
    for (int first = 0; first < k; first += max_columns_at_once) {
      sweep_balanced(exec, label, plan, A, x, first, std::min(k - first, max_columns_at_once),
                     epilogue);
    }
    return;
  }
  for_column_groups(k, [&](auto columns, int first) {
    sweep_classical<columns.value>(exec, label, plan.threads_per_row, A, x, first, epilogue);
  });
}

/// Throws unless `v` is `rows` by `k`.
template <class Vectors>
void require_shape(const Vectors& v, const char* name, std::size_t rows, std::size_t k) {
  require(v.extent(0) == rows && v.extent(1) == k, [&] {
    return std::string(name) + " is " + std::to_string(v.extent(0)) + " by " +
           std::to_string(v.extent(1)) + ", expected " + std::to_string(rows) + " by " +
           std::to_string(k);
  });
}

/// Throws unless `A` is square and a diagonal has its length.
template <class Scalar, class Space, class Offset>
void require_square(const CsrView<Scalar, Space, Offset>& A, std::size_t diagonal_length) {
  const auto rows = static_cast<std::size_t>(A.num_rows);
  require(A.num_rows == A.num_cols && diagonal_length == rows, [&] {
    return "A is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
           " and d has length " + std::to_string(diagonal_length) +
           ", expected a square A and d of as many rows";
  });
}

}  // namespace tessera::kernels::detail
