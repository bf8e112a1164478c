// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/connected_pieces.hpp"

#include "tessera/distributed/node_halo.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/concurrent_access.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/components.hpp"

namespace tessera::distributed {
namespace {

using Global = Partition::Global;

template <class Space>
struct StartLabels {
  ArrayView<const Ordinal, Space> piece;
  Global first;
  ArrayView<Global, Space> label;

  KOKKOS_FUNCTION void operator()(const Ordinal i) const { label(i) = first + piece(i); }
};

/// Labels of pieces, which are those of their least rows, sink to those of ghosts.
template <class Space>
struct SinkToGhosts {
  kernels::CsrView<double, Space, std::int64_t> A;
  Ordinal num_own;
  ArrayView<const Ordinal, Space> piece;
  ArrayView<Global, Space> label;  ///< of own rows and of ghosts
  ArrayView<int, Space> is_divided;

  KOKKOS_FUNCTION void operator()(const Ordinal i, int& sunk) const {
    const Ordinal least = piece(i);
    for (std::int64_t e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const Ordinal j = A.columns(e);
      if (j < num_own || A.values(e) == 0) continue;
      kernels::store_relaxed(&is_divided(least), 1);
      if (label(j) >= kernels::load_relaxed(&label(least))) continue;
      Kokkos::atomic_min(&label(least), label(j));
      sunk = 1;
    }
  }
};

template <class Space>
struct LabelByPiece {
  ArrayView<const Ordinal, Space> piece;
  ArrayView<Global, Space> label;

  KOKKOS_FUNCTION void operator()(const Ordinal i) const {
    if (piece(i) != i) label(i) = label(piece(i));
  }
};

}  // namespace

template <class Space>
ConnectedPieces<Space> connected_pieces(const Space& exec, const Matrix<Space>& A) {
  const Ordinal n = A.rows.num_rows;
  const Kokkos::RangePolicy<Space> rows(exec, 0, n);
  ConnectedPieces<Space> made;
  NodeHalo<Space> halo;
  on_all_processes(*A.processes, [&] {
    halo = NodeHalo<Space>(A.halo);
    made.piece = kernels::connected_components(exec, own_block(exec, A).view());
    made.is_divided =
        allocate<int>(exec, "tessera::distributed::components", static_cast<std::size_t>(n));
    made.component = allocate<Global>(exec, "tessera::distributed::components",
                                      static_cast<std::size_t>(A.rows.num_cols));
    Kokkos::deep_copy(exec, made.is_divided, 0);
    Kokkos::parallel_for("tessera::distributed::components::start", rows,
                         StartLabels<Space>{made.piece, A.row_shares->first(), made.component});
    exec.fence("tessera::distributed::components");
  });
  const SinkToGhosts<Space> sink{A.rows.view(), A.num_own_columns(), made.piece, made.component,
                                 made.is_divided};
  for (double sunk = 1; sunk > 0;) {
    halo.fill(exec, made.component);
    int sunk_here = 0;
    Kokkos::parallel_reduce("tessera::distributed::components::sink", rows, sink,
                            Kokkos::Max<int>(sunk_here));
    exec.fence("tessera::distributed::components");
    Kokkos::parallel_for("tessera::distributed::components::label", rows,
                         LabelByPiece<Space>{made.piece, made.component});
    // The maximum over nothing is the least int.
    sunk = A.processes->maximum_of(sunk_here == 1 ? 1 : 0);
  }
  return made;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, connected_pieces)

}  // namespace tessera::distributed
