// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/column_numbers.hpp"

#include "tessera/distributed/entries_at.hpp"
#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/merged_numbers.hpp"
#include "tessera/distributed/numbers_of_others.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::distributed {
namespace {

/// numbers(e) is that of columns(e): an own one's from 0 on, an other one's by its place among the
/// ascending ones, and where these are not in the order of their numbers by what `place` says.
template <class Space>
struct LookUpColumns {
  ArrayView<const std::int64_t, Space> columns;
  std::int64_t first;
  Ordinal own;
  GlobalNumbers<Space> ascending;
  Array<const Ordinal, Space> place;
  Array<Ordinal, Space> numbers;

  KOKKOS_FUNCTION void operator()(std::size_t e) const {
    const std::int64_t column = columns(e);
    if (column >= first && column < first + own) {
      numbers(e) = static_cast<Ordinal>(column - first);
    } else {
      const Ordinal at = place_in(ascending, column);
      numbers(e) = own + (place.extent(0) == 0 ? at : place(at));
    }
  }
};

}  // namespace

template <class Space>
ColumnNumbers<Space>::ColumnNumbers(const Space& exec, Global first, Ordinal num_own,
                                    const Others& others)
    : m_first(first), m_num_own(num_own), m_others(others) {
  const auto order = ascending_order(exec, others);
  m_ascending = order.numbers;
  m_place = order.place;
}

template <class Space>
std::int64_t ColumnNumbers<Space>::global(const Space& exec, Ordinal column) const {
  if (column < m_num_own) return m_first + column;
  return entries_at<Global, Space>(exec, m_others, {column - m_num_own}).front();
}

template <class Space>
void ColumnNumbers<Space>::append(const Space& exec, const Others& columns) {
  const auto added = numbers_without(exec, columns, m_ascending);
  if (added.numbers.extent(0) == 0) return;
  const bool goes_on = m_place.extent(0) == 0 && added.num_below_first == m_ascending.extent(0);
  if (m_others.extent(0) == 0) {
    m_others = m_ascending = added.numbers;
    return;
  }
  const Others others = joined_numbers<Space>(exec, m_others, added.numbers);
  if (goes_on) {
    m_others = m_ascending = others;
    return;
  }
  const auto merged = merged_numbers(exec, {m_ascending, m_place}, added.numbers);
  m_others = others;
  m_ascending = merged.numbers;
  m_place = merged.place;
}

template <class Space>
Array<Ordinal, Space> ColumnNumbers<Space>::add(const Space& exec,
                                                const ArrayView<const Global, Space>& columns) {
  append(exec, numbers_of_others<Space>(exec, columns, m_first, m_num_own));
  const auto numbers =
      allocate<Ordinal>(exec, "tessera::distributed::ColumnNumbers", columns.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::ColumnNumbers::look_up",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, columns.extent(0)),
      LookUpColumns<Space>{columns, m_first, m_num_own, m_ascending, m_place, numbers});
  exec.fence("tessera::distributed::ColumnNumbers");
  return numbers;
}

template <class Space>
Array<const Ordinal, Space> ColumnNumbers<Space>::keep(
    const Space& exec, const ArrayView<const Ordinal, Space>& marks) {
  const auto kept = kept_numbers<Space>(exec, {m_ascending, m_place}, marks, m_num_own);
  m_others = m_ascending = kept.numbers;
  m_place = {};
  return kept.place;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, ColumnNumbers)

}  // namespace tessera::distributed
