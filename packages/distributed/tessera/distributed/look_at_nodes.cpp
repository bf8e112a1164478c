// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/look_at_nodes.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/row_exchange.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/cut_pairs.hpp"
#include "tessera/kernels/graph/fit_box_impl.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace tessera::distributed {
namespace {

using Global = Partition::Global;

/// How far the next point of a box is in the direction in which it is farthest.
Ordinal farthest_step(const kernels::Box& box) {
  if (box.nz > 1) return box.nx * box.ny;
  return box.ny > 1 ? box.nx : 1;
}

/// Sums of numbers over all processes.
template <class T>
void sum_all(const Communicator& processes, const std::vector<T*>& numbers) {
  std::vector<std::int64_t> sums;
  for (const T* number : numbers)
    sums.push_back(*number);
  processes.sum(std::span<std::int64_t>(sums));
  for (std::size_t i = 0; i < sums.size(); ++i)
    *numbers[i] = static_cast<T>(sums[i]);
}

/// The numbers from `low` up to `first`, and behind them those from `last` up to `high`.
template <class Space>
GlobalNumbers<Space> numbers_around(const Space& exec, Global low, Global first, Global last,
                                    Global high) {
  const Global below = std::max<Global>(0, first - low);
  const Global above = std::max<Global>(0, high - last);
  const auto numbers = allocate<Global>(exec, "tessera::distributed::numbers_around",
                                        static_cast<std::size_t>(below + above));
  Kokkos::parallel_for(
      "tessera::distributed::numbers_around",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Global>>(exec, 0, below + above),
      KOKKOS_LAMBDA(const Global i) { numbers(i) = i < below ? low + i : last + i - below; });
  exec.fence("tessera::distributed::numbers_around");
  return numbers;
}

/// This process's nodes from `low` up to `high` with their edges, columns numbered from `low`.
template <class Space>
struct WideNodes {
  Ordinal low = 0;
  kernels::Graph<Space, std::int64_t> graph;
};

/// Own nodes alone, columns numbered from the first of them.
template <class Space>
kernels::Graph<Space, std::int64_t> own_nodes(const Space& exec, const NodeGraph<Space>& nodes) {
  using Offset = std::int64_t;
  const Ordinal own = nodes.num_own();
  const Array<const Offset, Space> offsets = Kokkos::subview(
      nodes.graph.offsets, std::make_pair(std::size_t(0), static_cast<std::size_t>(own) + 1));
  Offset num_edges = 0;
  Kokkos::deep_copy(exec, num_edges, Kokkos::subview(offsets, own));
  exec.fence("tessera::distributed::LookAtNodes");
  const auto columns = allocate<Ordinal>(exec, "tessera::distributed::LookAtNodes",
                                         static_cast<std::size_t>(num_edges));
  const auto here = nodes.graph.columns;
  const auto number = nodes.number;
  const Global first = nodes.nodes->first();
  Kokkos::parallel_for(
      "tessera::distributed::LookAtNodes",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(
          exec, 0, static_cast<std::size_t>(num_edges)),
      KOKKOS_LAMBDA(const std::size_t e) {
        columns(e) = static_cast<Ordinal>(number(here(e)) - first);
      });
  exec.fence("tessera::distributed::LookAtNodes");
  return {own, offsets, columns};
}

/// Others' nodes from `low` on, own ones from `first` on, and others' behind, `num_all` in all.
template <class Space>
WideNodes<Space> around_own(const Space& exec, const kernels::Graph<Space, std::int64_t>& own,
                            Global first, Global low, Ordinal num_all,
                            const typename RowExchange<Space>::Received& others) {
  const auto below = static_cast<Ordinal>(first - low);
  const Ordinal end = below + own.num_nodes;
  const auto given_columns = others.columns;
  const auto given_offsets = others.offsets;
  const auto own_offsets = own.offsets;
  const auto own_columns = own.columns;
  std::int64_t num_below = 0;
  if (below > 0) Kokkos::deep_copy(exec, num_below, Kokkos::subview(given_offsets, below));
  exec.fence("tessera::distributed::around_own");
  const auto num_own = static_cast<std::int64_t>(own.num_edges());
  const auto offsets = allocate<std::int64_t>(exec, "tessera::distributed::around_own",
                                              static_cast<std::size_t>(num_all) + 1);
  const auto columns = allocate<Ordinal>(exec, "tessera::distributed::around_own",
                                         given_columns.extent(0) + own.num_edges());
  Kokkos::parallel_for(
      "tessera::distributed::around_own::offsets", Kokkos::RangePolicy<Space>(exec, 0, num_all + 1),
      KOKKOS_LAMBDA(const Ordinal i) {
        if (i < below) {
          offsets(i) = given_offsets(i);
        } else if (i <= end) {
          offsets(i) = num_below + own_offsets(i - below);
        } else {
          offsets(i) = num_own + given_offsets(i - (end - below));
        }
      });
  Kokkos::parallel_for(
      "tessera::distributed::around_own",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
          exec, 0, static_cast<std::int64_t>(columns.extent(0))),
      KOKKOS_LAMBDA(const std::int64_t e) {
        if (e < num_below) {
          columns(e) = static_cast<Ordinal>(given_columns(e) - low);
        } else if (e < num_below + num_own) {
          columns(e) = own_columns(e - num_below) + below;
        } else {
          columns(e) = static_cast<Ordinal>(given_columns(e - num_own) - low);
        }
      });
  exec.fence("tessera::distributed::around_own");
  return {static_cast<Ordinal>(low), {num_all, offsets, columns}};
}

/// With so many of others' nodes below and above its own, which `look` is called with in a step of
/// all processes. Collective.
template <class Space, class Look>
void with_nodes_around(const Space& exec, const NodeGraph<Space>& nodes,
                       const kernels::Graph<Space, std::int64_t>& own_graph, std::int64_t margin,
                       const Look& look) {
  const Partition& shares = *nodes.nodes;
  const Global first = shares.first();
  const Global last = first + shares.own();
  const bool has_some = shares.own() > 0;
  const Global low = has_some ? std::max<Global>(0, first - margin) : first;
  const Global high = has_some ? std::min<Global>(shares.size(), last + margin) : last;
  GlobalNumbers<Space> around;
  on_all_processes(*nodes.processes,
                   [&] { around = numbers_around<Space>(exec, low, first, last, high); });
  using Exchange = RowExchange<Space>;
  const Plan<Space> plan = halo_plan(exec, nodes.processes, shares, around);
  Exchange exchange;
  on_all_processes(*nodes.processes,
                   [&] { exchange = Exchange(plan, Exchange::Direction::forward); });
  const LocalRows<Space> own{
      shares.own(), nodes.num_here(), nodes.graph.offsets, nodes.graph.columns, {}};
  const ColumnNumbers<Space> numbers(first, shares.own(), nodes.ghosts);
  const auto come = exchange.pattern(exec, own, numbers);
  on_all_processes(*nodes.processes, [&] {
    look(around_own(exec, own_graph, first, low, static_cast<Ordinal>(high - low), come));
  });
}

/// Own nodes, and behind them others: of these it is known alone whether they have an edge.
/// Collective.
template <class Space>
kernels::Graph<Space, std::int64_t> with_activity_above(
    const Space& exec, const Communicator& processes,
    const kernels::Graph<Space, std::int64_t>& graph, const Plan<Space>& plan, Ordinal num_above) {
  const Ordinal own = graph.num_nodes;
  const Ordinal all = own + num_above;
  NodeHalo<Space> halo;
  Array<std::int8_t, Space> active;
  Array<std::int64_t, Space> offsets;
  on_all_processes(processes, [&] {
    halo = NodeHalo<Space>(plan);
    active =
        allocate<std::int8_t>(exec, "tessera::distributed::active", static_cast<std::size_t>(all));
    offsets = allocate<std::int64_t>(exec, "tessera::distributed::above",
                                     static_cast<std::size_t>(all) + 1);
  });
  const auto given = graph.offsets;
  Kokkos::parallel_for(
      "tessera::distributed::active", Kokkos::RangePolicy<Space>(exec, 0, own),
      KOKKOS_LAMBDA(const Ordinal v) { active(v) = given(v) < given(v + 1) ? 1 : 0; });
  halo.fill(exec, active);
  Kokkos::parallel_scan(
      "tessera::distributed::above", Kokkos::RangePolicy<Space>(exec, 0, all + 1),
      KOKKOS_LAMBDA(const Ordinal v, std::int64_t& sum, const bool is_last) {
        if (is_last) offsets(v) = sum;
        if (v < own) {
          sum += given(v + 1) - given(v);
        } else if (v < all) {
          sum += active(v);
        }
      });
  exec.fence("tessera::distributed::above");
  return {all, offsets, graph.columns};
}

}  // namespace

template <class Space>
LookAtNodes<Space>::LookAtNodes(const Space& exec, const NodeGraph<Space>& nodes)
    : m_exec(exec), m_nodes(nodes), m_num_nodes(static_cast<Ordinal>(nodes.nodes->size())) {
  on_all_processes(*nodes.processes, [&] { m_own = own_nodes(exec, nodes); });
  const auto own_edges = static_cast<std::int64_t>(m_own.num_edges());
  m_has_edges = nodes.processes->sum_of(own_edges) > 0;
}

template <class Space>
auto LookAtNodes<Space>::with_nodes_above(const kernels::Box& box) -> const Graph& {
  const Ordinal step = farthest_step(box);
  if (step == m_step_above) return m_above;
  const Partition& shares = *m_nodes.nodes;
  const Global last = shares.first() + shares.own();
  const Global high = shares.own() > 0 ? std::min<Global>(shares.size(), last + step) : last;
  GlobalNumbers<Space> above;
  on_all_processes(*m_nodes.processes,
                   [&] { above = numbers_around<Space>(m_exec, last, last, last, high); });
  m_above = with_activity_above(m_exec, *m_nodes.processes, m_own,
                                halo_plan(m_exec, m_nodes.processes, shares, above),
                                static_cast<Ordinal>(above.extent(0)));
  m_step_above = step;
  return m_above;
}

template <class Space>
kernels::BoxFit LookAtNodes<Space>::fit(const kernels::Box& box) {
  const Graph& graph = with_nodes_above(box);
  auto fit = kernels::fit_piece(
      m_exec, kernels::FitBox<Space, Offset>(graph, box, kernels::largest_reach, first()),
      {first(), 0, m_own.num_nodes});
  std::vector<std::int64_t*> counts{&fit.misfits, &fit.active};
  for (int d = 0; d < 3; ++d)
    counts.insert(counts.end(), {&fit.pairs[d], &fit.axis[d], &fit.diagonal[d]});
  sum_all(*m_nodes.processes, counts);
  return fit;
}

template <class Space>
kernels::PlaneFit LookAtNodes<Space>::planes(const kernels::Box& box, bool spares_rim) {
  const Graph& graph = with_nodes_above(box);
  kernels::PlaneFit planes;
  on_all_processes(*m_nodes.processes, [&] {
    planes = kernels::fit_planes_of_piece(
        m_exec, kernels::FitBox<Space, Offset>(graph, box, kernels::largest_reach, first()),
        {first(), 0, m_own.num_nodes}, spares_rim);
  });
  std::vector<Ordinal*> counts;
  for (int d = 0; d < 3; ++d) {
    for (Ordinal& count : planes.pairs[d])
      counts.push_back(&count);
    for (Ordinal& count : planes.axis[d])
      counts.push_back(&count);
  }
  sum_all(*m_nodes.processes, counts);
  return planes;
}

template <class Space>
std::optional<std::vector<Ordinal>> LookAtNodes<Space>::strides() {
  constexpr std::size_t most = 64;
  const Communicator& processes = *m_nodes.processes;
  std::optional<std::vector<Ordinal>> own = std::vector<Ordinal>();
  on_all_processes(processes, [&] {
    if (m_own.num_nodes > 0)
      own = kernels::sample_strides_of_piece(m_exec, m_own, {first(), 0, m_own.num_nodes},
                                             m_num_nodes);
  });
  const auto num_without = processes.sum_of(static_cast<std::int64_t>(own ? 0 : 1));
  if (!own || num_without > 0) return std::nullopt;
  std::vector<std::int64_t> all(most * static_cast<std::size_t>(processes.size()), 0);
  std::copy(own->begin(), own->end(),
            all.begin() + static_cast<std::ptrdiff_t>(most) * processes.rank());
  processes.sum(std::span<std::int64_t>(all));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::erase(all, 0);
  if (all.size() > most) return std::nullopt;
  return std::vector<Ordinal>(all.begin(), all.end());
}

template <class Space>
std::int64_t LookAtNodes<Space>::cut_pairs(const kernels::PiecesOfBox& pieces) {
  // Ways around a missing connection stay within an aggregate, which is at most 4 points wide, and
  // each edge reaches 2.
  constexpr std::int64_t steps = 6;
  const kernels::Box& box = pieces.fine;
  const std::int64_t margin =
      steps * (1 + (box.ny > 1 ? box.nx : 0) +
               (box.nz > 1 ? static_cast<std::int64_t>(box.nx) * box.ny : 0));
  std::int64_t cut = 0;
  with_nodes_around(m_exec, m_nodes, m_own, margin, [&](const WideNodes<Space>& wide) {
    const Ordinal begin = first() - wide.low;
    cut = kernels::count_cut_pairs(
        m_exec, kernels::FitBox<Space, Offset>(wide.graph, box, kernels::largest_reach, wide.low),
        {wide.low, begin, begin + m_own.num_nodes},
        kernels::number_pieces_of(m_exec, wide.graph, wide.low, pieces), pieces.spares_rim);
  });
  return m_nodes.processes->sum_of(cut);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, LookAtNodes)

}  // namespace tessera::distributed
