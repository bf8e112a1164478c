// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/cycle/detail/coarse_nullspace.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>

namespace tessera::amg::detail {

UnionFind::UnionFind(int n) : m_parent(n) { std::iota(m_parent.begin(), m_parent.end(), 0); }

int UnionFind::root(int i) {
  while (m_parent[i] != i) {
    m_parent[i] = m_parent[m_parent[i]];
    i = m_parent[i];
  }
  return i;
}

void UnionFind::join(int i, int j) {
  const auto [least, other] = std::minmax({root(i), root(j)});
  m_parent[other] = least;
}

NullspaceParts parts_by_component(const std::vector<double>& vectors, int n, UnionFind& graph) {
  constexpr double faint = 0x1p-20;
  std::map<int, std::vector<int>> components;
  for (int i = 0; i < n; ++i)
    components[graph.root(i)].push_back(i);
  NullspaceParts parts;
  for (std::size_t start = 0; start < vectors.size(); start += n) {
    const double* const v = &vectors[start];
    double largest = 0;
    for (int i = 0; i < n; ++i)
      largest = std::max(largest, std::abs(v[i]));
    for (const auto& [root, rows] : components) {
      const bool counts = std::any_of(rows.begin(), rows.end(), [&](int i) {
        return v[i] != 0 && std::abs(v[i]) >= faint * largest;
      });
      if (!counts) continue;
      if (rows.size() == 1) {
        parts.singular.push_back(root);
        continue;
      }
      std::vector<double> part(n, 0.0);
      for (const int i : rows)
        part[i] = v[i];
      parts.vectors.insert(parts.vectors.end(), part.begin(), part.end());
    }
  }
  return parts;
}

}  // namespace tessera::amg::detail
