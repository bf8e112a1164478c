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

/// Whether each row is sorted, without duplicates.
bool is_tidy(const HostSpace& exec, const HostMatrix& A) {
  int untidy_rows = 0;
  Kokkos::parallel_reduce(
      "tessera::direct::is_tidy", Kokkos::RangePolicy<HostSpace>(exec, 0, A.n),
      [&A](const int i, int& sum) {
        bool tidy = true;
        for (int e = A.offsets[i] + 1; e < A.offsets[i + 1]; ++e)
          tidy = tidy && A.columns[e - 1] < A.columns[e];
        sum += tidy ? 0 : 1;
      },
      untidy_rows);
  exec.fence("tessera::direct::is_tidy");
  return untidy_rows == 0;
}

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
  result.columns.assign(columns.data(), columns.data() + result.offsets.back());
  result.values.assign(values.data(), values.data() + result.offsets.back());
  return is_tidy(host_instance(exec), result) ? result : tidied(result);
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                   \
  template std::optional<HostMatrix> to_host<Scalar, Space, Offset>( \
      const Space&, const kernels::CsrView<Scalar, Space, Offset>&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::direct
