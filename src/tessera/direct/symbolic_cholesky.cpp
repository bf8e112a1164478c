// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/symbolic_cholesky.hpp"

#include "tessera/direct/detail/minimum_degree.hpp"
#include "tessera/direct/detail/nested_dissection.hpp"
#include "tessera/direct/detail/partial_cholesky.hpp"
#include "tessera/direct/large_pages.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tessera::direct::detail {

/// Compressed rows without values, each sorted.
struct Pattern {
  HostArray<int> offsets;
  HostArray<int> columns;
};

/// Whether each entry's transpose is one, too. Rows sorted, without duplicates.
bool is_symmetric(int n, const HostArray<int>& offsets, const HostArray<int>& columns);

/// The entries of either.
Pattern with_transpose(int n, const HostArray<int>& offsets, const HostArray<int>& columns);

bool is_symmetric(int n, const HostArray<int>& offsets, const HostArray<int>& columns) {
  // Rows are met in ascending order, so that the next entry of a row above is the one to find.
  std::vector<int> next(offsets.begin(), offsets.end() - 1);
  for (int i = 0; i < n; ++i) {
    const int end = offsets[i + 1];
    int e = offsets[i];
    for (; e < end && columns[e] < i; ++e) {
      int& other = next[columns[e]];
      if (other == offsets[columns[e] + 1] || columns[other] != i) return false;
      ++other;
    }
    // Those of the rows above have all found theirs.
    if (e < end && columns[e] == i) ++e;
    next[i] = e;
  }
  for (int i = 0; i < n; ++i) {
    if (next[i] != offsets[i + 1]) return false;
  }
  return true;
}

Pattern with_transpose(int n, const HostArray<int>& offsets, const HostArray<int>& columns) {
  Pattern transpose{HostArray<int>(offsets.size(), 0), HostArray<int>(columns.size())};
  for (const int j : columns)
    ++transpose.offsets[j + 1];
  for (int j = 0; j < n; ++j)
    transpose.offsets[j + 1] += transpose.offsets[j];
  std::vector<int> next(transpose.offsets.begin(), transpose.offsets.end() - 1);
  for (int i = 0; i < n; ++i) {
    for (int e = offsets[i]; e < offsets[i + 1]; ++e)
      transpose.columns[next[columns[e]]++] = i;
  }
  Pattern result;
  result.offsets.assign(1, 0);
  for (int i = 0; i < n; ++i) {
    std::set_union(columns.begin() + offsets[i], columns.begin() + offsets[i + 1],
                   transpose.columns.begin() + transpose.offsets[i],
                   transpose.columns.begin() + transpose.offsets[i + 1],
                   std::back_inserter(result.columns));
    result.offsets.push_back(static_cast<int>(result.columns.size()));
  }
  return result;
}

}  // namespace tessera::direct::detail

namespace tessera::direct {
namespace {

using detail::Element;

/// A supernode while they are joined.
struct Joined {
  int first;
  int width;
  int height;  ///< rows, its own columns counted
  int parent;  ///< the element that takes its update, or -1
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
  return {child.first, child.width + parent.width, height, parent.parent,
          child.zeros + parent.zeros + added};
}

/// Elements, and what follows them in the order, in postorder: an element's columns follow those of
/// a child of it, and the two are joined where that pays.
std::vector<Joined> join_elements(const std::vector<Element>& elements) {
  std::vector<Joined> done;
  for (const Element& element : elements) {
    Joined next{element.first, element.width, element.height, element.parent, 0};
    while (!done.empty() && done.back().parent >= 0 &&
           elements[done.back().parent].first < element.first + element.width) {
      const Joined both = join(done.back(), next);
      if (!both.pays()) break;
      next = both;
      done.pop_back();
    }
    done.push_back(next);
  }
  return done;
}

/// The supernodes' columns and their tree, without rows.
void set_supernodes(const std::vector<Joined>& joined, const std::vector<Element>& elements,
                    SymbolicCholesky& f, std::vector<int>& supernode_of) {
  supernode_of.resize(f.n);
  for (const Joined& s : joined) {
    std::fill_n(supernode_of.begin() + s.first, s.width, static_cast<int>(f.first_column.size()));
    f.first_column.push_back(s.first);
  }
  f.first_column.push_back(f.n);
  for (const Joined& s : joined)
    f.parent.push_back(s.parent < 0 ? -1 : supernode_of[elements[s.parent].first]);
}

/// Calls call(s, i) for each row i of a supernode s below its own columns, the rows ascending. Row
/// i of the factor is the part of the tree below i that reaches the entries of A's row (Liu 1990).
template <class F>
void for_each_row_below(const HostArray<int>& offsets, const HostArray<int>& columns,
                        const SymbolicCholesky& f, const std::vector<int>& rank,
                        const std::vector<int>& supernode_of, const F& call) {
  std::vector<int> mark(f.parent.size(), -1);
  for (int i = 0; i < f.n; ++i) {
    const int own = supernode_of[i];
    const int row = f.order[i];
    for (int e = offsets[row]; e < offsets[row + 1]; ++e) {
      const int j = rank[columns[e]];
      if (j >= i) continue;
      for (int s = supernode_of[j]; s != own && mark[s] != i; s = f.parent[s]) {
        mark[s] = i;
        call(s, i);
      }
    }
  }
}

/// The rows of each supernode, in lists that start where there is room for the estimated number.
struct RowLists {
  std::vector<std::size_t> start;
  std::vector<int> length;
  std::vector<int> rows;

  RowLists(const std::vector<Joined>& joined, int num_dense) : length(joined.size()) {
    std::size_t end = 0;
    for (const Joined& s : joined) {
      start.push_back(end);
      end += static_cast<std::size_t>(s.height) + num_dense;
    }
    rows.resize(end);
    for (std::size_t s = 0; s < joined.size(); ++s) {
      for (int j = 0; j < joined[s].width; ++j)
        push(static_cast<int>(s), joined[s].first + j);
    }
  }
  void push(int s, int i) { rows[start[s] + length[s]++] = i; }

  /// One list after the other, without the room between them.
  void move_to(SymbolicCholesky& f) const {
    f.first_row.assign(1, 0);
    f.first_value.assign(1, 0);
    f.rows.reserve(rows.size());
    for (int s = 0; s < f.num_supernodes(); ++s) {
      const auto from = rows.begin() + static_cast<std::ptrdiff_t>(start[s]);
      f.rows.insert(f.rows.end(), from, from + length[s]);
      f.first_row.push_back(f.rows.size());
      f.first_value.push_back(f.first_value.back() +
                              static_cast<std::size_t>(length[s]) * f.width(s));
    }
  }
};

void link_children(SymbolicCholesky& f) {
  const int count = f.num_supernodes();
  f.last_child.assign(count, -1);
  f.sibling_before.assign(count, -1);
  f.depth.assign(count, 0);
  for (int s = 0; s < count; ++s) {
    if (f.parent[s] < 0) continue;
    f.sibling_before[s] = f.last_child[f.parent[s]];
    f.last_child[f.parent[s]] = s;
  }
  for (int s = count - 1; s >= 0; --s) {
    if (f.parent[s] >= 0) f.depth[s] = f.depth[f.parent[s]] + 1;
  }
}

std::size_t update_size(const SymbolicCholesky& f, int s) {
  return detail::Triangle::size(f.height(s) - f.width(s));
}

void cut_into_tasks(SymbolicCholesky& f) {
  std::vector<double> work;
  for (int s = 0; s < f.num_supernodes(); ++s) {
    const double width = f.width(s);
    const double height = f.height(s);
    // Of the panel and the update, and some for a supernode as such.
    work.push_back(width * height * (height - width) + width * width * width / 3 + 500);
  }
  f.tasks = elimination_tasks(f.parent, work);
  f.task_of.resize(f.num_supernodes());
  for (std::size_t t = 0; t < f.tasks.size(); ++t) {
    for (const int s : f.tasks[t].supernodes)
      f.task_of[s] = static_cast<int>(t);
  }
}

/// Simulates what each task's stacks go through.
void find_stack_sizes(SymbolicCholesky& f) {
  for (const EliminationTask& task : f.tasks) {
    std::size_t top[2] = {0, 0};
    for (const int s : task.supernodes) {
      const int odd = f.depth[s] % 2;
      for (int c = f.last_child[s]; c != -1; c = f.sibling_before[c]) {
        if (!f.is_sent(c)) top[1 - odd] -= update_size(f, c);
      }
      if (!f.is_sent(s)) top[odd] += update_size(f, s);
      f.stack_size[odd] = std::max(f.stack_size[odd], top[odd]);
    }
  }
}

/// Tells which order it has.
detail::EliminationOrder ordered_by(Ordering asked, int n, const HostArray<int>& offsets,
                                    const HostArray<int>& columns, Ordering& taken) {
  if (asked == Ordering::nested_dissection) {
    if (auto order = detail::nested_dissection(n, offsets, columns)) {
      taken = Ordering::nested_dissection;
      return detail::eliminate(n, offsets, columns, std::move(*order));
    }
  }
  taken = Ordering::minimum_degree;
  return detail::minimum_degree(n, offsets, columns);
}

}  // namespace

SymbolicCholesky analyse_cholesky(int n, const HostArray<int>& offsets,
                                  const HostArray<int>& columns, double max_entries,
                                  Ordering ordering) {
  if (!detail::is_symmetric(n, offsets, columns)) {
    const detail::Pattern both = detail::with_transpose(n, offsets, columns);
    return analyse_cholesky(n, both.offsets, both.columns, max_entries, ordering);
  }
  SymbolicCholesky result;
  result.n = n;
  auto ordered = ordered_by(ordering, n, offsets, columns, result.ordering);
  result.order = std::move(ordered.order);
  result.flops = ordered.flops;
  result.entries = ordered.entries;
  if (result.entries > max_entries) return result;
  const auto joined = join_elements(ordered.elements);
  std::vector<int> supernode_of;
  set_supernodes(joined, ordered.elements, result, supernode_of);
  RowLists lists(joined, ordered.num_dense);
  for_each_row_below(offsets, columns, result, ordered.rank, supernode_of,
                     [&](int s, int i) { lists.push(s, i); });
  lists.move_to(result);
  result.entries = static_cast<double>(result.first_value.back());
  result.rank = std::move(ordered.rank);
  link_children(result);
  cut_into_tasks(result);
  find_stack_sizes(result);
  result.has_structure = true;
  return result;
}

bool takes_less(const SymbolicCholesky& f, const SymbolicCholesky& other) {
  return f.has_structure && (!other.has_structure || f.flops < other.flops);
}

}  // namespace tessera::direct
