// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The diagonal of a CSR matrix.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// d(i) = A(i, i), 0 where it is not stored. d: length num_rows. Rows may be unsorted.
template <class Scalar, class Space, class Offset>
void extract_diagonal(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                      const NonDeduced<ArrayView<Scalar, Space>>& d);

/// d(i) = 1 / A(i, i), 0 where the diagonal entry is zero or not stored, so that a relaxation
/// leaves such a row alone. Length num_rows; rows may be unsorted.
template <class Scalar, class Space, class Offset>
Array<Scalar, Space> inverse_diagonal(const Space& exec, const CsrView<Scalar, Space, Offset>& A);

}  // namespace tessera::kernels
