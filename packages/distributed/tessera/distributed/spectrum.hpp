// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What products with a matrix over several processes tell of it.
#pragma once

#include "tessera/distributed/matrix.hpp"

namespace tessera::distributed {

/// The spectral radius of D^-1 A by `steps` of Lanczos in D's inner product or, where A is not
/// symmetric or D no inner product, of Arnoldi: but for roundings, what
/// `amg::spectral_radius_arnoldi` finds on one process. The start vectors do not depend on the
/// number of processes. NaN where A holds one. Collective.
template <class Space>
double spectral_radius(const Space& exec, const Matrix<Space>& A,
                       const Array<double, Space>& inverse_diagonal, bool symmetric, int steps);

/// Whether <A u, v> = <u, A v> for two vectors of noise, and so, but for bad luck, A = A^T.
/// Collective.
template <class Space>
bool looks_symmetric(const Space& exec, const Matrix<Space>& A);

}  // namespace tessera::distributed
