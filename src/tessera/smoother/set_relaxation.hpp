// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The relaxation of one set of rows.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera {

/// x_S = x_S + d_S .* (b - A x)_S for sets S of rows, wherever A's entries are.
template <class Scalar, class Space>
class SetRelaxation {
 public:
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;

  virtual ~SetRelaxation() = default;
  /// Makes room for vectors of `k` columns.
  virtual void prepare(const Space& exec, int k) = 0;
  /// Relaxes the set of that number, from 0 on; rows of others stay as they are.
  virtual void relax(const Space& exec, int set, const ConstVectors& b, const Vectors& x) const = 0;
};

}  // namespace tessera
