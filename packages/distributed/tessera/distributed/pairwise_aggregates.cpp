// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/pairwise_aggregates.hpp"

#include "tessera/distributed/graph_of_pairs.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/matching.hpp"

namespace tessera::distributed {
namespace {

using Global = Partition::Global;
using kernels::no_root;

/// Makes roots of own nodes that are in no aggregate: of hubs, or of all.
template <class Space>
struct KeepAlone {
  NumbersAmongAll<Space> numbers;
  Array<const double, Space> scale;
  Array<Global, Space> root_of;
  bool all;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    const bool is_hub = scale(v) == Kokkos::Experimental::infinity_v<double>;
    if (root_of(v) == no_root && (all || is_hub)) root_of(v) = numbers.number(v);
  }
};

/// A scan: numbers own roots from 0 on; -1 for other nodes.
template <class Space>
struct NumberRoots {
  NumbersAmongAll<Space> numbers;
  Array<const Global, Space> root_of;
  Array<Global, Space> number;

  KOKKOS_FUNCTION void operator()(Ordinal v, Ordinal& count, bool last) const {
    const bool is_root = root_of(v) == numbers.number(v);
    if (last) number(v) = is_root ? count : Ordinal(-1);
    if (is_root) ++count;
  }
};

template <class Space>
struct AddFirst {
  Array<Global, Space> number;
  Global first;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    if (number(v) >= 0) number(v) += first;
  }
};

template <class Space>
struct TakeAnswers {
  NumbersAmongAll<Space> numbers;
  Array<const Global, Space> asked;
  Array<const Global, Space> known;
  Array<Global, Space> answers;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    answers(i) = asked(i) < 0 ? Global(-1) : known(numbers.place(asked(i)));
  }
};

/// What the owners of `asked` numbers have of them, by asked number; -1 stays. `own`: of own
/// numbers, by `shares`. Collective.
template <class Space>
Array<Global, Space> asked_of_owners(const Space& exec,
                                     const std::shared_ptr<const Communicator>& processes,
                                     const Partition& shares, const Array<Global, Space>& asked,
                                     const Array<Global, Space>& own) {
  GlobalNumbers<Space> others;
  on_all_processes(*processes, [&] {
    others = numbers_of_others<Space>(exec, asked, shares.first(), shares.own());
  });
  const Plan<Space> plan = halo_plan(exec, processes, shares, others);
  NodeHalo<Space> halo;
  Array<Global, Space> known, answers;
  NumbersAmongAll<Space> numbers;
  on_all_processes(*processes, [&] {
    halo = NodeHalo<Space>(plan);
    const auto num_own = static_cast<std::size_t>(shares.own());
    known = allocate<Global>(exec, "tessera::distributed::asked", num_own + others.extent(0));
    Kokkos::deep_copy(exec, Kokkos::subview(known, std::make_pair(std::size_t(0), num_own)), own);
    answers = allocate<Global>(exec, "tessera::distributed::answers", asked.extent(0));
    numbers = {shares.first(), shares.own(), others};
  });
  halo.fill(exec, known);
  Kokkos::parallel_for("tessera::distributed::answers",
                       Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(asked.extent(0))),
                       TakeAnswers<Space>{numbers, asked, known, answers});
  exec.fence("tessera::distributed::answers");
  return answers;
}

/// By own node the number of its aggregate, and the shares of these. Collective.
template <class Space>
Array<Global, Space> number_by_roots(const Space& exec, const PairGraph<Space>& graph,
                                     const Array<Global, Space>& root_of,
                                     std::shared_ptr<const Partition>& shares) {
  const Ordinal own = graph.num_own();
  const Kokkos::RangePolicy<Space> range(exec, 0, own);
  Array<Global, Space> number;
  Ordinal num_roots = 0;
  graph.on_all([&] {
    number = allocate<Global>(exec, "tessera::distributed::number_by_roots",
                              static_cast<std::size_t>(own));
    Kokkos::parallel_scan("tessera::distributed::number_by_roots", range,
                          NumberRoots<Space>{graph.numbers, root_of, number}, num_roots);
    exec.fence("tessera::distributed::number_by_roots");
  });
  shares = std::make_shared<const Partition>(*graph.processes, num_roots);
  Kokkos::parallel_for("tessera::distributed::number_by_roots", range,
                       AddFirst<Space>{number, shares->first()});
  const Array<Global, Space> own_roots =
      Kokkos::subview(root_of, std::make_pair(std::size_t(0), static_cast<std::size_t>(own)));
  return asked_of_owners(exec, graph.processes, *graph.nodes, own_roots, number);
}

template <class Space>
struct TakeFirst {
  NumbersAmongAll<Space> numbers;
  NumbersAmongAll<Space> aggregates;
  Array<const Global, Space> root_of;
  Array<const Global, Space> aggregate_of;
  Array<Ordinal, Space> first;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    if (root_of(v) == numbers.number(v)) first(aggregates.place(aggregate_of(v))) = v;
  }
};

/// Of own aggregates, whose second node may be a ghost.
template <class Space>
struct TakeSecond {
  NumbersAmongAll<Space> numbers;
  NumbersAmongAll<Space> aggregates;
  Array<const Global, Space> root_of;
  Array<const Global, Space> aggregate_of;
  Array<Ordinal, Space> second;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    if (root_of(v) == no_root || root_of(v) == numbers.number(v)) return;
    if (aggregates.is_own(aggregate_of(v))) second(aggregates.place(aggregate_of(v))) = v;
  }
};

/// `made`: by own node its aggregate. Collective.
template <class Space>
Pairs<Space> pairs_of(const Space& exec, const PairGraph<Space>& graph,
                      const Array<Global, Space>& root_of, const Array<Global, Space>& made,
                      const std::shared_ptr<const Partition>& shares) {
  const auto num_pairs = static_cast<std::size_t>(shares->own());
  Pairs<Space> pairs;
  pairs.shares = shares;
  graph.on_all([&] {
    pairs.aggregate_of =
        allocate<Global>(exec, "tessera::distributed::Pairs::aggregate_of", graph.num_here());
    Kokkos::deep_copy(
        exec, Kokkos::subview(pairs.aggregate_of, std::make_pair(std::size_t(0), made.extent(0))),
        made);
    pairs.first = allocate<Ordinal>(exec, "tessera::distributed::Pairs::first", num_pairs);
    pairs.second = allocate<Ordinal>(exec, "tessera::distributed::Pairs::second", num_pairs);
    Kokkos::deep_copy(exec, pairs.second, -1);
  });
  graph.fill(exec, pairs.aggregate_of);
  const NumbersAmongAll<Space> aggregates{shares->first(), shares->own(), {}};
  Kokkos::parallel_for(
      "tessera::distributed::Pairs::first", Kokkos::RangePolicy<Space>(exec, 0, graph.num_own()),
      TakeFirst<Space>{graph.numbers, aggregates, root_of, pairs.aggregate_of, pairs.first});
  Kokkos::parallel_for(
      "tessera::distributed::Pairs::second",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(graph.num_here())),
      TakeSecond<Space>{graph.numbers, aggregates, root_of, pairs.aggregate_of, pairs.second});
  exec.fence("tessera::distributed::Pairs");
  return pairs;
}

}  // namespace

template <class Space>
SharedAggregates<Space> aggregate_pairwise(const Space& exec, const LevelRows<Space>& fine,
                                           const kernels::PairwiseOptions& options) {
  kernels::require_pairwise_options(options);
  auto graph = pair_graph(exec, fine, options.longest_row);
  Array<Global, Space> aggregate_of;
  std::shared_ptr<const Partition> shares;
  for (int pass = 0; pass < options.passes; ++pass) {
    const bool is_last = pass + 1 == options.passes;
    const auto root_of =
        kernels::pairwise_detail::match(exec, graph.couplings, options, is_last, graph);
    Kokkos::parallel_for("tessera::distributed::KeepAlone",
                         Kokkos::RangePolicy<Space>(exec, 0, graph.num_own()),
                         KeepAlone<Space>{graph.numbers, graph.couplings.scale, root_of, pass > 0});
    const auto made = number_by_roots(exec, graph, root_of, shares);
    aggregate_of =
        pass == 0 ? made : asked_of_owners(exec, graph.processes, *graph.nodes, aggregate_of, made);
    if (!is_last) graph = graph_of_pairs(exec, graph, pairs_of(exec, graph, root_of, made, shares));
  }
  return {shares->own(), aggregate_of, std::nullopt};
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, aggregate_pairwise)

}  // namespace tessera::distributed
