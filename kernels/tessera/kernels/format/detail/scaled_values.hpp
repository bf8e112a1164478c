// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the conversions between CSR and other formats share.
#pragma once

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/format/csr.hpp"

#include <cmath>
#include <string>

namespace tessera::kernels::detail {

/// Throws unless `scale` and its inverse are powers of two.
inline void require_power_of_two(double scale) {
  int exponent = 0;
  require(std::frexp(scale, &exponent) == 0.5 && std::isfinite(1 / scale),
          [&] { return "scale is " + std::to_string(scale) + ", expected a power of two"; });
}

/// `factor` times `value`, rounded once to `To`; `factor` is a power of two.
template <class To, class From>
KOKKOS_FORCEINLINE_FUNCTION To scaled_value(From value, double factor) {
  return static_cast<To>(static_cast<double>(value) * factor);
}

template <class To, class From, class Space>
struct ScaleValues {
  ArrayView<const From, Space> source;
  Array<To, Space> target;
  double factor;

  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    target(i) = scaled_value<To>(source(i), factor);
  }
};

/// `factor` times every value of `source`, rounded to `To`.
template <class To, class From, class Space>
Array<To, Space> scaled_values(const Space& exec, const ArrayView<const From, Space>& source,
                               std::size_t length, double factor) {
  const auto target = allocate<To>(exec, "tessera::values", length);
  Kokkos::parallel_for("tessera::convert_values", Kokkos::RangePolicy<Space>(exec, 0, length),
                       ScaleValues<To, From, Space>{source, target, factor});
  return target;
}

/// A copy of a View's first `length` items.
template <class T, class Space>
Array<T, Space> copy_of(const Space& exec, const std::string& label,
                        const ArrayView<const T, Space>& source, std::size_t length) {
  const auto target = allocate<T>(exec, label, length);
  Kokkos::deep_copy(exec, target, Kokkos::subview(source, std::make_pair(std::size_t(0), length)));
  return target;
}

}  // namespace tessera::kernels::detail
