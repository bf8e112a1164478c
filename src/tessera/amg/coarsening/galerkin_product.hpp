// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The coarse operator R A P, as a coarsening asks for it.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/graph/structured.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tessera::amg {

/// How a level is relaxed on its fine points alone, after the correction and not before
/// (smoother/fine_points_smoother.hpp).
template <class Scalar, class Space, class Offset>
struct FinePoints {
  kernels::Csr<Scalar, Space, Offset>
      M;  ///< n by n, approximates the inverse of A_ff; 0 by 0: none
  int sweeps = 1;
  Array<const Scalar, Space> coarse_weights = {};  ///< length n, for a sweep on coarse points; or 0
};

/// What a coarse operator goes without.
struct DroppedEntries {
  double below = 0;  ///< this share of the largest of their row; 0: nothing is dropped
  bool lumped = false;  ///< added to the diagonal
};

/// What coarsening makes of a level of n rows: the way to the next level, of n_c rows, and that
/// level's operator.
template <class Scalar, class Space, class Offset>
struct CoarseLevel {
  kernels::Csr<Scalar, Space, Offset> P;  ///< n by n_c; a product may empty it, and R
  kernels::Csr<Scalar, Space, Offset> R;  ///< n_c by n; 0 by 0 stands for P's transpose
  kernels::Csr<Scalar, Space, Offset> A;  ///< n_c by n_c, R A P, by a `GalerkinProduct`
  /// n_c by m. The next level has m unknowns per node. Without it that has as many as this level,
  /// and a unit vector for each.
  MultiVector<Scalar, Space> near_nullspace = {};
  /// By row of A: 1 for an empty row with a stored diagonal, which becomes 1. Empty: there is none.
  Array<const char, Space> dropped = {};
  FinePoints<Scalar, Space, Offset> fine_points = {};  ///< empty: the level has a smoother
  DroppedEntries drops = {};  ///< by the product, which is one of compressed rows then
  std::optional<kernels::Box> box = {};  ///< whose points the next level's nodes are, if they are
  /// By row of A: which function of a system of equations it discretises. Empty: the next level's
  /// rows are in nodes, or there is one function.
  Array<const Ordinal, Space> functions = {};
  /// By row of the level that is coarsened: the number of its coarse point, below 0 for a fine one.
  /// Empty: there are no such points, and none that are relaxed by themselves.
  Array<const Ordinal, Space> coarse_number = {};
  std::string aggregation = {};  ///< how nodes were grouped, for the table of levels
  std::vector<std::string> notes = {};  ///< what was limited, and why
};

/// Multiplies R A P of the level that is coarsened. The hierarchy hands one to each step of a
/// coarsening: in which format it multiplies and what of the factors it keeps follows from how the
/// level is stored. Values of the level's operator, of P and of R may be freed by a call.
template <class Scalar, class Space, class Offset>
class GalerkinProduct {
 public:
  using Coarse = CoarseLevel<Scalar, Space, Offset>;

  virtual ~GalerkinProduct() = default;

  /// Makes `coarse.A` from `coarse.P` and `coarse.R` or, where that is 0 by 0, from P and its
  /// transpose, which may become `coarse.R`.
  /// @throws Error where the sizes of P and R do not fit the level's operator.
  virtual void make(const Space& exec, Coarse& coarse) = 0;

  /// Makes the values of `coarse.A` again, for new ones of the level's operator in the same
  /// pattern. `new_P`: `coarse.P` has new values in its pattern, and so has `coarse.R` where `make`
  /// was given one; P's transpose follows P.
  virtual void remake(const Space& exec, bool new_P, Coarse& coarse) = 0;
};

}  // namespace tessera::amg
