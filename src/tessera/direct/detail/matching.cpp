// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/detail/matching.hpp"

#include "tessera/direct/selection_rules.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace tessera::direct::detail {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// What prices are apart from exact ones at most.
constexpr double round_off = 1e-9;

/// An assignment problem: what entry (i, j) costs is log2 of how much larger its row's largest is.
/// The prices of rows and columns leave each a cost of at least zero, and are logarithms of the
/// scaling.
class Assignment {
 public:
  explicit Assignment(const HostMatrix& A);

  /// False where a row finds no column.
  bool run();
  Matching matching() &&;

 private:
  double reduced_cost(int i, int e) const {
    return m_cost[e] - m_row_price[i] - m_column_price[m_A.columns[e]];
  }
  void match_free_entries();
  bool augment(int row);
  /// Sees what columns cost by way of a row that was reached at `base`.
  void look_along(int row, double base);
  /// The nearest column that is not done, or -1.
  int take_nearest();
  bool is_near_enough(double excess) const;
  void swap_along_path(int root, int column);

  const HostMatrix& m_A;
  std::vector<double> m_cost;
  std::vector<double> m_log_largest;  ///< of each row
  std::vector<double> m_row_price;
  std::vector<double> m_column_price;
  std::vector<int> m_column;  ///< of each row, or -1
  std::vector<int> m_row;  ///< of each column, or -1

  // Of a search.
  std::vector<double> m_distance;
  std::vector<int> m_from;  ///< the row that a column was reached from
  std::vector<char> m_is_done;
  std::vector<int> m_seen;
  std::vector<int> m_done;
  std::vector<std::pair<double, int>> m_heap;
  int m_nearest_free = -1;
};

Assignment::Assignment(const HostMatrix& A)
    : m_A(A),
      m_cost(A.values.size(), infinity),
      m_log_largest(A.n, 0.0),
      m_row_price(A.n, 0.0),
      m_column_price(A.n, infinity),
      m_column(A.n, -1),
      m_row(A.n, -1),
      m_distance(A.n, infinity),
      m_from(A.n),
      m_is_done(A.n, 0) {
  for (int i = 0; i < A.n; ++i) {
    double largest = 0;
    for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      largest = std::max(largest, std::abs(A.values[e]));
    if (largest == 0) continue;
    m_log_largest[i] = std::log2(largest);
    for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      if (A.values[e] == 0) continue;
      m_cost[e] = m_log_largest[i] - std::log2(std::abs(A.values[e]));
      m_column_price[A.columns[e]] = std::min(m_column_price[A.columns[e]], m_cost[e]);
    }
  }
}

/// The diagonal first, where it costs nothing more.
void Assignment::match_free_entries() {
  for (int i = 0; i < m_A.n; ++i) {
    double least = infinity;
    for (int e = m_A.offsets[i]; e < m_A.offsets[i + 1]; ++e)
      if (m_cost[e] < infinity) least = std::min(least, reduced_cost(i, e));
    if (least == infinity) continue;
    m_row_price[i] = least;
    for (int e = m_A.offsets[i]; e < m_A.offsets[i + 1]; ++e) {
      const int j = m_A.columns[e];
      if (m_row[j] >= 0 || !(reduced_cost(i, e) < round_off) || (m_column[i] >= 0 && j != i))
        continue;
      if (m_column[i] >= 0) m_row[m_column[i]] = -1;
      m_column[i] = j;
      m_row[j] = i;
    }
  }
}

bool Assignment::run() {
  match_free_entries();
  for (int i = 0; i < m_A.n; ++i)
    if (m_column[i] < 0 && !augment(i)) return false;
  return true;
}

void Assignment::look_along(int row, double base) {
  for (int e = m_A.offsets[row]; e < m_A.offsets[row + 1]; ++e) {
    const int j = m_A.columns[e];
    if (m_is_done[j] || m_cost[e] == infinity) continue;
    const double distance = base + std::max(0.0, reduced_cost(row, e));
    if (!(distance < m_distance[j])) continue;
    if (m_distance[j] == infinity) m_seen.push_back(j);
    m_distance[j] = distance;
    m_from[j] = row;
    m_heap.emplace_back(distance, j);
    std::push_heap(m_heap.begin(), m_heap.end(), std::greater<>());
    if (m_row[j] < 0 && (m_nearest_free < 0 || distance < m_distance[m_nearest_free]))
      m_nearest_free = j;
  }
}

int Assignment::take_nearest() {
  while (!m_heap.empty()) {
    std::pop_heap(m_heap.begin(), m_heap.end(), std::greater<>());
    const auto [distance, j] = m_heap.back();
    m_heap.pop_back();
    if (!m_is_done[j] && distance == m_distance[j]) return j;
  }
  return -1;
}

void Assignment::swap_along_path(int root, int column) {
  for (int row = -1; row != root;) {
    row = m_from[column];
    std::swap(m_column[row], column);
    m_row[m_column[row]] = row;
  }
}

/// Whether a search goes no further for what a nearer column is nearer at most: on a mesh there are
/// many at about the same distance.
bool Assignment::is_near_enough(double excess) const {
  return excess * rules::columns_per_bit <= static_cast<double>(m_done.size());
}

/// Dijkstra's search for a column that is free. Prices that were changed by the nearest one's
/// distance at most hold for any that is taken.
bool Assignment::augment(int root) {
  double base = 0;
  int end = -1;
  for (int row = root; end < 0;) {
    look_along(row, base);
    const int j = take_nearest();
    if (j < 0) break;
    base = m_distance[j];
    if (m_row[j] < 0) {
      end = j;
    } else if (m_nearest_free >= 0 && is_near_enough(m_distance[m_nearest_free] - base)) {
      end = m_nearest_free;
    } else {
      m_is_done[j] = 1;
      m_done.push_back(j);
      row = m_row[j];
    }
  }
  if (end >= 0) {
    m_row_price[root] += base;
    for (const int j : m_done) {
      m_row_price[m_row[j]] += base - m_distance[j];
      m_column_price[j] -= base - m_distance[j];
    }
    swap_along_path(root, end);
  }
  for (const int j : m_seen) {
    m_distance[j] = infinity;
    m_is_done[j] = 0;
  }
  m_seen.clear();
  m_done.clear();
  m_heap.clear();
  m_nearest_free = -1;
  return end >= 0;
}

Matching Assignment::matching() && {
  Matching result;
  result.column = std::move(m_column);
  for (int i = 0; i < m_A.n; ++i) {
    result.row_exponent.push_back(static_cast<int>(std::lround(m_row_price[i] - m_log_largest[i])));
    result.column_exponent.push_back(static_cast<int>(std::lround(m_column_price[i])));
  }
  return result;
}

}  // namespace

std::optional<Matching> match_rows(const HostMatrix& A) {
  const bool is_finite = std::all_of(A.values.begin(), A.values.end(),
                                     [](double value) { return std::isfinite(value); });
  if (!is_finite) return std::nullopt;
  Assignment assignment(A);
  if (!assignment.run()) return std::nullopt;
  return std::move(assignment).matching();
}

}  // namespace tessera::direct::detail
