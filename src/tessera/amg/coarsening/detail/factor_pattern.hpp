// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which columns the factors of an interpolation have, by one thread per row or by several lanes.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/row_lanes.hpp"

namespace tessera::amg::detail {

/// Visits the entries of a row of M and of N, in the order of A's row.
template <class Space, class Offset>
struct FactorRows {
  kernels::Graph<Space, Offset> strong;
  Array<const Ordinal, Space> coarse_number;
  bool has_fine;  ///< M has the fine points that a row depends on

  /// visit(m, n): a column of M and one of N, -1 for none.
  template <class Visit>
  KOKKOS_INLINE_FUNCTION void for_each(Ordinal i, const Visit& visit) const {
    const Ordinal own = coarse_number(i);
    const Offset begin = strong.offsets(i);
    const Offset end = strong.offsets(i + 1);
    if (own >= 0 || begin < end) visit(i, own >= 0 ? own : -1);
    for (Offset k = own >= 0 ? end : begin; k < end; ++k)
      visit_coupling(strong.columns(k), visit);
  }

  /// The same for as many strong couplings at once as the group has lanes, each of which visits the
  /// columns of its own. All groups of a warp together; i = -1 for none.
  template <class Visit>
  KOKKOS_INLINE_FUNCTION void for_each(const kernels::LaneGroup& group, Ordinal i,
                                       const Visit& visit) const {
    const Ordinal own = i < 0 ? -1 : coarse_number(i);
    const Offset begin = i < 0 ? 0 : strong.offsets(i);
    const Offset end = i < 0 || own >= 0 ? begin : strong.offsets(i + 1);
    const bool has_own = group.lane() == 0 && (own >= 0 || begin < end);
    visit(has_own ? i : -1, has_own && own >= 0 ? own : -1);
    const Offset longest = group.warp_max(end - begin);
    for (Offset first = 0; first < longest; first += group.size()) {
      const Offset k = begin + first + group.lane();
      visit_coupling(k < end ? strong.columns(k) : -1, visit);
    }
  }

 private:
  template <class Visit>
  KOKKOS_INLINE_FUNCTION void visit_coupling(Ordinal j, const Visit& visit) const {
    const Ordinal number = j < 0 ? -1 : coarse_number(j);
    visit(number < 0 && has_fine ? j : -1, number < 0 ? -1 : number);
  }
};

template <class Space, class Offset>
struct CountFactorRows {
  FactorRows<Space, Offset> rows;
  Array<Offset, Space> in_m, in_n;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    Offset m = 0, n = 0;
    rows.for_each(i, [&](Ordinal to_m, Ordinal to_n) {
      m += to_m >= 0 ? 1 : 0;
      n += to_n >= 0 ? 1 : 0;
    });
    in_m(i) = m;
    in_n(i) = n;
  }
  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i) const {
    Offset m = 0, n = 0;
    rows.for_each(group, i, [&](Ordinal to_m, Ordinal to_n) {
      m += Kokkos::Experimental::popcount_builtin(group.lanes_where(to_m >= 0));
      n += Kokkos::Experimental::popcount_builtin(group.lanes_where(to_n >= 0));
    });
    if (i < 0 || group.lane() != 0) return;
    in_m(i) = m;
    in_n(i) = n;
  }
};

template <class Space, class Offset>
struct ListFactorRows {
  FactorRows<Space, Offset> rows;
  Array<const Offset, Space> m_offsets, n_offsets;
  Array<Ordinal, Space> m_columns, n_columns;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    Offset m = m_offsets(i);
    Offset n = n_offsets(i);
    rows.for_each(i, [&](Ordinal to_m, Ordinal to_n) {
      if (to_m >= 0) m_columns(m++) = to_m;
      if (to_n >= 0) n_columns(n++) = to_n;
    });
  }
  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i) const {
    Offset m = i < 0 ? 0 : m_offsets(i);
    Offset n = i < 0 ? 0 : n_offsets(i);
    rows.for_each(group, i, [&](Ordinal to_m, Ordinal to_n) {
      m += put(group, to_m, m, m_columns);
      n += put(group, to_n, n, n_columns);
    });
  }

 private:
  /// Puts the columns that lanes have at `first` and behind, in the order of lanes; how many.
  KOKKOS_INLINE_FUNCTION static Offset put(const kernels::LaneGroup& group, Ordinal column,
                                           Offset first, const Array<Ordinal, Space>& columns) {
    const std::uint32_t with_column = group.lanes_where(column >= 0);
    if (column >= 0) columns(first + group.count_before(with_column)) = column;
    return Kokkos::Experimental::popcount_builtin(with_column);
  }
};

}  // namespace tessera::amg::detail
