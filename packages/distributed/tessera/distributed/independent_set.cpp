// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/independent_set.hpp"

#include "tessera/distributed/number_bits.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;
using Word = std::uint64_t;

/// State, hash and number of a node as one word, whose maximum is that of Algorithm 5 of the Cusp
/// paper: 2 bits of state, 30 of hash, the lower 32 of the number. The upper ones, of graphs with
/// more nodes than that, go into the hash.
struct GlobalTuple {
  static constexpr Word removed = 0;
  static constexpr Word undecided = 1;
  static constexpr Word chosen = 2;

  KOKKOS_FUNCTION static Word state(Word tuple) { return tuple >> 62; }
  KOKKOS_FUNCTION static Word pack(Word state, Partition::Global number, std::uint32_t seed) {
    return state << 62 | static_cast<Word>(kernels::hash32(number_bits(number), seed) >> 2) << 32 |
           static_cast<std::uint32_t>(number);
  }
};

/// The largest tuple of v and its neighbours.
template <class Space>
KOKKOS_INLINE_FUNCTION Word largest_around(const kernels::Graph<Space, Offset>& graph,
                                           const Array<Word, Space>& tuples, Ordinal v) {
  Word largest = tuples(v);
  for (Offset k = graph.offsets(v); k < graph.offsets(v + 1); ++k)
    largest = Kokkos::max(largest, tuples(graph.columns(k)));
  return largest;
}

/// One round for own nodes, ghosts being known: `near` is what `tuples` have within an edge.
template <class Space>
void spread(const Space& exec, const NodeGraph<Space>& nodes,
            const Array<std::int8_t, Space>& active, const Array<Word, Space>& tuples,
            const Array<Word, Space>& near) {
  const auto graph = nodes.graph;
  Kokkos::parallel_for(
      "tessera::distributed::mis::spread", Kokkos::RangePolicy<Space>(exec, 0, nodes.num_own()),
      KOKKOS_LAMBDA(const Ordinal v) {
        if (active(v) != 0 && GlobalTuple::state(near(v)) == GlobalTuple::undecided)
          near(v) = largest_around(graph, tuples, v);
      });
}

/// Decides by what lies within two edges; returns how many own nodes stay undecided.
template <class Space>
std::int64_t decide(const Space& exec, const NodeGraph<Space>& nodes,
                    const Array<Word, Space>& near, std::uint32_t next_seed,
                    const Array<Word, Space>& tuples) {
  const auto graph = nodes.graph;
  const auto number = nodes.hashed;
  std::int64_t left = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::mis::decide", Kokkos::RangePolicy<Space>(exec, 0, nodes.num_own()),
      KOKKOS_LAMBDA(const Ordinal v, std::int64_t& undecided) {
        if (GlobalTuple::state(tuples(v)) != GlobalTuple::undecided) return;
        const Word largest = largest_around(graph, near, v);
        Word state = GlobalTuple::undecided;
        if (largest == tuples(v))
          state = GlobalTuple::chosen;
        else if (GlobalTuple::state(largest) == GlobalTuple::chosen)
          state = GlobalTuple::removed;
        tuples(v) = state == GlobalTuple::removed ? Word(0)
                                                  : GlobalTuple::pack(state, number(v), next_seed);
        if (state == GlobalTuple::undecided) ++undecided;
      },
      left);
  exec.fence("tessera::distributed::mis::decide");
  return left;
}

}  // namespace

template <class Space>
SetRounds<Space>::SetRounds(const Space& exec, const NodeGraph<Space>& graph)
    : tuples(allocate<Word>(exec, "tessera::distributed::mis::tuples", graph.num_here())),
      near(allocate<Word>(exec, "tessera::distributed::mis::near", graph.num_here())),
      chosen(allocate<std::int8_t>(exec, "tessera::distributed::mis::chosen", graph.num_here())) {}

template <class Space>
void independent_set(const Space& exec, const NodeGraph<Space>& nodes,
                     const Array<std::int8_t, Space>& active, std::uint32_t seed,
                     const SetRounds<Space>& rounds) {
  const auto tuples = rounds.tuples;
  const auto near = rounds.near;
  const auto number = nodes.hashed;
  Kokkos::parallel_for(
      "tessera::distributed::mis::initialise",
      Kokkos::RangePolicy<Space>(exec, 0, nodes.num_here()), KOKKOS_LAMBDA(const Ordinal v) {
        tuples(v) =
            active(v) != 0 ? GlobalTuple::pack(GlobalTuple::undecided, number(v), seed) : Word(0);
        near(v) = tuples(v);
      });
  for (std::int64_t left = 1; left > 0;) {
    spread(exec, nodes, active, tuples, near);
    nodes.halo.fill(exec, near);
    left = nodes.processes->sum_of(decide(exec, nodes, near, ++seed, tuples));
    nodes.halo.fill(exec, tuples);
  }
  const auto chosen = rounds.chosen;
  Kokkos::parallel_for(
      "tessera::distributed::mis::chosen", Kokkos::RangePolicy<Space>(exec, 0, nodes.num_here()),
      KOKKOS_LAMBDA(const Ordinal v) {
        chosen(v) = GlobalTuple::state(tuples(v)) == GlobalTuple::chosen ? 1 : 0;
      });
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_STRUCT, SetRounds)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, independent_set)

}  // namespace tessera::distributed
