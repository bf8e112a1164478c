// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The one object that listens to Kokkos Tools.
#pragma once

#include <Kokkos_Core.hpp>

namespace tessera::test {

/// `Derived` sets the callbacks that it needs, which find it by `current()`; all are as before when
/// it is gone. One at a time.
template <class Derived>
class ToolsObserver {
 public:
  ToolsObserver(const ToolsObserver&) = delete;
  ToolsObserver& operator=(const ToolsObserver&) = delete;

 protected:
  ToolsObserver() : m_before(Kokkos::Tools::Experimental::get_callbacks()) {
    s_current = static_cast<Derived*>(this);
  }
  ~ToolsObserver() { Kokkos::Tools::Experimental::set_callbacks(m_before); }

  static Derived& current() { return *s_current; }

 private:
  inline static Derived* s_current = nullptr;
  Kokkos::Tools::Experimental::EventSet m_before;
};

}  // namespace tessera::test
