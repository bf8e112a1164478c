// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the first solve of a process pays for once, paid before.
#pragma once

#include "tessera/solve.hpp"

#include <cstddef>

namespace tessera {

/// What `warm_up` gets ready.
struct WarmUpOptions {
  SolveParameters parameters;  ///< those of the solves to come
  bool float_matrices = false;  ///< for matrices in float, too
  bool wide_offsets = false;  ///< for matrices with 64-bit offsets, too
  /// Device memory to allocate and free again, in one piece. What the driver keeps of it serves
  /// setups later on; see `keep_freed_memory`. A setup of the 7-point stencil takes some 40 bytes
  /// for each entry of A at its peak.
  std::size_t bytes = 0;
};

/// Solves small systems on `exec`: stencils in the plane and in space, and one without a grid, with
/// the matrices in double. A GPU's kernels are loaded when they are first launched, which can take
/// longer than all else in the first setup of a process; memory and plans of the runtime are made
/// then, too. Kernels for sizes, formats or methods that the small systems do not have are still
/// loaded when they are met first. Nothing is kept but what the runtime and Kokkos keep: results of
/// later solves have the same bits.
///
/// Call it after `Kokkos::initialize` where the time of the first solve matters; a program of many
/// solves gains nothing. On a host there is little to warm. Waits for `exec`.
/// @throws Error of kind `configuration` for parameters out of their range; whatever an allocation
///         of `bytes` throws.
template <class Space>
void warm_up(const Space& exec, const WarmUpOptions& options = {});

}  // namespace tessera
