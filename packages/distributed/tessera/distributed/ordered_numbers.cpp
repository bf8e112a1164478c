// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/ordered_numbers.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

#include <utility>

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;

template <class T, class Space>
Array<T, Space> between(const Array<T, Space>& entries, std::size_t first, std::size_t last) {
  return Kokkos::subview(entries, std::make_pair(first, last));
}

}  // namespace

template <class Space>
OrderedNumbers<Space> ordered_numbers(const Space& exec, Partition::Global first, Ordinal num_own,
                                      const NonDeduced<GlobalNumbers<Space>>& others) {
  return {first, num_own, others, num_below<Space>(exec, others, first)};
}

template <class Space>
LocalRows<Space> placed_rows(const Space& exec, const LocalRows<Space>& rows,
                             const NonDeduced<GlobalNumbers<Space>>& others,
                             const OrderedNumbers<Space>& numbers) {
  const PlacesInOrder places(numbers);
  const Ordinal own = numbers.num_own;
  const auto number = places_among<Space>(exec, numbers.others, others, own);
  const auto columns =
      allocate<Ordinal>(exec, "tessera::distributed::placed_rows", rows.num_entries());
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::placed_rows::offsets",
                                        static_cast<std::size_t>(numbers.size()) + 1);
  const auto given = rows.columns;
  const auto given_offsets = rows.offsets;
  Kokkos::parallel_for(
      "tessera::distributed::placed_rows",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, rows.num_entries()),
      KOKKOS_LAMBDA(const std::size_t e) {
        const Ordinal column = given(e);
        columns(e) = places.place(column < own ? column : number(column - own));
      });
  Kokkos::parallel_for(
      "tessera::distributed::placed_rows::offsets",
      Kokkos::RangePolicy<Space>(exec, 0, numbers.size() + 1), KOKKOS_LAMBDA(const Ordinal i) {
        const Ordinal row = i - places.num_before;
        offsets(i) = given_offsets(row < 0 ? 0 : row < own ? row : own);
      });
  exec.fence("tessera::distributed::placed_rows");
  return {numbers.size(), numbers.size(), offsets, columns, rows.values};
}

template <class Space>
LocalRows<Space> own_columns_first(const Space& exec, const LocalRows<Space>& rows,
                                   Ordinal first_row, Ordinal num_rows,
                                   const OrderedNumbers<Space>& numbers,
                                   ColumnNumbers<Space>& columns) {
  const std::size_t begin = entries_of_first_rows(exec, rows, first_row);
  const std::size_t end = entries_of_first_rows(exec, rows, first_row + num_rows);
  const PlacesInOrder places(numbers);
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::own_columns_first::offsets",
                                        static_cast<std::size_t>(num_rows) + 1);
  const auto numbered =
      allocate<Ordinal>(exec, "tessera::distributed::own_columns_first", end - begin);
  const auto given = rows.columns;
  const auto given_offsets = rows.offsets;
  Kokkos::parallel_for(
      "tessera::distributed::own_columns_first::offsets",
      Kokkos::RangePolicy<Space>(exec, 0, num_rows + 1), KOKKOS_LAMBDA(const Ordinal i) {
        offsets(i) = given_offsets(first_row + i) - static_cast<Offset>(begin);
      });
  Kokkos::parallel_for(
      "tessera::distributed::own_columns_first",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, end - begin),
      KOKKOS_LAMBDA(const std::size_t e) { numbered(e) = places.own_first(given(begin + e)); });
  exec.fence("tessera::distributed::own_columns_first");
  LocalRows<Space> own{num_rows, numbers.size(), offsets, numbered, {}};
  if (rows.values.extent(0) > 0) own.values = between<double, Space>(rows.values, begin, end);
  columns = ColumnNumbers<Space>(numbers.first, numbers.num_own, numbers.others);
  const auto kept = columns.keep(exec, used_columns(exec, own, numbers.num_own));
  return renumbered_others(exec, own, numbers.num_own, kept, columns.size());
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, ordered_numbers)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, placed_rows)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, own_columns_first)

}  // namespace tessera::distributed
