// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rigid body modes row by row, about a middle that is known.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::gallery_detail {

/// Displacement `component` of a node at `x` from the middle under mode `m`: the translations
/// first, then in 2D the rotation, in 3D those about x, y and z.
template <int dim, class Scalar>
KOKKOS_INLINE_FUNCTION Scalar rigid_body_motion(const Scalar (&x)[dim], int component, int m) {
  if (m < dim) return Scalar(component == m ? 1 : 0);
  if constexpr (dim == 2) {
    return component == 0 ? -x[1] : x[0];
  } else {
    // The unit vector of the axis, crossed with x.
    const int axis = m - dim;
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    return component == axis ? Scalar(0) : (component == u ? -x[v] : x[u]);
  }
}

/// Displacements node by node, from row `first` on, and the nodes from the one of that row on.
template <int dim>
struct NodeByNode {
  Ordinal first, count;

  KOKKOS_INLINE_FUNCTION Ordinal first_node() const { return first / dim; }
  KOKKOS_INLINE_FUNCTION Ordinal num_nodes() const {
    return count > 0 ? (first + count - 1) / dim + 1 - first_node() : 0;
  }
  KOKKOS_INLINE_FUNCTION Ordinal node(Ordinal i) const { return (first + i) / dim - first_node(); }
  KOKKOS_INLINE_FUNCTION int component(Ordinal i) const { return (first + i) % dim; }
};

/// Fills in a row of the modes.
template <int dim, class Scalar, class Space, class Rows>
struct FillRigidBodyModes {
  Rows rows;
  ConstMultiVectorView<Scalar, Space> coordinates;
  Kokkos::Array<Scalar, 3> middle;
  MultiVectorView<Scalar, Space> modes;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    const Ordinal node = rows.node(i);
    Scalar x[dim];
    for (int d = 0; d < dim; ++d)
      x[d] = coordinates(node, d) - middle[d];
    for (int m = 0; m < (dim == 2 ? 3 : 6); ++m)
      modes(i, m) = rigid_body_motion<dim>(x, rows.component(i), m);
  }
};

/// Fills in the modes (rows by 3 or 6). `rows.node(i)` is the row of `coordinates` of row i's node,
/// `rows.component(i)` the axis that it moves along.
template <int dim, class Scalar, class Space, class Rows>
void fill_rigid_body_modes(const Space& exec, const Rows& rows,
                           const ConstMultiVectorView<Scalar, Space>& coordinates,
                           const Kokkos::Array<Scalar, 3>& middle,
                           const MultiVectorView<Scalar, Space>& modes) {
  Kokkos::parallel_for(
      "tessera::gallery::rigid_body_modes",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, modes.extent(0)),
      FillRigidBodyModes<dim, Scalar, Space, Rows>{rows, coordinates, middle, modes});
}

}  // namespace tessera::gallery_detail
