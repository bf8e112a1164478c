// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/sptrsv/levels.hpp"

#include "tessera/kernels/execution/host_copy.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/sptrsv/selection_rules.hpp"
#include "tessera/kernels/sptrsv/waiting_row.hpp"

#include <algorithm>

namespace tessera::kernels {
namespace detail {

/// By one thread, row after row: a pass over the entries, which threads would wait for one another
/// in.
template <class Scalar, class Space, class Offset>
void find_row_levels_in_order(const Space& exec, const PlainTriangle<Scalar, Offset>& T,
                              const RowOrder& order, Ordinal* levels) {
  Kokkos::parallel_for(
      "tessera::sptrsv::levels", Kokkos::RangePolicy<Space>(exec, 0, 1), KOKKOS_LAMBDA(const int) {
        for (Ordinal position = 0; position < order.count; ++position) {
          const Ordinal row = order.row(position);
          Ordinal level = 0;
          for (Offset e = T.begin[row]; e < T.end[row]; ++e) {
            const Ordinal needed = levels[T.columns[e]] + 1;
            level = needed > level ? needed : level;
          }
          levels[row] = level;
        }
      });
}

/// Rows whose levels are looked for at once, in the order of their numbers.
inline constexpr double rows_looked_at = 32768;

/// levels(i) for the rows of `order`.
template <class Scalar, class Space, class Offset>
void find_row_levels(const Space& exec, const PlainTriangle<Scalar, Offset>& T,
                     const RowOrder& order, const Array<Ordinal, Space>& levels) {
  if constexpr (is_host_space<Space>) {
    find_row_levels_in_order(exec, T, order, levels.data());
  } else {
    Kokkos::deep_copy(exec, levels, Sentinel<Ordinal>::value());
    const auto drawn = allocate<std::uint64_t>(exec, "tessera::sptrsv::drawn", 1);
    Kokkos::deep_copy(exec, drawn, std::uint64_t(0));
    const TicketLoop<Space, LevelRow<Scalar, Offset>> loop{
        {T, order, levels.data()},
        ticket_shape(exec, order.count, 1, rows_looked_at),
        drawn.data()};
    loop.run(exec, "tessera::sptrsv::levels");
  }
}

/// Rows by level, and where the levels begin among them.
template <class Space>
struct RowsByLevel {
  Array<const Ordinal, Space> order, offsets;
};

/// The rows `begin` and on as a matrix with one entry per row, in the column of its level: the
/// transpose has them sorted by level.
template <class Space>
RowsByLevel<Space> order_by_transpose(const Space& exec, const Array<Ordinal, Space>& levels,
                                      Ordinal begin, Ordinal count, Ordinal num_levels) {
  const auto offsets = allocate<std::int32_t>(exec, "tessera::sptrsv::one_per_row", count + 1ul);
  Kokkos::parallel_for(
      "tessera::sptrsv::one_per_row", Kokkos::RangePolicy<Space>(exec, 0, count + 1),
      KOKKOS_LAMBDA(const Ordinal i) { offsets(i) = i; });
  const auto values = allocate<float>(exec, "tessera::sptrsv::one_per_row", count);
  Kokkos::deep_copy(exec, values, 1.0f);
  const CsrView<float, Space> matrix{count,
                                     num_levels,
                                     static_cast<std::size_t>(count),
                                     offsets,
                                     ArrayView<const Ordinal, Space>(levels.data() + begin, count),
                                     values};
  const auto by_level = transpose(exec, matrix);
  const auto rows = by_level.columns;
  const auto order = allocate<Ordinal>(exec, "tessera::sptrsv::order", count);
  Kokkos::parallel_for(
      "tessera::sptrsv::order", Kokkos::RangePolicy<Space>(exec, 0, count),
      KOKKOS_LAMBDA(const Ordinal p) { order(p) = begin + rows(p); });
  return {order, by_level.offsets};
}

/// The same by a pass over all rows for each level, for a few large ones.
template <class Space>
RowsByLevel<Space> order_by_scans(const Space& exec, const Array<Ordinal, Space>& levels,
                                  Ordinal begin, Ordinal count, Ordinal num_levels) {
  const auto order = allocate<Ordinal>(exec, "tessera::sptrsv::order", count);
  const auto offsets = allocate<Ordinal>(exec, "tessera::sptrsv::level_offsets", num_levels + 1ul);
  Kokkos::deep_copy(exec, offsets, Ordinal(0));
  for (Ordinal level = 0; level < num_levels; ++level) {
    Kokkos::parallel_scan(
        "tessera::sptrsv::rows_of_level", Kokkos::RangePolicy<Space>(exec, 0, count),
        KOKKOS_LAMBDA(const Ordinal i, Ordinal& sum, const bool last) {
          const bool is_here = levels(begin + i) == level;
          if (last && is_here) order(offsets(level) + sum) = begin + i;
          sum += is_here ? 1 : 0;
          if (last && i == count - 1) offsets(level + 1) = offsets(level) + sum;
        });
  }
  return {order, offsets};
}

template <class Space>
RowsByLevel<Space> order_rows(const Space& exec, const Array<Ordinal, Space>& levels, Ordinal begin,
                              Ordinal count, Ordinal num_levels) {
  const bool by_scans =
      count / num_levels > rules::mean_level_for_scans &&
      (!is_host_space<Space> || num_levels <= rules::max_levels_for_scans_on_host);
  return by_scans ? order_by_scans(exec, levels, begin, count, num_levels)
                  : order_by_transpose(exec, levels, begin, count, num_levels);
}

/// Entries of each level's rows.
template <class Scalar, class Space, class Offset>
Array<std::int64_t, Space> count_entries(const Space& exec, const PlainTriangle<Scalar, Offset>& T,
                                         const RowsByLevel<Space>& rows, Ordinal num_levels) {
  const auto entries = allocate<std::int64_t>(exec, "tessera::sptrsv::entries", num_levels);
  using Policy = Kokkos::TeamPolicy<Space>;
  Kokkos::parallel_for(
      "tessera::sptrsv::entries", Policy(exec, num_levels, is_host_space<Space> ? 1 : 128),
      KOKKOS_LAMBDA(const typename Policy::member_type& member) {
        const Ordinal level = member.league_rank();
        std::int64_t sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(member, rows.offsets(level), rows.offsets(level + 1)),
            [&](const Ordinal p, std::int64_t& mine) {
              const Ordinal row = rows.order(p);
              mine += static_cast<std::int64_t>(T.end[row]) - T.begin[row];
            },
            sum);
        Kokkos::single(Kokkos::PerTeam(member), [&] { entries(level) = sum; });
      });
  return entries;
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
TriangleLevels<Space> find_levels(const Space& exec, const TriangleView<Scalar, Space, Offset>& T,
                                  Ordinal begin, Ordinal end) {
  TriangleLevels<Space> result;
  result.first_row = begin;
  result.num_rows = end - begin;
  result.first = {0};
  if (begin >= end) return result;
  const auto levels = allocate<Ordinal>(exec, "tessera::sptrsv::levels", T.num_rows);
  const auto triangle = detail::plain(T);
  detail::find_row_levels(exec, triangle, RowOrder::natural(T.kind, begin, end), levels);
  Ordinal highest = 0;
  Kokkos::parallel_reduce(
      "tessera::sptrsv::num_levels", Kokkos::RangePolicy<Space>(exec, begin, end),
      KOKKOS_LAMBDA(const Ordinal i, Ordinal& most) { most = levels(i) > most ? levels(i) : most; },
      Kokkos::Max<Ordinal>(highest));
  result.num_levels = highest + 1;
  const auto rows = detail::order_rows(exec, levels, begin, result.num_rows, result.num_levels);
  const auto entries = detail::count_entries(exec, triangle, rows, result.num_levels);
  result.order = rows.order;
  result.offsets = rows.offsets;
  const auto first = queue_copy_to_host(exec, rows.offsets);
  const auto of_levels = queue_copy_to_host(exec, entries);
  exec.fence("tessera::sptrsv::levels");
  result.first.assign(first.data(), first.data() + first.extent(0));
  result.entries.assign(of_levels.data(), of_levels.data() + of_levels.extent(0));
  return result;
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                   \
  template TriangleLevels<Space> find_levels<Scalar, Space, Offset>( \
      const Space&, const TriangleView<Scalar, Space, Offset>&, Ordinal, Ordinal);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
