// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation of vectors that are stored in half.
#pragma once

#include "tessera/core/half_operator.hpp"

#include <memory>

namespace tessera::amg {

/// The sweeps of a smoother in float, with vectors in half: a diagonal's or a Chebyshev
/// polynomial's. Out of place.
template <class Space>
class HalfSmoother {
 public:
  using ConstVectors = ConstMultiVectorView<Half, Space>;
  using Vectors = MultiVectorView<Half, Space>;

  virtual ~HalfSmoother() = default;

  /// Makes room for `k` right-hand sides.
  virtual void prepare(const Space& exec, int k) = 0;
  /// x = the iterate after its sweeps from zero.
  virtual void apply(const Space& exec, const ConstVectors& b, const Vectors& x) = 0;
  /// x_out = the iterate after its sweeps from `x_in`; the two do not overlap.
  virtual void smooth(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
                      const Vectors& x_out) = 0;
};

/// The same relaxation as `smoother`, of A; null where it is neither Jacobi's nor Chebyshev's.
template <class Space>
std::shared_ptr<HalfSmoother<Space>> half_smoother(const Smoother<float, Space>* smoother,
                                                   std::shared_ptr<const HalfOperator<Space>> A);

}  // namespace tessera::amg
