// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/strength.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/throwing_parallel_for.hpp"
#include "tessera/kernels/format/offsets.hpp"
#include "tessera/kernels/graph/detail/dependence_scale.hpp"
#include "tessera/kernels/graph/detail/node_strength.hpp"
#include "tessera/kernels/graph/detail/scalar_strength.hpp"
#include "tessera/kernels/graph/detail/strong_passes.hpp"
#include "tessera/kernels/graph/hubs.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

namespace tessera::kernels {

/// Appends nodes to a list of the host.
struct AppendNode {
  std::vector<Ordinal>* list;
  KOKKOS_FUNCTION void operator()([[maybe_unused]] Ordinal j) const {
    KOKKOS_IF_ON_HOST((list->push_back(j);))
  }
};

/// Appends the strong neighbours of node i to the list.
template <class Strength>
void append_strong(const Strength& strength, Ordinal i, std::vector<Ordinal>& list) {
  if constexpr (requires { strength.list_strong(i, list.data()); }) {
    const std::size_t before = list.size();
    list.resize(before +
                static_cast<std::size_t>(strength.A.offsets(i + 1) - strength.A.offsets(i)));
    list.resize(before + static_cast<std::size_t>(strength.list_strong(i, list.data() + before)));
  } else {
    strength.for_each_strong(i, AppendNode{&list});
  }
}

/// The graph by the threads of a host, in one pass over A: a thread lists what is strong in a chunk
/// of rows, and copies it to its place when all are counted.
template <class Space, class Offset, class Strength>
Graph<Space, Offset> strong_graph_by_chunks(const Space& exec, Ordinal num_nodes,
                                            const Strength& strength) {
  constexpr Ordinal nodes_per_chunk = 512;
  const Ordinal num_chunks =
      num_nodes / nodes_per_chunk + (num_nodes % nodes_per_chunk != 0 ? 1 : 0);
  const auto offsets = allocate<Offset>(exec, "tessera::strength::offsets", num_nodes + 1);
  std::vector<std::vector<Ordinal>> chunks(num_chunks);
  auto* const all_chunks = chunks.data();
  Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<Ordinal>> policy(
      exec, 0, num_chunks);
  policy.set_chunk_size(1);
  const detail::CountStrong<Space, Offset, Strength> counting{strength, num_nodes, offsets};
  throwing_parallel_for("tessera::strength::list", policy, [=](const Ordinal chunk) {
    auto& strong = all_chunks[chunk];
    const Ordinal first = chunk * nodes_per_chunk;
    const Ordinal last = first + std::min(nodes_per_chunk, num_nodes - first);
    for (Ordinal i = first; i < last; ++i) {
      const std::size_t before = strong.size();
      if (!counting.is_hub(i)) append_strong(strength, i, strong);
      offsets(i) = static_cast<Offset>(strong.size() - before);
    }
  });
  const std::size_t num_edges = counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::strength::columns", num_edges);
  Kokkos::parallel_for("tessera::strength::place", policy, [=](const Ordinal chunk) {
    const auto& strong = all_chunks[chunk];
    std::copy(strong.begin(), strong.end(), columns.data() + offsets(chunk * nodes_per_chunk));
  });
  // The lists end here, with no wait for them: Serial and OpenMP have run a kernel when its launch
  // returns.
  return {num_nodes, offsets, columns};
}

/// Count, scan, fill.
template <class Space, class Offset, class Strength>
Graph<Space, Offset> strong_graph(const Space& exec, Ordinal num_nodes, int lanes,
                                  const Strength& strength) {
  if constexpr (is_host_space<Space>) {
    return strong_graph_by_chunks<Space, Offset>(exec, num_nodes, strength);
  } else {
    auto offsets = allocate<Offset>(exec, "tessera::strength::offsets", num_nodes + 1);
    for_each_row(exec, "tessera::strength::count", num_nodes, lanes,
                 detail::CountStrong<Space, Offset, Strength>{strength, num_nodes, offsets});
    const std::size_t num_edges = counts_to_offsets<Offset, Space>(exec, offsets);
    auto columns = allocate<Ordinal>(exec, "tessera::strength::columns", num_edges);
    for_each_row(
        exec, "tessera::strength::fill", num_nodes, lanes,
        detail::FillStrong<Space, Offset, Strength>{strength, num_nodes, offsets, columns});
    return {num_nodes, offsets, columns};
  }
}

template <class Scalar, class Space, class Offset>
void require_nodes(const CsrView<Scalar, Space, Offset>& A, int block_size) {
  require(A.num_rows == A.num_cols, [&] {
    return "A is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
           "; expected a square matrix";
  });
  require(block_size > 0 && A.num_rows % block_size == 0, [&] {
    return "block_size = " + std::to_string(block_size) + "; expected a divisor of the " +
           std::to_string(A.num_rows) + " rows";
  });
}

template <class Scalar, class Space, class Offset>
Array<double, Space> coupling_scale(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                    StrengthMeasure measure, int block_size,
                                    std::size_t longest_row) {
  require_nodes(A, block_size);
  const HubTest<Space, Offset> is_hub{A.offsets, block_size, longest_row};
  const Ordinal num_nodes = A.num_rows / block_size;
  const int lanes = lanes_per_row(A);
  const auto scale = allocate<double>(exec, "tessera::strength::scale", num_nodes);
  const auto store = [&](const auto& strength) {
    using Strength = std::decay_t<decltype(strength)>;
    for_each_row(exec, "tessera::strength::scale", num_nodes, lanes,
                 detail::StoreScale<Space, Strength, HubTest<Space, Offset>>{strength, measure,
                                                                             is_hub, scale});
  };
  if (block_size == 1) {
    store(detail::ScalarStrength<Scalar, Space, Offset>{A, {}, 0.0});
  } else {
    store(detail::NodeStrength<Scalar, Space, Offset>{A, {}, 0.0, block_size});
  }
  return scale;
}

template <class Scalar, class Space, class Offset>
Graph<Space, Offset> strength_of_connection(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& A, double theta,
                                            const NonDeduced<ArrayView<const double, Space>>& scale,
                                            int block_size) {
  require_nodes(A, block_size);
  require(theta >= 0, [&] { return "theta = " + std::to_string(theta) + "; expected >= 0"; });
  const Ordinal num_nodes = A.num_rows / block_size;
  require(theta == 0 || scale.extent(0) == static_cast<std::size_t>(num_nodes), [&] {
    return "scale has " + std::to_string(scale.extent(0)) + " entries; expected one for each of " +
           std::to_string(num_nodes) + " nodes";
  });
  const double theta_squared = theta * theta;
  const int lanes = lanes_per_row(A);
  if (block_size == 1) {
    return strong_graph<Space, Offset>(
        exec, num_nodes, lanes,
        detail::ScalarStrength<Scalar, Space, Offset>{A, scale, theta_squared});
  }
  return strong_graph<Space, Offset>(
      exec, num_nodes, lanes,
      detail::NodeStrength<Scalar, Space, Offset>{A, scale, theta_squared, block_size});
}

template <class Scalar, class Space, class Offset>
Graph<Space, Offset> strength_of_connection(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& A, double theta,
                                            int block_size) {
  Array<double, Space> scale;
  if (theta > 0) scale = coupling_scale(exec, A, StrengthMeasure::diagonal, block_size);
  return strength_of_connection(exec, A, theta, scale, block_size);
}

template <class Scalar, class Space, class Offset>
Dependences<Space, Offset> strong_dependences(const Space& exec,
                                              const CsrView<Scalar, Space, Offset>& A,
                                              const DependenceOptions& options) {
  require_nodes(A, 1);
  require(options.theta >= 0,
          [&] { return "theta = " + std::to_string(options.theta) + "; expected >= 0"; });
  using detail::CouplingTest;
  const int lanes = lanes_per_row(A);
  const auto scale = allocate<double>(exec, "tessera::strength::scale", A.num_rows);
  Dependences<Space, Offset> found;
  found.stays = allocate<std::int8_t>(exec, "tessera::strength::stays", A.num_rows);
  for_each_row(exec, "tessera::strength::scale", A.num_rows, lanes,
               detail::DependenceScale<Scalar, Space, Offset>{
                   A, options, {A.offsets, 1, options.longest_row}, scale, found.stays});
  const double squared = options.theta * options.theta;
  if (options.by_sign) {
    found.strong = strong_graph<Space, Offset>(
        exec, A.num_rows, lanes,
        detail::ScalarStrength<Scalar, Space, Offset, CouplingTest::row>{A, scale, squared});
  } else {
    found.strong = strong_graph<Space, Offset>(
        exec, A.num_rows, lanes,
        detail::ScalarStrength<Scalar, Space, Offset, CouplingTest::row_by_magnitude>{A, scale,
                                                                                      squared});
  }
  return found;
}

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                             \
  template Array<double, SPACE> coupling_scale(                                                \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, StrengthMeasure, int, std::size_t); \
  template Graph<SPACE, OFFSET> strength_of_connection(                                        \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, double,                             \
      const NonDeduced<ArrayView<const double, SPACE>>&, int);                                 \
  template Graph<SPACE, OFFSET> strength_of_connection(                                        \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, double, int);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, strong_dependences)

}  // namespace tessera::kernels
