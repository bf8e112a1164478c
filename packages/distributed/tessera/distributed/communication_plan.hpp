// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Who sends which entries of a vector to whom.
#pragma once

#include "tessera/distributed/partition.hpp"
#include "tessera/distributed/rows_in_parts.hpp"
#include "tessera/distributed/sorted_numbers.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace tessera::distributed {

/// What goes from a source, what each process has, to a target, what it wants to have. The lists
/// are in the memory of the space that packs and places by them, and all that sends along a plan
/// shares them.
template <class Space>
struct CommunicationPlan {
  using Neighbour = HaloLists::Neighbour;
  using List = Array<const Ordinal, Space>;

  std::shared_ptr<const Communicator> processes;
  Ordinal num_source = 0;  ///< entries that this process has
  Ordinal num_target = 0;
  Ordinal num_same = 0;  ///< the first ones, which are the same in both
  List from;  ///< of the source, entries that stay here under other numbers,
  List to;  ///< and of the target these
  List exports;  ///< of the source, what others want: by process
  std::vector<Neighbour> receivers;  ///< of `exports`, without this process
  List remotes;  ///< of the target, what others send: by process
  std::vector<Neighbour> senders;  ///< of `remotes`, without this process
  /// Whether the target is the source and behind it what others send, in the order in which it
  /// comes.
  bool is_halo = false;
};

/// Null where nothing is sent.
template <class Space>
using Plan = std::shared_ptr<const CommunicationPlan<Space>>;

/// A plan as a front end fills it in from lists of its own, in the host's memory.
struct HostPlan {
  std::shared_ptr<const Communicator> processes;
  Ordinal num_source = 0, num_target = 0, num_same = 0;
  std::vector<Ordinal> from, to, remotes;
  HaloLists halo;  ///< with the exports
};

/// The same with its lists copied, but for the exports where the host's memory is the space's:
/// these are shared. Sends nothing, and allocates: in a step of all processes
/// (`on_all_processes`).
template <class Space>
Plan<Space> plan_on(const Space& exec, const HostPlan& plan);

/// From the shares of `columns` to what a process has and behind it the `ghosts`, numbers of other
/// processes in ascending order. Collective: each process asks the others for what it wants. Never
/// null, as some processes may have nothing to receive and something to send; null on one process.
template <class Space>
Plan<Space> halo_plan(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                      const Partition& columns, const NonDeduced<GlobalNumbers<Space>>& ghosts);

/// The same of numbers in the host's memory.
template <class Space>
Plan<Space> halo_plan(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                      const Partition& columns, const std::vector<Partition::Global>& ghosts);

/// The same from lists that somebody has worked out already; no lists are sent. The exports are
/// shared where the host's memory is the space's. Collective.
template <class Space>
Plan<Space> halo_plan(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                      const Partition& columns, const HaloLists& lists);

/// The part of a halo whose remote entries are wanted, `wanted` being 1 for each that is, else 0.
/// Collective: each process asks its senders.
template <class Space>
Plan<Space> part_of_halo(const Space& exec, const CommunicationPlan<Space>& halo,
                         const NonDeduced<ArrayView<const std::int8_t, Space>>& wanted);

/// From rows that are shared out to all of them on the first process, in the processes' order; of
/// others the target is empty. Null on one process. Sends nothing, and allocates: in a step of all
/// processes.
template <class Space>
Plan<Space> gathering_plan(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                           const Partition& rows);

/// `count` numbers from `first` on. Waits for `exec`.
template <class Space>
Array<Ordinal, Space> numbers_from(const Space& exec, Ordinal first, Ordinal count);

}  // namespace tessera::distributed
