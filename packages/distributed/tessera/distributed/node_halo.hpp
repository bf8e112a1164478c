// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What processes send each other of a graph's nodes.
#pragma once

#include "tessera/distributed/array_messages.hpp"
#include "tessera/distributed/communication_plan.hpp"
#include "tessera/distributed/from_host.hpp"

#include <utility>
#include <vector>

namespace tessera::distributed {

/// Gathers the values of `rows`.
template <class T, class Space>
struct PackRows {
  Array<Ordinal, Space> rows;
  Array<T, Space> values, packed;

  KOKKOS_FUNCTION void operator()(Ordinal i) const { packed(i) = values(rows(i)); }
};

/// Adds what has come to the values of `rows`, among which a row may be several times.
template <class T, class Space>
struct AddToRows {
  Array<Ordinal, Space> rows;
  Array<T, Space> values, come;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    Kokkos::atomic_add(&values(rows(i)), come(i));
  }
};

/// Numbers of any kind by node: a process's own nodes first, and behind them ghosts, which are
/// others'. Of a plan by `halo_plan`, null on one process.
template <class Space>
class NodeHalo {
 public:
  NodeHalo() = default;
  explicit NodeHalo(const Plan& plan) : m_plan(plan) {
    if (plan == nullptr) return;
    m_exports = from_host(Space(), plan->exports);
  }

  /// Ghosts get what their owners have. `values`: one per node. Waits. Collective.
  template <class T>
  void fill(const Space& exec, const Array<T, Space>& values) const {
    if (m_plan == nullptr) return;
    const auto rows = m_exports;
    const auto packed = allocate<T>(exec, "tessera::distributed::NodeHalo", rows.extent(0));
    Kokkos::parallel_for("tessera::distributed::NodeHalo::pack",
                         Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(rows.extent(0))),
                         PackRows<T, Space>{rows, values, packed});
    send<T>(exec, packed, ghosts_of<T>(values), m_plan->receivers, m_plan->senders);
  }

  /// Owners add what others have counted of their nodes. Waits. Collective.
  template <class T>
  void add_back(const Space& exec, const Array<T, Space>& values) const {
    if (m_plan == nullptr) return;
    const auto rows = m_exports;
    const auto come = allocate<T>(exec, "tessera::distributed::NodeHalo", rows.extent(0));
    send<T>(exec, ghosts_of<T>(values), come, m_plan->senders, m_plan->receivers);
    Kokkos::parallel_for("tessera::distributed::NodeHalo::add",
                         Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(rows.extent(0))),
                         AddToRows<T, Space>{rows, values, come});
    exec.fence("tessera::distributed::NodeHalo");
  }

 private:
  using Neighbours = std::vector<CommunicationPlan::Neighbour>;

  template <class T>
  Array<T, Space> ghosts_of(const Array<T, Space>& values) const {
    return Kokkos::subview(values, std::make_pair(static_cast<std::size_t>(m_plan->num_source),
                                                  static_cast<std::size_t>(m_plan->num_target)));
  }

  template <class T>
  void send(const Space& exec, const Array<T, Space>& sent, const Array<T, Space>& received,
            const Neighbours& to, const Neighbours& from) const {
    using Messages = ArrayMessages<T, Space>;
    const auto parts = [](const Neighbours& neighbours) {
      typename Messages::Parts made;
      for (const auto& n : neighbours)
        made.push_back(
            {n.process, static_cast<std::size_t>(n.first), static_cast<std::size_t>(n.length)});
      return made;
    };
    Messages messages;
    messages.begin(exec, *m_plan->processes, sent, received, parts(to), parts(from));
    messages.end(exec);
    exec.fence("tessera::distributed::NodeHalo");
  }

  Plan m_plan;
  Array<Ordinal, Space> m_exports;
};

}  // namespace tessera::distributed
