// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/two_stage_interpolation.hpp"

#include "tessera/amg/coarsening/splitting.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/ordered_numbers.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::distributed {
namespace {

/// Own points of `split` that are coarse.
template <class Space>
Array<const Ordinal, Space> own_coarse_points(const Space& exec, const SplitPoints<Space>& split) {
  const auto own = std::make_pair(Ordinal(0), split.points.num_own());
  const auto coarse = amg::number_coarse_points(
      exec, Array<std::int8_t, Space>(Kokkos::subview(split.is_coarse, own)));
  return amg::list_coarse_points(exec, coarse.coarse_number, coarse.num_coarse);
}

/// The numbers of `columns` in the order of all.
OrderedNumbers in_ascending_order(const ColumnNumbers& columns) {
  OrderedNumbers numbers{columns.first(), columns.num_own(), columns.others()};
  std::ranges::sort(numbers.others);
  return numbers;
}

/// `rows`, by `columns`, with columns by `numbers`.
template <class Space>
LocalRows<Space> with_columns_in_order(const Space& exec, const LocalRows<Space>& rows,
                                       const ColumnNumbers& columns,
                                       const OrderedNumbers& numbers) {
  const PlacesInOrder places(numbers);
  std::vector<Ordinal> number;
  number.reserve(static_cast<std::size_t>(numbers.size()));
  for (Ordinal c = 0; c < numbers.num_own; ++c)
    number.push_back(places.place(c));
  for (const auto other : columns.others())
    number.push_back(places.place(numbers.num_own + numbers.place_among_others(other)));
  return renumbered_columns(exec, rows, number, numbers.size());
}

}  // namespace

template <class Space>
auto TwoStageInterpolation<Space>::make(const Space& exec, const Rows& A,
                                        const SplitPoints<Space>& split) -> const Rows& {
  const auto all = m_first.points.processes;
  const Rows& P1 = m_to_first.make(exec, A, m_first);
  on_all_processes(*all, [&] { m_to_last.take_rows_of(own_coarse_points(exec, m_first)); });
  const Rows& P2 = m_to_last.make(exec, A, split);
  m_exchange = RowExchange<Space>(halo_plan(all, *m_first.coarse, m_to_first.columns().others()),
                                  RowExchange<Space>::Direction::forward);
  m_first = {};
  const auto come = m_exchange.pattern(exec, P2, m_to_last.columns());
  OrderedNumbers numbers;
  on_all_processes(*all, [&] {
    ColumnNumbers columns = m_to_last.columns();
    const auto columns_of_others = columns.template add<Space>(exec, come.columns);
    numbers = in_ascending_order(columns);
    m_stack = with_columns_in_order(
        exec, stacked_rows(exec, P2, P2.num_rows, come, columns_of_others, columns.size()), columns,
        numbers);
  });
  m_exchange.values(exec, P2, values_below(m_stack, P2.num_entries()));
  on_all_processes(*all, [&] {
    amg::PhaseTimer<Space> timer(exec, false);
    m_ordered = m_product.make(exec, P1, m_stack, m_truncation, timer);
    timer.stop(exec);
    this->m_P = own_columns_first(exec, m_ordered, 0, m_ordered.num_rows, numbers, this->m_columns);
    m_product.release();
  });
  return this->m_P;
}

template <class Space>
auto TwoStageInterpolation<Space>::remake(const Space& exec, const Communicator& processes,
                                          const Rows& A) -> const Rows& {
  const Rows& P1 = m_to_first.remake(exec, processes, A);
  const Rows& P2 = m_to_last.remake(exec, processes, A);
  Kokkos::deep_copy(
      exec, Kokkos::subview(m_stack.values, std::make_pair(std::size_t(0), P2.num_entries())),
      P2.values);
  m_exchange.values(exec, P2, values_below(m_stack, P2.num_entries()));
  on_all_processes(processes, [&] {
    amg::PhaseTimer<Space> timer(exec, false);
    m_product.remake(exec, P1, m_stack, m_ordered, timer);
    timer.stop(exec);
    m_product.release();
  });
  return this->m_P;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, TwoStageInterpolation)

}  // namespace tessera::distributed
