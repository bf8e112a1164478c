// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/sptrsv/sptrsv.hpp"

#include "tessera/kernels/execution/cooperative_group.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/sptrsv/detail/recursive_blocks.hpp"
#include "tessera/kernels/sptrsv/detail/solve_column.hpp"
#include "tessera/kernels/sptrsv/level_walk.hpp"
#include "tessera/kernels/sptrsv/waiting_row.hpp"

#include <string>

namespace tessera::kernels {
namespace detail {

/// to(i) = (b(i) - sum_j T(i, j) x(j)) / T(i, i) for rows that all can be computed at once.
template <class Scalar, class Offset>
struct RowsAtOnce {
  PlainTriangle<Scalar, Offset> T;
  RowOrder order;
  const Scalar* b;
  const Scalar* x;
  Scalar* to;
  int lanes;

  template <class Space>
  void run(const Space& exec, const char* label) const {
    if (order.count == 0) return;
    if constexpr (is_host_space<Space>) {
      Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(exec, 0, order.count), *this);
    } else {
      const int rows_per_team = ticket_team / lanes;
      const int teams = (order.count + rows_per_team - 1) / rows_per_team;
      Kokkos::parallel_for(label, Kokkos::TeamPolicy<Space>(exec, teams, ticket_team, 1), *this);
    }
  }
  /// A thread of a host.
  KOKKOS_FUNCTION void operator()(const Ordinal position) const {
    compute(LaneGroup(1, 0), position);
  }
  template <class Member>
    requires requires(const Member& member) { member.team_rank(); }
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const std::int64_t thread =
        static_cast<std::int64_t>(member.league_rank()) * ticket_team + member.team_rank();
    compute(LaneGroup(lanes, member.team_rank()), thread / lanes);
  }

 private:
  KOKKOS_FUNCTION void compute(const LaneGroup& group, std::int64_t position) const {
    const Ordinal row = position < order.count ? order.row(position) : -1;
    Scalar sum = 0;
    if (row >= 0) {
      for (Offset e = T.begin[row] + group.lane(); e < T.end[row]; e += group.size())
        sum += T.values[e] * x[T.columns[e]];
    }
    sum = group.sum(sum);
    if (row < 0 || group.lane() != 0) return;
    const Scalar rest = b[row] - sum;
    to[row] = T.inverse_diagonal == nullptr ? rest : rest * T.inverse_diagonal[row];
  }
};

/// Row after row by one thread, which needs no levels.
template <class Scalar, class Space, class Offset>
void solve_in_order(const Space& exec, const PlainTriangle<Scalar, Offset>& T,
                    const RowOrder& order, const Scalar* b, Scalar* x) {
  Kokkos::parallel_for(
      "tessera::sptrsv::in_order", Kokkos::RangePolicy<Space>(exec, 0, 1),
      KOKKOS_LAMBDA(const int) {
        for (Ordinal position = 0; position < order.count; ++position) {
          const Ordinal row = order.row(position);
          Scalar sum = 0;
          for (Offset e = T.begin[row]; e < T.end[row]; ++e)
            sum += T.values[e] * x[T.columns[e]];
          const Scalar rest = b[row] - sum;
          x[row] = T.inverse_diagonal == nullptr ? rest : rest * T.inverse_diagonal[row];
        }
      });
}

/// The runs of small levels, by one block.
template <class Scalar, class Space, class Offset>
void walk_levels(const Space& exec, const SptrsvPlan<Space, Offset>& plan,
                 const PlainTriangle<Scalar, Offset>& T, const LevelRun& run, const Scalar* b,
                 Scalar* x) {
  const auto& levels = plan.levels;
  using Walk = LevelWalk<Scalar, Offset>;
  Walk walk{T,
            levels.order.data(),
            levels.offsets.data(),
            run.first_level,
            run.last_level,
            plan.lanes,
            b,
            x,
            0};
  CooperativeShape shape{1, Walk::max_lanes, 0};
  if constexpr (!is_host_space<Space>) {
    // All that is read was written in this launch, and fits.
    const std::size_t bytes = static_cast<std::size_t>(plan.num_rows) * sizeof(Scalar);
    if (run.first_level == 0 && levels.num_rows == plan.num_rows &&
        bytes <= max_group_scratch(exec)) {
      walk.staged_rows = plan.num_rows;
      shape.scratch_bytes = bytes;
    }
    while (shape.lanes > 32 && shape.lanes / 2 >= run.widest * plan.lanes)
      shape.lanes /= 2;
  }
  run_cooperative(exec, "tessera::sptrsv::small_levels", *plan.board, shape, walk);
}

template <class Scalar, class Space, class Offset>
void solve_by_levels(const Space& exec, const SptrsvPlan<Space, Offset>& plan,
                     const TriangleView<Scalar, Space, Offset>& T, const Scalar* b, Scalar* x) {
  const auto triangle = plain(T);
  const auto& levels = plan.levels;
  if (is_host_space<Space> && plan.runs.size() == 1 && plan.runs[0].by_one_block) {
    solve_in_order(exec, triangle,
                   RowOrder::natural(T.kind, levels.first_row, levels.first_row + levels.num_rows),
                   b, x);
    return;
  }
  for (const LevelRun& run : plan.runs) {
    if (run.by_one_block) {
      walk_levels(exec, plan, triangle, run, b, x);
      continue;
    }
    const Ordinal begin = levels.first[run.first_level];
    const RowOrder order{levels.first[run.last_level] - begin, 0, 1, levels.order.data() + begin,
                         0};
    RowsAtOnce<Scalar, Offset>{triangle, order, b, x, x, plan.lanes}.run(exec,
                                                                         "tessera::sptrsv::level");
  }
}

template <class Scalar, class Space, class Offset>
void solve_by_counters(const Space& exec, const SptrsvPlan<Space, Offset>& plan,
                       const TriangleView<Scalar, Space, Offset>& T, const Scalar* b, Scalar* x,
                       const SentinelFill<Scalar>& sentinel_fill) {
  const auto& levels = plan.levels;
  if (!sentinel_fill.x_is_sentinel) {
    Scalar* const rows = x + levels.first_row;
    fill_with_sentinel(exec, rows, levels.num_rows);
  }
  const TicketLoop<Space, SolveRow<Scalar, Offset>> loop{
      {plain(T), plan.order, b, x, sentinel_fill.b, sentinel_fill.other},
      ticket_shape(exec, plan.order.count, plan.lanes, plan.order.at_once),
      plan.drawn.data()};
  loop.run(exec, "tessera::sptrsv::counters");
}

/// Triangle after triangle, and after each the product with the one square block whose columns are
/// all known by then (the recursive block algorithm of Lu, Niu and Liu, ICPP 2020): after the first
/// half of the triangles that is the largest, with half of the rows and of the columns.
template <class Scalar, class Space, class Offset>
void solve_by_recursive_blocks(const Space& exec, const SptrsvPlan<Space, Offset>& plan,
                               const TriangleView<Scalar, Space, Offset>& T, const Scalar* b,
                               Scalar* x) {
  const bool is_lower = T.kind == TriangleKind::lower;
  const auto smallest = triangles_on_diagonal(T, plan);
  const RecursiveBlocks blocks_of{plan.num_rows};
  auto* const rest = reinterpret_cast<Scalar*>(plan.rhs.data());
  const Ordinal parts = Ordinal(1) << plan.recursion_depth;
  for (Ordinal turn = 0; turn < parts; ++turn) {
    const Ordinal part = is_lower ? turn : parts - 1 - turn;
    solve_column(exec, plan.triangles[part], smallest, turn == 0 ? b : rest, x);
    // Halving h is that of parts of 2^(recursion_depth - h) smallest triangles, of which this turn
    // may complete the first half.
    if (turn + 1 == parts) break;
    int h = plan.recursion_depth - 1;
    while (((turn + 1) >> (plan.recursion_depth - 1 - h)) % 2 == 0)
      --h;
    const Ordinal half = (turn + 1) >> (plan.recursion_depth - 1 - h);  // the second one, in turns
    const Ordinal second = is_lower ? half : (Ordinal(2) << h) - 1 - half;
    const std::size_t n = plan.num_rows;
    const Offset* const outer = plan.cuts.data() + h * n;
    const Offset* const inner = outer + n;
    const PlainTriangle<Scalar, Offset> square{is_lower ? outer : inner, is_lower ? inner : outer,
                                               T.columns.data(), T.values.data(), nullptr};
    const RowOrder rows = RowOrder::natural(TriangleKind::lower, blocks_of.begin(h + 1, second),
                                            blocks_of.begin(h + 1, second + 1));
    // Rows whose first product this is still have b.
    const Scalar* const from = half == 1 ? b : rest;
    RowsAtOnce<Scalar, Offset>{square, rows, from, x, rest, plan.lanes}.run(
        exec, "tessera::sptrsv::square");
  }
}

template <class Scalar, class Space, class Offset>
void solve_column(const Space& exec, const SptrsvPlan<Space, Offset>& plan,
                  const TriangleView<Scalar, Space, Offset>& T, const Scalar* b, Scalar* x,
                  const SentinelFill<Scalar>& sentinel_fill) {
  if (plan.num_rows == 0) return;
  switch (plan.algorithm) {
    case SptrsvAlgorithm::counters:
      return solve_by_counters(exec, plan, T, b, x, sentinel_fill);
    case SptrsvAlgorithm::recursive:
      return solve_by_recursive_blocks(exec, plan, T, b, x);
    default:
      return solve_by_levels(exec, plan, T, b, x);
  }
}

template <class Scalar, class Space>
void fill_with_sentinel(const Space& exec, Scalar* v, std::size_t n) {
  using Word = typename Sentinel<Scalar>::Word;
  const ArrayView<Word, Space> words(reinterpret_cast<Word*>(v), n);
  Kokkos::deep_copy(exec, words, Sentinel<Scalar>::word);
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
void sptrsv(const Space& exec, const SptrsvPlan<Space, Offset>& plan,
            const TriangleView<Scalar, Space, Offset>& T,
            const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
            const NonDeduced<MultiVectorView<Scalar, Space>>& x) {
  require(
      T.num_rows == plan.num_rows && T.kind == plan.kind && T.columns.extent(0) == plan.num_entries,
      [&] {
        return "the triangle has " + std::to_string(T.num_rows) + " rows in arrays of " +
               std::to_string(T.columns.extent(0)) +
               " entries, expected that which was analysed: " + std::to_string(plan.num_rows) +
               " rows, " + std::to_string(plan.num_entries) + " entries";
      });
  const auto n = static_cast<std::size_t>(plan.num_rows);
  require(b.extent(0) == n && x.extent(0) == n && b.extent(1) == x.extent(1), [&] {
    return "b is " + std::to_string(b.extent(0)) + " by " + std::to_string(b.extent(1)) +
           " and x " + std::to_string(x.extent(0)) + " by " + std::to_string(x.extent(1)) +
           ", expected both of " + std::to_string(n) + " rows";
  });
  for (std::size_t j = 0; j < x.extent(1); ++j)
    detail::solve_column<Scalar>(exec, plan, T, b.data() + j * b.stride(1),
                                 x.data() + j * x.stride(1));
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, detail::solve_column)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, sptrsv)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, detail::fill_with_sentinel)

}  // namespace tessera::kernels
