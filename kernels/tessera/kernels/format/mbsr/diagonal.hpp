// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The diagonal of a matrix of tiles, and its inverse as Jacobi-like methods need it.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"

namespace tessera::kernels {

/// d(i) = A(i, i), 0 where it is not stored. d: length num_rows.
template <class Working, class Storage, class Space>
void extract_diagonal(const Space& exec, const MbsrView<Storage, Space>& A,
                      const NonDeduced<ArrayView<Working, Space>>& d);

/// d(i) = omega / A(i, i), 0 where the diagonal entry is zero or not stored, so that a relaxation
/// leaves such a row alone. Length num_rows.
template <class Working, class Storage, class Space>
Array<Working, Space> inverse_diagonal(const Space& exec, const MbsrView<Storage, Space>& A,
                                       NonDeduced<Working> omega = Working(1));

}  // namespace tessera::kernels
