// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/gathered_rows.hpp"

#include "tessera/distributed/listed_rows.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

#include <limits>
#include <string>
#include <utility>

namespace tessera::distributed {
namespace {

template <class Space>
Array<Ordinal, Space> as_columns(const Space& exec, const GlobalNumbers<Space>& numbers) {
  const auto columns =
      allocate<Ordinal>(exec, "tessera::distributed::GatheredRows", numbers.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::GatheredRows::columns",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(numbers.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) { columns(i) = static_cast<Ordinal>(numbers(i)); });
  exec.fence("tessera::distributed::GatheredRows");
  return columns;
}

/// Numbers as doubles, which hold each of fewer than 2^53.
template <class Space>
MultiVector<double, Space> as_doubles(const Space& exec,
                                      const Array<const Partition::Global, Space>& numbers) {
  const auto made =
      allocate_multivector<double>(exec, "tessera::distributed::given", numbers.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::GatheredRows::given",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(numbers.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) { made(i, 0) = static_cast<double>(numbers(i)); });
  exec.fence("tessera::distributed::GatheredRows");
  return made;
}

/// The place of each number among them in ascending order; nothing where one is there twice.
template <class Space>
Array<Ordinal, Space> places_in_order(const Space& exec, const MultiVector<double, Space>& given) {
  const auto count = static_cast<Ordinal>(given.extent(0));
  const Kokkos::RangePolicy<Space> all(exec, 0, count);
  const auto numbers =
      allocate<Partition::Global>(exec, "tessera::distributed::given", given.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::GatheredRows::given", all,
      KOKKOS_LAMBDA(const Ordinal i) { numbers(i) = static_cast<Partition::Global>(given(i, 0)); });
  const auto sorted = sorted_once<Space>(exec, numbers);
  if (static_cast<Ordinal>(sorted.extent(0)) != count) return {};
  const auto place =
      allocate<Ordinal>(exec, "tessera::distributed::GatheredRows::place", given.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::GatheredRows::place", all, KOKKOS_LAMBDA(const Ordinal i) {
        place(i) = place_in(sorted, static_cast<Partition::Global>(given(i, 0)));
      });
  exec.fence("tessera::distributed::GatheredRows");
  return place;
}

/// Whether `place` takes rows elsewhere, and those of a node side by side.
template <class Space>
bool moves_whole_nodes(const Space& exec, const Array<Ordinal, Space>& place, Ordinal block_size) {
  Ordinal moved = 0, apart = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::GatheredRows::nodes",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(place.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i, Ordinal& elsewhere, Ordinal& broken) {
        elsewhere += place(i) != i ? 1 : 0;
        const Ordinal first = i - i % block_size;
        broken +=
            place(i) != place(first) + i % block_size || place(first) % block_size != 0 ? 1 : 0;
      },
      moved, apart);
  exec.fence("tessera::distributed::GatheredRows");
  return moved > 0 && apart == 0;
}

/// The numbers that have these places.
template <class Space>
Array<Ordinal, Space> inverse_of(const Space& exec, const Array<const Ordinal, Space>& place) {
  const auto order =
      allocate<Ordinal>(exec, "tessera::distributed::GatheredRows::order", place.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::GatheredRows::order",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(place.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) { order(place(i)) = i; });
  exec.fence("tessera::distributed::GatheredRows");
  return order;
}

/// What gathers to these places.
template <class Space>
Plan<Space> gathering_to(const Space& exec, const CommunicationPlan<Space>& plan,
                         const Array<const Ordinal, Space>& place) {
  auto made = std::make_shared<CommunicationPlan<Space>>(plan);
  const Ordinal own = plan.num_source;
  made->num_same = 0;
  made->is_halo = false;
  made->from = numbers_from(exec, 0, own);
  made->to = Kokkos::subview(place, std::make_pair(Ordinal(0), own));
  made->remotes = Kokkos::subview(place, std::make_pair(own, plan.num_target));
  return made;
}

}  // namespace

/// The first process alone puts what has come in another order.
template <class Space>
void GatheredRows<Space>::put_in_given_order(const Space& exec, const Matrix<Space>& A,
                                             const Plan<Space>& plan, int block_size) {
  MultiVector<double, Space> own, all;
  on_all_processes(*A.processes, [&] {
    own = as_doubles<Space>(exec, *A.given_numbers);
    all = allocate_multivector<double>(exec, "tessera::distributed::given",
                                       static_cast<std::size_t>(m_num_all));
  });
  m_exchange.forward(exec, own, all);
  on_all_processes(*A.processes, [&] {
    if (!m_is_first) return;
    const auto place = places_in_order(exec, all);
    if (place.extent(0) == 0 || !moves_whole_nodes<Space>(exec, place, block_size)) return;
    m_place = place;
    m_order = inverse_of<Space>(exec, m_place);
    m_exchange = Exchange<double, Space>(gathering_to<Space>(exec, *plan, m_place));
    m_exchange.reserve(1, true);
  });
}

template <class Space>
GatheredRows<Space>::GatheredRows(const Space& exec, const Matrix<Space>& A, int block_size)
    : m_processes(A.processes), m_is_first(A.processes->rank() == 0), m_num_own(A.rows.num_rows) {
  require(A.row_shares->size() <= std::numeric_limits<Ordinal>::max(), [&] {
    return "a level of " + std::to_string(A.row_shares->size()) +
           " rows is too large to be gathered on one process";
  });
  ColumnNumbers<Space> numbers;
  Plan<Space> plan;
  on_all_processes(*A.processes, [&] {
    numbers = ColumnNumbers<Space>(exec, A.column_shares->first(), A.num_own_columns(), A.ghosts);
    plan = gathering_plan(exec, A.processes, *A.row_shares);
    m_rows = RowExchange<Space>(plan, RowExchange<Space>::Direction::forward);
    m_exchange = Exchange<double, Space>(plan);
    m_exchange.reserve(1, true);
  });
  m_num_all = m_is_first ? static_cast<Ordinal>(A.row_shares->size()) : 0;
  if (A.given_numbers && plan != nullptr) put_in_given_order(exec, A, plan, block_size);
  const auto others = m_rows.pattern(exec, A.rows, numbers);
  on_all_processes(*A.processes, [&] {
    if (!m_is_first) return;
    // All columns are the first process's now, by their numbers among all; its own come first.
    const auto number = as_columns<Space>(exec, A.ghosts);
    const auto own = renumbered_others(exec, A.rows, A.num_own_columns(), number, m_num_all);
    const auto columns = ColumnNumbers<Space>(0, m_num_all).add(exec, others.columns);
    m_num_own_entries = own.num_entries();
    m_stack = stacked_rows(exec, own, A.rows.num_rows, others, columns, m_num_all);
  });
  take_values(exec, A);
}

/// What has come, in the order that it is to have.
template <class Space>
LocalRows<Space> GatheredRows<Space>::in_given_order(const Space& exec) const {
  if (m_order.extent(0) == 0) return m_stack;
  return renumbered_columns(exec, listed_rows<Space>(exec, m_stack, m_order), m_place, m_num_all);
}

template <class Space>
void GatheredRows<Space>::take_values(const Space& exec, const Matrix<Space>& A) {
  m_rows.values(exec, A.rows,
                m_is_first ? values_below(m_stack, m_num_own_entries) : Array<double, Space>());
  on_all_processes(*A.processes, [&] {
    if (!m_is_first) return;
    const auto own = std::make_pair(std::size_t(0), m_num_own_entries);
    if (m_num_own_entries > 0)
      Kokkos::deep_copy(exec, Kokkos::subview(m_stack.values, own), A.rows.values);
    m_gathered = kernels::sort_rows(exec, in_given_order(exec).view());
  });
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, GatheredRows)

}  // namespace tessera::distributed
