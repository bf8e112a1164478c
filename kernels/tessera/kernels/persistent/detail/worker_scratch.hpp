// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The shared memory of a worker.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <cstddef>

namespace tessera::kernels::detail {

/// Shared memory of a worker that is handed out piece by piece; null once it is used up.
class Scratch {
 public:
  KOKKOS_FUNCTION Scratch(std::byte* begin, std::size_t bytes) : m_next(begin), m_left(bytes) {}

  template <class T>
  KOKKOS_FUNCTION T* take(std::size_t count) {
    const std::size_t bytes = bytes_of<T>(count);
    if (m_next == nullptr || bytes > m_left) return nullptr;
    T* const result = reinterpret_cast<T*>(m_next);
    m_next += bytes;
    m_left -= bytes;
    return result;
  }
  KOKKOS_FUNCTION std::size_t left() const { return m_next == nullptr ? 0 : m_left; }

  template <class T>
  KOKKOS_FUNCTION static std::size_t bytes_of(std::size_t count) {
    return (count * sizeof(T) + alignment - 1) / alignment * alignment;
  }
  static constexpr std::size_t alignment = 16;

 private:
  std::byte* m_next;
  std::size_t m_left;
};

}  // namespace tessera::kernels::detail
