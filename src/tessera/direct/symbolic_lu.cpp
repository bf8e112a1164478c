// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/symbolic_lu.hpp"

#include "tessera/direct/detail/matching.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tessera::direct {
namespace {

/// The rows of A in the order of the columns that they are matched with.
SymbolicCholesky order(const HostMatrix& A, const std::vector<int>& row_of, double max_entries,
                       Ordering ordering) {
  HostArray<int> offsets(1, 0);
  HostArray<int> columns;
  columns.reserve(A.columns.size());
  for (const int i : row_of) {
    columns.insert(columns.end(), A.columns.begin() + A.offsets[i],
                   A.columns.begin() + A.offsets[i + 1]);
    offsets.push_back(static_cast<int>(columns.size()));
  }
  return analyse_cholesky(A.n, offsets, columns, max_entries, ordering);
}

/// By the supernodes, with what is zero in their panels.
void count(SymbolicLu& f) {
  f.first_upper.assign(1, 0);
  for (int s = 0; s < f.fronts.num_supernodes(); ++s) {
    const double width = f.fronts.width(s);
    const double below = f.fronts.height(s) - width;
    f.entries += width * (width + 2 * below);
    f.flops += 2 * width * (width * width / 3 + width * below + below * below);
    f.first_upper.push_back(f.first_upper.back() + static_cast<std::size_t>(width * below));
  }
}

void list_entries(const HostMatrix& A, SymbolicLu& f) {
  const auto pivot = [&](int i, int e) {
    return std::min(f.row_rank[i], f.fronts.rank[A.columns[e]]);
  };
  f.first_entry.assign(A.n + 1, 0);
  for (int i = 0; i < A.n; ++i) {
    for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      ++f.first_entry[pivot(i, e) + 1];
  }
  std::partial_sum(f.first_entry.begin(), f.first_entry.end(), f.first_entry.begin());
  std::vector<int> next(f.first_entry.begin(), f.first_entry.end() - 1);
  f.from.resize(A.num_entries());
  for (int i = 0; i < A.n; ++i) {
    for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      f.from[next[pivot(i, e)]++] = {i, e};
  }
}

}  // namespace

SymbolicLu analyse_lu(const HostMatrix& A, detail::Matching matching, double max_entries,
                      Ordering ordering) {
  std::vector<int> row_of(A.n);
  for (int i = 0; i < A.n; ++i)
    row_of[matching.column[i]] = i;
  SymbolicLu result;
  // L and U have as many entries each as a Cholesky factor.
  result.fronts = order(A, row_of, max_entries / 2, ordering);
  result.matching = std::move(matching);
  if (!result.fronts.has_structure) {
    result.entries = 2 * result.fronts.entries;
    result.flops = 2 * result.fronts.flops;
    return result;
  }
  count(result);
  for (int i = 0; i < A.n; ++i)
    result.row_rank.push_back(result.fronts.rank[result.matching.column[i]]);
  list_entries(A, result);
  return result;
}

std::optional<SymbolicLu> analyse_lu(const HostMatrix& A, double max_entries, Ordering ordering) {
  auto matching = detail::match_rows(A);
  if (!matching) return std::nullopt;
  return analyse_lu(A, std::move(*matching), max_entries, ordering);
}

}  // namespace tessera::direct
