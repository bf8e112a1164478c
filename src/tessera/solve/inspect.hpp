// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the defaults are picked from: a few passes over the matrix on its device.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/spmv/csr/csr_format.hpp"

#include <vector>

namespace tessera {

/// Of a scaling to a diagonal of ones, see amg::find_scaling.
struct ScalingFacts {
  bool pays = false;
  double remainder = 0;  ///< mean share of its magnitudes that a row or column sums to
  double scaled_remainder = 0;  ///< once scaled
  double span = 0;  ///< largest factor over smallest
};

/// Cheap facts about a square matrix. A coupled row holds more than its diagonal, to round-off:
/// not so a Dirichlet row, nor an empty one.
struct MatrixFacts {
  Ordinal rows = 0;
  double entries = 0;
  bool symmetric = false;  ///< to round-off relative to the rows, by `looks_symmetric`
  bool positive_diagonal = false;  ///< every diagonal entry is above zero
  bool negative_diagonal = false;  ///< every diagonal entry is below zero
  Ordinal coupled_zeros = 0;  ///< coupled rows with a zero or nothing on the diagonal
  bool coupled_signs_differ = false;  ///< coupled rows' diagonals are positive here, negative there
  bool zero_row_sums = false;  ///< A 1 = 0 to round-off: the constant is in the null space
  Ordinal zero_rows = 0;  ///< rows without an entry that is not zero
  bool positive_but_for_zero_rows = false;  ///< every diagonal entry of the other rows is above 0
  /// Of a symmetric A, connected components whose rows sum to zero, and rows in them. Left at 0 by
  /// `inspect`, and where nothing told of such components.
  Ordinal singular_components = 0;
  Ordinal singular_rows = 0;
  int given_nullspace = 0;  ///< vectors of it that the user gave; left at 0 by `inspect`
  /// Near-nullspace vectors were given, and are more than the constant; left as it is by `inspect`.
  bool has_vectors = false;
  /// Of all off-diagonal magnitudes, the share of those with the sign of their row's diagonal: 0
  /// for an M-matrix, more where elements are stretched or of high order.
  double positive_couplings = 0;
  /// Rows with a positive diagonal whose entries sum to `rules::decided_share` of it or more, as in
  /// mass matrices and short time steps. Where most rows are such, the smooth vectors, which
  /// relaxation cannot reduce elsewhere, have eigenvalues of D^-1 A near or above that share.
  Ordinal decided_rows = 0;
  double smallest_diagonal = 0;  ///< least magnitude on the diagonal
  double largest_diagonal = 0;  ///< greatest magnitude on the diagonal
  /// Greatest magnitude of the sum of a row's entries over that of its diagonal entry.
  double largest_row_sum = 0;
  /// Mean over the rows of |sum of a row's entries| over the sum of their magnitudes: 0 where A
  /// annihilates the constant, 1 where it knows nothing of it.
  double row_remainder = 0;
  bool on_host = false;  ///< the matrix is in a host's memory, and so is the solve
  /// Without symmetry: of a sample of rows |a_ij - a_ji| over |a_ij| + |a_ji|, each
  /// summed over the row's couplings. 0 where A is symmetric, near 1 where convection carries all.
  double skew_share = 0;
  /// On one process of a host, from `rules::skew_share_of_streamlines` and
  /// `rules::rows_of_streamlines` on: of a few streamlines the share that is long
  /// (`sampled_long_streamlines`), as where a flow goes round.
  double long_streamlines = 0;
  /// Of a sample of rows the share whose columns are those of the row before, one further. Near 1
  /// on a numbered grid, near 0 on a mesh. On a device 0 where its choices do not ask for it.
  double repeated_rows = 0;
  /// Symmetric, with more than `rules::few_positive_couplings` and a diagonal that spans more than
  /// `rules::span_of_jumps`: of a sample of rows the share that has a neighbour whose diagonal
  /// entry is more than `rules::factor_of_jumping_rows` times larger or smaller.
  double jumping_rows = 0;
  /// A row is longer than `kernels::longest_ordinary_row`; on a device as `repeated_rows`.
  bool has_hubs = false;
  /// On one process of a host: the share of rows with more than `rules::length_of_long_rows` times
  /// the mean row's entries. A per cent or two where degrees follow a power law; a few hubs make
  /// none.
  double long_rows = 0;
  /// Without symmetry: the rows of `kernels::find_full_blocks`, such as a cell's; else 1.
  int full_blocks = 1;
  /// Of all couplings between such blocks, the share of magnitudes that is of the same unknown of
  /// both: 1 over the rows of a block or so where these are cells, most where they are nodes.
  double same_unknown_share = 0;
  /// Unknowns of each node that react with each other, so that multigrid takes them one by one;
  /// left as it is by `inspect`.
  int reacting_unknowns = 1;
  bool is_whole = false;  ///< of all rows of A, which one process has
  bool nodes_are_given = false;  ///< by their number of unknowns; left as it is by `inspect`
  /// A solve with a preconditioner of one level that was picked; left as it is by `inspect`.
  bool one_level_failed = false;
  ScalingFacts scaling = {};  ///< left as it is by `inspect`
};

/// Four passes over `A`, one of them a product with two vectors, and two waits; a look at some rows
/// beside them without symmetry, and where elements may have coefficients that jump.
template <class Scalar, class Space, class Offset>
MatrixFacts inspect(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                    const kernels::CsrSpmvPlan<Space>& plan);

/// The columns v of `vectors` (n by m) of which `A` makes zero to the round-off of `Scalar`,
/// relative to the diagonal. One product with `A`, a wait a column.
template <class Scalar, class Space, class Offset>
std::vector<int> nullspace_columns(const Space& exec,
                                   const kernels::CsrView<Scalar, Space, Offset>& A,
                                   const kernels::CsrSpmvPlan<Space>& plan,
                                   const ConstMultiVectorView<Scalar, Space>& vectors);

}  // namespace tessera
