// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/near_nullspace.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solve/inspect.hpp"

#include <cstddef>

namespace tessera::detail {

/// A unit vector for each unknown of a node. Where A annihilates the constant but none of those,
/// the constant takes the place of the first.
template <class Scalar, class Space, class Offset>
MultiVector<Scalar, Space> default_near_nullspace(
    const Space& exec, const LinearSystem<Scalar, Space, Offset>& system) {
  const auto& A = system.A;
  const auto vectors = amg::unit_vectors<Scalar, Space>(exec, system.nodes);
  if (system.facts.zero_row_sums &&
      nullspace_columns<Scalar>(exec, A.view(), A.plan(), vectors).empty()) {
    Kokkos::deep_copy(exec, Kokkos::subview(vectors, Kokkos::ALL, 0), Scalar(1));
  }
  return vectors;
}

template <class Scalar, class Space, class Offset>
NearNullspace<Scalar, Space> find_near_nullspace(
    const Space& exec, const LinearSystem<Scalar, Space, Offset>& system,
    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& given,
    MultiVector<Scalar, Space>& storage) {
  const auto& A = system.A;
  const amg::Nodes& nodes = system.nodes;
  NearNullspace<Scalar, Space> near{given, {}, nodes.block_size};
  if (given.extent(1) == 0 && nodes.block_size == 1) {
    const auto& nullspace = system.nullspace;
    const bool is_whole = nullspace.empty() || nullspace.num_rows == A.num_rows();
    if (!is_whole || !nullspace.is_constant) {
      storage = near_nullspace_vector_of(exec, nullspace);
      near.near_nullspace = storage;
    }
    if (!nullspace.empty() || (system.facts.symmetric && system.facts.zero_row_sums))
      near.annihilated = {0};
    return near;
  }
  if (given.extent(1) == 0) {
    storage = default_near_nullspace(exec, system);
    near.near_nullspace = storage;
  }
  if (system.facts.symmetric) {
    near.annihilated = nullspace_columns(exec, A.view(), A.plan(), near.near_nullspace);
  }
  // Near-nullspace vectors of another length are left for multigrid to refuse.
  if (nodes.by_unknown && near.near_nullspace.extent(0) == static_cast<std::size_t>(A.num_rows())) {
    const auto by_node =
        allocate_multivector<Scalar>(exec, "tessera::near_nullspace", near.near_nullspace.extent(0),
                                     near.near_nullspace.extent(1));
    amg::to_node_by_node<Scalar, Space>(exec, nodes, near.near_nullspace, by_node);
    storage = by_node;
    near.near_nullspace = storage;
  }
  return near;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, find_near_nullspace)

}  // namespace tessera::detail
