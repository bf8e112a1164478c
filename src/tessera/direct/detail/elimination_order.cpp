// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/detail/elimination_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tessera::direct::detail {
namespace {

/// The pattern as its rows are eliminated.
struct Permuted {
  const HostArray<int>& offsets;
  const HostArray<int>& columns;
  std::vector<int> order;
  std::vector<int> rank;

  Permuted(const HostArray<int>& row_offsets, const HostArray<int>& row_columns,
           std::vector<int> row_order)
      : offsets(row_offsets),
        columns(row_columns),
        order(std::move(row_order)),
        rank(order.size()) {
    set_rank();
  }

  int n() const { return static_cast<int>(order.size()); }

  /// Calls call(j) for each column j of the k-th row.
  template <class F>
  void for_each_column(int k, const F& call) const {
    for (int e = offsets[order[k]]; e < offsets[order[k] + 1]; ++e)
      call(rank[columns[e]]);
  }

  /// Eliminates k-th what was next[k]-th.
  void reorder(const std::vector<int>& next) {
    std::vector<int> old = std::exchange(order, std::vector<int>(next.size()));
    for (int k = 0; k < n(); ++k)
      order[k] = old[next[k]];
    set_rank();
  }

 private:
  void set_rank() {
    for (int k = 0; k < n(); ++k)
      rank[order[k]] = k;
  }
};

/// The column whose elimination comes next among the rows that each leaves, or -1 (Liu 1990).
std::vector<int> elimination_tree(const Permuted& A) {
  std::vector<int> parent(A.n(), -1);
  std::vector<int> ancestor(A.n(), -1);
  for (int k = 0; k < A.n(); ++k) {
    A.for_each_column(k, [&](int j) {
      while (j != -1 && j < k) {
        const int above = std::exchange(ancestor[j], k);
        if (above == -1) parent[j] = k;
        j = above;
      }
    });
  }
  return parent;
}

/// Children before parents, those of a parent one after the other by ascending weight.
std::vector<int> postorder(const std::vector<int>& parent, const std::vector<int>& weight) {
  const int n = static_cast<int>(parent.size());
  // The heaviest is at the head of its list, and its subtree is written last, from the end.
  std::vector<int> by_weight(n);
  std::iota(by_weight.begin(), by_weight.end(), 0);
  std::stable_sort(by_weight.begin(), by_weight.end(),
                   [&](int i, int j) { return weight[i] < weight[j]; });
  std::vector<int> head(n + 1, -1);  // the roots' list is the last
  std::vector<int> next(n, -1);
  for (const int j : by_weight) {
    int& first = head[parent[j] < 0 ? n : parent[j]];
    next[j] = std::exchange(first, j);
  }
  std::vector<int> result(n);
  std::vector<int> open = {head[n]};
  for (int end = n; !open.empty();) {
    const int j = open.back();
    if (j == -1) {
      open.pop_back();
      continue;
    }
    open.back() = next[j];
    result[--end] = j;
    open.push_back(head[j]);
  }
  return result;
}

/// parent[j] for columns that are renumbered: k was order[k].
std::vector<int> renumbered(const std::vector<int>& parent, const std::vector<int>& order) {
  std::vector<int> rank(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    rank[order[k]] = static_cast<int>(k);
  std::vector<int> result;
  for (const int j : order)
    result.push_back(parent[j] < 0 ? -1 : rank[parent[j]]);
  return result;
}

/// Entries of each column of the factor with its diagonal, whose tree is in postorder: a row is in
/// the columns of the subtree between its leaves and itself, and a leaf of it, an entry of A below
/// which there is no other, adds the path to where the paths of those before end (Gilbert, Ng &
/// Peyton 1994).
std::vector<int> column_counts(const Permuted& A, const std::vector<int>& parent) {
  const int n = A.n();
  std::vector<int> first(n);  // of a column's descendants
  std::vector<int> count(n);
  std::iota(first.begin(), first.end(), 0);
  for (int j = 0; j < n; ++j) {
    if (first[j] == j) count[j] = 1;
    if (parent[j] >= 0) first[parent[j]] = std::min(first[parent[j]], first[j]);
  }
  std::vector<int> last_leaf(n, -1);
  std::vector<int> above(n);  // itself, or a column above, the root of what is done
  std::iota(above.begin(), above.end(), 0);
  const auto root_of = [&](int j) {
    int root = j;
    while (above[root] != root)
      root = above[root];
    while (above[j] != root)
      j = std::exchange(above[j], root);
    return root;
  };
  for (int j = 0; j < n; ++j) {
    if (parent[j] >= 0) --count[parent[j]];
    A.for_each_column(j, [&](int i) {
      const int before = i > j ? last_leaf[i] : -1;
      if (i <= j || before >= first[j]) return;
      ++count[j];
      if (before >= 0) --count[root_of(before)];
      last_leaf[i] = j;
    });
    if (parent[j] >= 0) above[j] = parent[j];
  }
  for (int j = 0; j < n; ++j) {
    if (parent[j] >= 0) count[parent[j]] += count[j];
  }
  return count;
}

/// Columns that follow each other in the tree and have the same rows below.
std::vector<Element> elements_of(const std::vector<int>& parent, const std::vector<int>& count) {
  const int n = static_cast<int>(parent.size());
  std::vector<Element> elements;
  std::vector<int> element_of(n);
  for (int j = 0; j < n; ++j) {
    const bool follows = j > 0 && parent[j - 1] == j && count[j - 1] == count[j] + 1;
    if (!follows) elements.push_back({j, 0, count[j], -1});
    ++elements.back().width;
    element_of[j] = static_cast<int>(elements.size()) - 1;
  }
  for (Element& element : elements) {
    const int next = parent[element.first + element.width - 1];
    element.parent = next < 0 ? -1 : element_of[next];
  }
  return elements;
}

}  // namespace

EliminationOrder eliminate(int n, const HostArray<int>& offsets, const HostArray<int>& columns,
                           std::vector<int> order) {
  Permuted A(offsets, columns, std::move(order));
  std::vector<int> parent = elimination_tree(A);
  const auto reorder = [&](const std::vector<int>& weight) {
    const std::vector<int> next = postorder(parent, weight);
    A.reorder(next);
    parent = renumbered(parent, next);
    return next;
  };
  reorder(std::vector<int>(n, 0));
  std::vector<int> count = column_counts(A, parent);
  // The largest child last: it is joined with its parent, and others' updates wait for less.
  const std::vector<int> next = reorder(count);
  const std::vector<int> old = std::exchange(count, {});
  for (const int k : next)
    count.push_back(old[k]);
  EliminationOrder result;
  result.elements = elements_of(parent, count);
  for (const double entries : count) {
    result.entries += entries;
    result.flops += entries * entries;
  }
  result.order = std::move(A.order);
  result.rank = std::move(A.rank);
  return result;
}

}  // namespace tessera::direct::detail
