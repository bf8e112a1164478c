// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A mark in what is queued on an instance, for which the host can wait.
#pragma once

#include "tessera/kernels/execution/launch_graph.hpp"

#include <optional>
#include <string>

namespace tessera::kernels {

/// Waits for what was queued before the mark, and not for what was queued behind it. Where the
/// space has no events that this can be made of, it waits for all that is queued, which on a host
/// is done by then.
template <class Space>
class QueueEvent {
 public:
  /// True where `await` returns while what was queued behind the mark still runs.
  static constexpr bool waits_for_no_more = false;

  void set(const Space& exec) { m_exec = exec; }
  /// Returns at once where no mark was set. `label`: of a wait, as tools see it.
  void await(const std::string& label) const {
    if (m_exec) m_exec->fence(label);
  }

 private:
  std::optional<Space> m_exec;
};

/// By an event, which no tool of Kokkos sees.
template <class Space>
  requires has_launch_graphs<Space>
class QueueEvent<Space> {
 public:
  using Api = detail::GraphApi<Space>;
  static constexpr bool waits_for_no_more = true;

  /// @throws Error of kind `device` where the device's runtime refuses.
  void set(const Space& exec);
  /// @throws Error of kind `device` also where something that was queued before has failed.
  void await(const std::string& label) const;

 private:
  typename Api::Event m_event;  ///< of `m_device`
  int m_device = -1;
};

}  // namespace tessera::kernels
