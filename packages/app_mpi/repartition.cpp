// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_mpi/repartition.hpp"

#include "app_mpi/graph_partition.hpp"
#include "tessera/distributed/agreed_facts.hpp"
#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tessera::app_mpi {
namespace {

/// Entries of all processes in others' columns. Collective.
std::int64_t cut_of(const Communicator& processes, const System& system) {
  const std::int64_t begin = system.shares.first(processes.rank());
  const std::int64_t end = begin + system.shares.count(processes.rank());
  return processes.sum_of(static_cast<std::int64_t>(std::ranges::count_if(
      system.rows.columns, [&](std::int64_t j) { return j < begin || j >= end; })));
}

/// Unknowns per node where nobody has said, found from the pattern as the solver does. Collective.
int found_block_size(const std::shared_ptr<const Communicator>& processes, const HostCsr& rows) {
  const HostSpace exec;
  distributed::Numbered<HostSpace> A;
  together(*processes, [&] {
    const auto offsets = distributed::from_host(exec, rows.offsets);
    const auto columns = distributed::from_host(exec, rows.columns);
    const auto values = distributed::from_host(exec, rows.values);
    A = distributed::numbered<HostSpace>(exec, processes, {offsets, columns, values});
  });
  return distributed::agreed_block_size(exec, A.matrix, 0);
}

}  // namespace

PartitionKind chosen_partition(const std::string& option) {
  if (option.empty() || option == "order") return PartitionKind::order;
  if (option != "graph")
    throw app::UsageError(fmt::format("--partition {}: expected one of: order, graph", option));
  if (!has_graph_partitioner())
    throw app::UsageError("--partition graph: this tessera-mpi was built without PT-Scotch");
  return PartitionKind::graph;
}

std::optional<Renumbering> repartition(const std::shared_ptr<const Communicator>& processes,
                                       bool by_entries, System& system, app::SolveReport& report) {
  app::ProblemReport& problem = report.problem;
  problem.partition = "graph";
  problem.cut_in_order = problem.cut = cut_of(*processes, system);
  if (processes->size() == 1) return std::nullopt;
  if (system.block_size == 0) system.block_size = found_block_size(processes, system.rows);
  Renumbering renumbering(
      *processes, system.shares,
      graph_partition(*processes, system.shares, system.rows, system.block_size, by_entries));
  together(*processes, [&] {
    system.rows = renumbering.moved(system.rows);
    system.b = renumbering.moved(system.b);
    if (system.near_nullspace.count > 0)
      system.near_nullspace = renumbering.moved(system.near_nullspace);
    system.shares = renumbering.shares();
  });
  problem.cut = cut_of(*processes, system);
  report.picks.push_back(
      fmt::format("partition by the graph: {} entries in columns of other processes, in the order "
                  "of the rows {}",
                  problem.cut, problem.cut_in_order));
  return renumbering;
}

}  // namespace tessera::app_mpi
