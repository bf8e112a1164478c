// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How much the unknowns of a level differ in weight, whatever they are scaled by.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::amg {

/// The largest of |a_ii| max_j b_ij^2 over the smallest, rows of zeros left out; 1 where there is
/// none. b are near-nullspace vectors (n by m), 1 / a_ii is `inverse_diagonal`. The number is the
/// same for A and b as for D A D and D^-1 b: of a discretisation it is the contrast of its
/// coefficients. Rounding A by u leaves a mode of the softest unknowns beside errors of u times it.
/// One pass, and a wait.
template <class Scalar, class Space>
double energy_span(const Space& exec, const Array<const Scalar, Space>& inverse_diagonal,
                   const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b);

}  // namespace tessera::amg
