// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Scaling the rows and columns of a matrix of tiles in place.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"

namespace tessera::kernels {

/// A = diag(d) A, each product rounded to `Storage`. d: length num_rows. Changes the values that
/// `A` shares.
template <class Working, class Storage, class Space>
void scale_rows(const Space& exec, const Mbsr<Storage, Space>& A,
                const NonDeduced<ArrayView<const Working, Space>>& d);

/// A = A diag(d), each product rounded to `Storage`. d: length num_cols. Changes the values that
/// `A` shares.
template <class Working, class Storage, class Space>
void scale_columns(const Space& exec, const Mbsr<Storage, Space>& A,
                   const NonDeduced<ArrayView<const Working, Space>>& d);

}  // namespace tessera::kernels
