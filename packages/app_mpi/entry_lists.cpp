// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_mpi/entry_lists.hpp"

#include "app_mpi/exchanged_lists.hpp"
#include "tessera/operator/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tessera::app_mpi {

EntryLists::EntryLists(const Communicator& processes, const RowShares& shares)
    : m_processes(processes),
      m_shares(shares),
      m_outgoing(static_cast<std::size_t>(processes.size())),
      m_come(static_cast<std::size_t>(processes.size())) {}

void EntryLists::add(const EntryBatch& batch) {
  int owner = 0;
  for (std::size_t k = 0; k < batch.rows.size(); ++k) {
    const std::int64_t row = batch.rows[k];
    // Files list rows or columns in order, so that the last owner is a good guess.
    const bool is_same =
        row >= m_shares.first(owner) && row < m_shares.first(owner) + m_shares.count(owner);
    if (!is_same) owner = m_shares.owner(row);
    m_outgoing[static_cast<std::size_t>(owner)].push_back(
        {batch.rows[k], batch.columns[k], batch.values[k]});
  }
}

void EntryLists::send() {
  const auto come = exchanged(m_processes, std::exchange(m_outgoing, {}));
  for (std::size_t p = 0; p < come.size(); ++p)
    m_come[p].insert(m_come[p].end(), come[p].begin(), come[p].end());
  m_outgoing.resize(come.size());
}

HostCsr EntryLists::rows(const std::string& path, bool sum_duplicates) {
  const std::int64_t first = m_shares.first(m_processes.rank());
  const auto n = static_cast<std::size_t>(m_shares.count(m_processes.rank()));
  std::vector<std::int64_t> next(n + 1, 0);
  for (const auto& list : m_come)
    for (const Entry& entry : list)
      ++next[static_cast<std::size_t>(entry.row - first) + 1];
  for (std::size_t i = 0; i < n; ++i)
    next[i + 1] += next[i];
  std::vector<std::pair<Ordinal, double>> sorted(static_cast<std::size_t>(next[n]));
  for (auto& list : m_come) {
    for (const Entry& entry : list)
      sorted[static_cast<std::size_t>(next[static_cast<std::size_t>(entry.row - first)]++)] = {
          entry.column, entry.value};
    std::vector<Entry>().swap(list);
  }
  // next[i] is where row i ends now.
  HostCsr rows;
  rows.columns.reserve(sorted.size());
  rows.values.reserve(sorted.size());
  for (std::size_t i = 0; i < n; ++i) {
    const auto begin = sorted.begin() + (i == 0 ? 0 : next[i - 1]);
    const auto end = sorted.begin() + next[i];
    std::stable_sort(begin, end, [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto entry = begin; entry != end; ++entry) {
      const bool is_twice = entry != begin && entry->first == (entry - 1)->first;
      if (is_twice && !sum_duplicates)
        throw Error(
            ErrorKind::bad_input,
            fmt::format("{}: entry ({}, {}), counted from 1, stands there twice; duplicates "
                        "may be summed, but that has to be asked for",
                        path, first + static_cast<std::int64_t>(i) + 1,
                        std::int64_t(entry->first) + 1));
      if (is_twice) {
        rows.values.back() += entry->second;
        continue;
      }
      rows.columns.push_back(entry->first);
      rows.values.push_back(entry->second);
    }
    rows.offsets.push_back(static_cast<std::int64_t>(rows.columns.size()));
  }
  return rows;
}

}  // namespace tessera::app_mpi
