// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothing of a prolongator, each row by a group of lanes: for devices.
///
/// With one near-nullspace vector A is read once: a group makes a whole row of P and leaves it
/// where rows have a fixed length; when all are counted they are copied to their place. Its lanes
/// read A's row side by side, put the aggregates into a small table and leave each entry's
/// aggregate, value and tentative value in scratch. Then each lane sums for an aggregate of its
/// own, in A's order, so that the sums are those of a row by one thread. With several
/// near-nullspace vectors, where P's row would be larger than A's, a group leaves the aggregates
/// alone, and the values come when P has its columns, as new values of an old pattern do. The few
/// rows with more aggregates, or entries, than there is room for are listed and filled later.
#pragma once

#include "tessera/amg/coarsening/detail/fill_row_by_group.hpp"
#include "tessera/amg/coarsening/detail/list_row_by_group.hpp"
#include "tessera/amg/coarsening/detail/smooth_row_by_group.hpp"
#include "tessera/amg/coarsening/detail/smoothing_input.hpp"
#include "tessera/kernels/format/row_lanes.hpp"

namespace tessera::amg::detail {

/// What the first pass found: a reduction's value.
struct RowsByGroupsFound {
  kernels::RowLengths lengths;
  std::int64_t later = 0;  ///< rows that were left for later

  KOKKOS_INLINE_FUNCTION RowsByGroupsFound& operator+=(const RowsByGroupsFound& other) {
    lengths += other.lengths;
    later += other.later;
    return *this;
  }
};

/// The lengths of the rows that were made, and how many were left for later.
template <class Space, class Offset>
struct CountMade {
  Array<const Offset, Space> counts;
  Array<const char, Space> later;

  KOKKOS_FUNCTION void operator()(Ordinal i, RowsByGroupsFound& sum) const {
    sum += RowsByGroupsFound{{counts(i), counts(i)}, later(i) != 0 ? 1 : 0};
  }
};

/// Copies the rows that were made to their place: their columns, and values where there are any.
template <class Scalar, class Space, class Offset>
struct PlaceRows {
  Ordinal stride;
  Ordinal m;
  Array<const char, Space> later;
  Array<const Ordinal, Space> made_aggregates;
  Array<const Scalar, Space> made_values;
  Array<const Offset, Space> offsets;
  Array<Ordinal, Space> columns;
  Array<Scalar, Space> values;

  KOKKOS_FUNCTION void operator()(Ordinal i) const { copy(i, 0, 1); }
  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i) const {
    if (i >= 0) copy(i, group.lane(), group.size());
  }

 private:
  KOKKOS_FUNCTION void copy(Ordinal i, int lane, int lanes) const {
    if (later(i) != 0) return;
    const Offset begin = offsets(i);
    const auto length = static_cast<Ordinal>(offsets(i + 1) - begin);
    const std::size_t from = static_cast<std::size_t>(i) * stride;
    for (Ordinal e = lane; e < length; e += lanes) {
      if (m == 1) {
        columns(begin + e) = made_aggregates(from + e);
        values(begin + e) = made_values(from + e);
      } else {
        columns(begin + e) = made_aggregates(from + e / m) * m + e % m;
      }
    }
  }
};

template <class Scalar, class Space, class Offset>
class SmoothingByGroups {
  using Make = SmoothRowByGroup<Scalar, Space, Offset>;
  using List = ListRowByGroup<Scalar, Space, Offset>;

 public:
  SmoothingByGroups(const Space& exec, const SmoothingInput<Scalar, Space, Offset>& in,
                    double omega_over_rho, const GroupShape& shape)
      : m_exec(exec), m_in(in), m_omega_over_rho(static_cast<Scalar>(omega_over_rho)) {
    m_shape = shape;
    m_shape.rows = fitting<Space>(shape.rows, [&](Ordinal capacity) {
      return Make::bytes({{shape.rows.lanes, capacity}, shape.log2_stride});
    });
  }

  /// P; `lengths`, if given, receives those of its rows.
  kernels::Csr<Scalar, Space, Offset> run(kernels::RowLengths* lengths) {
    const Ordinal n = m_in.A.num_rows;
    const Array<Scalar, Space> near_nullspace = interpolated_near_nullspace(m_exec, m_in);
    m_in.near_nullspace = near_nullspace;
    m_offsets = allocate<Offset>(m_exec, "tessera::smooth_prolongator::offsets", n + 1);
    m_later = allocate<char>(m_exec, "tessera::smooth_prolongator::later", n);
    make_rows();
    RowsByGroupsFound found = count();
    const bool any_later = found.later > 0;
    if (any_later) {
      list_later("tessera::smooth_prolongator::count_later", {});
      found = count();
    }
    kernels::require_countable<Offset>(found.lengths.total, "the prolongator");
    kernels::counts_to_offsets_async<Offset, Space>(m_exec, m_offsets);
    if (lengths != nullptr) *lengths = found.lengths;
    const auto num_entries = static_cast<std::size_t>(found.lengths.total);
    const auto columns =
        allocate<Ordinal>(m_exec, "tessera::smooth_prolongator::columns", num_entries);
    const auto values =
        allocate<Scalar>(m_exec, "tessera::smooth_prolongator::values", num_entries);
    constexpr int lanes_of_a_copy = 4;
    kernels::for_each_row(
        m_exec, "tessera::smooth_prolongator::place", n, lanes_of_a_copy,
        PlaceRows<Scalar, Space, Offset>{m_shape.stride(), m_in.m, m_later, m_made_aggregates,
                                         m_made_values, m_offsets, columns, values});
    if (any_later) list_later("tessera::smooth_prolongator::list_later", columns);
    if (any_later || m_in.m > 1) fill(columns, values);
    return {n, m_in.T.num_cols, m_offsets, columns, values};
  }

 private:
  /// Rows of P, or with several near-nullspace vectors their aggregates, and how many entries they
  /// have.
  void make_rows() {
    const Ordinal n = m_in.A.num_rows;
    const int lanes = m_shape.rows.lanes;
    const std::size_t made = static_cast<std::size_t>(n) * m_shape.stride();
    m_made_aggregates = allocate<Ordinal>(m_exec, "tessera::smooth_prolongator::made", made);
    if (m_in.m > 1) {
      for_each_row_by_group(m_exec, "tessera::smooth_prolongator::list", n, lanes,
                            List::bytes(m_shape),
                            List{m_in, m_shape, m_offsets, m_later, m_made_aggregates});
      return;
    }
    const auto members = find_members();
    m_made_values = allocate<Scalar>(m_exec, "tessera::smooth_prolongator::made", made);
    for_each_row_by_group(m_exec, "tessera::smooth_prolongator::make", n, lanes,
                          Make::bytes(m_shape),
                          Make{m_in, members, m_omega_over_rho, m_shape, m_offsets, m_later,
                               m_made_aggregates, m_made_values});
  }

  Array<Membership<Scalar>, Space> find_members() const {
    const Ordinal n = m_in.A.num_rows;
    const auto members =
        allocate<Membership<Scalar>>(m_exec, "tessera::smooth_prolongator::members", n);
    Kokkos::parallel_for("tessera::smooth_prolongator::members",
                         Kokkos::RangePolicy<Space>(m_exec, 0, n),
                         FindMembers<Scalar, Space, Offset>{m_in, members});
    return members;
  }

  RowsByGroupsFound count() const {
    RowsByGroupsFound found;
    Kokkos::parallel_reduce("tessera::smooth_prolongator::lengths",
                            Kokkos::RangePolicy<Space>(m_exec, 0, m_in.A.num_rows),
                            CountMade<Space, Offset>{m_offsets, m_later}, found);
    return found;
  }

  /// Counts the rows that were left for later, or lists their `columns` if there are any.
  void list_later(const char* label, const Array<Ordinal, Space>& columns) const {
    constexpr int no_bytes = 0;
    for_each_row_by_group(m_exec, label, m_in.A.num_rows, m_shape.rows.lanes, no_bytes,
                          ListLaterRow<Scalar, Space, Offset>{m_in, m_later, m_offsets, columns});
  }

  /// The values that were not made with the rows.
  void fill(const Array<const Ordinal, Space>& columns, const Array<Scalar, Space>& values) const {
    const bool all = m_in.m > 1;
    fill_by_groups(
        m_exec,
        all ? "tessera::smooth_prolongator::fill" : "tessera::smooth_prolongator::fill_later", m_in,
        SmoothedRows<Scalar, Space, Offset, true>{m_omega_over_rho, m_offsets, columns, values},
        m_shape.rows, all ? Array<const char, Space>() : Array<const char, Space>(m_later));
  }

  const Space& m_exec;
  SmoothingInput<Scalar, Space, Offset> m_in;
  Scalar m_omega_over_rho;
  GroupShape m_shape;
  Array<Offset, Space> m_offsets;
  Array<char, Space> m_later;
  Array<Ordinal, Space> m_made_aggregates;  ///< `m_shape.stride()` a row
  Array<Scalar, Space> m_made_values;
};

}  // namespace tessera::amg::detail
