// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The system that is solved, and the nullspace of its components.
#pragma once

#include "tessera/amg/coarsening/nodes.hpp"
#include "tessera/amg/scaling/unit_diagonal.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solve/inspect.hpp"
#include "tessera/solve/parameters.hpp"
#include "tessera/solver/component_projector.hpp"

#include <optional>

namespace tessera::detail {

/// Of an n by n matrix; empty where no component was found to be singular.
template <class Scalar, class Space>
struct ComponentNullspace {
  Array<Ordinal, Space> label;  ///< the least row of a row's component; -1 where that is regular
  Array<Scalar, Space> weight;  ///< the components' vectors
  /// For the other rows, of what multigrid is made from; empty for the constant.
  Array<Scalar, Space> elsewhere;
  Ordinal num_components = 0;  ///< singular ones
  Ordinal num_rows = 0;  ///< in them
  bool is_constant = true;  ///< the weights are 1

  bool empty() const { return num_components == 0; }
  ComponentProjector<Scalar, Space> projector(const Space& exec) const {
    return {exec, label, weight};
  }
};

/// The components of which a symmetric A annihilates v: where |(A v)_i| is at most `tolerance`
/// times
/// (|A| |v|)_i in each row i, and no v_i is zero. `v` (n): empty for the constant. Some log n
/// passes over A and as many waits, and a pass over v.
template <class Scalar, class Space, class Offset>
ComponentNullspace<Scalar, Space> singular_components(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<Array<Scalar, Space>>& v, double tolerance);

/// The round-off that `inspect` grants a row's sum, too.
template <class Scalar>
inline constexpr double sum_round_off = 64.0 * Kokkos::Experimental::epsilon_v<Scalar>;

/// A vector for multigrid to be made from (n by 1): the weights, and 2^-40 times `elsewhere` in
/// other rows. To the prolongator a vector is the same times any number on each component, and the
/// coarsest solver tells by such numbers which components are singular.
template <class Scalar, class Space>
MultiVector<Scalar, Space> near_nullspace_vector_of(
    const Space& exec, const ComponentNullspace<Scalar, Space>& nullspace);

/// What the user gave, and what was found of it.
template <class Scalar, class Space, class Offset>
struct LinearSystem {
  SolveParameters parameters;  ///< as they were given: what is open there may change
  CrsMatrix<Scalar, Space, Offset> A;
  MatrixFacts facts;
  amg::Nodes nodes;  ///< those of `A`
  /// Of `A`, where it is more than the constant of all rows and was found.
  ComponentNullspace<Scalar, Space> nullspace = {};
  /// Of `A`, where it was looked for and pays, or was asked for.
  std::optional<amg::FoundScaling<Space>> scaling = {};
  MultiVector<Scalar, Space> near_nullspace;  ///< a copy, for a setup again; n by m
  MultiVector<Scalar, Space> given_nullspace;  ///< a copy of what the user says is one; n by m
  MultiVector<Scalar, Space> given_transposed_nullspace;  ///< the same of A^T; n by m
  int block_size = 0;  ///< 0 where it was left to be found
  Array<const Ordinal, Space> functions = {};  ///< of rows, where they were given
};

}  // namespace tessera::detail
