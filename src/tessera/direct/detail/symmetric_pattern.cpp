// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/detail/symmetric_pattern.hpp"

#include <algorithm>
#include <iterator>

namespace tessera::direct::detail {

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
