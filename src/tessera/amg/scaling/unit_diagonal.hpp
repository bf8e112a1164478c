// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Factors of rows and columns that undo a diagonal scaling of a discretisation, whatever its size.
#pragma once

#include "tessera/amg/scaling/equilibration.hpp"

namespace tessera::amg {

/// A scaling D A E, and what it makes of the constant: a row's remainder is |sum of its entries|
/// over the sum of their magnitudes, 0 where A annihilates the constant, 1 where it knows nothing
/// of it.
template <class Space>
struct FoundScaling {
  Equilibration<Space> factors;
  double before = 0;  ///< mean remainder of the rows and columns of A
  double after = 0;  ///< of those of D A E
  double rows_after = 0;  ///< of the rows alone
  double span = 1;  ///< largest over smallest factor, of rows or of columns
};

/// The D and E by which the diagonal of D A E is 1 in magnitude, and A comes nearest to what
/// discretisations are: rows, and columns, that sum to about zero. With B such a matrix of one
/// diagonal, A = S B S, S B, B T and S B T for any diagonal matrices S and T become B again, up to
/// factors that vary slowly over its graph.
///
/// Where A `is_symmetric`, D = E. Else either one is the identity, as where equations or unknowns
/// alone have units of their own, or log D - log E is the least-squares solution of what makes
/// |d_i a_ij e_j| = |d_j a_ji e_i| (cf. Curtis & Reid, "On the automatic scaling of matrices for
/// Gaussian elimination", J. Inst. Maths Applics 10, 1972, whose target is 1): a Laplace equation
/// on the graph of A, of which some steps of Chebyshev's iteration leave what is smooth. Maxima of
/// rows and columns, as in Ruiz's iteration, do not determine D and E.
///
/// The factors are no powers of two: rounded to these, strong couplings of one size may count as
/// weak ones. docs/notebook/scaling.md has iterations with both.
///
/// Rows without a diagonal keep theirs. Four passes over a symmetric A; else a transpose of it and
/// about ten, or forty where neither D nor E is the identity. At most six waits.
template <class Scalar, class Space, class Offset>
FoundScaling<Space> find_scaling(const Space& exec,
                                 const kernels::CsrView<Scalar, Space, Offset>& A,
                                 bool is_symmetric);

/// Whether D and E, found for other values in A's pattern, do for these: the diagonal of D A E is
/// about even, and its rows' remainder about what it was. Two passes, and two waits.
template <class Scalar, class Space, class Offset>
bool still_scales(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                  const NonDeduced<FoundScaling<Space>>& found);

}  // namespace tessera::amg
