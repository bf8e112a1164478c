// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The couplings of an interpolation by several lanes per row, which read it side by side.
#pragma once

#include "tessera/amg/coarsening/classical_interpolation.hpp"
#include "tessera/amg/coarsening/detail/direct_weights.hpp"
#include "tessera/amg/coarsening/detail/row_parts.hpp"
#include "tessera/kernels/format/row_lanes.hpp"

namespace tessera::amg::detail {

/// `CopyCouplings` by groups of lanes. A group takes as many entries of A's row at once as it has
/// lanes, and finds each of them among as many of the next ones of M and N, which ascend as A's row
/// does. Sums run in the order of A's row, on every lane, so that no bit depends on their number.
template <class Scalar, class Space, class Offset>
struct CopyCouplingsByGroup {
  using Group = kernels::LaneGroup;
  enum Kind : int { nothing, diagonal, to_fine, to_coarse, weak };

  kernels::CsrView<Scalar, Space, Offset> A;
  kernels::Csr<Scalar, Space, Offset> M, N;
  Array<const Ordinal, Space> coarse_number;
  RowParts<Space> parts;

  /// By a group of one lane, as of a host.
  KOKKOS_FUNCTION void operator()(Ordinal i) const { (*this)(Group(1, 0), i); }
  /// All groups of a warp together; i = -1 for none.
  KOKKOS_FUNCTION void operator()(const Group& group, Ordinal i) const {
    const Offset own = i < 0 ? 0 : M.offsets(i);
    const Offset m_end = i < 0 ? 0 : M.offsets(i + 1);
    const bool is_empty = own == m_end;
    const bool is_coarse = !is_empty && coarse_number(i) >= 0;
    if (is_coarse && group.lane() == 0) {
      M.values(own) = 1;
      N.values(N.offsets(i)) = 1;
    }
    const bool has_row = !is_empty && !is_coarse;
    const Offset begin = has_row ? A.offsets(i) : 0;
    const Offset end = has_row ? A.offsets(i + 1) : 0;
    const Offset n_end = has_row ? N.offsets(i + 1) : 0;
    Offset m = own + 1;
    Offset n = has_row ? N.offsets(i) : 0;
    const Offset longest = group.warp_max(end - begin);
    DirectWeights weights;
    double fine = 0;
    for (Offset first = 0; first < longest; first += group.size()) {
      const Offset e = begin + first + group.lane();
      const bool has_entry = e < end;
      const Ordinal j = has_entry ? A.columns(e) : -1;
      const Scalar value = has_entry ? A.values(e) : Scalar(0);
      const Ordinal number = has_entry ? coarse_number(j) : -1;
      const Offset m_mine = m + group.lane();
      const Offset n_mine = n + group.lane();
      const int m_place = place_of(group, j, m_mine < m_end ? M.columns(m_mine) : -1);
      const int n_place = place_of(group, number, n_mine < n_end ? N.columns(n_mine) : -1);
      const Kind kind = kind_of(j, i, m_place, n_place);
      if (kind == to_fine) M.values(m + m_place) = value;
      if (kind == to_coarse) N.values(n + n_place) = value;
      m += Kokkos::Experimental::popcount_builtin(group.lanes_where(kind == to_fine));
      n += Kokkos::Experimental::popcount_builtin(group.lanes_where(kind == to_coarse));
      const Offset left = longest - first;
      const int num_entries = left < group.size() ? static_cast<int>(left) : group.size();
      for (int q = 0; q < num_entries; ++q) {
        const auto there = static_cast<double>(group.from_lane(value, q));
        const int its_kind = group.from_lane(static_cast<int>(kind), q);
        if (its_kind == diagonal) {
          weights.diagonal += there;
        } else if (its_kind == to_fine) {
          fine += there;
        } else if (its_kind == to_coarse) {
          weights.take(there);
        } else if (its_kind == weak) {
          weights.leave(there);
        }
      }
    }
    if (!has_row || group.lane() != 0) return;
    parts.rest(i) = weights.diagonal + weights.negative + weights.positive;
    parts.to_coarse(i) = weights.sum;
    parts.size_to_coarse(i) = weights.size;
    const auto fine_count = static_cast<double>(m_end - own - 1);
    if (parts.to_fine.extent(0) != 0) parts.to_fine(i) = fine / Kokkos::max(fine_count, 1.0);
  }

 private:
  /// On which lane `wanted` lies, -1 where it is on none, or is no number.
  KOKKOS_INLINE_FUNCTION static int place_of(const Group& group, Ordinal wanted, Ordinal listed) {
    int place = -1;
    for (int q = 0; q < group.size(); ++q)
      place = group.from_lane(listed, q) == wanted ? q : place;
    return wanted >= 0 ? place : -1;
  }

  KOKKOS_INLINE_FUNCTION static Kind kind_of(Ordinal j, Ordinal i, int m_place, int n_place) {
    if (j < 0) return nothing;
    if (j == i) return diagonal;
    if (m_place >= 0) return to_fine;
    return n_place >= 0 ? to_coarse : weak;
  }
};

}  // namespace tessera::amg::detail
