// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Dense (pseudo-)inverses on the host through LAPACK.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tessera::amg::detail {

/// Replaces the column-major `n` by `n` matrix `a` by its (pseudo-)inverse and says which one it
/// is. `epsilon` is the unit round-off of the arithmetic that made `a`: what is zero but for that
/// counts as zero. `nullspace`: vectors of length n, one after the other, of which a symmetric `a`
/// makes zero but for round-off; they are left out of its inverse, however large that round-off.
/// Nothing where `a` holds a NaN or an infinity, or its inverse would.
std::optional<std::string> invert_dense(std::vector<double>& a, int n, double epsilon,
                                        const std::vector<double>& nullspace = {});

}  // namespace tessera::amg::detail
