// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_mpi/graph_partition.hpp"

#include "app_mpi/exchanged_lists.hpp"
#include "tessera/operator/error.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <utility>

#if TESSERA_HAVE_PTSCOTCH
#include <ptscotch.h>
#endif

namespace tessera::app_mpi {

bool has_graph_partitioner() { return TESSERA_HAVE_PTSCOTCH; }

#if TESSERA_HAVE_PTSCOTCH
namespace {

/// This process's nodes and those that each is coupled to, either way, without itself; ascending.
struct NodeGraph {
  std::int64_t first = 0;
  std::vector<SCOTCH_Num> offsets{0};
  std::vector<SCOTCH_Num> neighbours;
  std::vector<SCOTCH_Num> weights;
};

/// Compared by hand: nvcc does not make of a defaulted comparison what sorting needs.
struct Edge {
  std::int64_t from;
  std::int64_t to;
  friend bool operator==(const Edge& a, const Edge& b) { return a.from == b.from && a.to == b.to; }
  friend bool operator<(const Edge& a, const Edge& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  }
};

/// Throws where PT-Scotch, whose numbers may have 32 bits, cannot count so far.
void require_countable(std::int64_t number, const char* what) {
  if (number <= std::numeric_limits<SCOTCH_Num>::max()) return;
  throw Error(ErrorKind::configuration,
              fmt::format("--partition graph: {} {}, and this PT-Scotch counts in {} bits", number,
                          what, 8 * sizeof(SCOTCH_Num)));
}

/// Collective.
NodeGraph node_graph(const Communicator& processes, const RowShares& shares, const HostCsr& rows,
                     int block_size, bool by_entries) {
  NodeGraph graph;
  const std::int64_t first_row = shares.first(processes.rank());
  const std::int64_t num_own = shares.count(processes.rank()) / block_size;
  graph.first = first_row / block_size;
  std::vector<Edge> edges;
  std::vector<std::vector<Edge>> for_others(static_cast<std::size_t>(processes.size()));
  for (std::int64_t node = 0; node < num_own; ++node) {
    const auto begin = rows.offsets[static_cast<std::size_t>(node * block_size)];
    const auto end = rows.offsets[static_cast<std::size_t>((node + 1) * block_size)];
    graph.weights.push_back(
        static_cast<SCOTCH_Num>(by_entries ? std::max<std::int64_t>(end - begin, 1) : 1));
    for (auto e = begin; e < end; ++e) {
      const std::int64_t column = rows.columns[static_cast<std::size_t>(e)];
      const std::int64_t other = column / block_size;
      const std::int64_t here = graph.first + node;
      if (other == here) continue;
      edges.push_back({here, other});
      const int owner = shares.owner(column);
      if (owner == processes.rank())
        edges.push_back({other, here});
      else
        for_others[static_cast<std::size_t>(owner)].push_back({other, here});
    }
  }
  for (auto& list : for_others) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  for (const auto& list : exchanged(processes, std::move(for_others)))
    edges.insert(edges.end(), list.begin(), list.end());
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  const auto all = processes.sum_of(static_cast<std::int64_t>(edges.size()));
  together(processes, [&] {
    require_countable(shares.all(), "rows");
    require_countable(all, "couplings");
    auto edge = edges.begin();
    for (std::int64_t node = graph.first; node < graph.first + num_own; ++node) {
      for (; edge != edges.end() && edge->from == node; ++edge)
        graph.neighbours.push_back(static_cast<SCOTCH_Num>(edge->to));
      graph.offsets.push_back(static_cast<SCOTCH_Num>(graph.neighbours.size()));
    }
  });
  return graph;
}

/// A graph of which PT-Scotch makes the same parts each time: it takes messages in a fixed order,
/// and the random numbers are the graph's own.
class RepeatableGraph {
 public:
  RepeatableGraph(const SCOTCH_Dgraph* graph, MPI_Comm communicator) {
    SCOTCH_contextInit(&m_context);
    m_is_bound = SCOTCH_contextRandomClone(&m_context) == 0 &&
                 SCOTCH_contextOptionSetNum(&m_context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) == 0 &&
                 SCOTCH_contextThreadSpawn(&m_context, 1, nullptr) == 0 &&
                 SCOTCH_dgraphInit(&m_graph, communicator) == 0 &&
                 SCOTCH_contextBindDgraph(&m_context, graph, &m_graph) == 0;
    if (!m_is_bound) return;
    SCOTCH_contextRandomSeed(&m_context, 1);
    SCOTCH_contextRandomReset(&m_context);
  }
  ~RepeatableGraph() {
    if (m_is_bound) SCOTCH_dgraphExit(&m_graph);
    SCOTCH_contextExit(&m_context);
  }
  RepeatableGraph(const RepeatableGraph&) = delete;
  RepeatableGraph& operator=(const RepeatableGraph&) = delete;

  bool is_bound() const { return m_is_bound; }
  SCOTCH_Dgraph* get() { return &m_graph; }

 private:
  SCOTCH_Context m_context{};
  SCOTCH_Dgraph m_graph{};
  bool m_is_bound = false;
};

/// The part of each own node. Collective.
std::vector<SCOTCH_Num> parts_of(const Communicator& processes, NodeGraph& graph) {
  constexpr double imbalance = 0.03;
  const auto num_own = static_cast<SCOTCH_Num>(graph.weights.size());
  const auto num_edges = static_cast<SCOTCH_Num>(graph.neighbours.size());
  const auto size = static_cast<SCOTCH_Num>(processes.size());
  std::vector<SCOTCH_Num> parts(graph.weights.size() + 1, 0);
  graph.neighbours.push_back(0);  // so that there is an array
  graph.weights.push_back(0);
  MPI_Comm communicator = MPI_COMM_NULL;  // nodes are numbered by the ranks of `processes`
  MPI_Comm_split(MPI_COMM_WORLD, 0, processes.rank(), &communicator);
  SCOTCH_Dgraph scotch_graph;
  SCOTCH_Strat strategy;
  bool fails = SCOTCH_dgraphInit(&scotch_graph, communicator) != 0;
  SCOTCH_stratInit(&strategy);
  fails = fails ||
          SCOTCH_dgraphBuild(&scotch_graph, 0, num_own, num_own, graph.offsets.data(),
                             graph.offsets.data() + 1, graph.weights.data(), nullptr, num_edges,
                             num_edges, graph.neighbours.data(), nullptr, nullptr) != 0 ||
          SCOTCH_stratDgraphMapBuild(&strategy, SCOTCH_STRATDEFAULT, size, size, imbalance) != 0;
  // All or none go on to what waits for the others.
  if (processes.sum_of(std::int64_t{fails}) == 0) {
    RepeatableGraph bound(&scotch_graph, communicator);
    const auto not_bound = processes.sum_of(std::int64_t{!bound.is_bound()});
    fails = not_bound > 0 || SCOTCH_dgraphPart(bound.get(), size, &strategy, parts.data()) != 0;
  }
  SCOTCH_stratExit(&strategy);
  SCOTCH_dgraphExit(&scotch_graph);
  MPI_Comm_free(&communicator);
  together(processes, [&] {
    if (fails) throw Error(ErrorKind::configuration, "--partition graph: PT-Scotch has failed");
  });
  parts.pop_back();
  return parts;
}

}  // namespace

std::vector<int> graph_partition(const Communicator& processes, const RowShares& shares,
                                 const HostCsr& rows, int block_size, bool by_entries) {
  const auto count = static_cast<std::size_t>(shares.count(processes.rank()));
  std::vector<int> to(count, processes.rank());
  if (processes.size() == 1 || shares.all() / block_size < processes.size()) return to;
  NodeGraph graph = node_graph(processes, shares, rows, block_size, by_entries);
  const auto parts = parts_of(processes, graph);
  for (std::size_t i = 0; i < count; ++i)
    to[i] = static_cast<int>(parts[i / static_cast<std::size_t>(block_size)]);
  return to;
}
#else
std::vector<int> graph_partition(const Communicator&, const RowShares&, const HostCsr&, int, bool) {
  throw CommandError(
      {"--partition graph: this tessera-mpi was built without PT-Scotch", app::ExitCode::usage});
}
#endif

}  // namespace tessera::app_mpi
