// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// L D L^T of a sparse symmetric matrix in 113 bits, left-looking by columns: slow, to know a
/// solution by.
#pragma once

#include "tessera/direct/symbolic_cholesky.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/csr.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace tessera::perf {

__extension__ using Quad = __float128;

class QuadFactors {
 public:
  explicit QuadFactors(const kernels::Csr<double, HostSpace>& A)
      : m_n(A.num_rows), m_columns(m_n), m_pivots(m_n) {
    order(A);
    // Columns by the row that their next entry stands in, as linked lists.
    std::vector<int> first_of_row(m_n, -1), next(m_n, -1), seen_by(m_n, -1), pattern;
    std::vector<std::size_t> place(m_n, 0);
    std::vector<Quad> column(m_n, 0);
    const auto hand_on = [&](int j) {
      if (place[j] == m_columns[j].size()) return;
      const int row = m_columns[j][place[j]].first;
      next[j] = std::exchange(first_of_row[row], j);
    };
    for (int k = 0; k < m_n; ++k) {
      pattern.clear();
      const auto see = [&](int i) {
        if (std::exchange(seen_by[i], k) != k && i != k) pattern.push_back(i);
      };
      for (auto e = A.offsets(m_order[k]); e < A.offsets(m_order[k] + 1); ++e) {
        const int i = m_rank[A.columns(e)];
        if (i < k) continue;
        see(i);
        column[i] += A.values(e);
      }
      for (int j = first_of_row[k], after; j != -1; j = after) {
        after = next[j];
        const auto& entries = m_columns[j];
        const Quad factor = entries[place[j]].second * m_pivots[j];
        for (std::size_t e = place[j]; e < entries.size(); ++e) {
          see(entries[e].first);
          column[entries[e].first] -= entries[e].second * factor;
        }
        ++place[j];
        hand_on(j);
      }
      m_pivots[k] = std::exchange(column[k], 0);
      std::sort(pattern.begin(), pattern.end());
      for (const int i : pattern)
        m_columns[k].emplace_back(i, std::exchange(column[i], 0) / m_pivots[k]);
      hand_on(k);
    }
  }

  /// Whether all pivots are positive, and the matrix definite with them.
  bool definite() const {
    return std::all_of(m_pivots.begin(), m_pivots.end(), [](Quad pivot) { return pivot > 0; });
  }

  std::vector<Quad> solve(const std::vector<Quad>& b) const {
    std::vector<Quad> y(m_n), x(m_n);
    for (int k = 0; k < m_n; ++k)
      y[k] = b[m_order[k]];
    for (int k = 0; k < m_n; ++k)
      for (const auto& [i, value] : m_columns[k])
        y[i] -= value * y[k];
    for (int k = 0; k < m_n; ++k)
      y[k] /= m_pivots[k];
    for (int k = m_n; k-- > 0;)
      for (const auto& [i, value] : m_columns[k])
        y[k] -= value * y[i];
    for (int k = 0; k < m_n; ++k)
      x[m_order[k]] = y[k];
    return x;
  }

 private:
  void order(const kernels::Csr<double, HostSpace>& A) {
    direct::HostArray<int> offsets(A.offsets.data(), A.offsets.data() + m_n + 1);
    direct::HostArray<int> columns(A.columns.data(), A.columns.data() + A.offsets(m_n));
    for (int i = 0; i < m_n; ++i)
      std::sort(columns.begin() + offsets[i], columns.begin() + offsets[i + 1]);
    auto found =
        direct::analyse_cholesky(m_n, offsets, columns, std::numeric_limits<double>::max());
    m_order = std::move(found.order);
    m_rank = std::move(found.rank);
  }

  int m_n;
  std::vector<int> m_order, m_rank;
  std::vector<std::vector<std::pair<int, Quad>>> m_columns;  ///< of L, without its diagonal
  std::vector<Quad> m_pivots;
};

}  // namespace tessera::perf
