// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothing of a prolongator with one candidate in one pass over A, each row by a group of lanes:
/// for devices.
///
/// A group makes a whole row of P and leaves it where rows have a fixed length; when all are
/// counted they are copied to their place. Its lanes read A's row side by side, put the aggregates
/// into a small table and leave each entry's aggregate, value and tentative value in scratch. Then
/// each lane sums for an aggregate of its own, in A's order, so that the sums are those of a row by
/// one thread. The few rows with more aggregates, or entries, than there is room for come later, by
/// `SmoothingByLanes`.
#pragma once

#include "tessera/amg/detail/smooth_row_by_group.hpp"
#include "tessera/amg/detail/smoothed_prolongator.hpp"
#include "tessera/amg/detail/smoothing_by_lanes.hpp"
#include "tessera/kernels/row_lanes.hpp"

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

/// A pass by lanes over the rows that were left for later.
template <class Space, class ByLanes>
struct LaterRows : ByLanes {
  Array<const char, Space> later;

  LaterRows(const ByLanes& by_lanes, const Array<const char, Space>& which)
      : ByLanes(by_lanes), later(which) {}

  KOKKOS_FUNCTION void operator()(const typename ByLanes::Member& member) const {
    const Ordinal i = member.league_rank() * member.team_size() + member.team_rank();
    if (i < this->in.A.num_rows && later(i) != 0) ByLanes::operator()(member);
  }
};

/// Copies the rows that were made to their place.
template <class Scalar, class Space, class Offset>
struct PlaceRows {
  Ordinal stride;
  Array<const char, Space> later;
  Array<const Ordinal, Space> made_columns;
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
      columns(begin + e) = made_columns(from + e);
      values(begin + e) = made_values(from + e);
    }
  }
};

template <class Scalar, class Space, class Offset>
class SmoothingByGroups {
  using Make = SmoothRowByGroup<Scalar, Space, Offset>;

 public:
  SmoothingByGroups(const Space& exec, const SmoothingInput<Scalar, Space, Offset>& in,
                    double omega_over_rho, const GroupShape& shape)
      : m_exec(exec), m_in(in), m_omega_over_rho(static_cast<Scalar>(omega_over_rho)) {
    m_shape = shape;
    if (kernels::is_host_space<Space>) m_shape.rows.lanes = 1;
    m_shape.rows = fitting<Space>(m_shape.rows, [&](Ordinal capacity) {
      return Make::bytes({{m_shape.rows.lanes, capacity}, shape.log2_stride});
    });
  }

  /// P; `lengths`, if given, receives those of its rows.
  kernels::Csr<Scalar, Space, Offset> run(kernels::RowLengths* lengths) {
    const Ordinal n = m_in.A.num_rows;
    const auto members = find_members();
    const Array<Scalar, Space> candidates = interpolated_candidates(m_exec, m_in);
    m_in.candidates = candidates;
    const std::size_t made = static_cast<std::size_t>(n) * m_shape.stride();
    const auto offsets = allocate<Offset>(m_exec, "tessera::smooth_prolongator::offsets", n + 1);
    const auto later = allocate<char>(m_exec, "tessera::smooth_prolongator::later", n);
    const auto made_columns = allocate<Ordinal>(m_exec, "tessera::smooth_prolongator::made", made);
    const auto made_values = allocate<Scalar>(m_exec, "tessera::smooth_prolongator::made", made);
    for_each_row_by_group(
        m_exec, "tessera::smooth_prolongator::make",
        Make{m_in, members, m_omega_over_rho, m_shape, offsets, later, made_columns, made_values,
             group_slice(Make::bytes(m_shape), m_shape.rows.lanes)});
    RowsByGroupsFound found = count(offsets, later);
    const std::int64_t num_later = found.later;
    Array<RowFilter<Scalar>, Space> filters;
    if (num_later > 0) {
      if (m_in.filter_squared > 0)
        filters = allocate<RowFilter<Scalar>>(m_exec, "tessera::smooth_prolongator::filters", n);
      count_later(offsets, later, filters);
      found = count(offsets, later);
    }
    kernels::require_countable<Offset>(found.lengths.total, "the prolongator");
    kernels::counts_to_offsets_async<Offset, Space>(m_exec, offsets);
    if (lengths != nullptr) *lengths = found.lengths;
    const auto num_entries = static_cast<std::size_t>(found.lengths.total);
    const auto columns =
        allocate<Ordinal>(m_exec, "tessera::smooth_prolongator::columns", num_entries);
    const auto values =
        allocate<Scalar>(m_exec, "tessera::smooth_prolongator::values", num_entries);
    constexpr int lanes_of_a_copy = 4;
    kernels::for_each_row(m_exec, "tessera::smooth_prolongator::place", n, lanes_of_a_copy,
                          PlaceRows<Scalar, Space, Offset>{m_shape.stride(), later, made_columns,
                                                           made_values, offsets, columns, values});
    if (num_later > 0) {
      fill_later({m_omega_over_rho, offsets, columns, values, filters}, later);
    }
    return {n, m_in.T.num_cols, offsets, columns, values};
  }

 private:
  Array<Membership<Scalar>, Space> find_members() const {
    const Ordinal n = m_in.A.num_rows;
    const auto members =
        allocate<Membership<Scalar>>(m_exec, "tessera::smooth_prolongator::members", n);
    Kokkos::parallel_for("tessera::smooth_prolongator::members",
                         Kokkos::RangePolicy<Space>(m_exec, 0, n),
                         FindMembers<Scalar, Space, Offset>{m_in, members});
    return members;
  }

  RowsByGroupsFound count(const Array<Offset, Space>& counts,
                          const Array<const char, Space>& later) const {
    RowsByGroupsFound found;
    Kokkos::parallel_reduce("tessera::smooth_prolongator::lengths",
                            Kokkos::RangePolicy<Space>(m_exec, 0, m_in.A.num_rows),
                            CountMade<Space, Offset, RowsByGroupsFound>{counts, later}, found);
    return found;
  }

  template <class Functor>
  void by_lanes(const char* label, const Array<const char, Space>& later, Functor functor,
                int bytes) const {
    functor.slice = slice_bytes(bytes, functor.shape.lanes);
    for_each_row_by_lanes(m_exec, label, LaterRows<Space, Functor>(functor, later));
  }

  void count_later(const Array<Offset, Space>& counts, const Array<const char, Space>& later,
                   const Array<RowFilter<Scalar>, Space>& filters) const {
    const auto count_rows = [&](auto filtered) {
      using Functor = CountSmoothedByLanes<Scalar, Space, Offset, decltype(filtered)::value>;
      const LaneShape fits = fitting<Space>(m_shape.rows, Functor::bytes);
      by_lanes("tessera::smooth_prolongator::count_later", later,
               Functor{m_in, counts, filters, fits, 0}, Functor::bytes(fits.capacity));
    };
    filters.extent(0) > 0 ? count_rows(std::true_type{}) : count_rows(std::false_type{});
  }

  void fill_later(const SmoothedRows<Scalar, Space, Offset, false>& out,
                  const Array<const char, Space>& later) const {
    using Functor = FillSmoothedByLanes<Scalar, Space, Offset, false>;
    const auto bytes = [&](Ordinal capacity) { return Functor::bytes(capacity, m_in.m); };
    const LaneShape fits = fitting<Space>(m_shape.rows, bytes);
    by_lanes("tessera::smooth_prolongator::fill_later", later, Functor{m_in, out, fits, 0},
             bytes(fits.capacity));
  }

  const Space& m_exec;
  SmoothingInput<Scalar, Space, Offset> m_in;
  Scalar m_omega_over_rho;
  GroupShape m_shape;
};

}  // namespace tessera::amg::detail
