// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Eigenvalues of a small symmetric tridiagonal matrix, on the host.
#pragma once

#include "tessera/amg/spectral/detail/ritz_value.hpp"

#include <vector>

namespace tessera::amg {

/// What Lanczos leaves: `diagonal` has k entries; `squares` has k too, the squares of the entries
/// beside the diagonal and, last, of the one that the next step would add.
struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> squares;
};

/// The eigenvalue of largest modulus, by bisection, and its residual. At least one row, all entries
/// finite.
detail::RitzValue largest_ritz_value(const Tridiagonal& matrix);

}  // namespace tessera::amg
