// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/row_stack.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/segments.hpp"

#include <string>
#include <utility>

namespace tessera::distributed {
namespace {

template <class View>
View part_of(const View& view, std::size_t first, std::size_t length) {
  return Kokkos::subview(view, std::make_pair(first, first + length));
}

}  // namespace

template <class Space>
std::size_t entries_of_first_rows(const Space& exec, const LocalRows<Space>& rows,
                                  Ordinal num_rows) {
  std::int64_t entries = 0;
  Kokkos::deep_copy(exec, entries, Kokkos::subview(rows.offsets, num_rows));
  exec.fence("tessera::distributed::entries_of_first_rows");
  return static_cast<std::size_t>(entries);
}

template <class Space>
LocalRows<Space> first_rows(const Space& exec, const LocalRows<Space>& rows, Ordinal num_rows) {
  const auto kept = std::make_pair(std::size_t(0), entries_of_first_rows(exec, rows, num_rows));
  return {num_rows, rows.num_cols,
          Kokkos::subview(rows.offsets,
                          std::make_pair(std::size_t(0), static_cast<std::size_t>(num_rows) + 1)),
          Kokkos::subview(rows.columns, kept), Kokkos::subview(rows.values, kept)};
}

template <class Space>
LocalRows<Space> stacked_rows(const Space& exec, const LocalRows<Space>& above, Ordinal num_rows,
                              const typename RowExchange<Space>::Received& below,
                              const Array<Ordinal, Space>& columns_below, Ordinal num_cols) {
  const std::string label = "tessera::distributed::stacked_rows";
  const std::size_t own = entries_of_first_rows(exec, above, num_rows);
  const std::size_t all = own + columns_below.extent(0);
  const Ordinal all_rows = num_rows + below.num_rows();
  const auto offsets = allocate<std::int64_t>(exec, label, static_cast<std::size_t>(all_rows) + 1);
  const auto columns = allocate<Ordinal>(exec, label, all);
  const auto values = allocate<double>(exec, label, all);
  const auto own_offsets = above.offsets;
  const auto other_offsets = below.offsets;
  Kokkos::parallel_for(
      label, Kokkos::RangePolicy<Space>(exec, 0, all_rows + 1), KOKKOS_LAMBDA(const Ordinal i) {
        offsets(i) = i <= num_rows ? own_offsets(i)
                                   : static_cast<std::int64_t>(own) + other_offsets(i - num_rows);
      });
  Kokkos::deep_copy(exec, part_of(columns, 0, own), part_of(above.columns, 0, own));
  Kokkos::deep_copy(exec, part_of(columns, own, columns_below.extent(0)), columns_below);
  Kokkos::deep_copy(exec, part_of(values, 0, own), part_of(above.values, 0, own));
  exec.fence(label);
  return {all_rows, num_cols, offsets, columns, values};
}

template <class Space>
LocalRows<Space> renumbered_columns(const Space& exec, const LocalRows<Space>& rows,
                                    const Array<Ordinal, Space>& number, Ordinal num_cols) {
  const auto columns =
      allocate<Ordinal>(exec, "tessera::distributed::renumbered_columns", rows.num_entries());
  const auto old = rows.columns;
  Kokkos::parallel_for(
      "tessera::distributed::renumbered_columns",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, rows.num_entries()),
      KOKKOS_LAMBDA(const std::size_t e) { columns(e) = number(old(e)); });
  exec.fence("tessera::distributed::renumbered_columns");
  return {rows.num_rows, num_cols, rows.offsets, columns, rows.values};
}

template <class Space>
LocalRows<Space> renumbered_others(const Space& exec, const LocalRows<Space>& rows, Ordinal num_own,
                                   const NonDeduced<Array<const Ordinal, Space>>& number_of_others,
                                   Ordinal num_cols) {
  if (number_of_others.extent(0) == 0)
    return {rows.num_rows, num_cols, rows.offsets, rows.columns, rows.values};
  const auto columns =
      allocate<Ordinal>(exec, "tessera::distributed::renumbered_others", rows.num_entries());
  const auto old = rows.columns;
  Kokkos::parallel_for(
      "tessera::distributed::renumbered_others",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, rows.num_entries()),
      KOKKOS_LAMBDA(const std::size_t e) {
        columns(e) = old(e) < num_own ? old(e) : number_of_others(old(e) - num_own);
      });
  exec.fence("tessera::distributed::renumbered_others");
  return {rows.num_rows, num_cols, rows.offsets, columns, rows.values};
}

template <class Space>
Array<Ordinal, Space> used_columns(const Space& exec, const LocalRows<Space>& rows, Ordinal first) {
  const auto used = allocate<Ordinal>(exec, "tessera::distributed::used_columns",
                                      static_cast<std::size_t>(rows.num_cols - first));
  Kokkos::deep_copy(exec, used, 0);
  const auto columns = rows.columns;
  Kokkos::parallel_for(
      "tessera::distributed::used_columns",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, rows.num_entries()),
      KOKKOS_LAMBDA(const std::size_t e) {
        if (columns(e) >= first) Kokkos::atomic_store(&used(columns(e) - first), Ordinal(1));
      });
  exec.fence("tessera::distributed::used_columns");
  return used;
}

namespace {

/// By row how many of the stack's it is the sum of: itself, and those that belong to it.
template <class Space>
Array<std::int64_t, Space> offsets_of_sums(const Space& exec, Ordinal num_rows,
                                           const ArrayView<const Ordinal, Space>& belongs) {
  const auto counts = allocate<std::int64_t>(exec, "tessera::distributed::sum_of_rows",
                                             static_cast<std::size_t>(num_rows));
  Kokkos::deep_copy(exec, counts, 1);
  Kokkos::parallel_for(
      "tessera::distributed::sum_of_rows::count",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(belongs.extent(0))),
      KOKKOS_LAMBDA(const Ordinal k) { Kokkos::atomic_inc(&counts(belongs(k))); });
  const auto offsets = allocate<std::int64_t>(exec, "tessera::distributed::sum_of_rows",
                                              static_cast<std::size_t>(num_rows) + 1);
  Kokkos::parallel_scan(
      "tessera::distributed::sum_of_rows::offsets",
      Kokkos::RangePolicy<Space>(exec, 0, num_rows + 1),
      KOKKOS_LAMBDA(const Ordinal i, std::int64_t& sum, const bool is_last) {
        if (is_last) offsets(i) = sum;
        if (i < num_rows) sum += counts(i);
      });
  return offsets;
}

/// The columns of each row in ascending order: itself first.
template <class Space>
void fill_sums(const Space& exec, const ArrayView<const Ordinal, Space>& belongs,
               const ArrayView<const std::int64_t, Space>& offsets,
               const ArrayView<Ordinal, Space>& columns) {
  const auto num_rows = static_cast<Ordinal>(offsets.extent(0)) - 1;
  const auto filled = allocate<Ordinal>(exec, "tessera::distributed::sum_of_rows",
                                        static_cast<std::size_t>(num_rows));
  Kokkos::parallel_for(
      "tessera::distributed::sum_of_rows::own", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        columns(offsets(i)) = i;
        filled(i) = 1;
      });
  Kokkos::parallel_for(
      "tessera::distributed::sum_of_rows::others",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(belongs.extent(0))),
      KOKKOS_LAMBDA(const Ordinal k) {
        const Ordinal row = belongs(k);
        columns(offsets(row) + Kokkos::atomic_fetch_add(&filled(row), Ordinal(1))) = num_rows + k;
      });
  Kokkos::parallel_for(
      "tessera::distributed::sum_of_rows::sort", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        kernels::sort_ascending(&columns(offsets(i)),
                                static_cast<std::size_t>(offsets(i + 1) - offsets(i)));
      });
  exec.fence("tessera::distributed::sum_of_rows");
}

}  // namespace

template <class Space>
LocalRows<Space> sum_of_rows(const Space& exec, Ordinal num_rows,
                             const Array<Ordinal, Space>& belongs) {
  const auto offsets = offsets_of_sums<Space>(exec, num_rows, belongs);
  const std::size_t entries = static_cast<std::size_t>(num_rows) + belongs.extent(0);
  const auto columns = allocate<Ordinal>(exec, "tessera::distributed::sum_of_rows", entries);
  const auto ones = allocate<double>(exec, "tessera::distributed::ones", entries);
  Kokkos::deep_copy(exec, ones, 1.0);
  fill_sums<Space>(exec, belongs, offsets, columns);
  return {num_rows, num_rows + static_cast<Ordinal>(belongs.extent(0)), offsets, columns, ones};
}

template <class Space>
LocalRows<Space> squared(const Space& exec, const LocalRows<Space>& rows) {
  const auto offsets = allocate<std::int64_t>(exec, "tessera::distributed::squared",
                                              static_cast<std::size_t>(rows.num_cols) + 1);
  const auto given = rows.offsets;
  const Ordinal last = rows.num_rows;
  Kokkos::parallel_for(
      "tessera::distributed::squared", Kokkos::RangePolicy<Space>(exec, 0, rows.num_cols + 1),
      KOKKOS_LAMBDA(const Ordinal i) { offsets(i) = given(i < last ? i : last); });
  exec.fence("tessera::distributed::squared");
  return {rows.num_cols, rows.num_cols, offsets, rows.columns, rows.values};
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, squared)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, sum_of_rows)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, entries_of_first_rows)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, first_rows)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, stacked_rows)
#define TESSERA_INSTANTIATE_RENUMBERED(Space)                                                 \
  template LocalRows<Space> renumbered_columns(const Space&, const LocalRows<Space>&,         \
                                               const Array<Ordinal, Space>&, Ordinal);        \
  template LocalRows<Space> renumbered_others(const Space&, const LocalRows<Space>&, Ordinal, \
                                              const NonDeduced<Array<const Ordinal, Space>>&, \
                                              Ordinal);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_RENUMBERED)
#undef TESSERA_INSTANTIATE_RENUMBERED
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, used_columns)

template <class Space>
Array<double, Space> room_with_halo(const Space& exec, const Exchange<double, Space>& halo,
                                    std::size_t num_own) {
  return allocate<double>(exec, "tessera::distributed::with_halo",
                          num_own + static_cast<std::size_t>(halo.num_remote()));
}

template <class Space>
void with_halo(const Space& exec, Exchange<double, Space> halo, const Array<double, Space>& own,
               const Array<double, Space>& both) {
  halo.begin(exec, as_multivector(own));
  const auto received = halo.end(exec);
  const std::size_t others = both.extent(0) - own.extent(0);
  Kokkos::deep_copy(exec, part_of(both, 0, own.extent(0)), own);
  if (others > 0)
    Kokkos::deep_copy(exec, part_of(both, own.extent(0), others),
                      Kokkos::subview(received, std::make_pair(std::size_t(0), others)));
  exec.fence("tessera::distributed::with_halo");
}

template <class Space>
Array<double, Space> with_halo(const Space& exec, const Communicator& processes,
                               const Exchange<double, Space>& halo,
                               const Array<double, Space>& own) {
  auto roomy = halo;
  Array<double, Space> both;
  on_all_processes(processes, [&] {
    roomy.reserve(1);
    both = room_with_halo(exec, halo, own.extent(0));
  });
  with_halo(exec, roomy, own, both);
  return both;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, room_with_halo)
#define TESSERA_INSTANTIATE_WITH_HALO(Space)                                                  \
  template void with_halo(const Space&, Exchange<double, Space>, const Array<double, Space>&, \
                          const Array<double, Space>&);                                       \
  template Array<double, Space> with_halo(const Space&, const Communicator&,                  \
                                          const Exchange<double, Space>&,                     \
                                          const Array<double, Space>&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_WITH_HALO)
#undef TESSERA_INSTANTIATE_WITH_HALO

}  // namespace tessera::distributed
