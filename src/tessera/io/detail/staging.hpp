// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Memory that host threads fill for an execution space.
#pragma once

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "tessera/kernels/execution/types.hpp"

namespace tessera::detail {

/// Whether host code can write the memory of `Space`, which one that runs on a device may have,
/// too.
template <class Space>
inline constexpr bool is_host_accessible =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Space::memory_space>::accessible;

template <class T>
using HostView = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Host threads for text: those of a host space; for a device, the machine's.
template <class Space>
int host_threads(const Space& exec, int asked) {
  if (asked > 0) return asked;
  const int found = is_host_accessible<Space>
                        ? static_cast<int>(exec.concurrency())
                        : static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp(found, 1, 256);
}

/// An array of `Space` that the host fills: the array itself for a host space, else a host buffer
/// that `take` copies.
template <class T, class Space>
class Staging {
 public:
  Staging(const Space& exec, const char* label, std::size_t size)
      : m_exec(exec), m_label(label), m_size(size) {
    if constexpr (is_host_accessible<Space>) {
      m_array = allocate<T>(exec, label, size);
    } else {
      m_buffer = std::make_unique_for_overwrite<T[]>(size);
    }
  }

  T* host() {
    if constexpr (is_host_accessible<Space>) {
      return m_array.data();
    } else {
      return m_buffer.get();
    }
  }

  /// The first `size` elements in the memory of `Space`; `host` is no longer to be written.
  Array<T, Space> take(std::size_t size) {
    if constexpr (is_host_accessible<Space>) {
      return size == m_size ? m_array
                            : Array<T, Space>(m_array, std::make_pair(std::size_t{0}, size));
    } else {
      Array<T, Space> array = allocate<T>(m_exec, m_label, size);
      Kokkos::deep_copy(m_exec, array, HostView<const T>(m_buffer.get(), size));
      return array;
    }
  }

 private:
  Space m_exec;
  const char* m_label;
  std::size_t m_size;
  Array<T, Space> m_array;
  std::unique_ptr<T[]> m_buffer;
};

/// The host's own copy of an array, or the array itself where the host can read it. Waits.
template <class T, class Space>
class HostCopy {
 public:
  HostCopy(const Space& exec, const ArrayView<const T, Space>& array) : m_data(array.data()) {
    if constexpr (!is_host_accessible<Space>) {
      m_buffer = std::make_unique_for_overwrite<T[]>(array.extent(0));
      Kokkos::deep_copy(exec, HostView<T>(m_buffer.get(), array.extent(0)), array);
      m_data = m_buffer.get();
    }
    exec.fence("tessera::io: copied to the host");
  }

  const T* data() const { return m_data; }

 private:
  std::unique_ptr<T[]> m_buffer;
  const T* m_data;
};

/// The columns of `x` one after the other in host memory. Waits.
template <class Scalar, class Space>
std::vector<Scalar> to_host(const Space& exec, const MultiVector<Scalar, Space>& x) {
  std::vector<Scalar> host(x.extent(0) * x.extent(1));
  const Kokkos::View<Scalar**, Kokkos::LayoutLeft, Kokkos::HostSpace,
                     Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      view(host.data(), x.extent(0), x.extent(1));
  Kokkos::deep_copy(exec, view, x);
  exec.fence("tessera::io: a vector is on the host");
  return host;
}

}  // namespace tessera::detail
