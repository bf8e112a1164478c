// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/pair_graph.hpp"

#include "tessera/distributed/ordered_rows.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/add.hpp"
#include "tessera/kernels/format/diagonal.hpp"

#include <utility>

namespace tessera::distributed {
namespace {

using Global = Partition::Global;
using Offset = std::int64_t;

/// Others' columns by `ghosts`, own ones first.
template <class Space>
LocalRows<Space> rows_by_ghosts(const Space& exec, const NumberedPart<Space>& part, Ordinal own,
                                const GlobalNumbers<Space>& ghosts) {
  return renumbered_others(exec, part.rows, own,
                           places_among<Space>(exec, ghosts, part.others, own),
                           own + static_cast<Ordinal>(ghosts.extent(0)));
}

}  // namespace

template <class Space>
LocalRows<Space> no_entries(const Space& exec, Ordinal num_rows, Ordinal num_cols) {
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::no_entries",
                                        static_cast<std::size_t>(num_rows) + 1);
  Kokkos::deep_copy(exec, offsets, Offset(0));
  return {num_rows, num_cols, offsets, {}, {}};
}

template <class Space>
PairGraph<Space> nodes_to_pair(const Space& exec,
                               const std::shared_ptr<const Communicator>& processes,
                               const std::shared_ptr<const Partition>& shares,
                               const GlobalNumbers<Space>& ghosts,
                               const GlobalNumbers<Space>& more_ghosts) {
  PairGraph<Space> made;
  made.processes = processes;
  made.nodes = shares;
  made.on_all([&] { made.ghosts = united<Space>(exec, ghosts, more_ghosts); });
  made.plan = halo_plan(exec, processes, *shares, made.ghosts);
  made.on_all([&] {
    made.halo = NodeHalo<Space>(made.plan);
    made.numbers = {shares->first(), shares->own(), made.ghosts};
  });
  return made;
}

template <class Space>
void take_couplings(const Space& exec, const NumberedPart<Space>& a, const NumberedPart<Space>& b,
                    PairGraph<Space>& made) {
  const Ordinal own = made.num_own();
  made.couplings.scale =
      allocate<double>(exec, "tessera::distributed::PairGraph::scale", made.num_here());
  made.couplings.weights = no_entries(exec, own, static_cast<Ordinal>(made.num_here()));
  if (own == 0) return;
  const Ordinal before = num_below<Space>(exec, made.ghosts, made.nodes->first());
  const auto sum = kernels::add(exec, 1.0, rows_by_ghosts(exec, a, own, made.ghosts).view(), 1.0,
                                rows_by_ghosts(exec, b, own, made.ghosts).view());
  made.couplings.weights = in_order_of_all(exec, sum, own, before);
}

template <class Space>
PairGraph<Space> pair_graph(const Space& exec, const LevelRows<Space>& fine,
                            std::size_t longest_row) {
  namespace pairs = kernels::pairwise_detail;
  const LevelRows<Space>& transposed = fine.transposed->rows;
  auto made = nodes_to_pair(exec, fine.processes,
                            std::make_shared<const Partition>(*fine.processes, fine.A.num_rows),
                            fine.ghosts, transposed.ghosts);
  made.on_all([&] {
    const auto magnitudes = [&](const LevelRows<Space>& rows) {
      NumberedPart<Space> part{rows.A, rows.ghosts};
      part.rows.values = pairs::magnitudes(exec, rows.A.view());
      return part;
    };
    take_couplings(exec, magnitudes(fine), magnitudes(transposed), made);
    const Ordinal own = made.num_own();
    if (own == 0) return;
    const auto scale = made.couplings.scale;
    kernels::extract_diagonal(
        exec, made.couplings.weights.view(),
        Kokkos::subview(scale, std::make_pair(std::size_t(0), static_cast<std::size_t>(own))));
    const kernels::HubTest<Space, Offset> is_hub{fine.A.offsets, 1, longest_row};
    Kokkos::parallel_for("tessera::distributed::PairGraph::hubs",
                         Kokkos::RangePolicy<Space>(exec, 0, own),
                         pairs::ScaleHubs<Space, Offset>{is_hub, scale});
    pairs::replace_missing_scales(exec, made.couplings);
    exec.fence("tessera::distributed::PairGraph");
  });
  made.fill(exec, made.couplings.scale);
  return made;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, no_entries)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, nodes_to_pair)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, take_couplings)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, pair_graph)

}  // namespace tessera::distributed
