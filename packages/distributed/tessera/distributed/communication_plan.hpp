// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Who sends which entries of a vector to whom.
#pragma once

#include "tessera/distributed/partition.hpp"
#include "tessera/distributed/rows_in_parts.hpp"

#include <memory>
#include <vector>

namespace tessera::distributed {

/// The ways from a source, what each process has, to a target, what it wants to have. A front end
/// fills it in from its own lists, or `halo_plan` makes it from global numbers.
struct CommunicationPlan {
  using Neighbour = HaloLists::Neighbour;

  std::shared_ptr<const Communicator> processes;
  Ordinal num_source = 0;  ///< entries that this process has
  Ordinal num_target = 0;
  Ordinal num_same = 0;  ///< the first ones, which are the same in both
  std::vector<Ordinal> from;  ///< of the source, entries that stay here under other numbers,
  std::vector<Ordinal> to;  ///< and of the target these
  std::vector<Ordinal> exports;  ///< of the source, what others want: by process
  std::vector<Neighbour> receivers;  ///< of `exports`, without this process
  std::vector<Ordinal> remotes;  ///< of the target, what others send: by process
  std::vector<Neighbour> senders;  ///< of `remotes`, without this process

  /// Whether the target is the source and behind it what others send, in the order in which it
  /// comes.
  bool is_halo() const;
};

/// Null where nothing is sent.
using Plan = std::shared_ptr<const CommunicationPlan>;

/// From the shares of `columns` to what a process has and behind it the `ghosts`, numbers of other
/// processes in ascending order. Collective: each process tells the others what it wants. Never
/// null, as some processes may have nothing to receive and something to send; null on one process.
Plan halo_plan(const std::shared_ptr<const Communicator>& processes, const Partition& columns,
               const std::vector<Partition::Global>& ghosts);

/// The same from lists that somebody has worked out already; nothing is sent.
Plan halo_plan(const std::shared_ptr<const Communicator>& processes, const Partition& columns,
               HaloLists lists);

/// The part of a halo whose remote entries are wanted, `wanted` saying for each whether it is.
/// Collective: each process tells its senders.
Plan part_of_halo(const CommunicationPlan& halo, const std::vector<char>& wanted);

/// From rows that are shared out to all of them on the first process, in the processes' order; of
/// others the target is empty. Null on one process.
Plan gathering_plan(const std::shared_ptr<const Communicator>& processes, const Partition& rows);

}  // namespace tessera::distributed
