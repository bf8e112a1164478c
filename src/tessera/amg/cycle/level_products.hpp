// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Inner products of a level's vectors, wherever its rows are.
#pragma once

#include "tessera/kernels/vector/reductions.hpp"

#include <span>

namespace tessera::amg {

/// What a K-cycle takes in place of its own where a process has a part of the rows alone.
template <class Scalar, class Space>
class LevelProducts {
 public:
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;

  virtual ~LevelProducts() = default;

  /// Makes room for up to `count` pairs of vectors of k columns at once.
  virtual void prepare(const Space& exec, int k, int count) = 0;
  /// result(p k + j) = <x_j, y_j> over all rows, y being the p-th of `others`. For what is queued
  /// on `exec` from then on.
  virtual void multiply(const Space& exec, const ConstVectors& x,
                        std::span<const ConstVectors> others,
                        const ArrayView<double, Space>& result) = 0;
};

}  // namespace tessera::amg
