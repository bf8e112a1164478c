// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Some rows of a problem of the gallery, for programs of which no process holds the whole.
#pragma once

#include "tessera/gallery/problem.hpp"

namespace tessera {

/// Rows from `first` on; all that there are where `count` is below 0.
struct RowRange {
  Ordinal first = 0;
  Ordinal count = -1;
};

/// The rows of the whole problem where it is one on a grid of points, whose rows can be made one by
/// one: poisson, neumann, anisotropic, jump and convdiff; 0 for the others.
/// @throws Error as `make_problem`.
Ordinal num_grid_rows(const GalleryParameters& parameters);

/// Those rows of a problem on a grid, the same bits as in the whole: A is `range.count` by all
/// columns; b and near-nullspace have a row for each of A's.
/// @throws Error as `make_problem`, and of kind `precondition` for a problem that is on no grid or
///         rows that there are not.
template <class Scalar, class Space, class Offset = std::int32_t>
Problem<Scalar, Space, Offset> make_problem_rows(const Space& exec,
                                                 const GalleryParameters& parameters,
                                                 const RowRange& range);

}  // namespace tessera
