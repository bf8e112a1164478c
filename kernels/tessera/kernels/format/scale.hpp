// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Scaling the rows and columns of a CSR matrix in place.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// A = diag(d) A. d: length num_rows. Changes the values that `A` shares.
template <class Scalar, class Space, class Offset>
void scale_rows(const Space& exec, const Csr<Scalar, Space, Offset>& A,
                const NonDeduced<ArrayView<const Scalar, Space>>& d);

/// A = A diag(d). d: length num_cols. Changes the values that `A` shares.
template <class Scalar, class Space, class Offset>
void scale_columns(const Space& exec, const Csr<Scalar, Space, Offset>& A,
                   const NonDeduced<ArrayView<const Scalar, Space>>& d);

}  // namespace tessera::kernels
