// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/mis.hpp"

#include <utility>

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/graph/hash.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {

/// Algorithm 5's triple (state, value, index) as one word, so that the lexicographic maximum is the
/// maximum of words: 2 bits of state, 30 of hash, 32 of index.
struct MisTuple {
  static constexpr std::uint64_t removed = 0;
  static constexpr std::uint64_t undecided = 1;
  static constexpr std::uint64_t chosen = 2;

  KOKKOS_FUNCTION static std::uint64_t state(std::uint64_t tuple) { return tuple >> 62; }
  KOKKOS_FUNCTION static std::uint64_t pack(std::uint64_t state, Ordinal vertex,
                                            std::uint32_t seed) {
    const auto index = static_cast<std::uint32_t>(vertex);
    return state << 62 | static_cast<std::uint64_t>(hash32(index, seed) >> 2) << 32 | index;
  }
};

/// The vertices that a round still visits, a prefix of `list`.
template <class Space>
struct MisWorklist {
  Array<Ordinal, Space> list;
  Array<Ordinal, Space> spare;
  Ordinal length = 0;
};

/// `tuples(v, r)`: the largest tuple within r edges of v.
template <class Space>
using MisTuples = Kokkos::View<std::uint64_t**, Kokkos::LayoutLeft, typename Space::memory_space>;

/// Algorithm 5, step 1: the largest tuples within r + 1 edges from those within r. A vertex that is
/// not active is never in a list, so that its tuples stay 0.
template <class Space, class Offset>
void propagate(const Space& exec, const Graph<Space, Offset>& graph, const MisWorklist<Space>& work,
               const MisTuples<Space>& tuples, int r) {
  const Array<Ordinal, Space> list = work.list;
  Kokkos::parallel_for(
      "tessera::mis::propagate", Kokkos::RangePolicy<Space>(exec, 0, work.length),
      KOKKOS_LAMBDA(const Ordinal at) {
        const Ordinal v = list(at);
        std::uint64_t largest = tuples(v, r);
        for (Offset k = graph.offsets(v); k < graph.offsets(v + 1); ++k) {
          largest = Kokkos::max(largest, tuples(graph.columns(k), r));
        }
        tuples(v, r + 1) = largest;
      });
}

/// Step 2. A vertex that stays undecided draws a new value.
template <class Space>
void decide(const Space& exec, const MisWorklist<Space>& undecided, const MisTuples<Space>& tuples,
            int k, std::uint32_t next_seed) {
  const Array<Ordinal, Space> list = undecided.list;
  Kokkos::parallel_for(
      "tessera::mis::decide", Kokkos::RangePolicy<Space>(exec, 0, undecided.length),
      KOKKOS_LAMBDA(const Ordinal at) {
        const Ordinal v = list(at);
        if (tuples(v, k) == tuples(v, 0)) {
          tuples(v, 0) = MisTuple::pack(MisTuple::chosen, v, next_seed);
        } else if (MisTuple::state(tuples(v, k)) == MisTuple::chosen) {
          tuples(v, 0) = MisTuple::removed;
        } else {
          tuples(v, 0) = MisTuple::pack(MisTuple::undecided, v, next_seed);
        }
      });
}

/// Keeps the vertices of `work` with an undecided tuple at one of the distances [first, last); the
/// new length goes to `length` on the device.
template <class Space>
void compact(const Space& exec, MisWorklist<Space>& work, const MisTuples<Space>& tuples, int first,
             int last, const Kokkos::View<Ordinal, typename Space::memory_space>& length) {
  const Array<Ordinal, Space> from = work.list;
  const Array<Ordinal, Space> to = work.spare;
  Kokkos::parallel_scan(
      "tessera::mis::compact", Kokkos::RangePolicy<Space>(exec, 0, work.length),
      KOKKOS_LAMBDA(const Ordinal at, Ordinal& sum, const bool store) {
        const Ordinal v = from(at);
        bool keep = false;
        for (int r = first; r < last; ++r) {
          keep = keep || MisTuple::state(tuples(v, r)) == MisTuple::undecided;
        }
        if (keep) {
          if (store) to(sum) = v;
          ++sum;
        }
      },
      length);
  std::swap(work.list, work.spare);
}

/// Every active vertex, undecided.
template <class Space>
void initialise(const Space& exec, Ordinal n, std::uint32_t seed,
                const ArrayView<const std::int8_t, Space>& active, const MisTuples<Space>& tuples,
                const Array<Ordinal, Space>& list) {
  const bool restricted = active.extent(0) > 0;
  Kokkos::deep_copy(exec, tuples, std::uint64_t(0));
  Kokkos::parallel_for(
      "tessera::mis::initialise", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal v) {
        list(v) = v;
        if (!restricted || active(v) != 0) {
          tuples(v, 0) = MisTuple::pack(MisTuple::undecided, v, seed);
        }
      });
}

template <class Space, class Offset>
Array<std::int8_t, Space> maximal_independent_set(
    const Space& exec, const Graph<Space, Offset>& graph, int k, std::uint32_t seed,
    const NonDeduced<ArrayView<const std::int8_t, Space>>& active) {
  require(k >= 1 && k <= 8, [&] { return "k = " + std::to_string(k) + "; expected 1 to 8"; });
  const Ordinal n = graph.num_vertices;
  require(active.extent(0) == 0 || active.extent(0) == static_cast<std::size_t>(n), [&] {
    return "active has length " + std::to_string(active.extent(0)) + "; expected " +
           std::to_string(n);
  });
  auto result = allocate<std::int8_t>(exec, "tessera::mis::result", n);
  if (n == 0) return result;
  const auto array = [&](const char* label) { return allocate<Ordinal>(exec, label, n); };
  MisTuples<Space> tuples(
      Kokkos::view_alloc(exec, "tessera::mis::tuples", Kokkos::WithoutInitializing), n, k + 1);
  MisWorklist<Space> undecided{array("tessera::mis::undecided"), array("tessera::mis::spare"), n};
  initialise<Space>(exec, n, seed, active, tuples, undecided.list);

  auto lengths = allocate<Ordinal>(exec, "tessera::mis::lengths", 2);
  Kokkos::deep_copy(exec, lengths, 0);  // both are copied, also where k is 1
  const auto host_lengths = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, lengths);
  if (active.extent(0) > 0) {
    compact<Space>(exec, undecided, tuples, 0, 1, Kokkos::subview(lengths, 0));
    Kokkos::deep_copy(exec, host_lengths, lengths);
    exec.fence("tessera::mis::start");
    undecided.length = host_lengths(0);
  }
  MisWorklist<Space> live;  // those whose tuples at the distances 1 to k - 1 may still change
  if (k > 1) {
    live = {array("tessera::mis::live"), array("tessera::mis::spare"), undecided.length};
    const Kokkos::pair<Ordinal, Ordinal> those(0, undecided.length);
    Kokkos::deep_copy(exec, Kokkos::subview(live.list, those),
                      Kokkos::subview(undecided.list, those));
  }
  for (std::uint32_t round = 1; undecided.length > 0; ++round) {
    for (int r = 0; r + 1 < k; ++r)
      propagate(exec, graph, live, tuples, r);
    propagate(exec, graph, undecided, tuples, k - 1);
    decide(exec, undecided, tuples, k, seed + round);
    compact<Space>(exec, undecided, tuples, 0, 1, Kokkos::subview(lengths, 0));
    if (k > 1) compact<Space>(exec, live, tuples, 1, k, Kokkos::subview(lengths, 1));
    Kokkos::deep_copy(exec, host_lengths, lengths);
    exec.fence("tessera::mis::round");
    undecided.length = host_lengths(0);
    live.length = host_lengths(1);
  }

  Kokkos::parallel_for(
      "tessera::mis::result", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal v) {
        result(v) = MisTuple::state(tuples(v, 0)) == MisTuple::chosen ? 1 : 0;
      });
  return result;
}

#define TESSERA_INSTANTIATE_OFFSET(SPACE, OFFSET)                    \
  template Array<std::int8_t, SPACE> maximal_independent_set(        \
      const SPACE&, const Graph<SPACE, OFFSET>&, int, std::uint32_t, \
      const NonDeduced<ArrayView<const std::int8_t, SPACE>>&);
#define TESSERA_INSTANTIATE(SPACE)                \
  TESSERA_INSTANTIATE_OFFSET(SPACE, std::int32_t) \
  TESSERA_INSTANTIATE_OFFSET(SPACE, std::int64_t)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_OFFSET

}  // namespace tessera::kernels
