// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/detail/pivot_bound.hpp"

#include "tessera/direct/detail/elimination_order.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace tessera::direct::detail {
namespace {

/// Calls call(j) for each column j of row i that is in its block.
template <class F>
void for_each_inside(const HostMatrix& A, const Blocks& blocks, int i, const F& call) {
  for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
    const int j = A.columns[e];
    if (blocks.of_row[i] == blocks.of_column[j]) call(j);
  }
}

/// The rows of each column inside its block.
struct Columns {
  std::vector<int> offsets;
  std::vector<int> rows;

  Columns(const HostMatrix& A, const Blocks& blocks) : offsets(A.n + 1, 0) {
    for (int i = 0; i < A.n; ++i)
      for_each_inside(A, blocks, i, [&](int j) { ++offsets[j + 1]; });
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    rows.resize(offsets[A.n]);
    std::vector<int> next(offsets.begin(), offsets.end() - 1);
    for (int i = 0; i < A.n; ++i)
      for_each_inside(A, blocks, i, [&](int j) { rows[next[j]++] = i; });
  }

  /// That make the pattern of A A^T.
  double products() const {
    double result = 0;
    for (std::size_t j = 0; j + 1 < offsets.size(); ++j) {
      const double length = offsets[j + 1] - offsets[j];
      result += length * length;
    }
    return result;
  }
};

}  // namespace

std::optional<PivotBound> bound_any_pivots(const HostMatrix& A, const Blocks& blocks,
                                           std::vector<int> order, double max_products) {
  const Columns transpose(A, blocks);
  constexpr double most = std::numeric_limits<int>::max();
  if (transpose.products() > std::min(max_products, most)) return std::nullopt;
  HostArray<int> offsets(1, 0);
  HostArray<int> columns;
  std::vector<int> last_row(A.n, -1);  // that a number was listed in
  for (int i = 0; i < A.n; ++i) {
    for_each_inside(A, blocks, i, [&](int j) {
      for (int e = transpose.offsets[j]; e < transpose.offsets[j + 1]; ++e) {
        const int other = transpose.rows[e];
        if (std::exchange(last_row[other], i) != i) columns.push_back(other);
      }
    });
    std::sort(columns.begin() + offsets.back(), columns.end());
    offsets.push_back(static_cast<int>(columns.size()));
  }
  const EliminationOrder factor = eliminate(A.n, offsets, columns, std::move(order));
  const double outside = A.num_entries() - transpose.offsets[A.n];
  return PivotBound{2 * factor.entries + outside, 2 * factor.flops};
}

}  // namespace tessera::direct::detail
