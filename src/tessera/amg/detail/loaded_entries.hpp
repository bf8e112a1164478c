// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Several entries of a row of A on their way to one lane at a time.
#pragma once

#include "tessera/amg/detail/smoothing_input.hpp"

namespace tessera::amg::detail {

/// Every `width`-th entry of row i from `first` on, a few of them. Each member function loads one
/// more array for all of them before anything is made of the first, so that the loads of one array
/// wait for memory together, not one after the other.
template <class Scalar, class Space, class Offset>
struct LoadedEntries {
  static constexpr int most = 4;

  const SmoothingInput<Scalar, Space, Offset>& in;
  Ordinal i;
  Ordinal size;  ///< of the row
  Ordinal first;
  int width;
  Ordinal columns[most];  ///< below 0 beyond the row's end
  Ordinal groups[most];  ///< their aggregates; below 0 for none
  Scalar values[most];
  double scales[most];

  KOKKOS_INLINE_FUNCTION LoadedEntries(const SmoothingInput<Scalar, Space, Offset>& input,
                                       Ordinal row, Ordinal at, int step)
      : in(input), i(row), size(input.length(row)), first(at), width(step) {
    const Offset begin = in.A.offsets(i);
    for (int e = 0; e < most; ++e)
      columns[e] = position(e) < size ? in.A.columns(begin + position(e)) : -1;
    for (int e = 0; e < most; ++e)
      groups[e] = columns[e] < 0 ? -1 : in.aggregate(columns[e]);
  }

  /// Where entry e lies in its row.
  KOKKOS_INLINE_FUNCTION Ordinal position(int e) const { return first + e * width; }
  KOKKOS_INLINE_FUNCTION bool in_row(int e) const { return columns[e] >= 0; }

  KOKKOS_INLINE_FUNCTION void load_values() {
    const Offset begin = in.A.offsets(i);
    for (int e = 0; e < most; ++e)
      values[e] = in_row(e) ? in.A.values(begin + position(e)) : Scalar(0);
  }
  KOKKOS_INLINE_FUNCTION void load_scales() {
    for (int e = 0; e < most; ++e)
      scales[e] = in_row(e) ? in.scale(columns[e]) : 0.0;
  }
  /// Whether entry e is strong; its value and scale are loaded.
  KOKKOS_INLINE_FUNCTION bool strong(int e) const {
    return in.strong(i, columns[e], values[e], scales[e]);
  }
  /// Takes the aggregates of weak entries away; the values are loaded.
  KOKKOS_INLINE_FUNCTION void keep_strong() {
    load_scales();
    for (int e = 0; e < most; ++e) {
      if (!strong(e)) groups[e] = -1;
    }
  }
};

/// work(entries) for all of row i's that fall to `lane`.
template <class Scalar, class Space, class Offset, class Work>
KOKKOS_INLINE_FUNCTION void for_each_loaded(const SmoothingInput<Scalar, Space, Offset>& in,
                                            Ordinal i, int lane, int width, const Work& work) {
  using Entries = LoadedEntries<Scalar, Space, Offset>;
  const Ordinal size = in.length(i);
  for (Ordinal first = lane; first < size; first += Entries::most * width) {
    Entries entries(in, i, first, width);
    work(entries);
  }
}

}  // namespace tessera::amg::detail
