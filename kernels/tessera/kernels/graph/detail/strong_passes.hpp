// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The passes of strength of connection over all nodes: one thread per node, or on a device
/// several lanes, which read its rows side by side.
#pragma once

#include "tessera/kernels/format/row_lanes.hpp"
#include "tessera/kernels/graph/strength.hpp"

namespace tessera::kernels::detail {

/// The scale of a hub, against which no coupling is strong.
inline constexpr double hub_scale = Kokkos::Experimental::infinity_v<double>;

template <class Space, class Strength, class Hub>
struct StoreScale {
  Strength strength;
  StrengthMeasure measure;
  Hub is_hub;
  Array<double, Space> scale;

  KOKKOS_FUNCTION void operator()(const Ordinal i) const {
    scale(i) = is_hub(i) ? hub_scale : strength.measure(i, measure);
  }
  KOKKOS_FUNCTION void operator()(const LaneGroup& group, Ordinal i) const {
    const bool reads = i >= 0 && !is_hub(i);
    const double value = strength.measure(group, reads ? i : -1, measure);
    if (i >= 0 && group.lane() == 0) scale(i) = reads ? value : hub_scale;
  }
};

/// The number of strong neighbours; none of a hub, whose row is not read.
template <class Space, class Offset, class Strength>
struct CountStrong {
  Strength strength;
  Ordinal num_nodes;
  Array<Offset, Space> counts;

  KOKKOS_FUNCTION bool is_hub(Ordinal i) const {
    return strength.theta_squared > 0 && strength.scale(i) == hub_scale;
  }
  KOKKOS_FUNCTION void operator()(const Ordinal i) const {
    Offset count = 0;
    if (!is_hub(i)) strength.for_each_strong(i, [&](Ordinal) { ++count; });
    counts(i) = count;
  }
  KOKKOS_FUNCTION void operator()(const LaneGroup& group, Ordinal i) const {
    const Ordinal count = strength.count_strong(group, i >= 0 && !is_hub(i) ? i : -1);
    if (i >= 0 && group.lane() == 0) counts(i) = count;
  }
};

template <class Space, class Offset, class Strength>
struct FillStrong {
  Strength strength;
  Ordinal num_nodes;
  Array<Offset, Space> offsets;
  Array<Ordinal, Space> columns;

  KOKKOS_FUNCTION void operator()(const Ordinal i) const {
    if (offsets(i) == offsets(i + 1)) return;
    Ordinal* next = columns.data() + offsets(i);
    strength.for_each_strong(i, [&](Ordinal j) { *next++ = j; });
  }
  KOKKOS_FUNCTION void operator()(const LaneGroup& group, Ordinal i) const {
    const bool has_any = i >= 0 && offsets(i) != offsets(i + 1);
    strength.store_strong(group, has_any ? i : -1, columns.data() + (has_any ? offsets(i) : 0));
  }
};

}  // namespace tessera::kernels::detail
