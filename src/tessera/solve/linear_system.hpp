// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a `Solver` is set up for.
#pragma once

#include "tessera/amg/coarsening/nodes.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solve/component_nullspace.hpp"
#include "tessera/solve/inspect.hpp"
#include "tessera/solve/parameters.hpp"

namespace tessera::detail {

/// What the user gave, and what was found of it.
template <class Scalar, class Space, class Offset>
struct LinearSystem {
  SolveParameters parameters;  ///< as they were given: what is open there may change
  CrsMatrix<Scalar, Space, Offset> A;
  MatrixFacts facts;
  amg::Nodes nodes;  ///< those of `A`
  /// Of `A`, where it is more than the constant of all rows and was found.
  ComponentNullspace<Scalar, Space> nullspace = {};
  MultiVector<Scalar, Space> near_nullspace;  ///< a copy, for a setup again; n by m
  int block_size = 0;  ///< 0 where it was left to be found
};

}  // namespace tessera::detail
