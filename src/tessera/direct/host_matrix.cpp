// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/host_matrix.hpp"

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/host_copy.hpp"
#include "tessera/kernels/instantiate.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tessera::direct {
namespace {

/// Sorts the entries from `first` on, the last row, and adds up those of one column.
void tidy_last_row(HostMatrix& A, int first, std::vector<std::pair<int, double>>& row) {
  const auto begin = A.columns.begin() + first;
  const bool tidy =
      std::adjacent_find(begin, A.columns.end(), std::greater_equal<int>()) == A.columns.end();
  if (tidy) return;
  row.clear();
  for (std::size_t k = first; k < A.columns.size(); ++k)
    row.emplace_back(A.columns[k], A.values[k]);
  std::stable_sort(row.begin(), row.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  A.columns.resize(first);
  A.values.resize(first);
  for (const auto& [column, value] : row) {
    if (static_cast<int>(A.columns.size()) > first && A.columns.back() == column) {
      A.values.back() += value;
    } else {
      A.columns.push_back(column);
      A.values.push_back(value);
    }
  }
}

}  // namespace

template <class Scalar, class Space, class Offset>
std::optional<HostMatrix> to_host(const Space& exec,
                                  const kernels::CsrView<Scalar, Space, Offset>& A) {
  require(A.num_rows == A.num_cols, [&] {
    return "the matrix must be square, it is " + std::to_string(A.num_rows) + " by " +
           std::to_string(A.num_cols);
  });
  if (A.columns.extent(0) >= static_cast<std::size_t>(std::numeric_limits<int>::max()))
    return std::nullopt;
  HostMatrix result;
  result.n = A.num_rows;
  result.offsets.assign(1, 0);
  if (A.num_rows == 0) return result;
  const auto offsets = kernels::copy_to_host(exec, A.offsets);
  const auto columns = kernels::copy_to_host(exec, A.columns);
  const auto values = kernels::copy_to_host(exec, A.values);
  result.offsets.reserve(static_cast<std::size_t>(A.num_rows) + 1);
  result.columns.reserve(columns.extent(0));
  result.values.reserve(columns.extent(0));
  std::vector<std::pair<int, double>> row;
  for (int i = 0; i < result.n; ++i) {
    const int first = result.offsets.back();
    for (Offset k = offsets(i); k < offsets(i + 1); ++k) {
      result.columns.push_back(columns(k));
      result.values.push_back(static_cast<double>(values(k)));
    }
    tidy_last_row(result, first, row);
    result.offsets.push_back(result.num_entries());
  }
  return result;
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                   \
  template std::optional<HostMatrix> to_host<Scalar, Space, Offset>( \
      const Space&, const kernels::CsrView<Scalar, Space, Offset>&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::direct
