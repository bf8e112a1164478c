// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The points of multipass interpolation, pass by pass.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <vector>

namespace tessera::amg {

/// The passes in which points are interpolated. Over processes points of others, whose rows are not
/// here, follow those that have a rank.
template <class Space>
struct PointPasses {
  Array<Ordinal, Space> pass;  ///< by point; below 0: none
  Array<Ordinal, Space> rank;  ///< in its pass, by point
};

/// Pass 0 has the points with a coarse number, which is their rank. `num_points`: at least as many
/// as there are numbers; the pass of others is not set.
template <class Space>
PointPasses<Space> start_passes(const Space& exec,
                                const NonDeduced<ArrayView<const Ordinal, Space>>& coarse_number,
                                Ordinal num_points);

/// Gives the pass behind `before` to points of none that depend on one of `before`, and ranks them
/// in their order; returns how many there are, for which it waits. `strong`: a row per rank.
template <class Space, class Offset>
Ordinal next_pass(const Space& exec, const kernels::Graph<Space, Offset>& strong, Ordinal before,
                  const PointPasses<Space>& passes);

/// The `count` points of a pass, by rank.
template <class Space>
Array<const Ordinal, Space> points_of_pass(const Space& exec, const PointPasses<Space>& passes,
                                           Ordinal number, Ordinal count);

/// The graph from `points` to what they depend on in the pass before theirs, each under its number
/// in `column`.
template <class Space, class Offset>
kernels::Graph<Space, Offset> pass_pattern(
    const Space& exec, const kernels::Graph<Space, Offset>& strong,
    const NonDeduced<ArrayView<const Ordinal, Space>>& points,
    const NonDeduced<ArrayView<const Ordinal, Space>>& pass,
    const NonDeduced<ArrayView<const Ordinal, Space>>& column, Ordinal before);

/// The values of M, which has the pattern of `pass_pattern`: the weights of direct interpolation by
/// the couplings of A.
template <class Scalar, class Space, class Offset>
void fill_pass(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
               const NonDeduced<ArrayView<const Ordinal, Space>>& points,
               const NonDeduced<ArrayView<const Ordinal, Space>>& pass,
               const NonDeduced<ArrayView<const Ordinal, Space>>& column, Ordinal before,
               const kernels::Csr<Scalar, Space, Offset>& M);

/// I, without values: what interpolates the coarse points.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> identity_pattern(const Space& exec, Ordinal n);

/// Rows of a larger matrix.
template <class Scalar, class Space, class Offset>
struct RowsOfPass {
  Array<const Ordinal, Space> points;  ///< that they belong to
  kernels::Csr<Scalar, Space, Offset> P;
};

/// The matrix that has these rows, without values; others are empty.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> pattern_of_passes(
    const Space& exec, Ordinal num_rows, Ordinal num_cols,
    const std::vector<RowsOfPass<Scalar, Space, Offset>>& passes);

/// Its values, for which there is room.
template <class Scalar, class Space, class Offset>
void place_values(const Space& exec, const std::vector<RowsOfPass<Scalar, Space, Offset>>& passes,
                  const kernels::Csr<Scalar, Space, Offset>& all);

}  // namespace tessera::amg
