// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The ways up and down of a reduction multigrid.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"

namespace tessera::amg {

/// R = [-A_cf M, I], n_c by n, an approximation of the ideal restriction, of which A_cf A_ff^-1 is
/// dropped where it is below a share of the largest of its row: the product of `minus_A_cf`, n_c by
/// n, and M of `FineInverse`, which `weights` is.
template <class Scalar, class Space, class Offset>
struct IdealRestriction {
  using Csr = kernels::Csr<Scalar, Space, Offset>;

  Csr minus_A_cf;
  Csr weights;
  kernels::SpgemmPlan<Space> plan;  ///< of the product
  Array<const Ordinal, Space> coarse_points;  ///< by row of R
};

/// What R goes without, as shares of the largest of the row.
struct RestrictionDrops {
  double couplings = 0;  ///< of A_cf, of the largest coupling in A's row
  double weights = 0;
};

/// Makes all patterns and values; `R` gets those that pass `drop`.
template <class Scalar, class Space, class Offset>
IdealRestriction<Scalar, Space, Offset> ideal_restriction(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<ArrayView<const Ordinal, Space>>& coarse_number, Ordinal num_coarse,
    const NonDeduced<kernels::CsrView<Scalar, Space, Offset>>& M, const RestrictionDrops& drop,
    NonDeduced<kernels::Csr<Scalar, Space, Offset>>& R);

/// The values of R, in its pattern, by new ones of A and M.
template <class Scalar, class Space, class Offset>
void refill_restriction(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                        const NonDeduced<kernels::CsrView<Scalar, Space, Offset>>& M,
                        IdealRestriction<Scalar, Space, Offset>& restriction,
                        const NonDeduced<kernels::Csr<Scalar, Space, Offset>>& R);

/// P, n by n_c with ones: a fine point takes the value of the coarse point that it has the largest
/// coupling to, of equals the first in its row, and a row without any is empty.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> one_point_prolongator(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<ArrayView<const Ordinal, Space>>& coarse_number, Ordinal num_coarse);

}  // namespace tessera::amg
