// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/graph_of_pairs.hpp"

#include "tessera/distributed/transposition.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/add.hpp"

namespace tessera::distributed {
namespace {

using Global = Partition::Global;
using Offset = std::int64_t;

/// What couples own nodes to other aggregates; hubs are coupled to none.
template <class Space>
struct CouplingsToOthers {
  kernels::CsrView<double, Space, Offset> weights;
  Array<const double, Space> scale;
  Array<const Global, Space> aggregate_of;

  KOKKOS_FUNCTION bool is_coupled(Ordinal v) const {
    return aggregate_of(v) >= 0 && scale(v) != Kokkos::Experimental::infinity_v<double>;
  }
  KOKKOS_FUNCTION bool counts(Ordinal v, Offset k) const {
    const Ordinal j = weights.columns(k);
    return is_coupled(j) && aggregate_of(j) != aggregate_of(v);
  }
};

template <class Space>
struct CountToOthers {
  CouplingsToOthers<Space> couplings;
  Array<Offset, Space> lengths;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    const auto& W = couplings.weights;
    Offset length = 0;
    if (couplings.is_coupled(v))
      for (Offset k = W.offsets(v); k < W.offsets(v + 1); ++k)
        length += couplings.counts(v, k) ? 1 : 0;
    lengths(v) = length;
  }
};

template <class Space>
struct FillToOthers {
  CouplingsToOthers<Space> couplings;
  NumbersAmongAll<Space> aggregates;
  Array<Offset, Space> offsets;
  Array<Ordinal, Space> columns;
  Array<double, Space> values;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    const auto& W = couplings.weights;
    Offset next = offsets(v);
    if (!couplings.is_coupled(v)) return;
    for (Offset k = W.offsets(v); k < W.offsets(v + 1); ++k) {
      if (!couplings.counts(v, k)) continue;
      columns(next) = aggregates.place(couplings.aggregate_of(W.columns(k)));
      values(next) = W.values(k);
      ++next;
    }
  }
};

/// Rows of own nodes whose columns are the aggregates that these are coupled to, in the order of
/// the nodes of before.
template <class Space>
LocalRows<Space> rows_to_others(const Space& exec, const PairGraph<Space>& fine,
                                const Array<Global, Space>& aggregate_of,
                                const NumbersAmongAll<Space>& aggregates) {
  const Ordinal own = fine.num_own();
  const Kokkos::RangePolicy<Space> range(exec, 0, own);
  const CouplingsToOthers<Space> couplings{fine.couplings.weights.view(), fine.couplings.scale,
                                           aggregate_of};
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::PairGraph::offsets",
                                        static_cast<std::size_t>(own) + 1);
  Kokkos::parallel_for("tessera::distributed::PairGraph::count", range,
                       CountToOthers<Space>{couplings, offsets});
  const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::distributed::PairGraph::columns", total);
  const auto values = allocate<double>(exec, "tessera::distributed::PairGraph::values", total);
  Kokkos::parallel_for("tessera::distributed::PairGraph::fill", range,
                       FillToOthers<Space>{couplings, aggregates, offsets, columns, values});
  exec.fence("tessera::distributed::PairGraph");
  return {own, aggregates.own + static_cast<Ordinal>(aggregates.ghosts.extent(0)), offsets, columns,
          values};
}

/// Visits what couples own aggregate `g` to those that follow it, in the order of its nodes and of
/// their rows.
template <class Space>
struct CouplingsToLater {
  kernels::CsrView<double, Space, Offset> rows;  ///< of nodes here
  NumbersAmongAll<Space> aggregates;  ///< their columns, in any order
  Array<const Ordinal, Space> first, second;

  template <class Visit>
  KOKKOS_FUNCTION void for_each(Ordinal g, const Visit& visit) const {
    const Ordinal members[] = {first(g), second(g)};
    for (const Ordinal v : members) {
      if (v < 0) continue;
      for (Offset k = rows.offsets(v); k < rows.offsets(v + 1); ++k) {
        const Global other = aggregates.number(rows.columns(k));
        if (other > aggregates.number(g)) visit(other, rows.values(k));
      }
    }
  }
};

template <class Space>
struct CountToLater {
  CouplingsToLater<Space> later;
  Array<Offset, Space> lengths;

  KOKKOS_FUNCTION void operator()(Ordinal g) const {
    Offset length = 0;
    later.for_each(g, [&](Global, double) { ++length; });
    lengths(g) = length;
  }
};

template <class Space>
struct FillToLater {
  CouplingsToLater<Space> later;
  Array<Offset, Space> offsets;
  Array<Global, Space> columns;
  Array<double, Space> values;

  KOKKOS_FUNCTION void operator()(Ordinal g) const {
    Offset next = offsets(g);
    later.for_each(g, [&](Global other, double weight) {
      columns(next) = other;
      values(next) = weight;
      ++next;
    });
  }
};

template <class Space>
struct PlaceColumns {
  NumbersAmongAll<Space> numbers;
  Array<const Global, Space> given;
  Array<Ordinal, Space> columns;

  KOKKOS_FUNCTION void operator()(std::size_t k) const { columns(k) = numbers.place(given(k)); }
};

/// Rows of own aggregates and the later ones that they are coupled to, one entry for each; `others`
/// become those of other processes.
template <class Space>
LocalRows<Space> rows_to_later(const Space& exec, const CouplingsToLater<Space>& later,
                               GlobalNumbers<Space>& others) {
  const Ordinal own = later.aggregates.own;
  const Global number_of_first = later.aggregates.first;
  const Kokkos::RangePolicy<Space> range(exec, 0, own);
  const auto offsets = allocate<Offset>(exec, "tessera::distributed::PairGraph::offsets",
                                        static_cast<std::size_t>(own) + 1);
  Kokkos::parallel_for("tessera::distributed::PairGraph::count_later", range,
                       CountToLater<Space>{later, offsets});
  const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  const auto numbers = allocate<Global>(exec, "tessera::distributed::PairGraph::numbers", total);
  const auto columns = allocate<Ordinal>(exec, "tessera::distributed::PairGraph::columns", total);
  const auto values = allocate<double>(exec, "tessera::distributed::PairGraph::values", total);
  Kokkos::parallel_for("tessera::distributed::PairGraph::fill_later", range,
                       FillToLater<Space>{later, offsets, numbers, values});
  others = numbers_of_others<Space>(exec, numbers, number_of_first, own);
  const NumbersAmongAll<Space> here{number_of_first, own, others};
  Kokkos::parallel_for("tessera::distributed::PairGraph::place",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, total),
                       PlaceColumns<Space>{here, numbers, columns});
  LocalRows<Space> rows{own, own + static_cast<Ordinal>(others.extent(0)), offsets, columns,
                        values};
  exec.fence("tessera::distributed::PairGraph");
  if (own == 0) return rows;
  return kernels::add(exec, 1.0, rows.view(), 1.0, no_entries(exec, own, rows.num_cols).view());
}

template <class Space>
struct SumScales {
  Array<const double, Space> fine;
  Array<const Ordinal, Space> first, second;
  Array<double, Space> scale;

  KOKKOS_FUNCTION void operator()(Ordinal g) const {
    const double one = fine(first(g));
    scale(g) = second(g) < 0 ? one : one + fine(second(g));
  }
};

/// The rows of ghosts below those of own nodes; the columns' numbers become those of both.
/// Collective.
template <class Space>
LocalRows<Space> with_rows_of_ghosts(const Space& exec, const PairGraph<Space>& fine,
                                     const LocalRows<Space>& own, ColumnNumbers<Space>& columns) {
  RowExchange<Space> exchange;
  fine.on_all(
      [&] { exchange = RowExchange<Space>(fine.plan, RowExchange<Space>::Direction::forward); });
  const auto come = exchange.pattern(exec, own, columns);
  LocalRows<Space> stack;
  fine.on_all([&] {
    const auto their_columns = columns.add(exec, come.columns);
    stack = stacked_rows(exec, own, own.num_rows, come, their_columns, columns.size());
  });
  exchange.values(exec, own, values_below(stack, own.num_entries()));
  return stack;
}

}  // namespace

template <class Space>
PairGraph<Space> graph_of_pairs(const Space& exec, const PairGraph<Space>& fine,
                                const Pairs<Space>& pairs) {
  const Partition& shares = *pairs.shares;
  ColumnNumbers<Space> columns;
  LocalRows<Space> rows;
  fine.on_all([&] {
    const auto others =
        numbers_of_others<Space>(exec, pairs.aggregate_of, shares.first(), shares.own());
    columns = ColumnNumbers<Space>(shares.first(), shares.own(), others);
    rows = rows_to_others(exec, fine, pairs.aggregate_of, {shares.first(), shares.own(), others});
  });
  const auto stack = with_rows_of_ghosts(exec, fine, rows, columns);
  GlobalNumbers<Space> later;
  fine.on_all([&] {
    const NumbersAmongAll<Space> aggregates{shares.first(), shares.own(), columns.others()};
    rows = rows_to_later(exec, {stack.view(), aggregates, pairs.first, pairs.second}, later);
  });
  const auto to_later = matrix_of(exec, fine.processes, rows, pairs.shares, pairs.shares,
                                  ColumnNumbers<Space>(shares.first(), shares.own(), later));
  Transposition<Space> transposition;
  const Matrix<Space>& to_earlier = transposition.make(exec, to_later);
  auto made = nodes_to_pair(exec, fine.processes, pairs.shares, later, to_earlier.ghosts);
  made.on_all([&] {
    take_couplings(exec, {rows, later}, {to_earlier.rows, to_earlier.ghosts}, made);
    Kokkos::parallel_for(
        "tessera::distributed::PairGraph::scale",
        Kokkos::RangePolicy<Space>(exec, 0, made.num_own()),
        SumScales<Space>{fine.couplings.scale, pairs.first, pairs.second, made.couplings.scale});
    exec.fence("tessera::distributed::PairGraph");
  });
  made.fill(exec, made.couplings.scale);
  return made;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, graph_of_pairs)

}  // namespace tessera::distributed
