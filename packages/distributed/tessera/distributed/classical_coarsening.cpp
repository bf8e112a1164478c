// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/classical_coarsening.hpp"

#include "tessera/amg/coarsening/nodes.hpp"
#include "tessera/amg/coarsening/splitting.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/ordered_rows.hpp"
#include "tessera/distributed/point_splitting.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/profiling_region.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <algorithm>
#include <utility>

namespace tessera::distributed {
namespace {

/// The points of a level, without their couplings. `number_of_others`: by ghost of A here.
/// Collective.
template <class Space>
SplitPoints<Space> points_of(const LevelRows<Space>& fine, std::vector<Ordinal>& number_of_others) {
  SplitPoints<Space> split;
  NodeGraph<Space>& points = split.points;
  points.processes = fine.processes;
  points.nodes = std::make_shared<const Partition>(*fine.processes, fine.A.num_rows);
  points.ghosts = fine.ghosts;
  std::ranges::sort(points.ghosts);
  split.halo = halo_plan(points.processes, *points.nodes, points.ghosts);
  points.halo = NodeHalo<Space>(split.halo);
  number_of_others.clear();
  for (const auto ghost : fine.ghosts)
    number_of_others.push_back(points.num_own() +
                               static_cast<Ordinal>(std::ranges::lower_bound(points.ghosts, ghost) -
                                                    points.ghosts.begin()));
  return split;
}

/// Couplings that are strong but for rounding are weak, and rows that depend on others but for it
/// do: sums of coarse entries are in an order that depends on the shares.
kernels::DependenceOptions options_of(const amg::ClassicalParameters& p, std::size_t longest) {
  return {p.strength_threshold * above_rounding, p.max_row_sum * above_rounding,
          p.strong_couplings == amg::StrongCouplings::by_sign, longest};
}

}  // namespace

template <class Space>
ClassicalCoarsening<Space>::ClassicalCoarsening(const amg::ClassicalParameters& parameters)
    : m_parameters(parameters),
      m_interpolation(parameters.interpolation,
                      {parameters.truncation_factor, parameters.max_row_entries}) {}

/// The level's rows by `m_number_of_others`, in the order of all columns.
template <class Space>
auto ClassicalCoarsening<Space>::ordered_rows(const Space& exec, const LevelRows<Space>& fine) const
    -> Rows {
  if (fine.A.num_rows == 0) return fine.A;
  if (fine.ghosts.empty() && kernels::rows_sorted(exec, fine.A.view())) return fine.A;
  const auto rows =
      renumbered_others(exec, fine.A, fine.A.num_rows, m_number_of_others, fine.A.num_cols);
  return in_order_of_all(exec, rows, fine.A.num_rows, m_num_before);
}

template <class Space>
Ordinal ClassicalCoarsening<Space>::choose(const Space& exec, const Communicator& processes,
                                           const LevelRows<Space>& fine, Vectors& vectors,
                                           std::optional<kernels::Box>& box) {
  const kernels::ProfilingRegion region("tessera::distributed::ClassicalCoarsening::choose");
  box.reset();
  m_split = points_of(fine, m_number_of_others);
  NodeGraph<Space>& points = m_split.points;
  m_num_before = static_cast<Ordinal>(
      std::ranges::lower_bound(points.ghosts, points.nodes->first()) - points.ghosts.begin());
  const auto options = options_of(m_parameters, longest_ordinary_row(processes, fine.A));
  Array<std::int8_t, Space> stays;
  on_all_processes(processes, [&] {
    points.number = global_numbers(exec, points);
    auto found =
        kernels::strong_dependences(exec, squared(exec, ordered_rows(exec, fine)).view(), options);
    points.graph = found.strong;
    stays = found.stays;
    exec.fence("tessera::distributed::ClassicalCoarsening");
  });
  m_split.is_coarse = split_points(exec, points, stays);
  Ordinal num_coarse = 0;
  on_all_processes(processes, [&] {
    num_coarse = amg::number_coarse_points(
                     exec, Array<std::int8_t, Space>(Kokkos::subview(
                               m_split.is_coarse, std::make_pair(Ordinal(0), points.num_own()))))
                     .num_coarse;
    vectors = amg::unit_vectors<double, Space>(exec, {1, num_coarse});
  });
  m_split.coarse = std::make_shared<const Partition>(processes, num_coarse);
  return num_coarse;
}

template <class Space>
auto ClassicalCoarsening<Space>::make_prolongator(const Space& exec, const Communicator& processes,
                                                  const LevelRows<Space>& fine,
                                                  const LevelValues<Space>& /*values*/)
    -> const Rows& {
  const kernels::ProfilingRegion region("tessera::distributed::ClassicalCoarsening::interpolate");
  Rows rows;
  on_all_processes(processes, [&] { rows = ordered_rows(exec, fine); });
  m_interpolation.make(exec, rows, m_split);
  m_split.points = {};
  return prolongator();
}

template <class Space>
void ClassicalCoarsening<Space>::remake_transfers(const Space& exec, const Communicator& processes,
                                                  const LevelRows<Space>& fine,
                                                  const LevelValues<Space>& /*values*/) {
  const kernels::ProfilingRegion region("tessera::distributed::ClassicalCoarsening::again");
  Rows rows;
  on_all_processes(processes, [&] { rows = ordered_rows(exec, fine); });
  m_interpolation.remake(exec, processes, rows);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, ClassicalCoarsening)

}  // namespace tessera::distributed
