// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The product on a host: a dense accumulator for each thread.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// Whether the rows of a product ascend.
enum class RowsOfProduct {
  sorted,
  as_met  ///< columns in the order in which products first meet them, as a further product takes
          ///< them
};

/// C = A B row by row with one mark a column for each thread (Gustavson's algorithm), in one pass:
/// threads sum and, but for `as_met`, sort chunks of rows, which are then copied to their place.
/// For host spaces only; memory, beside C, of C again and of num_cols offsets for each thread.
/// Shapes, results and errors as `spgemm`.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> gustavson_spgemm(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& A,
                                            const CsrView<Scalar, Space, Offset>& B,
                                            RowsOfProduct rows = RowsOfProduct::sorted);

/// The values of C = A B in the pattern of C, by the same accumulator; one pass.
template <class Scalar, class Space, class Offset>
void gustavson_numeric(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                       const CsrView<Scalar, Space, Offset>& B,
                       const Csr<Scalar, Space, Offset>& C);

}  // namespace tessera::kernels
