// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The preconditions that all forms of the product share.
#pragma once

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels::spgemm_detail {

/// "3 by 5"
inline std::string shape_text(Ordinal num_rows, Ordinal num_cols) {
  return std::to_string(num_rows) + " by " + std::to_string(num_cols);
}

/// Throws unless A B is defined for matrices of these shapes.
inline void require_product_shapes(Ordinal a_rows, Ordinal a_cols, Ordinal b_rows, Ordinal b_cols,
                                   std::source_location where = std::source_location::current()) {
  require(
      a_cols == b_rows,
      [&] {
        return "A.num_cols is to equal B.num_rows, but A is " + shape_text(a_rows, a_cols) +
               " and B is " + shape_text(b_rows, b_cols);
      },
      where);
}

template <class Scalar, class Space, class Offset>
void require_inner_dimension(const CsrView<Scalar, Space, Offset>& A,
                             const CsrView<Scalar, Space, Offset>& B,
                             std::source_location where = std::source_location::current()) {
  require_product_shapes(A.num_rows, A.num_cols, B.num_rows, B.num_cols, where);
}

}  // namespace tessera::kernels::spgemm_detail
