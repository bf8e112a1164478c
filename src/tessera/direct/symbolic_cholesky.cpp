// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/symbolic_cholesky.hpp"

#include "tessera/direct/detail/minimum_degree.hpp"

#include <algorithm>

namespace tessera::direct {
namespace {

/// The pattern and where its rows went.
struct Ordered {
  const std::vector<int>& offsets;
  const std::vector<int>& columns;
  const std::vector<int>& order;
  std::vector<int> rank;  ///< the inverse of `order`

  Ordered(const std::vector<int>& offsets, const std::vector<int>& columns,
          const std::vector<int>& order)
      : offsets(offsets), columns(columns), order(order), rank(order.size()) {
    for (std::size_t k = 0; k < order.size(); ++k)
      rank[order[k]] = static_cast<int>(k);
  }

  /// Calls f(j) for each entry of row k, in the order's numbers.
  template <class F>
  void for_each(int k, const F& f) const {
    for (int e = offsets[order[k]]; e < offsets[order[k] + 1]; ++e)
      f(rank[columns[e]]);
  }
};

/// parent[j] is the row of the first entry below the diagonal in column j of the factor, or -1
/// (Liu 1986, with path compression).
std::vector<int> elimination_tree(const Ordered& A) {
  const int n = static_cast<int>(A.order.size());
  std::vector<int> parent(n, -1);
  std::vector<int> ancestor(n, -1);
  for (int i = 0; i < n; ++i) {
    A.for_each(i, [&](int j) {
      while (j != -1 && j < i) {
        const int next = ancestor[j];
        ancestor[j] = i;
        if (next == -1) parent[j] = i;
        j = next;
      }
    });
  }
  return parent;
}

/// post[k] is the node of the forest that comes k-th, children before parents.
std::vector<int> postorder(const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> child(n, -1);
  std::vector<int> sibling(n, -1);
  for (int j = n - 1; j >= 0; --j) {
    if (parent[j] == -1) continue;
    sibling[j] = child[parent[j]];
    child[parent[j]] = j;
  }
  std::vector<int> post;
  post.reserve(n);
  std::vector<int> path;
  for (int root = 0; root < n; ++root) {
    if (parent[root] != -1) continue;
    path.push_back(root);
    while (!path.empty()) {
      const int j = path.back();
      if (child[j] == -1) {
        post.push_back(j);
        path.pop_back();
      } else {
        path.push_back(child[j]);
        child[j] = sibling[child[j]];
      }
    }
  }
  return post;
}

/// Puts the order into postorder, which leaves the factor's fill as it is, and returns the tree.
std::vector<int> postordered_tree(const std::vector<int>& offsets, const std::vector<int>& columns,
                                  std::vector<int>& order) {
  const auto parent = elimination_tree(Ordered(offsets, columns, order));
  const auto post = postorder(parent);
  const int n = static_cast<int>(order.size());
  std::vector<int> place(n);
  std::vector<int> new_order(n);
  for (int k = 0; k < n; ++k) {
    place[post[k]] = k;
    new_order[k] = order[post[k]];
  }
  std::vector<int> new_parent(n);
  for (int k = 0; k < n; ++k)
    new_parent[k] = parent[post[k]] == -1 ? -1 : place[parent[post[k]]];
  order = std::move(new_order);
  return new_parent;
}

/// Entries in each column of the factor, with the diagonal. Row i of the factor is the part of the
/// tree below i that reaches the entries of A's row.
std::vector<int> column_counts(const Ordered& A, const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> count(n, 1);
  std::vector<int> mark(n, -1);
  for (int i = 0; i < n; ++i) {
    mark[i] = i;
    A.for_each(i, [&](int j) {
      for (; j < i && mark[j] != i; j = parent[j]) {
        mark[j] = i;
        ++count[j];
      }
    });
  }
  return count;
}

/// A supernode while they are joined.
struct Joined {
  int first;
  int width;
  int height;  ///< rows, its own columns counted
  double zeros;  ///< entries of the panel that the factor does not have

  double entries() const {
    const double w = width;
    return w * height - w * (w - 1) / 2;
  }
  /// Whether its administration would cost more than its zeros.
  bool pays() const {
    const double share = zeros / entries();
    if (width <= 4) return true;
    if (width <= 16) return share < 0.8;
    if (width <= 48) return share < 0.1;
    return share < 0.05;
  }
};

/// The two as one, the columns of the child first.
Joined join(const Joined& child, const Joined& parent) {
  const int height = child.width + parent.height;
  const double added = static_cast<double>(child.width) * (height - child.height);
  return {child.first, child.width + parent.width, height, child.zeros + parent.zeros + added};
}

/// Columns one after the other in the tree whose rows are the same.
std::vector<Joined> fundamental_supernodes(const std::vector<int>& parent,
                                           const std::vector<int>& count) {
  std::vector<Joined> result;
  for (int j = 0; j < static_cast<int>(parent.size()); ++j) {
    if (j > 0 && parent[j - 1] == j && count[j - 1] == count[j] + 1) {
      ++result.back().width;
    } else {
      result.push_back({j, 1, count[j], 0});
    }
  }
  return result;
}

/// The first columns of supernodes, and n. A supernode's columns follow those of a child of it: the
/// two are joined where that pays.
std::vector<int> supernodes(const std::vector<int>& parent, const std::vector<int>& count) {
  std::vector<Joined> done;
  for (Joined next : fundamental_supernodes(parent, count)) {
    while (!done.empty()) {
      const int above = parent[next.first - 1];
      if (above < 0 || above >= next.first + next.width) break;
      const Joined both = join(done.back(), next);
      if (!both.pays()) break;
      next = both;
      done.pop_back();
    }
    done.push_back(next);
  }
  std::vector<int> first;
  for (const Joined& s : done)
    first.push_back(s.first);
  first.push_back(static_cast<int>(parent.size()));
  return first;
}

/// Rows of each supernode: of A's columns, and what children pass on.
void find_rows(const Ordered& A, SymbolicCholesky& result) {
  const int count = static_cast<int>(result.first_column.size()) - 1;
  std::vector<int> supernode_of(result.n);
  for (int s = 0; s < count; ++s) {
    for (int j = result.first_column[s]; j < result.first_column[s + 1]; ++j)
      supernode_of[j] = s;
  }
  result.parent.assign(count, -1);
  std::vector<int> child(count, -1);
  std::vector<int> sibling(count, -1);
  std::vector<int> mark(result.n, -1);
  result.first_row.assign(1, 0);
  result.first_value.assign(1, 0);
  for (int s = 0; s < count; ++s) {
    const int first = result.first_column[s];
    const int end = result.first_column[s + 1];
    for (int j = first; j < end; ++j)
      result.rows.push_back(j);
    const std::size_t below = result.rows.size();
    const auto add = [&](int i) {
      if (i < end || mark[i] == s) return;
      mark[i] = s;
      result.rows.push_back(i);
    };
    for (int j = first; j < end; ++j)
      A.for_each(j, add);
    for (int c = child[s]; c != -1; c = sibling[c]) {
      for (std::size_t k = result.first_row[c]; k < result.first_row[c + 1]; ++k)
        add(result.rows[k]);
    }
    std::sort(result.rows.begin() + static_cast<std::ptrdiff_t>(below), result.rows.end());
    const std::size_t height = result.rows.size() - result.first_row.back();
    if (below < result.rows.size()) {
      const int p = supernode_of[result.rows[below]];
      result.parent[s] = p;
      sibling[s] = child[p];
      child[p] = s;
    }
    result.first_row.push_back(result.rows.size());
    result.first_value.push_back(result.first_value.back() + height * (end - first));
  }
}

/// Of the update matrices, in the order in which they come and go.
std::size_t stack_size(const SymbolicCholesky& f) {
  const auto update_size = [&](int s) {
    const std::size_t below = f.height(s) - f.width(s);
    return below * below;
  };
  std::vector<std::size_t> of_children(f.num_supernodes(), 0);
  std::size_t alive = 0;
  std::size_t most = 0;
  for (int s = 0; s < f.num_supernodes(); ++s) {
    const std::size_t own = update_size(s);
    most = std::max(most, alive + own);
    alive += own;
    alive -= of_children[s];
    if (f.parent[s] != -1) of_children[f.parent[s]] += own;
  }
  return most;
}

}  // namespace

SymbolicCholesky analyse_cholesky(int n, const std::vector<int>& offsets,
                                  const std::vector<int>& columns, double most_entries) {
  SymbolicCholesky result;
  result.n = n;
  auto ordered = detail::minimum_degree(n, offsets, columns);
  result.order = std::move(ordered.order);
  result.flops = ordered.flops;
  result.entries = ordered.entries;
  if (result.entries > most_entries) return result;
  const auto parent = postordered_tree(offsets, columns, result.order);
  const Ordered A(offsets, columns, result.order);
  const auto count = column_counts(A, parent);
  result.flops = 0;
  for (const double c : count)
    result.flops += c * c;
  result.first_column = supernodes(parent, count);
  find_rows(A, result);
  result.entries = static_cast<double>(result.first_value.back());
  result.stack_size = stack_size(result);
  result.has_structure = true;
  return result;
}

}  // namespace tessera::direct
