// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A system whose right-hand sides are brought to about the size of 1 by powers of two.
#pragma once

#include "tessera/kernels/vector/column_scaling.hpp"

#include <span>
#include <vector>

namespace tessera::detail {

/// Columns of b and x multiplied by 2^-e, where 2^e is the power of two below b's largest
/// magnitude, each column by its own: squares of norms neither vanish nor overflow then, and no
/// significand changes. A column of zeros, or with an entry that is not finite, keeps e = 0.
///
/// Memory is taken at the first use and kept.
template <class Scalar, class Space>
class ScaledSystem {
 public:
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;

  /// Takes b and the guess x (n by k). The guess of a column with b = 0 is 0. Waits for the device.
  void take(const Space& exec, const ConstVectors& b, const Vectors& x);

  ConstVectors b() const { return m_b; }
  Vectors x() const { return m_x; }
  std::span<const int> exponents() const { return m_exponents; }
  /// Whether column j of b and of the guess that was taken had finite entries alone.
  bool was_finite(int j) const { return m_was_finite[j] != 0; }
  /// x_j = 0.
  void clear(const Space& exec, int j) const;

  /// Writes 2^e x_j to column j of `x`. True where an entry lost bits, as it overflowed or became
  /// denormal: `x()` is what was written then, 2^-e times. Waits for the device.
  bool give_back(const Space& exec, const Vectors& x) const;

 private:
  MultiVector<Scalar, Space> m_b;
  MultiVector<Scalar, Space> m_x;
  kernels::Report<double, Space> m_report;  ///< of b, then of x
  std::vector<int> m_exponents;
  std::vector<char> m_was_finite;
};

}  // namespace tessera::detail
