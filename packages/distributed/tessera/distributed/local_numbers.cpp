// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/local_numbers.hpp"

#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/numbers_of_others.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;
constexpr Offset nowhere = std::numeric_limits<Offset>::max();

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::precondition, message);
}

/// Entry i of a list.
template <class T, class Space>
T entry_of(const Space& exec, const ArrayView<const T, Space>& list, std::size_t i) {
  T entry{};
  Kokkos::deep_copy(exec, entry, Kokkos::subview(list, i));
  exec.fence("tessera::distributed::entry_of");
  return entry;
}

/// The least i below `count` that `finds`; `nowhere` where there is none.
template <class Space, class Finds>
Offset first_where(const Space& exec, std::size_t count, const Finds& finds) {
  Offset found = nowhere;
  Kokkos::parallel_reduce(
      "tessera::distributed::first_where",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, count),
      KOKKOS_LAMBDA(const std::size_t i, Offset& least) {
        if (finds(i) && static_cast<Offset>(i) < least) least = static_cast<Offset>(i);
      },
      Kokkos::Min<Offset>(found));
  exec.fence("tessera::distributed::first_where");
  return found;
}

template <class Space>
struct Decreases {
  ArrayView<const Offset, Space> offsets;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return offsets(i + 1) < offsets(i); }
};

template <class Space>
struct IsOutside {
  ArrayView<const Offset, Space> columns;
  Offset size;
  KOKKOS_FUNCTION bool operator()(std::size_t e) const {
    return columns(e) < 0 || columns(e) >= size;
  }
};

/// Of sorted rows, those that have a column twice.
template <class Space>
struct HasTwice {
  ArrayView<const Offset, Space> offsets;
  ArrayView<const Ordinal, Space> columns;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    for (Offset e = offsets(i) + 1; e < offsets(i + 1); ++e)
      if (columns(e) == columns(e - 1)) return true;
    return false;
  }
};

/// Throws unless these are offsets of rows with so many entries.
template <class Space>
void check_offsets(const Space& exec, const ArrayView<const Offset, Space>& offsets,
                   std::size_t columns, std::size_t values) {
  if (columns != values)
    refuse("there are " + std::to_string(columns) + " columns and " + std::to_string(values) +
           " values");
  if (offsets.extent(0) > static_cast<std::size_t>(std::numeric_limits<Ordinal>::max()))
    refuse(std::to_string(offsets.extent(0) - 1) + " rows are too many for one process");
  const Offset first = offsets.extent(0) > 0 ? entry_of<Offset>(exec, offsets, 0) : 0;
  if (first != 0) refuse("the first offset is " + std::to_string(first));
  const std::size_t n = offsets.extent(0) > 0 ? offsets.extent(0) - 1 : 0;
  const Offset row = first_where(exec, n, Decreases<Space>{offsets});
  if (row != nowhere) refuse("the offsets decrease after row " + std::to_string(row));
  const Offset last = offsets.extent(0) > 0 ? entry_of<Offset>(exec, offsets, n) : 0;
  if (last != static_cast<Offset>(columns))
    refuse("the last offset is " + std::to_string(last) + ", and there are " +
           std::to_string(columns) + " columns");
}

/// Rows by the columns' numbers here, in the order given; their values are the places of the
/// entries, which double holds up to 2^53.
template <class Space>
LocalRows<Space> rows_of_places(const Space& exec, const ShareOfRows<Space>& rows,
                                const ColumnNumbers& numbers, Offset first) {
  const std::size_t n = std::max<std::size_t>(rows.offsets.extent(0), 1) - 1;
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::offsets", n + 1);
  const auto local =
      allocate<Ordinal>(exec, "tessera::distributed::columns", rows.columns.extent(0));
  const auto places =
      allocate<double>(exec, "tessera::distributed::places", rows.columns.extent(0));
  if (rows.offsets.extent(0) > 0)
    Kokkos::deep_copy(exec, offsets, rows.offsets);
  else
    Kokkos::deep_copy(exec, offsets, 0);
  const auto others = from_host(exec, numbers.others());
  const Ordinal own = numbers.num_own();
  const auto columns = rows.columns;
  Kokkos::parallel_for(
      "tessera::distributed::local_numbers",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, columns.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e) {
        const Offset column = columns(e);
        places(e) = static_cast<double>(e);
        if (column >= first && column < first + own) {
          local(e) = static_cast<Ordinal>(column - first);
          return;
        }
        local(e) = own + place_in(others, column);
      });
  exec.fence("tessera::distributed::local_numbers");
  return {static_cast<Ordinal>(n), numbers.size(), offsets, local, places};
}

/// Of a sorted row that has a column twice.
template <class Space>
[[noreturn]] void refuse_twice(const Space& exec, const LocalRows<Space>& rows,
                               const ColumnNumbers& numbers, Ordinal row, Offset first) {
  auto e =
      static_cast<std::size_t>(entry_of<Offset>(exec, rows.offsets, static_cast<std::size_t>(row)));
  while (entry_of<Ordinal>(exec, rows.columns, e) != entry_of<Ordinal>(exec, rows.columns, e + 1))
    ++e;
  refuse("row " + std::to_string(first + row) + " has column " +
         std::to_string(numbers.global(entry_of<Ordinal>(exec, rows.columns, e))) + " twice");
}

template <class Space>
void take_places(const Space& exec, const ArrayView<const double, Space>& places,
                 const ArrayView<Offset, Space>& taken) {
  Kokkos::parallel_for(
      "tessera::distributed::places",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, taken.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e) { taken(e) = static_cast<Offset>(places(e)); });
  exec.fence("tessera::distributed::places");
}

template <class Space>
void take_values(const Space& exec, const ArrayView<const std::int64_t, Space>& place,
                 const ArrayView<const double, Space>& values,
                 const ArrayView<double, Space>& taken) {
  Kokkos::parallel_for(
      "tessera::distributed::values",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, place.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e) { taken(e) = values(place(e)); });
  exec.fence("tessera::distributed::values");
}

}  // namespace

template <class Space>
Numbered<Space> numbered(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                         const ShareOfRows<Space>& rows) {
  on_all_processes(*processes, [&] {
    check_offsets<Space>(exec, rows.offsets, rows.columns.extent(0), rows.values.extent(0));
  });
  const auto n = static_cast<Ordinal>(std::max<std::size_t>(rows.offsets.extent(0), 1) - 1);
  const auto shares = std::make_shared<const Partition>(*processes, n);
  ColumnNumbers numbers(shares->first(), n);
  LocalRows<Space> sorted;
  Numbered<Space> made;
  on_all_processes(*processes, [&] {
    const std::size_t num_entries = rows.columns.extent(0);
    const Offset outside =
        first_where(exec, num_entries, IsOutside<Space>{rows.columns, shares->size()});
    if (outside != nowhere)
      refuse(
          "a column is " +
          std::to_string(entry_of<Offset>(exec, rows.columns, static_cast<std::size_t>(outside))) +
          "; there are " + std::to_string(shares->size()) + " rows in all");
    if (n < shares->size())
      numbers = ColumnNumbers(shares->first(), n,
                              numbers_of_others<Space>(exec, rows.columns, shares->first(), n));
    sorted = kernels::sort_rows(exec, rows_of_places(exec, rows, numbers, shares->first()).view());
    const Offset twice = first_where(exec, static_cast<std::size_t>(n),
                                     HasTwice<Space>{sorted.offsets, sorted.columns});
    if (twice != nowhere)
      refuse_twice(exec, sorted, numbers, static_cast<Ordinal>(twice), shares->first());
    made.place = allocate<Offset>(exec, "tessera::distributed::place", num_entries);
    take_places<Space>(exec, sorted.values, made.place);
  });
  made.matrix = matrix_of(processes, sorted, shares, shares, numbers);
  made.matrix = with_values(exec, made, rows.values);
  return made;
}

template <class Space>
Matrix<Space> with_values(const Space& exec, const Numbered<Space>& numbered,
                          const ArrayView<const double, Space>& values) {
  Matrix<Space> made = numbered.matrix;
  on_all_processes(*made.processes, [&] {
    const auto place = numbered.place;
    if (values.extent(0) != place.extent(0))
      refuse("there are " + std::to_string(values.extent(0)) + " values, and " +
             std::to_string(place.extent(0)) + " entries");
    const auto taken = allocate<double>(exec, "tessera::distributed::values", place.extent(0));
    take_values<Space>(exec, place, values, taken);
    made.rows.values = taken;
  });
  return made;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, numbered)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, with_values)

}  // namespace tessera::distributed
