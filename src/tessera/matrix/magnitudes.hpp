// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The magnitudes of a matrix's entries, and which scalars hold them.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/precision/arithmetic.hpp"

#include <cmath>
#include <limits>

namespace tessera {

/// Magnitudes that decide whether a narrow scalar holds a matrix.
struct Magnitudes {
  double largest = 0;  ///< a NaN where an entry is one
  double smallest_row = std::numeric_limits<double>::infinity();  ///< the largest entry of a row

  KOKKOS_FUNCTION Magnitudes& operator+=(const Magnitudes& other) {
    // A NaN is the largest, so that no scalar holds it.
    if (other.largest > largest || Kokkos::isnan(other.largest)) largest = other.largest;
    smallest_row = Kokkos::min(smallest_row, other.smallest_row);
    return *this;
  }
};

/// Of A's entries, rows of zeros left out. One pass, and a wait.
template <class Scalar, class Space, class Offset>
Magnitudes magnitudes(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);
/// The same on packed tiles.
template <class Scalar, class Space>
Magnitudes magnitudes(const Space& exec, const kernels::MbsrView<Scalar, Space>& A);

/// Whether `Storage`, after division by `scale`, holds the entries: none overflows, and each row
/// keeps its largest one with all bits.
template <class Storage>
bool holds(const Magnitudes& range, double scale = 1) {
  if (range.largest == 0) return true;
  return range.largest / scale <= largest_finite<Storage> &&
         range.smallest_row / scale >= smallest_normal<Storage>;
}

/// The even exponent nearest to 0 of a power of two by which `Storage` holds the entries; 0 where
/// none does. Square roots of numbers scaled by it have the same significands.
template <class Storage>
int exponent_into_range(const Magnitudes& range) {
  if (holds<Storage>(range) || !std::isfinite(range.largest)) return 0;
  int exponent = range.largest > largest_finite<Storage>
                     ? std::ilogb(largest_finite<Storage>) - 1 - std::ilogb(range.largest)
                     : std::ilogb(smallest_normal<Storage>) - std::ilogb(range.smallest_row);
  if (exponent % 2 != 0) exponent += exponent < 0 ? -1 : 1;
  return holds<Storage>(range, std::ldexp(1.0, -exponent)) ? exponent : 0;
}

/// Whether float holds the entries and what a hierarchy makes of them: products of three, sums of
/// squares.
inline bool float_has_room_for(const Magnitudes& range) {
  if (range.largest == 0) return true;
  return range.largest <= 0x1p60 && range.smallest_row >= 0x1p-60;
}

}  // namespace tessera
