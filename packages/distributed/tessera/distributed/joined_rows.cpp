// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/joined_rows.hpp"

#include "tessera/distributed/sorted_row.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;

/// Both parts, as `SortedRow` reads them.
template <class Space>
struct PartsOfRows {
  using View = kernels::CsrView<double, Space, Offset>;

  View own;
  View others;
  Offset num_own_entries;

  explicit PartsOfRows(const SplitRows<Space>& parts)
      : own(parts.own.view()),
        others(parts.others.view()),
        num_own_entries(static_cast<Offset>(own.num_entries)) {}

  struct Row {
    const PartsOfRows& parts;
    Offset begin;
    Offset own_length;
    Offset begin_of_others;
    KOKKOS_FUNCTION Ordinal column(Offset k) const {
      return k < own_length
                 ? parts.own.columns(begin + k)
                 : parts.own.num_cols + parts.others.columns(begin_of_others + k - own_length);
    }
    KOKKOS_FUNCTION Offset place(Offset k) const {
      return k < own_length ? begin + k : parts.num_own_entries + begin_of_others + k - own_length;
    }
  };

  KOKKOS_FUNCTION Row row(Ordinal i) const {
    return {*this, own.offsets(i), own.offsets(i + 1) - own.offsets(i), others.offsets(i)};
  }
  KOKKOS_FUNCTION double value(Offset place) const {
    return place < num_own_entries ? own.values(place) : others.values(place - num_own_entries);
  }
  KOKKOS_FUNCTION Offset length(Ordinal i) const {
    return own.offsets(i + 1) - own.offsets(i) + others.offsets(i + 1) - others.offsets(i);
  }
  KOKKOS_FUNCTION Offset first_outside(Ordinal i) const {
    for (Offset e = own.offsets(i); e < own.offsets(i + 1); ++e)
      if (own.columns(e) < 0 || own.columns(e) >= own.num_cols) return e;
    for (Offset e = others.offsets(i); e < others.offsets(i + 1); ++e)
      if (others.columns(e) < 0 || others.columns(e) >= others.num_cols) return num_own_entries + e;
    return nowhere;
  }
};

/// Rows of the own part that do not ascend, or have a column that there is not.
template <class Space>
struct DoesNotAscend {
  kernels::CsrView<double, Space, Offset> own;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    Ordinal before = -1;
    for (Offset e = own.offsets(i); e < own.offsets(i + 1); ++e) {
      const Ordinal column = own.columns(e);
      if (column <= before || column >= own.num_cols) return true;
      before = column;
    }
    return false;
  }
};

/// The first place of a column that there is not.
template <class Space>
struct FirstOutside {
  PartsOfRows<Space> parts;
  KOKKOS_FUNCTION void operator()(Ordinal i, Offset& least) const {
    const Offset found = parts.first_outside(i);
    if (found < least) least = found;
  }
};

template <class Space>
struct SumOffsets {
  ArrayView<const Offset, Space> own, others;
  ArrayView<Offset, Space> offsets;
  KOKKOS_FUNCTION void operator()(Ordinal i) const { offsets(i) = own(i) + others(i); }
};

/// Each row as it was given, with places as values, which double holds up to 2^53.
template <class Space>
struct WritePlaces {
  PartsOfRows<Space> parts;
  ArrayView<const Offset, Space> offsets;
  ArrayView<Ordinal, Space> columns;
  ArrayView<double, Space> places;
  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    const auto row = parts.row(i);
    const Offset begin = offsets(i);
    const Offset length = offsets(i + 1) - begin;
    for (Offset k = 0; k < length; ++k) {
      columns(begin + k) = row.column(k);
      places(begin + k) = static_cast<double>(row.place(k));
    }
  }
};

template <class Space>
struct TakePlaces {
  ArrayView<const double, Space> places;
  ArrayView<Offset, Space> taken;
  KOKKOS_FUNCTION void operator()(std::size_t e) const {
    taken(e) = static_cast<Offset>(places(e));
  }
};

template <class Space>
struct TakeValues {
  PartsOfRows<Space> parts;
  ArrayView<const Offset, Space> place;
  ArrayView<double, Space> values;
  KOKKOS_FUNCTION void operator()(std::size_t e) const { values(e) = parts.value(place(e)); }
};

template <class Space>
Array<Offset, Space> joined_offsets(const Space& exec, const PartsOfRows<Space>& parts) {
  const Ordinal n = parts.own.num_rows;
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::joined_rows::offsets",
                                        static_cast<std::size_t>(n) + 1);
  Kokkos::parallel_for("tessera::distributed::joined_rows::offsets",
                       Kokkos::RangePolicy<Space>(exec, 0, n + 1),
                       SumOffsets<Space>{parts.own.offsets, parts.others.offsets, offsets});
  return offsets;
}

/// In one pass over the rows.
template <class Space>
void join_row_by_row(const Space& exec, const PartsOfRows<Space>& parts, JoinedRows<Space>& made) {
  const std::size_t entries = parts.own.num_entries + parts.others.num_entries;
  const auto columns = allocate<Ordinal>(exec, "tessera::distributed::joined_rows", entries);
  const auto values = allocate<double>(exec, "tessera::distributed::joined_rows", entries);
  made.place = allocate<Offset>(exec, "tessera::distributed::joined_rows::place", entries);
  made.rows.columns = columns;
  made.rows.values = values;
  Kokkos::parallel_reduce(
      "tessera::distributed::joined_rows", Kokkos::RangePolicy<Space>(exec, 0, made.rows.num_rows),
      SortedRow<Space, PartsOfRows<Space>>{parts, made.rows.offsets, columns, values, made.place},
      Kokkos::Min<Offset>(made.outside), Kokkos::Min<Offset>(made.twice));
  exec.fence("tessera::distributed::joined_rows");
}

/// By a kernel for each step; `kernels::sort_rows` is a device's own there, and a host's on hosts.
template <class Space>
void join_step_by_step(const Space& exec, const PartsOfRows<Space>& parts,
                       JoinedRows<Space>& made) {
  const Kokkos::RangePolicy<Space> all_rows(exec, 0, made.rows.num_rows);
  Kokkos::parallel_reduce("tessera::distributed::joined_rows::outside", all_rows,
                          FirstOutside<Space>{parts}, Kokkos::Min<Offset>(made.outside));
  exec.fence("tessera::distributed::joined_rows");
  if (made.outside != nowhere) return;
  const std::size_t entries = parts.own.num_entries + parts.others.num_entries;
  const auto columns = allocate<Ordinal>(exec, "tessera::distributed::joined_rows", entries);
  const auto places = allocate<double>(exec, "tessera::distributed::joined_rows", entries);
  Kokkos::parallel_for("tessera::distributed::joined_rows", all_rows,
                       WritePlaces<Space>{parts, made.rows.offsets, columns, places});
  made.rows.columns = columns;
  made.rows.values = places;
  made.rows = kernels::sort_rows(exec, made.rows.view());
  made.twice = first_where(exec, static_cast<std::size_t>(made.rows.num_rows),
                           HasTwice<Space>{made.rows.offsets, made.rows.columns});
  made.place = allocate<Offset>(exec, "tessera::distributed::joined_rows::place", entries);
  Kokkos::parallel_for("tessera::distributed::joined_rows::place",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, entries),
                       TakePlaces<Space>{made.rows.values, made.place});
  exec.fence("tessera::distributed::joined_rows");
}

}  // namespace

template <class Space>
Array<double, Space> joined_values(const Space& exec, const SplitRows<Space>& parts,
                                   const Array<std::int64_t, Space>& place) {
  const auto values =
      allocate<double>(exec, "tessera::distributed::joined_values", place.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::joined_values",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, place.extent(0)),
      TakeValues<Space>{PartsOfRows<Space>(parts), place, values});
  exec.fence("tessera::distributed::joined_values");
  return values;
}

template <class Space>
JoinedRows<Space> joined_rows(const Space& exec, const SplitRows<Space>& parts, bool copies,
                              Joining joining) {
  const PartsOfRows<Space> given(parts);
  JoinedRows<Space> made;
  made.rows.num_rows = parts.own.num_rows;
  made.rows.num_cols = parts.own.num_cols + parts.others.num_cols;
  if (!copies && parts.own.num_rows > 0 && parts.others.num_entries() == 0 &&
      first_where(exec, static_cast<std::size_t>(parts.own.num_rows),
                  DoesNotAscend<Space>{given.own}) == nowhere) {
    made.rows.offsets = parts.own.offsets;
    made.rows.columns = parts.own.columns;
    made.rows.values = parts.own.values;
    return made;
  }
  made.rows.offsets = joined_offsets(exec, given);
  if constexpr (kernels::is_host_space<Space>) {
    if (joining == Joining::row_by_row) {
      join_row_by_row(exec, given, made);
      return made;
    }
  }
  join_step_by_step(exec, given, made);
  if (made.outside == nowhere) made.rows.values = joined_values<Space>(exec, parts, made.place);
  return made;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, joined_rows)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, joined_values)

}  // namespace tessera::distributed
