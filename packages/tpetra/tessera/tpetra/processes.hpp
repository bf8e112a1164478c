// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tpetra's processes and the ways that it has found between them, for `tessera::distributed`.
#pragma once

#include "tessera/distributed/communication_plan.hpp"
#include "tessera/distributed/on_all_processes.hpp"

#include <Teuchos_Comm.hpp>
#include <Tpetra_Distributor.hpp>
#include <Tpetra_Import.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace tessera::tpetra {

/// The same processes, whose communicator is kept alive. Messages are read from a device's memory
/// where Tpetra does so (`TPETRA_ASSUME_GPU_AWARE_MPI`).
std::shared_ptr<const distributed::Communicator> communicator_of(
    const Teuchos::RCP<const Teuchos::Comm<int>>& processes);

/// `distributed::on_all_processes` of these. Collective.
void on_all_processes(const Teuchos::Comm<int>& processes, const std::function<void()>& work);

/// What an importer sends and expects: its export lists and what Tpetra's distributor has made of
/// them.
template <class GlobalOrdinal, class Node>
distributed::HaloLists halo_lists_of(const Tpetra::Import<int, GlobalOrdinal, Node>& importer) {
  distributed::HaloLists lists;
  const auto& distributor = importer.getDistributor();
  const auto from = distributor.getProcsFrom();
  const auto lengths = distributor.getLengthsFrom();
  Ordinal first = 0;
  for (Teuchos::Ordinal i = 0; i < from.size(); ++i) {
    const auto length = static_cast<Ordinal>(lengths[i]);
    if (length > 0) lists.senders.push_back({from[i], first, length});
    first += length;
  }
  // Messages to one process keep the order of the list.
  const auto exports = importer.getExportLIDs();
  const auto to = importer.getExportPIDs();
  std::vector<Teuchos::Ordinal> order(static_cast<std::size_t>(exports.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Teuchos::Ordinal a, Teuchos::Ordinal b) { return to[a] < to[b]; });
  std::vector<Ordinal> ordered;
  for (const auto place : order) {
    const auto here = static_cast<Ordinal>(ordered.size());
    if (lists.receivers.empty() || lists.receivers.back().process != to[place])
      lists.receivers.push_back({to[place], here, 0});
    ++lists.receivers.back().length;
    ordered.push_back(exports[place]);
  }
  lists.exports = distributed::host_array(ordered);
  return lists;
}

/// Sends along an importer. Null where that is.
template <class Space, class GlobalOrdinal, class Node>
distributed::Plan<Space> plan_of(
    const Space& exec,
    const Teuchos::RCP<const Tpetra::Import<int, GlobalOrdinal, Node>>& importer) {
  if (importer.is_null()) return nullptr;
  const auto list = [](const Teuchos::ArrayView<const int>& rows) {
    return std::vector<Ordinal>(rows.begin(), rows.end());
  };
  distributed::HostPlan plan;
  plan.processes = communicator_of(importer->getSourceMap()->getComm());
  plan.num_source = static_cast<Ordinal>(importer->getSourceMap()->getLocalNumElements());
  plan.num_target = static_cast<Ordinal>(importer->getTargetMap()->getLocalNumElements());
  plan.num_same = static_cast<Ordinal>(importer->getNumSameIDs());
  plan.from = list(importer->getPermuteFromLIDs());
  plan.to = list(importer->getPermuteToLIDs());
  plan.remotes = list(importer->getRemoteLIDs());
  plan.halo = halo_lists_of(*importer);
  return distributed::plan_on(exec, plan);
}

}  // namespace tessera::tpetra
