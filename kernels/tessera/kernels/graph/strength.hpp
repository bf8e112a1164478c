// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Strength of connection: which entries of a matrix coarsening looks at.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/graph/strength_measure.hpp"

#include <cstdint>
#include <limits>

namespace tessera::kernels {

/// Whether a_ij is a strong coupling of nodes with the scales s_i and s_j of `coupling_scale`.
/// One that has the sign of the diagonals is not: errors that relaxation leaves do not change
/// little along it (Brandt, McCormick & Ruge's classical measure). Squares are compared, so that
/// ties are exact where the entries are; in double, so that squares of floats stay finite.
KOKKOS_INLINE_FUNCTION bool is_strong(double a_ij, double s_i, double s_j, double theta_squared) {
  // Without a branch: which entries are strong is hard to foretell.
  const int opposes = static_cast<int>(a_ij * s_i < 0) | static_cast<int>(a_ij * s_j < 0);
  const int is_large = static_cast<int>(a_ij * a_ij > theta_squared * Kokkos::abs(s_i * s_j));
  return (opposes & is_large) != 0;
}

/// The s of the measure, one per node. A is square, its size a multiple of `block_size` m.
///
/// m = 1: s_i has the sign of A_ii (above 0 where that is 0 or missing), and couplings of the other
/// sign alone are measured for the largest one; 0 where there is none, or no diagonal entry where
/// that is the measure. Where |A_ii| is more than 10 times the sum of all |A_ij|, j != i,
/// relaxation alone solves for the unknown: s_i is infinite, and nothing is strong to i.
///
/// m > 1: the unknowns of a node are consecutive, and s is the Frobenius norm
/// of an m by m block, which has no sign; 0 for a node without a diagonal block, or without
/// couplings.
///
/// Rows of more than `longest_row` entries (a node's, on average) are hubs and have infinity, too;
/// they are not read.
template <class Scalar, class Space, class Offset>
Array<double, Space> coupling_scale(
    const Space& exec, const CsrView<Scalar, Space, Offset>& A, StrengthMeasure measure,
    int block_size = 1, std::size_t longest_row = std::numeric_limits<std::size_t>::max());

/// The graph of A's strong couplings (Cusp paper, sections 1.2.2 and 3.1): nodes i and j are
/// neighbours where |A_ij| > theta sqrt(|s_i s_j|), with the `scale` s of `coupling_scale`, which
/// is not read where theta is 0. With one unknown per node the sign counts, too, as `is_strong`
/// says: A_ij s_i < 0 or A_ij s_j < 0, so that a coupling that has the sign of both diagonals, or
/// two scales of 0, is weak. Where s_i alone is 0, each nonzero of row i of the sign opposite to
/// s_j's is strong; between blocks, each nonzero. `theta == 0` keeps every nonzero off-diagonal
/// entry, whatever its sign and whatever the diagonal; explicit zeros are never strong.
///
/// Rows keep A's order (block_size 1) or are sorted (block_size > 1). The graph is symmetric where
/// A is; see `symmetrize` for other matrices.
template <class Scalar, class Space, class Offset>
Graph<Space, Offset> strength_of_connection(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& A, double theta,
                                            const NonDeduced<ArrayView<const double, Space>>& scale,
                                            int block_size = 1);

/// The same by the measure `diagonal`.
template <class Scalar, class Space, class Offset>
Graph<Space, Offset> strength_of_connection(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& A, double theta,
                                            int block_size = 1);

/// When a row of classical multigrid depends on a column.
struct DependenceOptions {
  double theta = 0.25;
  double max_row_sum = 0.9;  ///< of |A_ii|; from 1 on rows of any sum depend on others
  bool by_sign = true;
  std::size_t longest_row = std::numeric_limits<std::size_t>::max();  ///< longer ones are hubs
};

/// What rows depend on, and which of them coarsening is to leave where they are.
template <class Space, class Offset>
struct Dependences {
  Graph<Space, Offset> strong;  ///< row i: what i depends on; not symmetric where A is
  Array<std::int8_t, Space> stays;  ///< 1: on every level, for relaxation cannot solve the row
};

/// The classical measure (Brandt, McCormick & Ruge; Ruge & Stueben): i depends on j where
/// -A_ij > theta max_k -A_ik, the largest over k != i, both with the sign turned where A_ii < 0.
/// Without `by_sign` magnitudes are compared. One unknown per node; strong columns keep A's order.
///
/// A row depends on nothing where relaxation alone solves it: it has no couplings, none of the
/// sign opposite to its diagonal (with `by_sign`), or |sum_j A_ij| > max_row_sum |A_ii|, as rows of
/// fixed unknowns have. Hubs, and rows with couplings but a zero diagonal, which relaxation leaves
/// out, depend on nothing either, and stay.
template <class Scalar, class Space, class Offset>
Dependences<Space, Offset> strong_dependences(const Space& exec,
                                              const CsrView<Scalar, Space, Offset>& A,
                                              const DependenceOptions& options);

/// The graph with an edge wherever `graph` has one in either direction; rows sorted, edges to
/// itself dropped.
template <class Space, class Offset>
Graph<Space, Offset> symmetrize(const Space& exec, const Graph<Space, Offset>& graph);

}  // namespace tessera::kernels
