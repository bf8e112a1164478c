// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/column_numbers.hpp"

#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/numbers_of_others.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>

namespace tessera::distributed {

ColumnNumbers::ColumnNumbers(Global first, Ordinal num_own, const std::vector<Global>& others)
    : m_first(first), m_num_own(num_own), m_others(others) {
  for (std::size_t i = 0; i < others.size(); ++i)
    m_known.push_back({others[i], num_own + static_cast<Ordinal>(i)});
  std::ranges::sort(m_known, {}, &Known::column);
}

void ColumnNumbers::append(const std::vector<Global>& columns) {
  const auto known = static_cast<std::ptrdiff_t>(m_known.size());
  for (const Global column : columns) {
    const auto end = m_known.begin() + known;
    const auto place =
        std::lower_bound(m_known.begin(), end, column,
                         [](const Known& entry, Global wanted) { return entry.column < wanted; });
    if (place != end && place->column == column) continue;
    m_known.push_back({column, size()});
    m_others.push_back(column);
  }
  std::inplace_merge(m_known.begin(), m_known.begin() + known, m_known.end(),
                     [](const Known& a, const Known& b) { return a.column < b.column; });
}

std::vector<Ordinal> ColumnNumbers::keep(const std::vector<char>& is_used_of_others) {
  std::vector<Ordinal> number(m_others.size(), -1);
  std::vector<Global> kept;
  for (const Known& known : m_known) {
    const auto i = static_cast<std::size_t>(known.number - m_num_own);
    if (is_used_of_others[i] == 0) continue;
    number[i] = m_num_own + static_cast<Ordinal>(kept.size());
    kept.push_back(known.column);
  }
  *this = ColumnNumbers(m_first, m_num_own, kept);
  return number;
}

namespace {

/// numbers(e) is that of columns(e): an own one's from 0 on, an other one's by the two lists.
template <class Space>
void look_up(const Space& exec, const ArrayView<const std::int64_t, Space>& columns,
             std::int64_t first, Ordinal own, const ArrayView<const std::int64_t, Space>& others,
             const ArrayView<const Ordinal, Space>& number_of_others,
             const ArrayView<Ordinal, Space>& numbers) {
  Kokkos::parallel_for(
      "tessera::distributed::ColumnNumbers::look_up",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, columns.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e) {
        const std::int64_t column = columns(e);
        numbers(e) = column >= first && column < first + own
                         ? static_cast<Ordinal>(column - first)
                         : number_of_others(place_in(others, column));
      });
  exec.fence("tessera::distributed::ColumnNumbers");
}

}  // namespace

template <class Space>
Array<Ordinal, Space> ColumnNumbers::add(const Space& exec,
                                         const ArrayView<const Global, Space>& columns) {
  append(numbers_of_others<Space>(exec, columns, m_first, m_num_own));
  std::vector<Global> others;
  std::vector<Ordinal> number_of_others;
  for (const Known& known : m_known) {
    others.push_back(known.column);
    number_of_others.push_back(known.number);
  }
  const auto numbers =
      allocate<Ordinal>(exec, "tessera::distributed::ColumnNumbers", columns.extent(0));
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
