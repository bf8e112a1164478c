// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Fine and coarse points, as relaxation takes them.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/smoother/parameters.hpp"

namespace tessera {

/// Rows in two sets, of which a sweep relaxes the first or one after the other.
template <class Space>
struct PointSets {
  Array<Ordinal, Space> set_of;  ///< length n, 0 or 1; empty: all rows are of one set
  int num_relaxed = 2;  ///< sets, from the first on
};

/// `coarse_number`: below 0 for fine points. `points`: not all.
template <class Space>
PointSets<Space> make_point_sets(const Space& exec,
                                 const NonDeduced<ArrayView<const Ordinal, Space>>& coarse_number,
                                 RelaxationPoints points);

/// Throws where not all points are to be relaxed by what relaxes no others, or not in sets.
/// @throws Error of kind `configuration`
void check_points(const SmootherParameters& p);

/// "f", as in the parameters.
std::string_view relaxation_points_name(RelaxationPoints points);

}  // namespace tessera
