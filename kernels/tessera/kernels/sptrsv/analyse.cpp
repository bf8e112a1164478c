// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/sptrsv/choose_runs.hpp"
#include "tessera/kernels/sptrsv/detail/halves.hpp"
#include "tessera/kernels/sptrsv/detail/solve_column.hpp"
#include "tessera/kernels/sptrsv/sptrsv.hpp"

#include <algorithm>
#include <string>

namespace tessera::kernels {
namespace detail {

/// Rows of the smallest triangles on a device, of which x fits into one processor's memory.
inline constexpr Ordinal rows_of_smallest = 16384;
inline constexpr int most_halvings = 5;
inline constexpr int most_asked_halvings = 16;

/// `asked`: 0 for none.
inline int halvings_for(Ordinal num_rows, int asked = 0) {
  int halvings = asked > 0 ? asked : 1;
  while (asked == 0 && halvings < most_halvings && (num_rows >> halvings) > rows_of_smallest)
    ++halvings;
  while (halvings > 0 && (num_rows >> halvings) == 0)
    --halvings;
  return halvings;
}

/// A plan by levels or by counters, whichever is foreseen to take less, or the one that is asked
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
  const double by_counters = foreseen_by_counters(plan.levels, sizeof(Scalar));
  const bool prefers_counters = !is_host_space<Space> && by_counters < by_levels;
  plan.algorithm = algorithm != SptrsvAlgorithm::automatic ? algorithm
                   : prefers_counters                      ? SptrsvAlgorithm::counters
                                                           : SptrsvAlgorithm::levels;
  const bool counts = plan.algorithm == SptrsvAlgorithm::counters;
  if constexpr (!is_host_space<Space>) plan.foreseen_us = counts ? by_counters : by_levels;
  if (counts) {
    plan.runs.clear();
    plan.order = plan.levels.row_order();
    plan.drawn = allocate<std::uint64_t>(exec, "tessera::sptrsv::drawn", 1);
    Kokkos::deep_copy(exec, plan.drawn, std::uint64_t(0));
  } else if (std::any_of(plan.runs.begin(), plan.runs.end(),
                         [](const LevelRun& run) { return run.by_one_block; })) {
    plan.board = CrewBoard<Space>(exec, 1);
  }
  return plan;
}

/// Where the parts of each row that belong to the halvings meet: see SptrsvPlan::cuts.
template <class Scalar, class Space, class Offset>
Array<Offset, Space> cut_rows(const Space& exec, const TriangleView<Scalar, Space, Offset>& T,
                              int halvings) {
  const Ordinal n = T.num_rows;
  const auto cuts = allocate<Offset>(exec, "tessera::sptrsv::cuts", (halvings + 1ul) * n);
  const Halves halves{n};
  const bool is_lower = T.kind == TriangleKind::lower;
  const auto triangle = plain(T);
  Kokkos::parallel_for(
      "tessera::sptrsv::cuts", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal row) {
        for (int h = 0; h <= halvings; ++h) {
          const Ordinal part = halves.part_of(h, row);
          const Ordinal bound = is_lower ? halves.begin(h, part) : halves.begin(h, part + 1);
          Offset low = triangle.begin[row], high = triangle.end[row];
          while (low < high) {
            const Offset middle = low + (high - low) / 2;
            if (triangle.columns[middle] < bound) {
              low = middle + 1;
            } else {
              high = middle;
            }
          }
          cuts(static_cast<std::size_t>(h) * n + row) = low;
        }
      });
  return cuts;
}

template <class Scalar, class Space, class Offset>
SptrsvPlan<Space, Offset> plan_halves(const Space& exec,
                                      const TriangleView<Scalar, Space, Offset>& T, int asked) {
  SptrsvPlan<Space, Offset> plan;
  plan.algorithm = SptrsvAlgorithm::recursive;
  plan.kind = T.kind;
  plan.num_rows = T.num_rows;
  plan.num_entries = T.columns.extent(0);
  plan.halvings = halvings_for(T.num_rows, asked);
  plan.cuts = cut_rows(exec, T, plan.halvings);
  plan.rhs = allocate<std::byte>(exec, "tessera::sptrsv::rhs", T.num_rows * sizeof(Scalar));
  plan.lanes = lanes_of_rows<Space>(static_cast<double>(T.num_entries) / 2 /
                                    std::max<Ordinal>(1, T.num_rows) / (1 << plan.halvings));
  const auto smallest = triangles_on_diagonal(T, plan);
  const Halves halves{T.num_rows};
  for (Ordinal part = 0; part < (Ordinal(1) << plan.halvings); ++part) {
    plan.triangles.push_back(plan_rows(exec, smallest, SptrsvAlgorithm::automatic,
                                       halves.begin(plan.halvings, part),
                                       halves.begin(plan.halvings, part + 1)));
    plan.foreseen_us += plan.triangles.back().foreseen_us + SptrsvRates::launch;
  }
  plan.foreseen_us +=
      level_bytes(T.num_rows, static_cast<std::int64_t>(T.num_entries), sizeof(Scalar)) /
      SptrsvRates::device_bytes;
  return plan;
}

/// What halving takes at the least: each of the triangles has a level or more of those of the
/// whole, which are no fewer in all.
template <class Space, class Offset>
bool halving_may_pay(const SptrsvPlan<Space, Offset>& plan) {
  if (is_host_space<Space> || plan.num_rows < rows_of_smallest) return false;
  const double least =
      (SptrsvRates::block_level + SptrsvRates::block_turn) * plan.levels.num_levels +
      2 * SptrsvRates::launch * (1 << halvings_for(plan.num_rows));
  return 1.5 * least < plan.foreseen_us;
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
                                         SptrsvAlgorithm algorithm, int halvings) {
  require(halvings >= 0 && halvings <= detail::most_asked_halvings, [&] {
    return "halvings is " + std::to_string(halvings) + ", expected 0 to " +
           std::to_string(detail::most_asked_halvings);
  });
  if (algorithm == SptrsvAlgorithm::recursive && T.num_rows > 0)
    return detail::plan_halves(exec, T, halvings);
  if (algorithm == SptrsvAlgorithm::recursive) algorithm = SptrsvAlgorithm::levels;
  auto plan = detail::plan_rows(exec, T, algorithm, 0, T.num_rows);
  if (algorithm != SptrsvAlgorithm::automatic || !detail::halving_may_pay(plan)) return plan;
  auto halved = detail::plan_halves(exec, T, halvings);
  return halved.foreseen_us < plan.foreseen_us ? halved : plan;
}

#define TESSERA_INSTANTIATE_PLAN(Space)            \
  template struct SptrsvPlan<Space, std::int32_t>; \
  template struct SptrsvPlan<Space, std::int64_t>;
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_PLAN)
#undef TESSERA_INSTANTIATE_PLAN
#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                          \
  template SptrsvPlan<Space, Offset> analyse_sptrsv<Scalar, Space, Offset>( \
      const Space&, const TriangleView<Scalar, Space, Offset>&, SptrsvAlgorithm, int);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
