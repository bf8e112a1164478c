// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What processes send each other of a graph's nodes.
#pragma once

#include "tessera/distributed/any_messages.hpp"
#include "tessera/distributed/communication_plan.hpp"
#include "tessera/distributed/neighbours.hpp"

#include <cstdint>
#include <utility>

namespace tessera::distributed {

/// Gathers the values of `rows`.
template <class T, class Space>
struct PackRows {
  Array<const Ordinal, Space> rows;
  Array<T, Space> values;
  ArrayView<T, Space> packed;

  KOKKOS_FUNCTION void operator()(Ordinal i) const { packed(i) = values(rows(i)); }
};

/// Adds what has come to the values of `rows`, among which a row may be several times.
template <class T, class Space>
struct AddToRows {
  Array<const Ordinal, Space> rows;
  Array<T, Space> values;
  ArrayView<T, Space> come;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    Kokkos::atomic_add(&values(rows(i)), come(i));
  }
};

/// Numbers of any kind by node: a process's own nodes first, and behind them ghosts, which are
/// others'. Of a plan by `halo_plan`, null on one process. All memory is had when it is made, which
/// is to be in a step of all processes (`on_all_processes`); copies share it, and send one after
/// the other.
template <class Space>
class NodeHalo {
 public:
  NodeHalo() = default;
  explicit NodeHalo(const Plan<Space>& plan) : m_plan(plan) {
    if (plan == nullptr) return;
    const Space exec;
    m_room = allocate<Word>(exec, "tessera::distributed::NodeHalo", plan->exports.extent(0));
    m_messages.reserve(*plan->processes, plan->exports.extent(0) * sizeof(Word),
                       plan->remotes.extent(0) * sizeof(Word));
  }

  /// Ghosts get what their owners have. `values`: one per node. Waits. Collective.
  template <class T>
  void fill(const Space& exec, const Array<T, Space>& values) const {
    if (m_plan == nullptr) return;
    const auto rows = m_plan->exports;
    const auto packed = room_for<T>();
    Kokkos::parallel_for("tessera::distributed::NodeHalo::pack",
                         Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(rows.extent(0))),
                         PackRows<T, Space>{rows, values, packed});
    m_messages.template send<T>(exec, *m_plan->processes, packed, ghosts_of<T>(values),
                                parts_of<Parts>(m_plan->receivers),
                                parts_of<Parts>(m_plan->senders));
  }

  /// Owners add what others have counted of their nodes. Waits. Collective.
  template <class T>
  void add_back(const Space& exec, const Array<T, Space>& values) const {
    if (m_plan == nullptr) return;
    const auto rows = m_plan->exports;
    const auto come = room_for<T>();
    m_messages.template send<T>(exec, *m_plan->processes, ghosts_of<T>(values), come,
                                parts_of<Parts>(m_plan->senders),
                                parts_of<Parts>(m_plan->receivers));
    Kokkos::parallel_for("tessera::distributed::NodeHalo::add",
                         Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(rows.extent(0))),
                         AddToRows<T, Space>{rows, values, come});
    exec.fence("tessera::distributed::NodeHalo");
  }

 private:
  using Word = std::uint64_t;
  using Parts = typename AnyMessages<Space>::Parts;

  template <class T>
  ArrayView<T, Space> room_for() const {
    static_assert(sizeof(T) <= sizeof(Word), "there is room for a word per node that is sent");
    return ArrayView<T, Space>(reinterpret_cast<T*>(m_room.data()), m_plan->exports.extent(0));
  }

  template <class T>
  Array<T, Space> ghosts_of(const Array<T, Space>& values) const {
    return Kokkos::subview(values, std::make_pair(static_cast<std::size_t>(m_plan->num_source),
                                                  static_cast<std::size_t>(m_plan->num_target)));
  }

  Plan<Space> m_plan;
  Array<Word, Space> m_room;  ///< what is sent to or has come from others' ghosts
  mutable AnyMessages<Space> m_messages;
};

}  // namespace tessera::distributed
