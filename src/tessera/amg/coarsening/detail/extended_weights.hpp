// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The weights of extended interpolation, by one thread per row or by several lanes.
#pragma once

#include "tessera/amg/coarsening/classical_interpolation.hpp"
#include "tessera/amg/coarsening/detail/cancels.hpp"
#include "tessera/amg/coarsening/detail/row_parts.hpp"
#include "tessera/kernels/execution/rounded_product.hpp"
#include "tessera/kernels/format/row_lanes.hpp"

namespace tessera::amg::detail {

/// Of one fine point that another depends on.
struct FineNeighbour {
  double term = 0;  ///< what it adds to the divisor
  double size = 0;  ///< the magnitude of what is behind it
};

/// What a row is divided by, as the sum over its fine neighbours.
struct DivisorOfRow {
  double divisor;
  double terms;  ///< the sum of their magnitudes
  double size;  ///< of what is divided

  KOKKOS_INLINE_FUNCTION void add(const FineNeighbour& neighbour) {
    divisor += neighbour.term;
    terms += Kokkos::abs(neighbour.term);
    size += neighbour.size;
  }
  KOKKOS_INLINE_FUNCTION double scale() const {
    const double strictness = cancels(divisor, terms) ? 10 : 1;
    return -inverse_for_weights(divisor, strictness * size);
  }
};

/// Makes M of the couplings between fine points, `couplings`, which have M's pattern. The lanes of
/// a group look at one neighbour each, side by side, which is where the time goes: each searches a
/// row of M. Sums run in M's order, over rounded products, on every lane, so that no bit depends on
/// the number of lanes.
template <class Scalar, class Space, class Offset>
struct ExtendedWeights {
  using Group = kernels::LaneGroup;

  kernels::Csr<Scalar, Space, Offset> M;
  Array<const Scalar, Space> couplings;
  Array<const Ordinal, Space> coarse_number;
  RowParts<Space> parts;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    const Offset own = M.offsets(i);
    const Offset end = M.offsets(i + 1);
    if (own == end) return;
    if (coarse_number(i) >= 0) {
      M.values(own) = 1;
      return;
    }
    DivisorOfRow row = begin_row(i);
    for (Offset m = own + 1; m < end; ++m)
      row.add(weigh(i, m));
    finish_row(own, end, row.scale(), 0, 1);
  }

  /// All groups of a warp together; i = -1 for none.
  KOKKOS_FUNCTION void operator()(const Group& group, Ordinal i) const {
    const Offset own = i < 0 ? 0 : M.offsets(i);
    const Offset m_end = i < 0 ? 0 : M.offsets(i + 1);
    const bool is_empty = own == m_end;
    const bool is_coarse = !is_empty && coarse_number(i) >= 0;
    if (is_coarse && group.lane() == 0) M.values(own) = 1;
    const bool has_row = !is_empty && !is_coarse;
    const Offset end = has_row ? m_end : own + 1;
    DivisorOfRow row = has_row ? begin_row(i) : DivisorOfRow{0, 0, 0};
    const Offset longest = group.warp_max(end - own) - 1;
    for (Offset first = 0; first < longest; first += group.size()) {
      const Offset mine = own + 1 + first + group.lane();
      const FineNeighbour neighbour = mine < end ? weigh(i, mine) : FineNeighbour{};
      const Offset left = longest - first;
      const int num_neighbours = left < group.size() ? static_cast<int>(left) : group.size();
      for (int q = 0; q < num_neighbours; ++q)
        row.add({group.from_lane(neighbour.term, q), group.from_lane(neighbour.size, q)});
    }
    if (has_row) finish_row(own, end, row.scale(), group.lane(), group.size());
  }

 private:
  KOKKOS_INLINE_FUNCTION DivisorOfRow begin_row(Ordinal i) const {
    const double rest = parts.rest(i);
    return {rest, Kokkos::abs(rest), parts.size_to_coarse(i)};
  }

  /// Entry m of row i, whose value becomes the weight before it is scaled.
  KOKKOS_INLINE_FUNCTION FineNeighbour weigh(Ordinal i, Offset m) const {
    const Ordinal k = M.columns(m);
    FineNeighbour neighbour;
    double weight = 0;
    if (M.offsets(k) < M.offsets(k + 1)) {  // else relaxation has left k no error to speak of
      const auto there = static_cast<double>(couplings(m));
      const double back = parts.to_fine.extent(0) != 0 ? parts.to_fine(k) : coupling(k, i);
      const double through = parts.to_coarse(k) + back;
      const bool lumped = cancels(through, parts.size_to_coarse(k) + Kokkos::abs(back));
      weight = lumped ? 0 : there / through;
      neighbour.term = lumped ? there : kernels::rounded_product(weight, back);
      neighbour.size = kernels::rounded_product(Kokkos::abs(weight), parts.size_to_coarse(k));
    }
    M.values(m) = static_cast<Scalar>(weight);
    return neighbour;
  }

  /// That of the fine points k and i; 0 where k does not depend on i.
  KOKKOS_INLINE_FUNCTION double coupling(Ordinal k, Ordinal i) const {
    for (Offset m = M.offsets(k) + 1; m < M.offsets(k + 1); ++m) {
      if (M.columns(m) == i) return static_cast<double>(couplings(m));
    }
    return 0;
  }

  /// Each lane scales what it weighed.
  KOKKOS_INLINE_FUNCTION void finish_row(Offset own, Offset end, double scale, int lane,
                                         int lanes) const {
    if (lane == 0) M.values(own) = static_cast<Scalar>(scale);
    for (Offset m = own + 1 + lane; m < end; m += lanes)
      M.values(m) = static_cast<Scalar>(scale * static_cast<double>(M.values(m)));
  }
};

}  // namespace tessera::amg::detail
