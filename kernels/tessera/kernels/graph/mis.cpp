// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/mis.hpp"

#include <algorithm>

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/detail/node_worklist.hpp"
#include "tessera/kernels/graph/hash.hpp"

namespace tessera::kernels {

/// Algorithm 5's triple (state, value, index) as one word, so that the lexicographic maximum is the
/// maximum of words: 2 bits of state, 30 of hash, 32 of index.
struct MisTuple {
  static constexpr std::uint64_t removed = 0;
  static constexpr std::uint64_t undecided = 1;
  static constexpr std::uint64_t chosen = 2;

  KOKKOS_FUNCTION static std::uint64_t state(std::uint64_t tuple) { return tuple >> 62; }
  KOKKOS_FUNCTION static std::uint64_t pack(std::uint64_t state, Ordinal node, std::uint32_t seed) {
    const auto index = static_cast<std::uint32_t>(node);
    return state << 62 | static_cast<std::uint64_t>(hash32(index, seed) >> 2) << 32 | index;
  }
};

/// `tuples(v, r)`: the largest tuple within r edges of v.
template <class Space>
using MisTuples = Kokkos::View<std::uint64_t**, Kokkos::LayoutLeft, typename Space::memory_space>;

/// The largest tuple at distance r of v and its neighbours: within r + 1 edges (algorithm 5, step
/// 1). A node that is not active is never in a list, so that its tuples stay 0.
template <class Space, class Offset>
KOKKOS_INLINE_FUNCTION std::uint64_t largest_around(const Graph<Space, Offset>& graph,
                                                    const MisTuples<Space>& tuples, Ordinal v,
                                                    int r) {
  std::uint64_t largest = tuples(v, r);
  for (Offset k = graph.offsets(v); k < graph.offsets(v + 1); ++k)
    largest = Kokkos::max(largest, tuples(graph.columns(k), r));
  return largest;
}

/// Step 1 for distances short of k: tuples(v, r + 1). Kept are those with an undecided tuple at one
/// of the distances [1, r + 1].
template <class Space, class Offset>
struct Propagate {
  Graph<Space, Offset> graph;
  MisTuples<Space> tuples;
  int r;

  KOKKOS_FUNCTION bool operator()(Ordinal v) const {
    tuples(v, r + 1) = largest_around(graph, tuples, v, r);
    for (int distance = 1; distance <= r + 1; ++distance) {
      if (MisTuple::state(tuples(v, distance)) == MisTuple::undecided) return true;
    }
    return false;
  }
};

/// Step 1 for distance k, and step 2: kept are those that stay undecided, which draw a new value.
template <class Space, class Offset>
struct Decide {
  Graph<Space, Offset> graph;
  MisTuples<Space> tuples;
  int k;
  std::uint32_t next_seed;

  KOKKOS_FUNCTION bool operator()(Ordinal v) const {
    // Where k is 1 the neighbours' tuples are those that this pass changes: they were looked at
    // before.
    const std::uint64_t largest = k == 1 ? tuples(v, 1) : largest_around(graph, tuples, v, k - 1);
    if (largest == tuples(v, 0)) {
      tuples(v, 0) = MisTuple::pack(MisTuple::chosen, v, next_seed);
    } else if (MisTuple::state(largest) == MisTuple::chosen) {
      tuples(v, 0) = MisTuple::removed;
    } else {
      tuples(v, 0) = MisTuple::pack(MisTuple::undecided, v, next_seed);
      return true;
    }
    return false;
  }
};

/// Every active node, undecided; the others' tuples are 0.
template <class Space>
struct Initialise {
  MisTuples<Space> tuples;
  ArrayView<const std::int8_t, Space> active;  ///< empty: all
  std::uint32_t seed;

  KOKKOS_FUNCTION bool operator()(Ordinal v) const {
    const bool takes_part = active.extent(0) == 0 || active(v) != 0;
    tuples(v, 0) = takes_part ? MisTuple::pack(MisTuple::undecided, v, seed) : MisTuple::removed;
    for (std::size_t r = 1; r < tuples.extent(1); ++r)
      tuples(v, r) = 0;
    return takes_part;
  }
};

/// One set: its arrays, and the rounds.
template <class Space, class Offset>
class MisRounds {
 public:
  MisRounds(const Space& exec, const Graph<Space, Offset>& graph, int k)
      : m_exec(exec),
        m_graph(graph),
        m_k(k),
        m_tuples(Kokkos::view_alloc(exec, "tessera::mis::tuples", Kokkos::WithoutInitializing),
                 graph.num_nodes, std::max(k, 2)),
        m_lengths(allocate<Ordinal>(exec, "tessera::mis::lengths",
                                    2 * (std::size_t{rounds_per_wait} + 1))),
        m_host_lengths(Kokkos::view_alloc("tessera::mis::lengths", Kokkos::WithoutInitializing),
                       2 * (std::size_t{rounds_per_wait} + 1)),
        m_first_of_live(new_list("tessera::mis::live")) {
    m_undecided.spare = new_list("tessera::mis::undecided");
    m_undecided.bound = graph.num_nodes;
  }

  /// All tuples, decided.
  MisTuples<Space> run(std::uint32_t seed, const ArrayView<const std::int8_t, Space>& active) {
    Kokkos::deep_copy(m_exec, m_lengths, 0);
    detail::visit_and_keep(m_exec, "tessera::mis::initialise", m_undecided, length(0),
                           Initialise<Space>{m_tuples, active, seed});
    // Both start with the same list, which neither writes over.
    m_live = {m_undecided.list, m_first_of_live, m_undecided.bound, m_undecided.length};
    m_undecided.spare = new_list("tessera::mis::spare");
    while (m_undecided.bound > 0) {
      for (int i = 1; i <= rounds_per_wait; ++i)
        one_round(length(2 * i), length(2 * i + 1), ++seed);
      Kokkos::deep_copy(m_exec, m_host_lengths, m_lengths);
      Kokkos::deep_copy(m_exec, m_lengths, 0);
      m_exec.fence("tessera::mis::rounds");
      m_undecided.bound = m_host_lengths(2 * rounds_per_wait);
      m_live.bound = m_host_lengths(2 * rounds_per_wait + 1);
      m_undecided.length = m_live.length = {};
    }
    return m_tuples;
  }

 private:
  /// A round more than is needed costs two small launches, a wait as much as several.
  static constexpr int rounds_per_wait = is_host_space<Space> ? 1 : 4;

  Array<Ordinal, Space> new_list(const char* label) const {
    return allocate<Ordinal>(m_exec, label, m_graph.num_nodes);
  }
  ArrayView<Ordinal, Space> length(int at) const {
    return ArrayView<Ordinal, Space>(m_lengths.data() + at, 1);
  }

  void one_round(const ArrayView<Ordinal, Space>& num_undecided,
                 const ArrayView<Ordinal, Space>& num_live, std::uint32_t next_seed) {
    for (int r = 0; r + 2 < m_k; ++r)
      detail::visit_all(m_exec, "tessera::mis::visit", m_live,
                        Propagate<Space, Offset>{m_graph, m_tuples, r});
    if (m_k == 1) {
      detail::visit_all(m_exec, "tessera::mis::visit", m_undecided,
                        Propagate<Space, Offset>{m_graph, m_tuples, 0});
    } else {
      detail::visit_and_keep(m_exec, "tessera::mis::propagate", m_live, num_live,
                             Propagate<Space, Offset>{m_graph, m_tuples, m_k - 2});
      if (m_live.spare.data() == m_undecided.list.data())
        m_live.spare = new_list("tessera::mis::spare");
    }
    detail::visit_and_keep(m_exec, "tessera::mis::decide", m_undecided, num_undecided,
                           Decide<Space, Offset>{m_graph, m_tuples, m_k, next_seed});
  }

  Space m_exec;
  Graph<Space, Offset> m_graph;
  int m_k;
  MisTuples<Space> m_tuples;
  Array<Ordinal, Space> m_lengths;  ///< of both lists, in pairs: a batch's first, and each round's
  Array<Ordinal, Kokkos::DefaultHostExecutionSpace> m_host_lengths;
  Array<Ordinal, Space> m_first_of_live;
  detail::NodeWorklist<Space> m_undecided;
  detail::NodeWorklist<Space>
      m_live;  ///< whose tuples at the distances 1 to k - 1 may still change
};

template <class Space, class Offset>
Array<std::int8_t, Space> maximal_independent_set(
    const Space& exec, const Graph<Space, Offset>& graph, int k, std::uint32_t seed,
    const NonDeduced<ArrayView<const std::int8_t, Space>>& active) {
  require(k >= 1 && k <= 8, [&] { return "k = " + std::to_string(k) + "; expected 1 to 8"; });
  const Ordinal n = graph.num_nodes;
  require(active.extent(0) == 0 || active.extent(0) == static_cast<std::size_t>(n), [&] {
    return "active has length " + std::to_string(active.extent(0)) + "; expected " +
           std::to_string(n);
  });
  auto result = allocate<std::int8_t>(exec, "tessera::mis::result", n);
  if (n == 0) return result;
  const MisTuples<Space> tuples = MisRounds<Space, Offset>(exec, graph, k).run(seed, active);
  Kokkos::parallel_for(
      "tessera::mis::result", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal v) {
        result(v) = MisTuple::state(tuples(v, 0)) == MisTuple::chosen ? 1 : 0;
      });
  return result;
}

TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, maximal_independent_set)

}  // namespace tessera::kernels
