// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Nodes of aggregates that reach across processes, where their aggregates are.
#pragma once

#include "tessera/distributed/exchange.hpp"
#include "tessera/distributed/partition.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <memory>

namespace tessera::distributed {

/// Nodes of whole aggregates on the processes that have these, in ascending order; nodes without an
/// aggregate stay where they are.
template <class Space>
class GatheredNodes {
 public:
  using Global = Partition::Global;

  /// `aggregates`: those that each process has. `aggregate_of`: by node of this process, -1 for
  /// none; each node has `block_size` rows. There is room to send `num_columns` columns.
  /// Collective.
  GatheredNodes(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                const Partition& aggregates, const ArrayView<const Global, Space>& aggregate_of,
                Ordinal block_size, std::size_t num_columns);

  /// Rows of all gathered nodes here.
  std::size_t num_rows() const { return m_aggregate_of.extent(0) * std::size_t(m_block_size); }
  /// By gathered node its aggregate, numbered on this process; -1 for none.
  const Array<Ordinal, Space>& aggregate_of() const { return m_aggregate_of; }
  /// Room for all columns of the gathered rows.
  const MultiVector<double, Space>& room() const { return m_room; }

  /// `gathered`: the rows of gathered nodes, of everyone's `own`. Collective.
  void gather(const Space& exec, const MultiVector<double, Space>& own,
              const MultiVector<double, Space>& gathered);
  /// The other way. Collective.
  void give_back(const Space& exec, const MultiVector<double, Space>& gathered,
                 const MultiVector<double, Space>& own);

 private:
  Ordinal m_block_size;
  Array<Ordinal, Space> m_place;  ///< by own node that among the gathered ones; -1 where it leaves
  Array<Ordinal, Space> m_aggregate_of;
  /// From each process's rows to those of its gathered nodes that come from others; without a plan
  /// on one process.
  Exchange<double, Space> m_others;
  MultiVector<double, Space> m_room;
};

}  // namespace tessera::distributed
