// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/sorted_share.hpp"

#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/numbers_of_others.hpp"
#include "tessera/distributed/sorted_row.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

#include <algorithm>

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;

template <class Space>
struct IsOutside {
  ArrayView<const Offset, Space> columns;
  Offset size;
  KOKKOS_FUNCTION bool operator()(std::size_t e) const {
    return columns(e) < 0 || columns(e) >= size;
  }
};

/// The number that a column of the whole has here.
template <class Space>
struct NumberHere {
  Offset first;
  Ordinal own;
  ArrayView<const Offset, Space> others;  ///< in ascending order
  KOKKOS_FUNCTION bool is_own(Offset column) const {
    return static_cast<std::uint64_t>(column) - static_cast<std::uint64_t>(first) <
           static_cast<std::uint64_t>(own);
  }
  KOKKOS_FUNCTION Ordinal operator()(Offset column) const {
    return is_own(column) ? static_cast<Ordinal>(column - first) : own + place_in(others, column);
  }
};

template <class Space>
std::size_t num_rows_of(const ShareOfRows<Space>& rows) {
  return std::max<std::size_t>(rows.offsets.extent(0), 1) - 1;
}

template <class Space>
Array<Offset, Space> copied_offsets(const Space& exec, const ShareOfRows<Space>& rows) {
  const auto offsets =
      allocate<Offset>(exec, "tessera::distributed::offsets", num_rows_of(rows) + 1);
  if (rows.offsets.extent(0) > 0)
    Kokkos::deep_copy(exec, offsets, rows.offsets);
  else
    Kokkos::deep_copy(exec, offsets, 0);
  return offsets;
}

/// Rows of the whole's columns, as `SortedRow` reads them.
template <class Space>
struct RowsOfAll {
  ArrayView<const Offset, Space> offsets;
  ArrayView<const Offset, Space> columns;
  ArrayView<const double, Space> values;
  NumberHere<Space> number;
  Offset num_all;

  struct Row {
    const RowsOfAll& rows;
    Offset begin;
    Ordinal column(Offset k) const { return rows.number(rows.columns(begin + k)); }
    Offset place(Offset k) const { return begin + k; }
  };
  Row row(Ordinal i) const { return {*this, offsets(i)}; }
  double value(Offset place) const { return values(place); }
  Offset first_outside(Ordinal i) const {
    const IsOutside<Space> is_outside{columns, num_all};
    for (Offset e = offsets(i); e < offsets(i + 1); ++e)
      if (!number.is_own(columns(e)) && is_outside(static_cast<std::size_t>(e))) return e;
    return nowhere;
  }
};

/// All of it in one pass.
template <class Space>
SortedShare<Space> sorted_on_host(const Space& exec, const ShareOfRows<Space>& given,
                                  const ColumnNumbers<Space>& numbers, Offset num_all) {
  const auto n = static_cast<Ordinal>(num_rows_of(given));
  const std::size_t entries = given.columns.extent(0);
  const auto& others = numbers.others();
  SortedShare<Space> made;
  const auto columns = allocate<Ordinal>(exec, "tessera::distributed::columns", entries);
  const auto values = allocate<double>(exec, "tessera::distributed::values", entries);
  made.place = allocate<Offset>(exec, "tessera::distributed::place", entries);
  made.rows = {n, numbers.size(), copied_offsets(exec, given), columns, values};
  const NumberHere<Space> number{numbers.first(), numbers.num_own(), others};
  Kokkos::parallel_reduce("tessera::distributed::sorted_share",
                          Kokkos::RangePolicy<Space>(exec, 0, n),
                          SortedRow<Space, RowsOfAll<Space>>{
                              {given.offsets, given.columns, given.values, number, num_all},
                              made.rows.offsets,
                              columns,
                              values,
                              made.place},
                          Kokkos::Min<Offset>(made.outside), Kokkos::Min<Offset>(made.twice));
  exec.fence("tessera::distributed::sorted_share");
  return made;
}

/// Rows by the columns' numbers here, in the order given; their values are the places of the
/// entries, which double holds up to 2^53.
template <class Space>
LocalRows<Space> rows_of_places(const Space& exec, const ShareOfRows<Space>& rows,
                                const ColumnNumbers<Space>& numbers) {
  const auto local =
      allocate<Ordinal>(exec, "tessera::distributed::columns", rows.columns.extent(0));
  const auto places =
      allocate<double>(exec, "tessera::distributed::places", rows.columns.extent(0));
  const auto& others = numbers.others();
  const NumberHere<Space> number{numbers.first(), numbers.num_own(), others};
  const auto columns = rows.columns;
  Kokkos::parallel_for(
      "tessera::distributed::local_numbers",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, columns.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e) {
        places(e) = static_cast<double>(e);
        local(e) = number(columns(e));
      });
  exec.fence("tessera::distributed::local_numbers");
  return {static_cast<Ordinal>(num_rows_of(rows)), numbers.size(), copied_offsets(exec, rows),
          local, places};
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

/// By the sort of a device, whose lanes share a row.
template <class Space>
SortedShare<Space> sorted_on_device(const Space& exec, const ShareOfRows<Space>& given,
                                    const ColumnNumbers<Space>& numbers, Offset num_all) {
  const std::size_t entries = given.columns.extent(0);
  SortedShare<Space> made;
  made.outside = first_where(exec, entries, IsOutside<Space>{given.columns, num_all});
  if (made.outside != nowhere) return made;
  made.rows = kernels::sort_rows(exec, rows_of_places(exec, given, numbers).view());
  made.twice =
      first_where(exec, num_rows_of(given), HasTwice<Space>{made.rows.offsets, made.rows.columns});
  made.place = allocate<Offset>(exec, "tessera::distributed::place", entries);
  take_places<Space>(exec, made.rows.values, made.place);
  made.rows.values = values_at<Space>(exec, made.place, given.values);
  return made;
}

}  // namespace

template <class Space>
Array<double, Space> values_at(const Space& exec, const ArrayView<const std::int64_t, Space>& place,
                               const ArrayView<const double, Space>& values) {
  const auto taken = allocate<double>(exec, "tessera::distributed::values", place.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::values",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, place.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e) { taken(e) = values(place(e)); });
  exec.fence("tessera::distributed::values");
  return taken;
}

template <class Space>
SortedShare<Space> sorted_share(const Space& exec, const ShareOfRows<Space>& given,
                                const ColumnNumbers<Space>& numbers, std::int64_t num_all) {
  if constexpr (kernels::is_host_space<Space>) {
    return sorted_on_host(exec, given, numbers, num_all);
  } else {
    return sorted_on_device(exec, given, numbers, num_all);
  }
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, sorted_share)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, values_at)

}  // namespace tessera::distributed
