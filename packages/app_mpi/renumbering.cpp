// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_mpi/renumbering.hpp"

#include "app_mpi/exchanged_lists.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace tessera::app_mpi {

Renumbering::Renumbering(const Communicator& processes, const RowShares& given,
                         const std::vector<int>& to)
    : m_processes(&processes), m_given(given) {
  const auto size = static_cast<std::size_t>(processes.size());
  m_rows.resize(size);
  for (std::size_t i = 0; i < to.size(); ++i)
    m_rows[static_cast<std::size_t>(to[i])].push_back(static_cast<std::int64_t>(i));
  std::vector<std::int64_t> counts(size);
  for (std::size_t p = 0; p < size; ++p)
    counts[p] = static_cast<std::int64_t>(m_rows[p].size());
  m_come.resize(size);
  processes.all_to_all(counts, m_come);
  std::vector<std::int64_t> sizes(size);
  processes.all_gather(std::accumulate(m_come.begin(), m_come.end(), std::int64_t(0)), sizes);
  m_shares.starts.assign(size + 1, 0);
  std::partial_sum(sizes.begin(), sizes.end(), m_shares.starts.begin() + 1);
  // Who gets rows tells each sender where its own begin.
  std::vector<std::int64_t> begins(size);
  std::exclusive_scan(m_come.begin(), m_come.end(), begins.begin(),
                      m_shares.first(processes.rank()));
  std::vector<std::int64_t> first(size);
  processes.all_to_all(begins, first);
  m_number.resize(to.size());
  for (std::size_t p = 0; p < size; ++p)
    for (const std::int64_t row : m_rows[p])
      m_number[static_cast<std::size_t>(row)] = first[p]++;
}

/// Of any columns, repeated or not: others' are asked for.
std::vector<std::int64_t> Renumbering::numbers_of(const std::vector<std::int64_t>& columns) const {
  const int rank = m_processes->rank();
  const std::int64_t begin = m_given.first(rank);
  const std::int64_t end = begin + m_given.count(rank);
  std::vector<std::int64_t> others;
  for (const std::int64_t column : columns)
    if (column < begin || column >= end) others.push_back(column);
  std::ranges::sort(others);
  others.erase(std::unique(others.begin(), others.end()), others.end());
  std::vector<std::vector<std::int64_t>> wanted(static_cast<std::size_t>(m_processes->size()));
  for (const std::int64_t column : others)
    wanted[static_cast<std::size_t>(m_given.owner(column))].push_back(column);
  auto asked = exchanged(*m_processes, std::move(wanted));
  for (auto& list : asked)
    for (std::int64_t& column : list)
      column = m_number[static_cast<std::size_t>(column - begin)];
  // In the order of the processes they are in that of `others`.
  std::vector<std::int64_t> numbers;
  for (const auto& list : exchanged(*m_processes, std::move(asked)))
    numbers.insert(numbers.end(), list.begin(), list.end());
  std::vector<std::int64_t> found;
  found.reserve(columns.size());
  for (const std::int64_t column : columns) {
    const bool is_own = column >= begin && column < end;
    const auto place = is_own ? others.begin() : std::ranges::lower_bound(others, column);
    found.push_back(is_own ? m_number[static_cast<std::size_t>(column - begin)]
                           : numbers[static_cast<std::size_t>(place - others.begin())]);
  }
  return found;
}

HostCsr Renumbering::moved(const HostCsr& rows) const {
  const auto size = static_cast<std::size_t>(m_processes->size());
  const auto numbers = numbers_of(rows.columns);
  std::vector<std::vector<std::int64_t>> lengths(size);
  std::vector<std::vector<std::int64_t>> columns(size);
  std::vector<std::vector<double>> values(size);
  for (std::size_t p = 0; p < size; ++p) {
    for (const std::int64_t row : m_rows[p]) {
      const auto begin = rows.offsets[static_cast<std::size_t>(row)];
      const auto end = rows.offsets[static_cast<std::size_t>(row) + 1];
      lengths[p].push_back(end - begin);
      columns[p].insert(columns[p].end(), numbers.begin() + begin, numbers.begin() + end);
      values[p].insert(values[p].end(), rows.values.begin() + begin, rows.values.begin() + end);
    }
  }
  lengths = exchanged(*m_processes, std::move(lengths));
  columns = exchanged(*m_processes, std::move(columns));
  values = exchanged(*m_processes, std::move(values));
  HostCsr made;
  std::vector<std::pair<std::int64_t, double>> row;
  for (std::size_t p = 0; p < size; ++p) {
    std::size_t next = 0;
    for (const std::int64_t length : lengths[p]) {
      row.clear();
      for (std::int64_t e = 0; e < length; ++e, ++next)
        row.emplace_back(columns[p][next], values[p][next]);
      std::ranges::sort(row, {}, &std::pair<std::int64_t, double>::first);
      for (const auto& [column, value] : row) {
        made.columns.push_back(column);
        made.values.push_back(value);
      }
      made.offsets.push_back(static_cast<std::int64_t>(made.columns.size()));
    }
  }
  return made;
}

Columns Renumbering::moved(const Columns& columns) const {
  const auto n = static_cast<std::size_t>(columns.rows);
  Columns made{m_shares.count(m_processes->rank()), columns.count, {}};
  for (std::size_t j = 0; j < columns.count; ++j) {
    std::vector<std::vector<double>> parts(m_rows.size());
    for (std::size_t p = 0; p < m_rows.size(); ++p)
      for (const std::int64_t row : m_rows[p])
        parts[p].push_back(columns.values[j * n + static_cast<std::size_t>(row)]);
    for (const auto& part : exchanged(*m_processes, std::move(parts)))
      made.values.insert(made.values.end(), part.begin(), part.end());
  }
  return made;
}

Columns Renumbering::moved_back(const Columns& columns) const {
  const auto n = static_cast<std::size_t>(m_given.count(m_processes->rank()));
  Columns made{static_cast<std::int64_t>(n), columns.count, std::vector<double>(n * columns.count)};
  auto next = columns.values.begin();
  for (std::size_t j = 0; j < columns.count; ++j) {
    std::vector<std::vector<double>> parts(m_come.size());
    for (std::size_t p = 0; p < m_come.size(); ++p) {
      parts[p].assign(next, next + m_come[p]);
      next += m_come[p];
    }
    const auto come = exchanged(*m_processes, std::move(parts));
    for (std::size_t p = 0; p < come.size(); ++p)
      for (std::size_t i = 0; i < come[p].size(); ++i)
        made.values[j * n + static_cast<std::size_t>(m_rows[p][i])] = come[p][i];
  }
  return made;
}

}  // namespace tessera::app_mpi
