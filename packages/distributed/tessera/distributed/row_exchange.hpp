// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What processes send each other of matrices, along a plan.
#pragma once

#include "tessera/distributed/any_messages.hpp"
#include "tessera/distributed/column_numbers.hpp"
#include "tessera/distributed/communication_plan.hpp"
#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/format/csr.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace tessera::distributed {

/// Rows of matrices along a plan: their pattern once, their values whenever these have changed.
/// What lengths of rows take is had when it is made, which is to be in a step of all processes
/// (`on_all_processes`); the rest in a step of `pattern`, so that `values` allocates nothing.
/// Copies share that room, and send one after the other.
template <class Space>
class RowExchange {
 public:
  using Rows = kernels::Csr<double, Space, std::int64_t>;
  enum class Direction {
    forward,  ///< the source's rows to the processes whose target has them
    backward  ///< the target's remote rows to the processes whose source has them
  };
  /// Rows that have come, in the order of the plan's `remotes`; backward in that of its `exports`.
  struct Received {
    Array<std::int64_t, Space> offsets;  ///< nothing stands for no rows
    Array<std::int64_t, Space> columns;

    Ordinal num_rows() const {
      return offsets.extent(0) == 0 ? 0 : static_cast<Ordinal>(offsets.extent(0)) - 1;
    }
  };

  /// Nothing is sent.
  RowExchange() = default;
  /// `plan` may be null: nothing is sent then, either.
  RowExchange(const Plan<Space>& plan, Direction direction);

  bool is_empty() const { return m_plan == nullptr; }
  /// Of an exchange that is not empty.
  const Communicator& processes() const { return *m_plan->processes; }
  /// The rows that those received belong to, one after the other.
  typename CommunicationPlan<Space>::List received_rows() const;

  /// What has come of the others' `rows`, whose columns are `numbers`'s. Collective.
  Received pattern(const Space& exec, const Rows& rows, const ColumnNumbers<Space>& numbers);
  /// The values of the same rows to `received`. Collective.
  void values(const Space& exec, const Rows& rows, const Array<double, Space>& received) const;

 private:
  using Neighbours = std::vector<HaloLists::Neighbour>;
  using Parts = typename AnyMessages<Space>::Parts;

  const Neighbours& receivers() const {
    return m_is_backward ? m_plan->senders : m_plan->receivers;
  }
  const Neighbours& senders() const { return m_is_backward ? m_plan->receivers : m_plan->senders; }
  const typename CommunicationPlan<Space>::List& sent_rows() const {
    return m_is_backward ? m_plan->remotes : m_plan->exports;
  }
  void place_entries(const Space& exec, const Rows& rows, const ColumnNumbers<Space>& numbers,
                     Received& received);

  Plan<Space> m_plan;
  bool m_is_backward = false;
  Array<std::int64_t, Space> m_lengths, m_received_lengths;  ///< of rows
  Array<std::int64_t, Space> m_starts;  ///< of each row among the entries sent, and their number
  Array<std::int64_t, Space> m_room;  ///< a word for each entry sent
  Parts m_sent_parts;
  Parts m_received_parts;
  mutable AnyMessages<Space> m_messages;
};

}  // namespace tessera::distributed
