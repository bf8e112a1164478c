// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What processes send each other of matrices, along a plan, and the numbers that columns have
/// there.
#pragma once

#include "tessera/distributed/communication_plan.hpp"
#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/format/csr.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace tessera::distributed {

/// Numbers of columns on one process: its own, which follow each other among all, come first; other
/// processes' get theirs as they turn up.
class ColumnNumbers {
 public:
  using Global = std::int64_t;

  /// `first`: the global number of the first of `num_own` columns.
  explicit ColumnNumbers(Global first = 0, Ordinal num_own = 0)
      : m_first(first), m_num_own(num_own) {}
  /// With these of other processes, in this order.
  ColumnNumbers(Global first, Ordinal num_own, const std::vector<Global>& others);

  Ordinal num_own() const { return m_num_own; }
  Ordinal size() const { return m_num_own + static_cast<Ordinal>(m_others.size()); }
  /// Other processes' columns, by number from `num_own()` on.
  const std::vector<Global>& others() const { return m_others; }
  Global global(Ordinal column) const {
    return column < m_num_own ? m_first + column
                              : m_others[static_cast<std::size_t>(column - m_num_own)];
  }

  /// The number of each column; new ones get theirs in ascending order.
  std::vector<Ordinal> add(const std::vector<Global>& columns);
  /// Leaves other processes' columns out that are not marked, and puts the rest in ascending order.
  /// Returns for each column of before its number now, -1 for none.
  std::vector<Ordinal> keep(const std::vector<char>& is_used_of_others);

 private:
  bool is_own(Global column) const { return column >= m_first && column < m_first + m_num_own; }

  Global m_first;
  Ordinal m_num_own;
  std::vector<Global> m_others;
  std::map<Global, Ordinal> m_number;  ///< of `m_others`
};

/// Rows of matrices along a plan: their pattern once, their values whenever these have changed.
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
    std::vector<std::int64_t> offsets{0};
    std::vector<ColumnNumbers::Global> columns;

    Ordinal num_rows() const { return static_cast<Ordinal>(offsets.size()) - 1; }
  };

  /// Nothing is sent.
  RowExchange() = default;
  /// `plan` may be null: nothing is sent then, either.
  RowExchange(const Plan& plan, Direction direction);

  /// The rows that those received belong to, one after the other.
  const std::vector<Ordinal>& received_rows() const;

  /// What has come of the others' `rows`, whose columns are `numbers`'s. Collective.
  Received pattern(const Space& exec, const Rows& rows, const ColumnNumbers& numbers);
  /// The values of the same rows to `received`. Collective.
  void values(const Space& exec, const Rows& rows, const Array<double, Space>& received) const;

 private:
  using Neighbours = std::vector<CommunicationPlan::Neighbour>;

  const Neighbours& receivers() const {
    return m_is_backward ? m_plan->senders : m_plan->receivers;
  }
  const Neighbours& senders() const { return m_is_backward ? m_plan->receivers : m_plan->senders; }
  /// Numbers of rows, the first of each given by `sent_starts` and `received_starts`.
  template <class T>
  void send(const T* sent, T* received, const std::vector<std::int64_t>& sent_starts,
            const std::vector<std::int64_t>& received_starts) const;

  Plan m_plan;
  bool m_is_backward = false;
  Array<Ordinal, Space> m_sent_rows;
  std::vector<std::int64_t>
      m_sent_starts;  ///< of each row among the entries sent, and their number
  std::vector<std::int64_t> m_received_starts;
  Array<std::int64_t, Space> m_starts;  ///< `m_sent_starts` on the device
};

}  // namespace tessera::distributed
