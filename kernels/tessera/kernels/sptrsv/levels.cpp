// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/sptrsv/levels.hpp"

#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/host_copy.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/sptrsv/detail/waiting_row.hpp"

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
    Kokkos::deep_copy(exec, levels, Blank<Ordinal>::value());
    const auto drawn = allocate<std::uint64_t>(exec, "tessera::sptrsv::drawn", 1);
    Kokkos::deep_copy(exec, drawn, std::uint64_t(0));
    const TicketLoop<Space, LevelRow<Scalar, Offset>> loop{
        {T, order, levels.data()},
        ticket_shape(exec, order.count, 1, rows_looked_at),
        drawn.data()};
    loop.run(exec, "tessera::sptrsv::levels");
  }
}

/// The rows `begin` and on as a matrix with an entry a row, in the column of its level: the
/// transpose has them sorted by level.
template <class Space>
Csr<float, Space> rows_by_level(const Space& exec, const Array<Ordinal, Space>& levels,
                                Ordinal begin, Ordinal count, Ordinal num_levels) {
  const auto offsets = allocate<std::int32_t>(exec, "tessera::sptrsv::one_a_row", count + 1ul);
  Kokkos::parallel_for(
      "tessera::sptrsv::one_a_row", Kokkos::RangePolicy<Space>(exec, 0, count + 1),
      KOKKOS_LAMBDA(const Ordinal i) { offsets(i) = i; });
  const auto values = allocate<float>(exec, "tessera::sptrsv::one_a_row", count);
  Kokkos::deep_copy(exec, values, 1.0f);
  const CsrView<float, Space> matrix{count,
                                     num_levels,
                                     static_cast<std::size_t>(count),
                                     offsets,
                                     ArrayView<const Ordinal, Space>(levels.data() + begin, count),
                                     values};
  return transpose(exec, matrix);
}

/// Entries of each level's rows.
template <class Scalar, class Space, class Offset>
Array<std::int64_t, Space> count_entries(const Space& exec, const PlainTriangle<Scalar, Offset>& T,
                                         const Csr<float, Space>& by_level, Ordinal begin) {
  const auto entries = allocate<std::int64_t>(exec, "tessera::sptrsv::entries", by_level.num_rows);
  const auto offsets = by_level.offsets;
  const auto rows = by_level.columns;
  using Policy = Kokkos::TeamPolicy<Space>;
  if (by_level.num_rows == 0) return entries;
  Kokkos::parallel_for(
      "tessera::sptrsv::entries", Policy(exec, by_level.num_rows, is_host_space<Space> ? 1 : 128),
      KOKKOS_LAMBDA(const typename Policy::member_type& member) {
        const Ordinal level = member.league_rank();
        std::int64_t sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(member, offsets(level), offsets(level + 1)),
            [&](const Ordinal p, std::int64_t& mine) {
              const Ordinal row = begin + rows(p);
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
  const auto by_level =
      detail::rows_by_level(exec, levels, begin, result.num_rows, result.num_levels);
  const auto entries = detail::count_entries(exec, triangle, by_level, begin);
  const auto order = allocate<Ordinal>(exec, "tessera::sptrsv::order", result.num_rows);
  const auto rows = by_level.columns;
  Kokkos::parallel_for(
      "tessera::sptrsv::order", Kokkos::RangePolicy<Space>(exec, 0, result.num_rows),
      KOKKOS_LAMBDA(const Ordinal p) { order(p) = begin + rows(p); });
  result.order = order;
  result.offsets = by_level.offsets;
  const auto first = queue_copy_to_host(exec, by_level.offsets);
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
