// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/host_matrix.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_copy.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tessera::direct {
namespace {

/// Sorts the rows, and adds up their entries of one column.
HostMatrix tidied(const HostMatrix& A) {
  HostMatrix result;
  result.n = A.n;
  result.offsets.assign(1, 0);
  std::vector<std::pair<int, double>> row;
  for (int i = 0; i < A.n; ++i) {
    row.clear();
    for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      row.emplace_back(A.columns[e], A.values[e]);
    std::stable_sort(row.begin(), row.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [column, value] : row) {
      if (result.num_entries() > result.offsets.back() && result.columns.back() == column) {
        result.values.back() += value;
      } else {
        result.columns.push_back(column);
        result.values.push_back(value);
      }
    }
    result.offsets.push_back(result.num_entries());
  }
  return result;
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
  result.offsets.assign(offsets.data(), offsets.data() + result.n + 1);
  result.columns.resize(result.offsets.back());
  result.values.resize(result.offsets.back());
  const HostSpace host = host_instance(exec);
  const int* const starts = result.offsets.data();
  const Ordinal* const from_columns = columns.data();
  const Scalar* const from_values = values.data();
  int* const to_columns = result.columns.data();
  double* const to_values = result.values.data();
  int untidy_rows = 0;
  Kokkos::parallel_reduce(
      "tessera::direct::to_host", Kokkos::RangePolicy<HostSpace>(host, 0, result.n),
      [=](const int i, int& sum) {
        const int begin = starts[i];
        const int end = starts[i + 1];
        std::copy(from_columns + begin, from_columns + end, to_columns + begin);
        std::copy(from_values + begin, from_values + end, to_values + begin);
        int descents = 0;
        for (int e = begin + 1; e < end; ++e)
          descents += from_columns[e - 1] >= from_columns[e] ? 1 : 0;
        sum += descents > 0 ? 1 : 0;
      },
      untidy_rows);
  host.fence("tessera::direct::to_host");
  if (untidy_rows > 0) return tidied(result);
  return result;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, to_host)

}  // namespace tessera::direct
