// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/cooperative_group.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/find_entry.hpp"
#include "tessera/kernels/sptrsv/choose_runs.hpp"
#include "tessera/kernels/sptrsv/detail/recursive_blocks.hpp"
#include "tessera/kernels/sptrsv/detail/solve_column.hpp"
#include "tessera/kernels/sptrsv/selection_rules.hpp"
#include "tessera/kernels/sptrsv/sptrsv.hpp"

#include <algorithm>
#include <string>

namespace tessera::kernels {
namespace detail {

inline constexpr int max_asked_recursion_depth = 16;

/// `asked`: 0 for none.
inline int recursion_depth_for(Ordinal num_rows, int asked = 0) {
  int recursion_depth = asked > 0 ? asked : 1;
  while (asked == 0 && recursion_depth < rules::max_chosen_recursion_depth &&
         (num_rows >> recursion_depth) > rules::rows_of_smallest_triangle)
    ++recursion_depth;
  while (recursion_depth > 0 && (num_rows >> recursion_depth) == 0)
    --recursion_depth;
  return recursion_depth;
}

/// A plan by levels or by counters, whichever is estimated to take less, or the one that is asked
/// for, for the rows from `begin` up to `end`.
template <class Scalar, class Space, class Offset>
SptrsvPlan<Space, Offset> plan_rows(const Space& exec, const TriangleView<Scalar, Space, Offset>& T,
                                    SptrsvAlgorithm algorithm, Ordinal begin, Ordinal end) {
  SptrsvPlan<Space, Offset> plan;
  plan.kind = T.kind;
  plan.num_rows = T.num_rows;
  plan.num_entries = T.columns.extent(0);
  plan.levels = find_levels(exec, T, begin, end);
  double entries = 0;
  for (const std::int64_t of_level : plan.levels.entries)
    entries += static_cast<double>(of_level);
  plan.lanes = lanes_of_rows<Space>(entries / std::max<Ordinal>(1, end - begin));
  double by_levels = 0;
  plan.runs =
      choose_runs(plan.levels, plan.lanes, sizeof(Scalar), exec.concurrency() == 1, &by_levels);
  const double by_counters = estimated_by_counters(plan.levels, sizeof(Scalar));
  const bool prefers_counters = !is_host_space<Space> && by_counters < by_levels;
  plan.algorithm = algorithm != SptrsvAlgorithm::automatic ? algorithm
                   : prefers_counters                      ? SptrsvAlgorithm::counters
                                                           : SptrsvAlgorithm::levels;
  const bool counts = plan.algorithm == SptrsvAlgorithm::counters;
  if constexpr (!is_host_space<Space>) plan.estimated_us = counts ? by_counters : by_levels;
  if (counts) {
    plan.runs.clear();
    plan.order = plan.levels.row_order();
    plan.drawn = allocate<std::uint64_t>(exec, "tessera::sptrsv::drawn", 1);
    Kokkos::deep_copy(exec, plan.drawn, std::uint64_t(0));
  } else if (std::any_of(plan.runs.begin(), plan.runs.end(),
                         [](const LevelRun& run) { return run.by_one_block; })) {
    plan.board = std::make_shared<const BarrierState<Space>>(exec, 1);
  }
  return plan;
}

/// Where the parts of each row that belong to the levels of recursion meet: see SptrsvPlan::cuts.
template <class Scalar, class Space, class Offset>
Array<Offset, Space> cut_rows(const Space& exec, const TriangleView<Scalar, Space, Offset>& T,
                              int recursion_depth) {
  const Ordinal n = T.num_rows;
  const auto cuts = allocate<Offset>(exec, "tessera::sptrsv::cuts", (recursion_depth + 1ul) * n);
  const RecursiveBlocks blocks_of{n};
  const bool is_lower = T.kind == TriangleKind::lower;
  const auto triangle = plain(T);
  Kokkos::parallel_for(
      "tessera::sptrsv::cuts", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal row) {
        for (int h = 0; h <= recursion_depth; ++h) {
          const Ordinal part = blocks_of.part_of(h, row);
          const Ordinal bound = is_lower ? blocks_of.begin(h, part) : blocks_of.begin(h, part + 1);
          cuts(static_cast<std::size_t>(h) * n + row) =
              first_entry_from(triangle.columns, triangle.begin[row], triangle.end[row], bound);
        }
      });
  return cuts;
}

template <class Scalar, class Space, class Offset>
SptrsvPlan<Space, Offset> plan_recursive_blocks(const Space& exec,
                                                const TriangleView<Scalar, Space, Offset>& T,
                                                int asked) {
  SptrsvPlan<Space, Offset> plan;
  plan.algorithm = SptrsvAlgorithm::recursive;
  plan.kind = T.kind;
  plan.num_rows = T.num_rows;
  plan.num_entries = T.columns.extent(0);
  plan.recursion_depth = recursion_depth_for(T.num_rows, asked);
  plan.cuts = cut_rows(exec, T, plan.recursion_depth);
  plan.rhs = allocate<std::byte>(exec, "tessera::sptrsv::rhs", T.num_rows * sizeof(Scalar));
  plan.lanes = lanes_of_rows<Space>(static_cast<double>(T.num_entries) / 2 /
                                    std::max<Ordinal>(1, T.num_rows) / (1 << plan.recursion_depth));
  const auto smallest = triangles_on_diagonal(T, plan);
  const RecursiveBlocks blocks_of{T.num_rows};
  for (Ordinal part = 0; part < (Ordinal(1) << plan.recursion_depth); ++part) {
    plan.triangles.push_back(plan_rows(exec, smallest, SptrsvAlgorithm::automatic,
                                       blocks_of.begin(plan.recursion_depth, part),
                                       blocks_of.begin(plan.recursion_depth, part + 1)));
    plan.estimated_us += plan.triangles.back().estimated_us + rules::sptrsv_launch_us;
  }
  plan.estimated_us +=
      level_bytes(T.num_rows, static_cast<std::int64_t>(T.num_entries), sizeof(Scalar)) /
      rules::sptrsv_device_bytes_per_us;
  return plan;
}

/// What halving takes at the least: each of the triangles has a level or more of those of the
/// whole, which are no fewer in all.
template <class Space, class Offset>
bool recursion_may_pay(const SptrsvPlan<Space, Offset>& plan) {
  if (is_host_space<Space> || plan.num_rows < rules::rows_of_smallest_triangle) return false;
  const double least =
      (rules::sptrsv_block_level_us + rules::sptrsv_block_turn_us) * plan.levels.num_levels +
      2 * rules::sptrsv_launch_us * (1 << recursion_depth_for(plan.num_rows));
  return rules::min_gain_by_recursion * least < plan.estimated_us;
}

}  // namespace detail

template <class Space, class Offset>
int SptrsvPlan<Space, Offset>::num_launches() const {
  if (num_rows == 0) return 0;
  if (algorithm == SptrsvAlgorithm::counters) return 2;
  if (algorithm == SptrsvAlgorithm::levels) return static_cast<int>(runs.size());
  int launches = static_cast<int>(triangles.size()) - 1;
  for (const SptrsvPlan& triangle : triangles)
    launches += triangle.num_launches();
  return launches;
}

template <class Scalar, class Space, class Offset>
SptrsvPlan<Space, Offset> analyse_sptrsv(const Space& exec,
                                         const TriangleView<Scalar, Space, Offset>& T,
                                         SptrsvAlgorithm algorithm, int recursion_depth) {
  require(recursion_depth >= 0 && recursion_depth <= detail::max_asked_recursion_depth, [&] {
    return "recursion_depth is " + std::to_string(recursion_depth) + ", expected 0 to " +
           std::to_string(detail::max_asked_recursion_depth);
  });
  if (algorithm == SptrsvAlgorithm::recursive && T.num_rows > 0)
    return detail::plan_recursive_blocks(exec, T, recursion_depth);
  if (algorithm == SptrsvAlgorithm::recursive) algorithm = SptrsvAlgorithm::levels;
  auto plan = detail::plan_rows(exec, T, algorithm, 0, T.num_rows);
  if (algorithm != SptrsvAlgorithm::automatic || !detail::recursion_may_pay(plan)) return plan;
  auto halved = detail::plan_recursive_blocks(exec, T, recursion_depth);
  return halved.estimated_us < plan.estimated_us ? halved : plan;
}

TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_STRUCT, SptrsvPlan)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, analyse_sptrsv)

}  // namespace tessera::kernels
