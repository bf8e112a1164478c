// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothing of the tentative prolongator.
#pragma once

#include "tessera/amg/coarsening/tentative_prolongator.hpp"
#include "tessera/kernels/format/row_lengths.hpp"

#include <limits>

namespace tessera::amg {

/// Which couplings smoothing leaves out: those that are not `kernels::is_strong` by theta and the
/// scale of `kernels::coupling_scale`; theta = 0 leaves out none.
template <class Space>
struct WeakFilter {
  double theta = 0;
  ArrayView<const double, Space> scale = {};
  double spectral_radius = 0;  ///< of D^-1 A, which damping is relative to; 0 where not known
  /// A is: a row that was bounded below the spectral radius before keeps that margin. Rows of
  /// upwind differences, whose bounds say little, are judged by what filtering leaves alone. On
  /// `convdiff2d` and `convdiff3d` at a Peclet number of 1,000 either takes as many iterations.
  bool symmetric = false;
  /// A device, too, sums a row's weak entries in their order, by one thread: the bits of a row are
  /// then its own, whatever rows lie around it.
  bool in_order = false;
};

/// P = (I - omega_over_rho D^-1 A) T (Cusp paper, equation 1.8). A row of T lies in one aggregate,
/// so that a row of P is found by merging its neighbours' aggregates: no general product is formed.
///
/// A: n by n, in any order within rows; `inverse_diagonal`: 1 / A_ii, length n. P: n by
/// num_aggregates * m, rows sorted, the pattern that of the sum (an entry that cancels is kept).
/// Sums run in the order of A's entries; on devices those of a row's weak entries alone run in a
/// tree, the same in every run, whose shape goes by A's mean row (unless `filter` is `in_order`).
///
/// A `filter` smooths with the filtered matrix: a weak entry A_ij is left out and A_ij b_j / b_i
/// added to the diagonal, b the near-nullspace vector, so that the filtered matrix has the same
/// product with b. A row where that would leave less than a tenth of the diagonal is not filtered;
/// one whose diagonal outweighs its couplings (infinite scale) is empty in P. A filtered row is
/// damped by its own Gershgorin bound where that is below `spectral_radius`. It takes one unknown
/// per node (block size 1).
///
/// Rows of A with more than `longest_row` entries are not read: P has T's rows there. `weights`,
/// one per row, multiply omega_over_rho there; none stand for ones. `lengths`, if given, receives
/// those of P's rows. Waits once for `exec`.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> smooth_prolongator(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal, double omega_over_rho,
    const Tentative<Scalar, Space, Offset>& tentative, const WeakFilter<Space>& filter = {},
    std::size_t longest_row = std::numeric_limits<std::size_t>::max(),
    const NonDeduced<ArrayView<const Scalar, Space>>& weights = {},
    kernels::RowLengths* lengths = nullptr);

/// The values of P again, for a P that `smooth_prolongator` made from the same patterns. Couplings
/// that were weak then count as weak, whatever they are now.
template <class Scalar, class Space, class Offset>
void smooth_prolongator_numeric(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                                const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                                double omega_over_rho,
                                const Tentative<Scalar, Space, Offset>& tentative,
                                const kernels::Csr<Scalar, Space, Offset>& P,
                                const WeakFilter<Space>& filter = {},
                                std::size_t longest_row = std::numeric_limits<std::size_t>::max(),
                                const NonDeduced<ArrayView<const Scalar, Space>>& weights = {});

}  // namespace tessera::amg
