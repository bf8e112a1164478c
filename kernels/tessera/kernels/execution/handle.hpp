// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Owner of a handle of a vendor's library.
#pragma once

#include <utility>

namespace tessera::kernels {

/// Holds a handle, null where there is none, and gives it to `destroy` at its end. What `destroy`
/// returns is not looked at: a destructor has nobody to tell.
template <class T, auto destroy>
class Handle {
 public:
  Handle() = default;
  Handle(Handle&& other) noexcept : m_handle(std::exchange(other.m_handle, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(m_handle, other.m_handle);
    return *this;
  }
  ~Handle() { reset(); }

  T get() const { return m_handle; }
  explicit operator bool() const { return m_handle != nullptr; }
  /// Where a library's call puts a new handle.
  T* fill() {
    reset();
    return &m_handle;
  }

 private:
  void reset() {
    if (m_handle != nullptr) static_cast<void>(destroy(m_handle));
    m_handle = nullptr;
  }

  T m_handle = nullptr;
};

}  // namespace tessera::kernels
