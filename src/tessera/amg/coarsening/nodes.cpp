// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/nodes.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

namespace tessera::amg {

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> node_by_node(const Space& exec,
                                                 const kernels::CsrView<Scalar, Space, Offset>& A,
                                                 const Nodes& nodes) {
  const Nodes target{nodes.block_size, nodes.num_nodes, false};
  auto offsets = allocate<Offset>(exec, "tessera::nodes::offsets", A.num_rows + 1);
  const Kokkos::RangePolicy<Space> rows(exec, 0, A.num_rows);
  Kokkos::parallel_for(
      "tessera::nodes::count", rows, KOKKOS_LAMBDA(const Ordinal row) {
        const Ordinal to = target.row(nodes.node(row), nodes.unknown(row));
        offsets(to) = A.offsets(row + 1) - A.offsets(row);
      });
  const std::size_t num_entries = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  auto columns = allocate<Ordinal>(exec, "tessera::nodes::columns", num_entries);
  auto values = allocate<Scalar>(exec, "tessera::nodes::values", num_entries);
  Kokkos::parallel_for(
      "tessera::nodes::fill", rows, KOKKOS_LAMBDA(const Ordinal row) {
        Offset next = offsets(target.row(nodes.node(row), nodes.unknown(row)));
        for (Offset k = A.offsets(row); k < A.offsets(row + 1); ++k) {
          const Ordinal column = A.columns(k);
          columns(next) = target.row(nodes.node(column), nodes.unknown(column));
          values(next) = A.values(k);
          ++next;
        }
      });
  const kernels::Csr<Scalar, Space, Offset> unsorted{A.num_rows, A.num_cols, offsets, columns,
                                                     values};
  return kernels::sort_rows(exec, unsorted.view());
}

/// Rows in the numbering `before` become rows in the numbering `after`.
template <class Scalar, class Space>
void renumber_rows(const Space& exec, const Nodes& before, const Nodes& after,
                   const ConstMultiVectorView<Scalar, Space>& from,
                   const MultiVectorView<Scalar, Space>& to) {
  Kokkos::parallel_for(
      "tessera::nodes::renumber_rows", Kokkos::RangePolicy<Space>(exec, 0, to.extent(0)),
      KOKKOS_LAMBDA(const Ordinal row) {
        const Ordinal source = before.row(after.node(row), after.unknown(row));
        for (std::size_t j = 0; j < to.extent(1); ++j)
          to(row, j) = from(source, j);
      });
}

template <class Scalar, class Space>
void to_node_by_node(const Space& exec, const Nodes& nodes,
                     const NonDeduced<ConstMultiVectorView<Scalar, Space>>& from,
                     const MultiVectorView<Scalar, Space>& to) {
  const Nodes by_node{nodes.block_size, nodes.num_nodes, false};
  renumber_rows<Scalar, Space>(exec, nodes, by_node, from, to);
}

template <class Scalar, class Space>
void from_node_by_node(const Space& exec, const Nodes& nodes,
                       const NonDeduced<ConstMultiVectorView<Scalar, Space>>& from,
                       const MultiVectorView<Scalar, Space>& to) {
  const Nodes by_node{nodes.block_size, nodes.num_nodes, false};
  renumber_rows<Scalar, Space>(exec, by_node, nodes, from, to);
}

template <class Scalar, class Space>
MultiVector<Scalar, Space> unit_vectors(const Space& exec, const Nodes& nodes) {
  const Ordinal num_rows = nodes.num_nodes * nodes.block_size;
  const auto vectors = allocate_multivector<Scalar>(exec, "tessera::nodes::unit_vectors", num_rows,
                                                    nodes.block_size);
  Kokkos::parallel_for(
      "tessera::nodes::unit_vectors", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
      KOKKOS_LAMBDA(const Ordinal row) {
        for (int j = 0; j < nodes.block_size; ++j)
          vectors(row, j) = nodes.unknown(row) == j ? Scalar(1) : Scalar(0);
      });
  return vectors;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, node_by_node)

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, to_node_by_node)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, from_node_by_node)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, unit_vectors)

}  // namespace tessera::amg
