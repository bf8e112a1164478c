// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/reduction_splitting.hpp"

#include "tessera/amg/coarsening/dominance.hpp"
#include "tessera/distributed/coarsening.hpp"
#include "tessera/distributed/level_rows.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/point_splitting.hpp"
#include "tessera/distributed/transposition.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <memory>
#include <span>
#include <utility>

namespace tessera::distributed {
namespace {

/// The couplings as a matrix of ones, whose transpose has those of the other direction.
template <class Space>
Matrix<Space> matrix_of_couplings(const Space& exec, const LevelPoints<Space>& points,
                                  const kernels::Graph<Space, std::int64_t>& strong) {
  const auto own = static_cast<std::size_t>(points.num_own());
  Matrix<Space> S;
  S.processes = points.processes;
  S.row_shares = S.column_shares = points.nodes;
  S.halo = points.halo;
  S.ghosts = points.ghosts;
  const auto ones = allocate<double>(exec, "tessera::distributed::couplings", strong.num_edges());
  Kokkos::deep_copy(exec, ones, 1.0);
  const auto offsets =
      allocate<std::int64_t>(exec, "tessera::distributed::couplings::offsets", own + 1);
  Kokkos::deep_copy(exec, offsets,
                    Kokkos::subview(strong.offsets, std::make_pair(std::size_t(0), own + 1)));
  exec.fence("tessera::distributed::couplings");
  S.rows = {points.num_own(), static_cast<Ordinal>(points.num_here()), offsets, strong.columns,
            ones};
  return S;
}

/// Couplings of own points in either direction. Collective.
template <class Space>
NodeGraph<Space> couplings_either_way(const Space& exec, const Matrix<Space>& S) {
  Transposition<Space> transposition;
  const Matrix<Space>& St = transposition.make(exec, S);
  LevelRows<Space> rows;
  on_all_processes(*S.processes, [&] {
    rows = level_rows(S, 1);
    rows.transposed = std::make_shared<LevelTranspose<Space>>(level_transpose(exec, S, St, 1));
  });
  return node_graph(exec, rows, Strength<Space>{});
}

}  // namespace

template <class Space>
Array<std::int8_t, Space> split_for_reduction(const Space& exec, const LevelPoints<Space>& points,
                                              const LocalRows<Space>& A,
                                              const amg::ReductionParameters& parameters) {
  const Communicator& processes = *points.processes;
  const auto own = std::make_pair(Ordinal(0), points.num_own());
  const std::size_t longest = longest_ordinary_row(processes, A);
  Matrix<Space> S;
  Array<std::int8_t, Space> stays;
  on_all_processes(processes, [&] {
    const auto found = kernels::strong_dependences(
        exec, squared(exec, A).view(),
        {parameters.strength_threshold * above_rounding, 1, false, longest});
    stays = found.stays;
    S = matrix_of_couplings(exec, points, found.strong);
  });
  const auto by_graph =
      split_points(exec, couplings_either_way(exec, S), stays, amg::PointSplitting::pmis);
  Array<std::int8_t, Space> is_coarse;
  amg::DominanceBins<Space> bins;
  NodeHalo<Space> halo;
  on_all_processes(processes, [&] {
    halo = NodeHalo<Space>(points.halo);
    is_coarse = allocate<std::int8_t>(exec, "tessera::distributed::is_coarse", points.num_here());
    Kokkos::deep_copy(exec, Kokkos::subview(is_coarse, own), Kokkos::subview(by_graph, own));
    exec.fence("tessera::distributed::is_coarse");
  });
  halo.fill(exec, is_coarse);
  if (!(parameters.converted_share > 0)) return is_coarse;
  on_all_processes(processes, [&] { bins = amg::dominance_bins(exec, A.view(), is_coarse); });
  processes.sum(std::span<std::int64_t>(bins.counts));
  amg::convert_bins<Space>(exec, bins, parameters.converted_share, points.nodes->first(),
                           is_coarse);
  exec.fence("tessera::distributed::is_coarse");
  halo.fill(exec, is_coarse);
  return is_coarse;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, split_for_reduction)

}  // namespace tessera::distributed
