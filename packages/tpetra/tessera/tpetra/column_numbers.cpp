// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/tpetra/column_numbers.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tessera::tpetra {

std::vector<Ordinal> ColumnNumbers::add(const std::vector<Global>& columns) {
  std::vector<Global> unknown;
  for (const Global column : columns)
    if (!is_own(column) && m_number.count(column) == 0) unknown.push_back(column);
  std::sort(unknown.begin(), unknown.end());
  unknown.erase(std::unique(unknown.begin(), unknown.end()), unknown.end());
  for (const Global column : unknown) {
    m_number[column] = size();
    m_others.push_back(column);
  }
  std::vector<Ordinal> numbers;
  numbers.reserve(columns.size());
  for (const Global column : columns)
    numbers.push_back(is_own(column) ? static_cast<Ordinal>(column - m_first)
                                     : m_number.at(column));
  return numbers;
}

std::vector<Ordinal> ColumnNumbers::keep(const std::vector<char>& is_used_of_others) {
  std::vector<Ordinal> number(static_cast<std::size_t>(size()), -1);
  std::iota(number.begin(), number.begin() + m_num_own, 0);
  const std::vector<Global> before = std::exchange(m_others, {});
  std::map<Global, Ordinal> place;  // ascending
  for (std::size_t i = 0; i < before.size(); ++i)
    if (is_used_of_others[i] != 0) place[before[i]] = static_cast<Ordinal>(i);
  m_number.clear();
  for (const auto& [column, i] : place) {
    number[static_cast<std::size_t>(m_num_own + i)] = size();
    m_number[column] = size();
    m_others.push_back(column);
  }
  return number;
}

}  // namespace tessera::tpetra
