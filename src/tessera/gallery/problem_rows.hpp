// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Some rows of a problem of the gallery, for programs of which no process holds the whole.
#pragma once

#include "tessera/gallery/problem.hpp"

namespace tessera {

/// `count` rows from `first` on; all from there on where `count` is below 0.
struct RowRange {
  Ordinal first = 0;
  Ordinal count = -1;
};

/// The rows of the whole problem.
/// @throws Error of kind `configuration`, as `make_problem`.
Ordinal num_problem_rows(const GalleryParameters& parameters);

/// Those rows of a problem, the same bits as in the whole: A is `range.count` by all columns; b and
/// near-nullspace have a row for each of A's, and none where the range is empty.
///
/// `coordinates` are those of the nodes that the rows belong to, a node once; of a part of a
/// problem numbered by `unknowns`, where a node's rows lie apart, they have a row for each of A's.
///
/// Memory is that of the rows themselves, and besides: for unstructured problems, the numbers of
/// the nodes around them, up to a layer of the mesh on each side; for graph, the places of those
/// around, and one number for each line of cells. A part of graph is made by running through all
/// nodes twice.
/// @throws Error as `make_problem`, and of kind `precondition` for rows that there are not.
template <class Scalar, class Space, class Offset = std::int32_t>
Problem<Scalar, Space, Offset> make_problem_rows(const Space& exec,
                                                 const GalleryParameters& parameters,
                                                 const RowRange& range);

}  // namespace tessera
