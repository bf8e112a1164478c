// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/column_numbers.hpp"

#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/numbers_of_others.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tessera::distributed {

ColumnNumbers::ColumnNumbers(Global first, Ordinal num_own, const std::vector<Global>& others)
    : m_first(first), m_num_own(num_own), m_others(others) {
  if (std::ranges::is_sorted(others)) return;
  m_ascending.resize(others.size());
  std::iota(m_ascending.begin(), m_ascending.end(), 0);
  std::ranges::sort(m_ascending, {},
                    [&](Ordinal i) { return m_others[static_cast<std::size_t>(i)]; });
}

// Lists of a border have hundreds of thousands of columns: one pass over both lists, no searches.
void ColumnNumbers::append(const std::vector<Global>& columns) {
  const std::size_t num_known = m_others.size();
  std::vector<Global> added;
  for (std::size_t i = 0; const Global column : columns) {
    while (i < num_known && m_others[place(i)] < column)
      ++i;
    if (i == num_known || m_others[place(i)] != column) added.push_back(column);
  }
  if (added.empty()) return;
  const bool goes_on = m_ascending.empty() && (num_known == 0 || m_others.back() < added.front());
  m_others.insert(m_others.end(), added.begin(), added.end());
  if (goes_on) return;
  std::vector<Ordinal> ascending(m_others.size());
  for (std::size_t i = 0, k = num_known, out = 0; out < ascending.size(); ++out) {
    const bool is_known =
        i < num_known && (k == m_others.size() || m_others[place(i)] < m_others[k]);
    ascending[out] = static_cast<Ordinal>(is_known ? place(i++) : k++);
  }
  m_ascending = std::move(ascending);
}

std::vector<Ordinal> ColumnNumbers::keep(const std::vector<char>& is_used_of_others) {
  std::vector<Ordinal> number(m_others.size(), -1);
  std::vector<Global> kept;
  for (std::size_t i = 0; i < m_others.size(); ++i) {
    const std::size_t other = place(i);
    if (is_used_of_others[other] == 0) continue;
    number[other] = m_num_own + static_cast<Ordinal>(kept.size());
    kept.push_back(m_others[other]);
  }
  *this = ColumnNumbers(m_first, m_num_own, kept);
  return number;
}

namespace {

/// numbers(e) is that of columns(e): an own one's from 0 on, an other one's by the two lists, of
/// which the second is empty where numbers ascend with columns.
template <class Space>
void look_up(const Space& exec, const ArrayView<const std::int64_t, Space>& columns,
             std::int64_t first, Ordinal own, const ArrayView<const std::int64_t, Space>& others,
             const ArrayView<const Ordinal, Space>& number_of_others,
             const ArrayView<Ordinal, Space>& numbers) {
  const bool ascend = number_of_others.extent(0) == 0;
  Kokkos::parallel_for(
      "tessera::distributed::ColumnNumbers::look_up",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, columns.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e) {
        const std::int64_t column = columns(e);
        if (column >= first && column < first + own) {
          numbers(e) = static_cast<Ordinal>(column - first);
        } else {
          const Ordinal place = place_in(others, column);
          numbers(e) = ascend ? own + place : number_of_others(place);
        }
      });
  exec.fence("tessera::distributed::ColumnNumbers");
}

}  // namespace

template <class Space>
Array<Ordinal, Space> ColumnNumbers::add(const Space& exec,
                                         const ArrayView<const Global, Space>& columns) {
  append(numbers_of_others<Space>(exec, columns, m_first, m_num_own));
  const auto numbers =
      allocate<Ordinal>(exec, "tessera::distributed::ColumnNumbers", columns.extent(0));
  if (m_ascending.empty()) {
    look_up<Space>(exec, columns, m_first, m_num_own, from_host(exec, m_others), {}, numbers);
    return numbers;
  }
  std::vector<Global> others(m_others.size());
  std::vector<Ordinal> number_of_others(m_others.size());
  for (std::size_t i = 0; i < others.size(); ++i) {
    others[i] = m_others[place(i)];
    number_of_others[i] = m_num_own + static_cast<Ordinal>(place(i));
  }
  look_up<Space>(exec, columns, m_first, m_num_own, from_host(exec, others),
                 from_host(exec, number_of_others), numbers);
  return numbers;
}

#define TESSERA_INSTANTIATE_ADD(Space)                      \
  template Array<Ordinal, Space> ColumnNumbers::add<Space>( \
      const Space&, const ArrayView<const ColumnNumbers::Global, Space>&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_ADD)
#undef TESSERA_INSTANTIATE_ADD

}  // namespace tessera::distributed
