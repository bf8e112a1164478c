// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The nullspace of a symmetric matrix as one vector for each connected component that has one.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/solver/component_projector.hpp"

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

}  // namespace tessera::detail
