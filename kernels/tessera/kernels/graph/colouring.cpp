// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/colouring.hpp"

#include "tessera/kernels/execution/concurrent_access.hpp"
#include "tessera/kernels/execution/host_copy.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"
#include "tessera/kernels/graph/detail/node_worklist.hpp"
#include "tessera/kernels/graph/hash.hpp"

#include <algorithm>

namespace tessera::kernels {
namespace colouring_detail {

constexpr Ordinal no_colour = -1;

/// Gives v its colour if all heavier neighbours have theirs; kept are those that go without. A
/// neighbour's colour may appear during the pass: it is final then, and of lighter ones none does
/// before v's.
template <class Space, class Offset>
struct TakeColour {
  Graph<Space, Offset> graph;
  ArrayView<Ordinal, Space> colour_of;
  std::uint32_t seed;

  KOKKOS_FUNCTION bool operator()(Ordinal v) const {
    constexpr Ordinal window = 64;
    for (Ordinal first = 0;; first += window) {
      std::uint64_t taken = 0;
      if (!add_taken(v, first, taken)) return true;
      if (~taken == 0) continue;
      Ordinal colour = first;
      for (; (taken & 1) != 0; taken >>= 1)
        ++colour;
      store_relaxed(&colour_of(v), colour);
      return false;
    }
  }

  /// Bit c of `taken`: a neighbour has colour first + c. False where a heavier one has none yet.
  KOKKOS_FUNCTION bool add_taken(Ordinal v, Ordinal first, std::uint64_t& taken) const {
    const std::uint32_t weight = hash32(static_cast<std::uint32_t>(v), seed);
    for (Offset k = graph.offsets(v); k < graph.offsets(v + 1); ++k) {
      const Ordinal w = graph.columns(k);
      if (hash32(static_cast<std::uint32_t>(w), seed) < weight) continue;
      const Ordinal colour = load_relaxed(&colour_of(w));
      if (colour == no_colour) return false;
      if (colour >= first && colour < first + 64) taken |= std::uint64_t(1) << (colour - first);
    }
    return true;
  }
};

template <class Space>
Ordinal count_colours(const Space& exec, const Array<Ordinal, Space>& colour_of) {
  Ordinal last = -1;
  Kokkos::parallel_reduce(
      "tessera::colouring::count", Kokkos::RangePolicy<Space>(exec, 0, colour_of.extent(0)),
      KOKKOS_LAMBDA(const Ordinal v, Ordinal& most) {
        if (colour_of(v) > most) most = colour_of(v);
      },
      Kokkos::Max<Ordinal>(last));
  return last + 1;
}

/// A counting sort by chunks of nodes, one thread each: `next(c * num_chunks + chunk)` is first how
/// many nodes of the chunk have colour c, then where the next of them goes.
template <class Space>
struct ChunkPass {
  ArrayView<const Ordinal, Space> colour_of;
  ArrayView<Ordinal, Space> next;
  ArrayView<Ordinal, Space> nodes;  ///< empty: counts
  Ordinal num_chunks, chunk_length;

  KOKKOS_FUNCTION void operator()(Ordinal chunk) const {
    const auto n = static_cast<Ordinal>(colour_of.extent(0));
    const Ordinal begin = chunk * chunk_length;
    const Ordinal end = n - begin < chunk_length ? n : begin + chunk_length;
    for (Ordinal v = begin; v < end; ++v) {
      Ordinal& at = next(static_cast<std::size_t>(colour_of(v)) * num_chunks + chunk);
      if (nodes.extent(0) != 0) nodes(at) = v;
      ++at;
    }
  }
};

}  // namespace colouring_detail

template <class Space, class Offset>
Colouring<Space> colour(const Space& exec, const Graph<Space, Offset>& graph, std::uint32_t seed) {
  const Ordinal n = graph.num_nodes;
  const auto colour_of = allocate<Ordinal>(exec, "tessera::colouring::colours", n);
  if (n == 0) return {colour_of, 0};
  Kokkos::deep_copy(exec, colour_of, colouring_detail::no_colour);
  // A round more than is needed costs a small launch, a wait as much as several.
  constexpr int rounds_per_wait = is_host_space<Space> ? 1 : 4;
  const auto counts = allocate<Ordinal>(exec, "tessera::colouring::counts", rounds_per_wait);
  detail::NodeWorklist<Space> work;
  work.spare = allocate<Ordinal>(exec, "tessera::colouring::left", n);
  work.bound = n;
  const auto other = allocate<Ordinal>(exec, "tessera::colouring::left", n);
  while (work.bound > 0) {
    Kokkos::deep_copy(exec, counts, 0);
    for (int round = 0; round < rounds_per_wait; ++round) {
      detail::visit_and_keep(exec, "tessera::colouring::take_colour", work,
                             ArrayView<Ordinal, Space>(counts.data() + round, 1),
                             colouring_detail::TakeColour<Space, Offset>{graph, colour_of, seed});
      if (work.spare.extent(0) == 0) work.spare = other;  // the first round had no list
    }
    work.bound = copy_to_host(exec, counts)(rounds_per_wait - 1);
    work.length = {};
  }
  return {colour_of, colouring_detail::count_colours(exec, colour_of)};
}

template <class Space>
NodesByColour<Space> nodes_by_colour(const Space& exec, const Colouring<Space>& colouring) {
  const auto n = static_cast<Ordinal>(colouring.colour_of.extent(0));
  NodesByColour<Space> result{allocate<Ordinal>(exec, "tessera::colouring::nodes", n), {0}};
  if (n == 0) return result;
  // So that there are no more counts than nodes, but for the last chunk's.
  const Ordinal length = std::max<Ordinal>(256, colouring.num_colours);
  const Ordinal num_chunks = (n - 1) / length + 1;
  const std::size_t num_counts = static_cast<std::size_t>(colouring.num_colours) * num_chunks;
  const auto next = allocate<Ordinal>(exec, "tessera::colouring::next", num_counts + 1);
  const auto starts =
      allocate<Ordinal>(exec, "tessera::colouring::starts", colouring.num_colours + 1);
  Kokkos::deep_copy(exec, next, 0);
  const Kokkos::RangePolicy<Space> chunks(exec, 0, num_chunks);
  colouring_detail::ChunkPass<Space> pass{colouring.colour_of, next, {}, num_chunks, length};
  Kokkos::parallel_for("tessera::colouring::count_chunks", chunks, pass);
  counts_to_offsets_async<Ordinal, Space>(exec, next);
  Kokkos::parallel_for(
      "tessera::colouring::starts", Kokkos::RangePolicy<Space>(exec, 0, colouring.num_colours + 1),
      KOKKOS_LAMBDA(const Ordinal c) {
        starts(c) = next(static_cast<std::size_t>(c) * num_chunks);
      });
  pass.nodes = result.nodes;
  Kokkos::parallel_for("tessera::colouring::fill_chunks", chunks, pass);
  const auto on_host = copy_to_host(exec, starts);
  result.starts.assign(on_host.data(), on_host.data() + on_host.extent(0));
  return result;
}

TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, colour)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, nodes_by_colour)

}  // namespace tessera::kernels
