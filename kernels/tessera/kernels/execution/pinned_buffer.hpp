// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Memory that a device writes and the host reads.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <cstddef>

namespace tessera::kernels {

/// Memory of the host that kernels of every space reach: what they write there is on the host after
/// one fence, without a copy. To pin memory takes a driver longer than a small kernel, so buffers
/// are kept for the next one until Kokkos ends. One buffer serves one thread; any number of threads
/// may have some.
class PinnedBuffer {
 public:
  /// At least `bytes`, aligned for any scalar; not initialised.
  explicit PinnedBuffer(std::size_t bytes);
  /// Leaves the memory for the next buffer: whatever was launched with it must be done.
  ~PinnedBuffer();
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  std::byte* data() const { return m_memory.data(); }

 private:
  Kokkos::View<std::byte*, Kokkos::SharedHostPinnedSpace> m_memory;
};

}  // namespace tessera::kernels
