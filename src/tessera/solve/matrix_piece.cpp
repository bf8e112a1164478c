// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "tessera/solve/matrix_piece.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::detail {

namespace {

/// A copy on the host of an array that kernels read. Waits.
template <class View>
auto on_host(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

/// An array in the memory of `Space` with the numbers of `values`. Waits.
template <class T, class Space>
Array<T, Space> uploaded(const Space& exec, const std::vector<T>& values) {
  const auto array = allocate<T>(exec, "tessera::forecast::piece", values.size());
  Kokkos::deep_copy(
      exec, array,
      Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
          values.data(), values.size()));
  exec.fence("tessera::forecast: copied from the host");
  return array;
}

/// The rows of the nodes nearest to the middle one, breadth first, until they have as many entries;
/// ascending. Where a component ends, that of the next node follows.
template <class Offsets, class Columns>
std::vector<Ordinal> rows_around_the_middle(const Offsets& offsets, const Columns& columns,
                                            const amg::Nodes& nodes, std::size_t entries) {
  std::vector<char> is_taken(nodes.num_nodes, 0);
  std::vector<Ordinal> queue, rows;
  const Ordinal num_rows = nodes.num_nodes * nodes.block_size;
  std::size_t count = 0;
  const auto enter = [&](Ordinal node) {
    if (is_taken[node]) return;
    is_taken[node] = 1;
    queue.push_back(node);
  };
  Ordinal next_start = nodes.num_nodes / 2;
  for (std::size_t head = 0; count < entries && rows.size() < offsets.extent(0) - 1; ++head) {
    while (head == queue.size())
      enter(next_start++ % nodes.num_nodes);
    for (int unknown = 0; unknown < nodes.block_size; ++unknown) {
      const Ordinal row = nodes.row(queue[head], unknown);
      rows.push_back(row);
      count += static_cast<std::size_t>(offsets(row + 1) - offsets(row));
      for (auto e = offsets(row); e < offsets(row + 1); ++e)
        if (columns(e) < num_rows) enter(nodes.node(columns(e)));
    }
  }
  std::ranges::sort(rows);
  return rows;
}

}  // namespace

template <class Scalar, class Space, class Offset>
MatrixPiece<Scalar, Space, Offset> piece_around_the_middle(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A, const amg::Nodes& nodes,
    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& vectors, std::size_t entries) {
  exec.fence("tessera::forecast: before a copy to the host");
  const auto offsets = on_host(A.offsets);
  const auto columns = on_host(A.columns);
  const auto values = on_host(A.values);
  const std::vector<Ordinal> rows = rows_around_the_middle(offsets, columns, nodes, entries);
  std::vector<Ordinal> number(A.num_rows, -1);
  for (std::size_t i = 0; i < rows.size(); ++i)
    number[rows[i]] = static_cast<Ordinal>(i);
  std::vector<Offset> piece_offsets{0};
  std::vector<Ordinal> piece_columns;
  std::vector<Scalar> piece_values;
  for (const Ordinal row : rows) {
    for (Offset e = offsets(row); e < offsets(row + 1); ++e) {
      if (columns(e) >= A.num_rows || number[columns(e)] < 0) continue;
      piece_columns.push_back(number[columns(e)]);
      piece_values.push_back(values(e));
    }
    piece_offsets.push_back(static_cast<Offset>(piece_columns.size()));
  }
  const auto n = static_cast<Ordinal>(rows.size());
  MatrixPiece<Scalar, Space, Offset> piece;
  piece.A = {n, n, uploaded<Offset>(exec, piece_offsets), uploaded<Ordinal>(exec, piece_columns),
             uploaded<Scalar>(exec, piece_values)};
  if (vectors.extent(1) == 0) return piece;
  piece.vectors =
      allocate_multivector<Scalar>(exec, "tessera::forecast::piece", n, vectors.extent(1));
  const auto all = on_host(vectors);
  const auto some = Kokkos::create_mirror_view(piece.vectors);
  for (std::size_t j = 0; j < vectors.extent(1); ++j) {
    for (Ordinal i = 0; i < n; ++i)
      some(i, j) = all(rows[i], j);
  }
  Kokkos::deep_copy(exec, piece.vectors, some);
  exec.fence("tessera::forecast: copied from the host");
  return piece;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, piece_around_the_middle)

}  // namespace tessera::detail
