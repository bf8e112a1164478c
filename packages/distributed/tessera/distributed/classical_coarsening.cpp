// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/classical_coarsening.hpp"

#include "tessera/amg/coarsening/function_part.hpp"
#include "tessera/amg/coarsening/node_splitting.hpp"
#include "tessera/amg/coarsening/nodes.hpp"
#include "tessera/amg/coarsening/splitting.hpp"
#include "tessera/amg/coarsening/two_stage_interpolation.hpp"
#include "tessera/distributed/functions.hpp"
#include "tessera/distributed/multipass_interpolation.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/point_interpolation.hpp"
#include "tessera/distributed/second_splitting.hpp"
#include "tessera/distributed/two_stage_interpolation.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/profiling_region.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <utility>

namespace tessera::distributed {
namespace {

/// Points without their couplings. Waits for `exec`.
template <class Space>
SplitPoints<Space> points_of(const Space& exec, const LevelPoints<Space>& level) {
  SplitPoints<Space> split;
  NodeGraph<Space>& points = split.points;
  points.processes = level.processes;
  points.nodes = level.nodes;
  points.ghosts = level.ghosts;
  points.halo = NodeHalo<Space>(level.halo);
  points.number = global_numbers(exec, points);
  split.halo = level.halo;
  return split;
}

/// Couplings that are strong but for rounding are weak, and rows that depend on others but for it
/// do: sums of coarse entries are in an order that depends on the shares.
kernels::DependenceOptions options_of(const amg::ClassicalParameters& p, std::size_t longest) {
  return {p.strength_threshold * above_rounding, p.max_row_sum * above_rounding,
          p.strong_couplings == amg::StrongCouplings::by_sign, longest};
}

/// Whether own points are coarse.
template <class Space>
Array<std::int8_t, Space> own_flags(const SplitPoints<Space>& split) {
  return Kokkos::subview(split.is_coarse, std::make_pair(Ordinal(0), split.points.num_own()));
}

/// How many of own points are coarse, for all processes. Collective.
template <class Space>
std::shared_ptr<const Partition> coarse_shares(const Space& exec, const SplitPoints<Space>& split) {
  Ordinal num_coarse = 0;
  on_all_processes(*split.points.processes, [&] {
    num_coarse = amg::number_coarse_points(exec, own_flags(split)).num_coarse;
  });
  return std::make_shared<const Partition>(*split.points.processes, num_coarse);
}

/// Splits `points` by the couplings `A` between own ones, in the way `how`, where coarsening is
/// aggressive twice, by at least `min_paths` paths; 0: once. Returns the first and the last
/// splitting. Collective.
template <class Space>
std::array<SplitPoints<Space>, 2> splittings_by(const Space& exec, const LocalRows<Space>& A,
                                                const kernels::DependenceOptions& options,
                                                amg::PointSplitting how, int min_paths,
                                                SplitPoints<Space> points) {
  Array<std::int8_t, Space> stays;
  on_all_processes(*points.points.processes, [&] {
    auto found = kernels::strong_dependences(exec, squared(exec, A).view(), options);
    points.points.graph = found.strong;
    stays = found.stays;
    exec.fence("tessera::distributed::ClassicalCoarsening");
  });
  points.is_coarse = split_points(exec, points.points, stays, how);
  points.coarse = coarse_shares(exec, points);
  std::array<SplitPoints<Space>, 2> made{points, points};
  if (min_paths == 0) return made;
  made[1].is_coarse = split_coarse_points(exec, points, stays, how, min_paths);
  made[1].coarse = coarse_shares(exec, made[1]);
  return made;
}

/// Of own nodes and ghosts.
template <class Space>
Array<std::int8_t, Space> repeated_for_unknowns(const Space& exec,
                                                const Array<std::int8_t, Space>& of_nodes,
                                                int block_size) {
  const auto of_unknowns =
      allocate<std::int8_t>(exec, "tessera::distributed::classical::is_coarse",
                            of_nodes.extent(0) * static_cast<std::size_t>(block_size));
  Kokkos::parallel_for(
      "tessera::distributed::classical::is_coarse",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(of_unknowns.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) { of_unknowns(i) = of_nodes(i / block_size); });
  exec.fence("tessera::distributed::classical::is_coarse");
  return of_unknowns;
}

}  // namespace

template <class Space>
ClassicalCoarsening<Space>::ClassicalCoarsening(const amg::ClassicalParameters& parameters,
                                                int depth)
    : m_parameters(parameters), m_is_aggressive(depth < parameters.aggressive_levels) {
  if (m_is_aggressive) amg::require_reach(parameters);
}

template <class Space>
Ordinal ClassicalCoarsening<Space>::choose(const Space& exec, const Communicator& processes,
                                           const LevelRows<Space>& fine, Vectors& vectors,
                                           std::optional<kernels::Box>& box) {
  const kernels::ProfilingRegion region("tessera::distributed::ClassicalCoarsening::choose");
  box.reset();
  const int unknowns = splits_nodes(fine) ? fine.block_size : 1;
  m_points = level_points(exec, fine, unknowns);
  m_functions = functions_of_points(exec, fine, m_points);
  const auto [first, last] = unknowns > 1 ? split_nodes(exec, fine) : split_points(exec, fine);
  m_split = last;
  const amg::TruncationOptions truncation{m_parameters.truncation_factor,
                                          m_parameters.max_row_entries};
  if (m_is_aggressive &&
      m_parameters.aggressive_interpolation == amg::AggressiveInterpolation::multipass) {
    m_interpolation = std::make_unique<MultipassInterpolation<Space>>(truncation);
  } else if (m_is_aggressive) {
    m_interpolation = std::make_unique<TwoStageInterpolation<Space>>(m_parameters.interpolation,
                                                                     truncation, first);
  } else {
    m_interpolation =
        std::make_unique<PointInterpolation<Space>>(m_parameters.interpolation, truncation);
  }
  const Ordinal num_coarse = m_split.coarse->own();
  on_all_processes(processes, [&] {
    vectors = amg::unit_vectors<double, Space>(exec, {unknowns, num_coarse / unknowns});
    if (unknowns == 1)
      m_coarse_functions = functions_of_coarse(exec, m_functions, own_flags(m_split));
  });
  return num_coarse;
}

template <class Space>
CoarsePoints<Space> ClassicalCoarsening<Space>::coarse_points(const Space& exec) const {
  return amg::number_coarse_points(exec, own_flags(m_split)).coarse_number;
}

template <class Space>
auto ClassicalCoarsening<Space>::split_points(const Space& exec, const LevelRows<Space>& fine)
    -> Splittings {
  const Communicator& processes = *m_points.processes;
  Rows rows;
  SplitPoints<Space> points;
  on_all_processes(processes, [&] {
    points = points_of(exec, m_points);
    rows = couplings(exec, fine);
  });
  const auto options = options_of(m_parameters, longest_ordinary_row(processes, rows));
  return splittings_by(exec, rows, options, m_parameters.splitting, min_paths(), points);
}

/// Splits nodes by the norms of the blocks that couple them, all of their unknowns alike.
template <class Space>
auto ClassicalCoarsening<Space>::split_nodes(const Space& exec, const LevelRows<Space>& fine)
    -> Splittings {
  const Communicator& processes = *m_points.processes;
  const int unknowns = fine.block_size;
  const LevelPoints<Space> nodes = nodes_of_points(exec, m_points, unknowns);
  SplitPoints<Space> of_nodes;
  SplitPoints<Space> of_unknowns;
  Rows norms;
  on_all_processes(processes, [&] {
    of_nodes = points_of(exec, nodes);
    of_unknowns = points_of(exec, m_points);
    const Rows A = squared(exec, rows_by_points(exec, fine, m_points));
    norms = first_rows(exec, amg::block_norms(exec, A.view(), unknowns), nodes.num_own());
  });
  auto options = options_of(m_parameters, longest_ordinary_row(processes, norms));
  options.by_sign = true;  // norms have one
  Splittings made =
      splittings_by(exec, norms, options, m_parameters.splitting, min_paths(), of_nodes);
  on_all_processes(processes, [&] {
    of_unknowns.points.graph = amg::strong_in_nodes(
        exec, squared(exec, couplings(exec, fine)).view(), made[0].points.graph, unknowns,
        m_parameters.strong_couplings == amg::StrongCouplings::by_sign);
    for (SplitPoints<Space>& split : made) {
      split.is_coarse = repeated_for_unknowns(exec, split.is_coarse, unknowns);
      split.points = of_unknowns.points;
      split.halo = of_unknowns.halo;
    }
    exec.fence("tessera::distributed::ClassicalCoarsening");
  });
  for (SplitPoints<Space>& split : made)
    split.coarse = std::make_shared<const Partition>(processes, unknowns * split.coarse->own());
  return made;
}

template <class Space>
auto ClassicalCoarsening<Space>::couplings(const Space& exec, const LevelRows<Space>& fine)
    -> Rows {
  Rows A = rows_by_points(exec, fine, m_points);
  if (!m_functions) return A;
  if (m_function_part.offsets.extent(0) == 0)
    m_function_part = amg::function_pattern(exec, A.view(), *m_functions);
  Rows part = m_function_part;
  amg::fill_function_part(exec, A.view(), *m_functions, part);
  exec.fence("tessera::distributed::ClassicalCoarsening");
  return part;
}

template <class Space>
auto ClassicalCoarsening<Space>::make_prolongator(const Space& exec, const Communicator& processes,
                                                  const LevelRows<Space>& fine,
                                                  const LevelValues<Space>& /*values*/)
    -> const Rows& {
  const kernels::ProfilingRegion region("tessera::distributed::ClassicalCoarsening::interpolate");
  Rows rows;
  on_all_processes(processes, [&] { rows = couplings(exec, fine); });
  m_interpolation->make(exec, rows, m_split);
  m_split.points = {};
  return prolongator();
}

template <class Space>
void ClassicalCoarsening<Space>::remake_transfers(const Space& exec, const Communicator& processes,
                                                  const LevelRows<Space>& fine,
                                                  const LevelValues<Space>& /*values*/) {
  const kernels::ProfilingRegion region("tessera::distributed::ClassicalCoarsening::again");
  Rows rows;
  on_all_processes(processes, [&] { rows = couplings(exec, fine); });
  m_interpolation->remake(exec, processes, rows);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, ClassicalCoarsening)

}  // namespace tessera::distributed
