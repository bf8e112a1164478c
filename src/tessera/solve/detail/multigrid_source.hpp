// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The finest matrix and its near-nullspace vectors as multigrid takes them: in the precision and
/// scaling that were picked.
#pragma once

#include "tessera/amg/multigrid.hpp"
#include "tessera/amg/scaling/equilibration.hpp"
#include "tessera/solve/near_nullspace.hpp"
#include "tessera/solve/select.hpp"

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace tessera::detail {

/// What multigrid is made from beside the pattern of A.
template <class Working, class Space>
struct MultigridSource {
  Array<Working, Space> values;  ///< nobody else's; empty where they are yet to be made
  amg::FinestExtras<Working, Space> extras;
  MultiVector<Working, Space> vectors;  ///< that `near` may refer to
  NearNullspace<Working, Space> near;
  /// What makes the values of A's, none where nothing does.
  std::optional<amg::Equilibration<Space>> scaling;
  /// That scaling, where it is not by powers of two.
  std::optional<amg::FoundScaling<Space>> found;
};

/// Of A as it is. `by_node`: A, numbered node by node, as are the vectors of `near`, in `Working`.
template <class Working, class Scalar, class Space, class Offset>
MultigridSource<Working, Space> plain_source(const LinearSystem<Scalar, Space, Offset>& system,
                                             const kernels::Csr<Scalar, Space, Offset>& by_node,
                                             const NearNullspace<Working, Space>& near) {
  MultigridSource<Working, Space> source;
  source.near = near;
  if constexpr (std::is_same_v<Working, Scalar>) {
    // A renumbered matrix is a copy already, of another pattern.
    const bool is_copy = system.nodes.by_unknown;
    if (!is_copy) source.extras.plan = &system.A.plan();
    if (is_copy) source.values = by_node.values;
  }
  return source;
}

/// By which factors a matrix is scaled: those of `unit_diagonal`, or powers of two.
enum class Scaled { to_unit_diagonal, symmetrically, by_rows_and_columns, as_a_whole };

/// Near-nullspace vectors of A times D and E, of which A's are `near`; none where the constant
/// does. `own`: the scaled matrix. `is_known`: A's vectors are the user's, or a nullspace's.
template <class Working, class Scalar, class Space, class Offset>
MultiVector<Working, Space> scaled_near_nullspace(const Space& exec, Scaled how,
                                                  const amg::Equilibration<Space>& scaling,
                                                  const kernels::Csr<Working, Space, Offset>& own,
                                                  const NearNullspace<Scalar, Space>& near,
                                                  const amg::Nodes& nodes, bool is_known) {
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  MultiVector<Scalar, Space> constant;
  ConstVectors vectors = near.near_nullspace;
  if (how == Scaled::to_unit_diagonal) {
    // A matrix that somebody has scaled is a discretisation only without that.
    if (!is_known && vectors.extent(1) == 0) return {};
    if (!is_known) return converted<Working>(exec, vectors);
    if (vectors.extent(1) == 0) vectors = constant = amg::unit_vectors<Scalar, Space>(exec, nodes);
  } else if (vectors.extent(1) == 0) {
    // As at magnitude one, where nothing is scaled.
    if (near.block_size > 1 || how == Scaled::as_a_whole) return {};
    return amg::equilibrated_constant(exec, own.view(), scaling);
  }
  const auto scaled = amg::equilibrated_near_nullspace<Scalar, Space>(exec, scaling, vectors);
  return converted<Working>(exec, ConstVectors(scaled));
}

/// Of A scaled as `picked` has it. `by_node`: A, numbered node by node, as are the vectors of
/// `near`.
template <class Working, class Scalar, class Space, class Offset>
MultigridSource<Working, Space> equilibrated_source(
    const Space& exec, const LinearSystem<Scalar, Space, Offset>& system,
    const SolveParameters& picked, const kernels::Csr<Scalar, Space, Offset>& by_node,
    const NearNullspace<Scalar, Space>& near) {
  const bool is_open = system.parameters.equilibration == Equilibration::automatic;
  const bool is_symmetric = system.facts.symmetric;
  const auto A = by_node.view();
  MultigridSource<Working, Space> source;
  Scaled how = is_symmetric ? Scaled::symmetrically : Scaled::by_rows_and_columns;
  if (picked.equilibration == Equilibration::unit_diagonal) {
    how = Scaled::to_unit_diagonal;
    source.found = system.scaling ? *system.scaling : amg::find_scaling(exec, A, is_symmetric);
  } else if (is_open && one_power_of_two_does(picked, system.facts)) {
    how = Scaled::as_a_whole;
  }
  amg::Equilibration<Space> scaling = source.found ? source.found->factors
                                      : how == Scaled::as_a_whole
                                          ? amg::scale_uniformly(exec, A)
                                          : amg::equilibrate(exec, A, is_symmetric);
  auto values = allocate<Working>(exec, "tessera::equilibrated", by_node.num_entries());
  amg::equilibrated_values<Working>(exec, A, scaling, values);
  kernels::Csr<Working, Space, Offset> own{by_node.num_rows, by_node.num_cols, by_node.offsets,
                                           by_node.columns, values};
  const bool is_known = system.near_nullspace.extent(1) > 0 || !near.annihilated.empty();
  const auto own_near_nullspace = [&] {
    return scaled_near_nullspace<Working>(exec, how, scaling, own, near, system.nodes, is_known);
  };
  auto near_nullspace = own_near_nullspace();
  const bool by_powers = how == Scaled::symmetrically || how == Scaled::by_rows_and_columns;
  const std::size_t num_vectors = near.near_nullspace.extent(1);
  if (by_powers && near.block_size == 1 && num_vectors <= 1) {
    // What is cut off weak couplings is made up for where the vector is about constant. So
    // coefficients that jump keep their rows' proportions.
    using Own = ConstMultiVectorView<Working, Space>;
    const double before =
        num_vectors == 0 ? 1 : amg::magnitude_span<Scalar, Space>(exec, near.near_nullspace);
    if (amg::magnitude_span<Working, Space>(exec, Own(near_nullspace)) > 4 * before) {
      scaling = amg::scale_uniformly(exec, A);
      amg::equilibrated_values<Working>(exec, A, scaling, values);
      near_nullspace = own_near_nullspace();
    }
  }
  own = {};
  if constexpr (std::is_same_v<Working, Scalar>) {
    if (!system.nodes.by_unknown) source.extras.plan = &system.A.plan();
  }
  source.values = std::move(values);
  source.near = {near_nullspace, near.annihilated, near.block_size};
  source.vectors = std::move(near_nullspace);
  source.scaling = std::move(scaling);
  return source;
}

}  // namespace tessera::detail
