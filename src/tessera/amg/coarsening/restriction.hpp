// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The restriction of a matrix that is not symmetric.
#pragma once

#include "tessera/amg/coarsening/prolongator_smoothing.hpp"

#include <limits>

namespace tessera::amg {

/// How far row i of A is from column i: the sum of |A_ij - A_ji| over that of
/// |A_ij| + |A_ji|, j != i. 0 where they are equal, 1 where one of each pair is zero, as for upwind
/// differences of a strong flow. `At` is the transpose, its rows sorted; those of `A` need not be.
/// Both may be the n rows from `first` on of square matrices. Length n; 0 for a row without
/// couplings.
template <class Scalar, class Space, class Offset>
Array<Scalar, Space> skewness(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                              const kernels::CsrView<Scalar, Space, Offset>& At, Ordinal first = 0);

/// scale(i) *= (1 - skewness(i))^2, but never 0, so that it keeps its sign and fewer couplings of
/// skew rows are weak. Across weak ones diffusion leaves errors that vary, and aggregates must not
/// reach; what a flow leaves varies little from point to point in any direction.
template <class Scalar, class Space>
void discount_skew_rows(const Space& exec, const Array<Scalar, Space>& skewness,
                        const Array<double, Space>& scale);

/// The diagonal of I - K / 2, by which `smooth_restriction` weakens damping row by row. Length n.
template <class Scalar, class Space>
Array<Scalar, Space> weights_of_skewness(
    const Space& exec, const NonDeduced<ArrayView<const Scalar, Space>>& skewness);

/// R = T^T (I - omega_over_rho A D^-1 (I - K / 2)), K the diagonal matrix of the skewness.
///
/// For nonsymmetric A the restriction is a prolongator of A^T, not the transpose of that of A (Sala
/// & Tuminaro, "A new Petrov-Galerkin smoothed aggregation preconditioner for nonsymmetric linear
/// systems", SIAM J. Sci. Comput. 31, 2008): P reaches along the flow and R against it. For a
/// symmetric A it is P^T, which is cheaper to have by `kernels::transpose`.
///
/// K weakens it where the flow is strong. For the upwind difference I - S, S the shift by a point,
/// aggregates of two points make R A P = (I - S) - a b (I - S)^2 on the coarse grid, a and b the
/// two dampings. I - S doubles the wave of alternating signs; with a = b = 2/3 R A P leaves 2/9 of
/// it, nearly a zero eigenvalue, and with one of the two halved 10/9.
///
/// `At` is the transpose of A, its rows sorted; the filter's scale is that of A^T. Rows of A^T with
/// more than `longest_row` entries are not read, as in `smooth_prolongator`. `Rt`, if given,
/// receives R^T, for `smooth_restriction_numeric`.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> smooth_restriction(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& At,
    const NonDeduced<ArrayView<const Scalar, Space>>& skewness,
    const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal, double omega_over_rho,
    const Tentative<Scalar, Space, Offset>& tentative, const WeakFilter<Space>& filter = {},
    std::size_t longest_row = std::numeric_limits<std::size_t>::max(),
    kernels::Csr<Scalar, Space, Offset>* Rt = nullptr);

/// The values of R and R^T again, which `smooth_restriction` made from the same patterns. Couplings
/// that were weak then count as weak, whatever they are now.
template <class Scalar, class Space, class Offset>
void smooth_restriction_numeric(const Space& exec,
                                const kernels::CsrView<Scalar, Space, Offset>& At,
                                const NonDeduced<ArrayView<const Scalar, Space>>& skewness,
                                const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                                double omega_over_rho,
                                const Tentative<Scalar, Space, Offset>& tentative,
                                const kernels::Csr<Scalar, Space, Offset>& Rt,
                                const kernels::Csr<Scalar, Space, Offset>& R,
                                const WeakFilter<Space>& filter = {},
                                std::size_t longest_row = std::numeric_limits<std::size_t>::max());

}  // namespace tessera::amg
