// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which points of a level are coarse.
#pragma once

#include "tessera/amg/coarsening/coarsening_parameters.hpp"
#include "tessera/kernels/graph/strength.hpp"

namespace tessera::amg {

/// The coarse points of n, numbered in their order.
template <class Space>
struct Splitting {
  Array<const Ordinal, Space> coarse_number;  ///< length n; below 0 for fine points
  Ordinal num_coarse = 0;
};

/// Numbers the points whose flag is not 0; waits.
template <class Space>
Splitting<Space> number_coarse_points(const Space& exec,
                                      const Array<std::int8_t, Space>& is_coarse);

/// The coarse points, by their numbers.
template <class Space>
Array<const Ordinal, Space> list_coarse_points(
    const Space& exec, const NonDeduced<ArrayView<const Ordinal, Space>>& coarse_number,
    Ordinal num_coarse);

/// Splits the points of a level; waits.
template <class Space, class Offset>
Splitting<Space> split_points(const Space& exec, const kernels::Dependences<Space, Offset>& found,
                              PointSplitting how);

/// The graph that has an edge between coarse points where the first depends on the second by at
/// least `min_paths` paths of one or two dependences. Waits.
template <class Space, class Offset>
kernels::Graph<Space, Offset> coarse_paths(const Space& exec,
                                           const kernels::Graph<Space, Offset>& strong,
                                           const Splitting<Space>& split, int min_paths);

/// Splits the coarse points of `first` once more, for aggressive coarsening (K. Stueben, in
/// U. Trottenberg, C. Oosterlee & A. Schueller, "Multigrid", 2001, appendix A.7.1.2; U. M. Yang,
/// "On long-range interpolation operators for aggressive coarsening", Numer. Linear Algebra Appl.
/// 17, 2010), on the graph of `coarse_paths`. Those without an edge, and those that are to stay,
/// stay coarse. Waits.
template <class Space, class Offset>
Splitting<Space> split_coarse_points(const Space& exec,
                                     const kernels::Dependences<Space, Offset>& found,
                                     const Splitting<Space>& first, PointSplitting how,
                                     int min_paths);

}  // namespace tessera::amg
