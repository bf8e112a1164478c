// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/pinned_buffer.hpp"

#include <mutex>
#include <vector>

namespace tessera::kernels {
namespace {

using Memory = Kokkos::View<std::byte*, Kokkos::SharedHostPinnedSpace>;

/// Buffers that nobody uses.
struct Kept {
  std::mutex mutex;
  std::vector<Memory> buffers;
};

/// Emptied before Kokkos ends, after which Views must not be freed. Never destroyed: a library that
/// ends Kokkos by `atexit` may do so after the destructors of this one's statics.
Kept& kept() {
  static Kept& instance = *[] {
    auto* made = new Kept;
    Kokkos::push_finalize_hook([made] {
      const std::lock_guard lock(made->mutex);
      made->buffers.clear();
    });
    return made;
  }();
  return instance;
}

}  // namespace

PinnedBuffer::PinnedBuffer(std::size_t bytes) {
  {
    Kept& all = kept();
    const std::lock_guard lock(all.mutex);
    for (Memory& buffer : all.buffers) {
      if (buffer.extent(0) < bytes) continue;
      m_memory = buffer;
      buffer = all.buffers.back();
      all.buffers.pop_back();
      return;
    }
  }
  m_memory =
      Memory(Kokkos::view_alloc("tessera::pinned_buffer", Kokkos::WithoutInitializing), bytes);
}

PinnedBuffer::~PinnedBuffer() {
  Kept& all = kept();
  const std::lock_guard lock(all.mutex);
  all.buffers.push_back(m_memory);
}

}  // namespace tessera::kernels
