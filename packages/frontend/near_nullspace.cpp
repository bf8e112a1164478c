// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "frontend/near_nullspace.hpp"

#include <fmt/format.h>

#include "tessera/amg/coarsening/find_nodes.hpp"
#include "tessera/amg/coarsening/nodes.hpp"
#include "tessera/gallery/rigid_body_modes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/operator/error.hpp"

namespace tessera::frontend {

template <class Scalar, class Space, class Offset>
MultiVector<Scalar, Space> rigid_body_modes_of(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& coordinates, std::string_view setting,
    std::string_view source) {
  const std::string name =
      source.empty() ? std::string(setting) : fmt::format("{} {}", setting, source);
  const std::size_t dimension = coordinates.extent(1);
  if (dimension != 2 && dimension != 3) {
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: {} columns; expected 2 or 3", name, dimension));
  }
  const std::size_t rows = coordinates.extent(0) * dimension;
  if (rows != static_cast<std::size_t>(A.num_rows)) {
    throw Error(
        ErrorKind::bad_input,
        fmt::format("{}: {} nodes in {} dimensions have {} unknowns, but the matrix has {} rows",
                    name, coordinates.extent(0), dimension, rows, A.num_rows));
  }
  const auto by_node = rigid_body_modes<Scalar>(exec, coordinates);
  const auto nodes = amg::find_nodes(exec, A, static_cast<int>(dimension));
  if (!nodes.by_unknown) return by_node;
  const auto by_unknown = allocate_multivector<Scalar>(exec, "tessera::near_nullspace",
                                                       by_node.extent(0), by_node.extent(1));
  amg::from_node_by_node<Scalar, Space>(exec, nodes, by_node, by_unknown);
  return by_unknown;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, rigid_body_modes_of)

}  // namespace tessera::frontend
