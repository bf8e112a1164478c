// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What processes send each other of a graph's nodes.
#pragma once

#include "tessera/distributed/communication_plan.hpp"
#include "tessera/distributed/exchange.hpp"
#include "tessera/distributed/from_host.hpp"

#include <utility>
#include <vector>

namespace tessera::distributed {

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
    Kokkos::parallel_for(
        "tessera::distributed::NodeHalo::pack",
        Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(rows.extent(0))),
        KOKKOS_LAMBDA(const Ordinal i) { packed(i) = values(rows(i)); });
    send<T>(exec, packed, ghosts_of<T>(values), m_plan->receivers, m_plan->senders);
  }

  /// Owners add what others have counted of their nodes. Waits. Collective.
  template <class T>
  void add_back(const Space& exec, const Array<T, Space>& values) const {
    if (m_plan == nullptr) return;
    const auto rows = m_exports;
    const auto come = allocate<T>(exec, "tessera::distributed::NodeHalo", rows.extent(0));
    send<T>(exec, ghosts_of<T>(values), come, m_plan->senders, m_plan->receivers);
    Kokkos::parallel_for(
        "tessera::distributed::NodeHalo::add",
        Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(rows.extent(0))),
        KOKKOS_LAMBDA(const Ordinal i) { Kokkos::atomic_add(&values(rows(i)), come(i)); });
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
    const auto post = [&](const T* out, T* in) {
      std::vector<Communicator::Outgoing> outgoing;
      std::vector<Communicator::Incoming> incoming;
      for (const auto& n : to)
        outgoing.push_back(
            {n.process, out + n.first, static_cast<std::size_t>(n.length) * sizeof(T)});
      for (const auto& n : from)
        incoming.push_back(
            {n.process, in + n.first, static_cast<std::size_t>(n.length) * sizeof(T)});
      m_plan->processes->start(outgoing, incoming)->wait();
    };
    if (goes_through_host<Space>(*m_plan->processes)) {
      const auto out =
          kernels::allocate_report<T>(exec, "tessera::distributed::NodeHalo", sent.extent(0));
      const auto in =
          kernels::allocate_report<T>(exec, "tessera::distributed::NodeHalo", received.extent(0));
      Kokkos::deep_copy(exec, out, sent);
      exec.fence("tessera::distributed::NodeHalo");
      post(out.data(), in.data());
      Kokkos::deep_copy(exec, received, in);
      exec.fence("tessera::distributed::NodeHalo");
    } else {
      exec.fence("tessera::distributed::NodeHalo");
      post(sent.data(), received.data());
    }
  }

  Plan m_plan;
  Array<Ordinal, Space> m_exports;
};

}  // namespace tessera::distributed
