// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Values of matrices and vectors on the host, changed and compared.
#pragma once

#include "support/host_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tessera::test {

/// factor A.
template <class Scalar>
HostMatrix<Scalar> times(HostMatrix<Scalar> A, double factor) {
  for (Scalar& value : A.values)
    value = static_cast<Scalar>(value * factor);
  return A;
}

/// A with `change(i, value)` called for each entry of its diagonal.
template <class Scalar, class Change>
HostMatrix<Scalar> with_diagonal(HostMatrix<Scalar> A, const Change& change) {
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, Scalar& value) {
    if (j == i) change(i, value);
  });
  return A;
}

/// D A E for diagonal D and E.
template <class Scalar>
HostMatrix<Scalar> scaled(HostMatrix<Scalar> A, const std::vector<double>& d,
                          const std::vector<double>& e) {
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, Scalar& value) {
    value = static_cast<Scalar>(value * d[i] * e[j]);
  });
  return A;
}

/// 10^s, s hashed between -digits and digits.
inline std::vector<double> spread(std::size_t n, double digits, unsigned seed = 11) {
  std::vector<double> d(n);
  unsigned state = seed;
  for (auto& value : d) {
    state = state * 1664525U + 1013904223U;
    value = std::pow(10.0, digits * (state / 2147483648.0 - 1.0));
  }
  return d;
}

/// The largest of |x_i - y_i| over the largest of |y_i|; a NaN where one is in them.
template <class X, class Y>
double relative_difference(const X& x, const Y& y) {
  double largest = 0;
  double difference = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto off = static_cast<double>(std::abs(x[i] - y[i]));
    if (std::isnan(off)) return off;
    largest = std::max(largest, static_cast<double>(std::abs(y[i])));
    difference = std::max(difference, off);
  }
  return difference > 0 ? difference / largest : 0;
}

}  // namespace tessera::test
