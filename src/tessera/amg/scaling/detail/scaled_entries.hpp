// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Passes over the entries of a matrix that is scaled by powers of two.
#pragma once

#include "tessera/kernels/format/row_lanes.hpp"
#include "tessera/matrix/magnitudes.hpp"

#include <cstdint>

namespace tessera::amg::detail {

/// Two to an exponent from -1022 to 1023, and to the nearest of these beyond.
KOKKOS_INLINE_FUNCTION double power_of_two(int exponent) {
  const int inside = exponent < -1022 ? -1022 : (exponent > 1023 ? 1023 : exponent);
  return tessera::detail::bit_cast<double>(static_cast<std::uint64_t>(inside + 1023) << 52);
}

/// least / factor, or the smallest normal number where that is less: exact for powers of two.
KOKKOS_INLINE_FUNCTION double inverse_factor(double least, double factor) {
  return Kokkos::fmax(least / factor, 0x1p-1022);
}

/// Calls work(group, i) for each row of A: by several lanes on a device, where rows are long.
template <class Work>
struct ByGroups {
  Work work;

  KOKKOS_FUNCTION void operator()(Ordinal i) const { work(kernels::LaneGroup(1, 0), i); }
  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i) const {
    work(group, i);
  }
};

template <class Scalar, class Space, class Offset, class Work>
void for_each_row_of(const Space& exec, const char* label,
                     const kernels::CsrView<Scalar, Space, Offset>& A, const Work& work) {
  kernels::for_each_row(exec, label, A.num_rows, kernels::lanes_per_row(A), ByGroups<Work>{work});
}

/// visit(e) for the entries of row i that are this lane's; none of row -1.
template <class Scalar, class Space, class Offset, class Visit>
KOKKOS_INLINE_FUNCTION void for_each_entry(const kernels::CsrView<Scalar, Space, Offset>& A,
                                           const kernels::LaneGroup& group, Ordinal i,
                                           const Visit& visit) {
  const Offset end = i < 0 ? 0 : A.offsets(i + 1);
  for (Offset e = (i < 0 ? 0 : A.offsets(i)) + group.lane(); e < end; e += group.size())
    visit(e);
}

}  // namespace tessera::amg::detail
