// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The search for constants that a diagonal has scaled, in the nullspace of a symmetric matrix.
#pragma once

#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solve/component_nullspace.hpp"
#include "tessera/solve/parameters.hpp"

namespace tessera::detail {

/// Looks for a vector that a symmetric A with a positive diagonal annihilates on some of its
/// connected components: the part in A's nullspace of a vector that is near it, w = w0 - A^+ A w0,
/// w0 being `amg::equilibrated_constant`. The system A e = -A w0 always has a solution, so that CG
/// with a multigrid of its own needs to know no nullspace. Where A is regular, w is zero but for
/// what the solve leaves, which A does not annihilate.
/// `picked`: of which the multigrid's parameters are taken, and the time limit.
template <class Space, class Offset>
ComponentNullspace<double, Space> find_scaled_constants(const Space& exec,
                                                        const CrsMatrix<double, Space, Offset>& A,
                                                        const SolveParameters& picked);

}  // namespace tessera::detail
