// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/classical_coarsening.hpp"

#include "tessera/amg/coarsening/nodes.hpp"
#include "tessera/amg/coarsening/splitting.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/point_splitting.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/profiling_region.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <utility>

namespace tessera::distributed {
namespace {

/// The points of a level, without their couplings.
template <class Space>
SplitPoints<Space> points_of(const LevelPoints<Space>& level) {
  SplitPoints<Space> split;
  NodeGraph<Space>& points = split.points;
  points.processes = level.processes;
  points.nodes = level.nodes;
  points.ghosts = level.ghosts;
  points.halo = NodeHalo<Space>(level.halo);
  split.halo = level.halo;
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

template <class Space>
Ordinal ClassicalCoarsening<Space>::choose(const Space& exec, const Communicator& processes,
                                           const LevelRows<Space>& fine, Vectors& vectors,
                                           std::optional<kernels::Box>& box) {
  const kernels::ProfilingRegion region("tessera::distributed::ClassicalCoarsening::choose");
  box.reset();
  m_points = level_points(fine);
  m_split = points_of(m_points);
  NodeGraph<Space>& points = m_split.points;
  const auto options = options_of(m_parameters, longest_ordinary_row(processes, fine.A));
  Array<std::int8_t, Space> stays;
  on_all_processes(processes, [&] {
    points.number = global_numbers(exec, points);
    auto found = kernels::strong_dependences(
        exec, squared(exec, rows_by_points(exec, fine, m_points)).view(), options);
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
  on_all_processes(processes, [&] { rows = rows_by_points(exec, fine, m_points); });
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
  on_all_processes(processes, [&] { rows = rows_by_points(exec, fine, m_points); });
  m_interpolation.remake(exec, processes, rows);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, ClassicalCoarsening)

}  // namespace tessera::distributed
