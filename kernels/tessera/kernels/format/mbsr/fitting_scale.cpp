// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/mbsr/fitting_scale.hpp"

#include <algorithm>
#include <cmath>

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/precision/arithmetic.hpp"

namespace tessera::kernels {
namespace detail {

/// The extremes of magnitudes that are not 0, NaN for the largest if one is NaN.
struct Magnitudes {
  double largest = 0;
  double smallest = Kokkos::Experimental::infinity_v<double>;

  KOKKOS_INLINE_FUNCTION Magnitudes& operator+=(const Magnitudes& other) {
    if (other.largest > largest || Kokkos::isnan(other.largest)) largest = other.largest;
    if (other.smallest < smallest) smallest = other.smallest;
    return *this;
  }
};

template <class Scalar, class Space>
Magnitudes magnitudes(const Space& exec, const ArrayView<const Scalar, Space>& values) {
  Magnitudes all;
  Kokkos::parallel_reduce(
      "tessera::magnitudes", Kokkos::RangePolicy<Space>(exec, 0, values.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, Magnitudes& mine) {
        const double magnitude = Kokkos::abs(static_cast<double>(values(i)));
        if (magnitude != 0) mine += Magnitudes{magnitude, magnitude};
      },
      all);
  return all;
}

/// The power of two for magnitudes and the range of a storage.
inline double scale_into_range(const Magnitudes& m, double min_normal, double largest_finite) {
  const bool fits = m.largest <= largest_finite && m.smallest >= min_normal;
  if (fits || m.largest == 0 || !std::isfinite(m.largest)) return 1;
  // The least exponent with m.largest <= 2^exponent * largest.
  constexpr double largest_for_sums = 0x1p64;
  const double largest = std::min(largest_finite, largest_for_sums);
  int exponent_of_magnitude = 0;
  int exponent_of_range = 0;
  const double fraction = std::frexp(m.largest, &exponent_of_magnitude);
  const double top = std::frexp(largest, &exponent_of_range);
  const int exponent = exponent_of_magnitude - exponent_of_range + (fraction > top ? 1 : 0);
  return std::ldexp(1.0, std::clamp(exponent, -1022, 1022));
}

}  // namespace detail

template <class Storage, class Scalar, class Space, class Offset>
double fitting_scale(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  const detail::Magnitudes m = detail::magnitudes<Scalar, Space>(exec, A.values);
  return detail::scale_into_range(m, smallest_normal<Storage>, largest_finite<Storage>);
}

template <class Storage, class From, class Space>
double fitting_scale(const Space& exec, const MbsrView<From, Space>& A) {
  detail::Magnitudes m = detail::magnitudes<From, Space>(exec, A.values);
  m.largest *= A.scale;
  m.smallest *= A.scale;
  return detail::scale_into_range(m, smallest_normal<Storage>, largest_finite<Storage>);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_STORED, fitting_scale)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_PAIRS, fitting_scale)

}  // namespace tessera::kernels
