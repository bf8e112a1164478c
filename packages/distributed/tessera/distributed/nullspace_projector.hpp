// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What takes a nullspace out of vectors over several processes.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <cstddef>

namespace tessera::distributed {

/// v = v - N (N^T v) for orthonormal vectors N.
template <class Space>
class NullspaceProjector {
 public:
  using Vectors = MultiVectorView<double, Space>;

  virtual ~NullspaceProjector() = default;

  /// Makes room for k right-hand sides at once.
  virtual void prepare(const Space& exec, std::size_t k) = 0;
  /// Of v's columns, for which there is room: this process's rows by k. Queued on `exec`, for which
  /// the host waits where sums over the processes are its own. Collective.
  virtual void apply(const Space& exec, const Vectors& v) = 0;
};

}  // namespace tessera::distributed
