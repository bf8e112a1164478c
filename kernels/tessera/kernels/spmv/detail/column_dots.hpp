// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Inner products of columns beside a product with a matrix, in an order of additions that is
/// fixed: on a host the rows are cut into chunks that depend on their number alone, so that the
/// number of threads does not matter.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/spmv/detail/column_sums.hpp"
#include "tessera/kernels/spmv/detail/epilogues.hpp"
#include "tessera/kernels/vector/chunk_map.hpp"

#include <string>

namespace tessera::kernels::detail {

/// One chunk's sums of `N` columns.
template <int N, class ChunkSums>
struct SumChunk {
  ChunkSums sums_of;
  ChunkMap map;
  double* partials;

  void operator()(int chunk) const {
    ColumnSums<double, N> sums;
    sums_of(map.begin(chunk), map.end(chunk), sums);
    for (int c = 0; c < N; ++c)
      partials[chunk * N + c] = sums.value[c];
  }
};

/// On a host: result[c], c < `active` <= `N`, is the sum over all chunks of `num_rows` rows of what
/// sums_of(begin_row, end_row, ColumnSums<double, N>&) adds. Chunks begin at multiples of 1024.
template <int N, class Space, class ChunkSums, class Result>
void sum_row_chunks(const Space& exec, const std::string& label, Ordinal num_rows,
                    const ChunkSums& sums_of, Result* result, int active = N) {
  using Policy =
      Kokkos::RangePolicy<Space, Kokkos::IndexType<int>, Kokkos::Schedule<Kokkos::Static>>;
  const ChunkMap map(num_rows);
  // On the stack, as an apply allocates nothing: Serial and OpenMP have run a kernel when its
  // launch returns.
  double partials[reduction_max_chunks * N];
  Kokkos::parallel_for(label, Policy(exec, 0, map.count),
                       SumChunk<N, ChunkSums>{sums_of, map, partials});
  for (int c = 0; c < active; ++c) {
    double sum = 0;
    for (int chunk = 0; chunk < map.count; ++chunk)
      sum += partials[chunk * N + c];
    result[c] = static_cast<Result>(sum);
  }
}

/// The inner products of `N` columns: of one row for a device, of a chunk of rows for a host.
template <class Scalar, class Result, int N>
struct ColumnDots {
  using value_type = ColumnSums<Result, N>;
  Columns<const Scalar> x;
  Columns<const Scalar> y;
  int first_column;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, value_type& dot) const {
    for (int c = 0; c < N; ++c) {
      dot.value[c] += static_cast<Result>(x(row, first_column + c)) *
                      static_cast<Result>(y(row, first_column + c));
    }
  }
  void operator()(Ordinal begin, Ordinal end, ColumnSums<double, N>& dot) const {
    for (int c = 0; c < N; ++c)
      dot.value[c] +=
          dot_of_chunk(&x(begin, first_column + c), &y(begin, first_column + c), end - begin);
  }
  /// Four sums side by side hide the latency of the additions.
  static double dot_of_chunk(const Scalar* u, const Scalar* v, Ordinal length) {
    double lane[4] = {};
    Ordinal i = 0;
    for (; i + 3 < length; i += 4) {
      for (int l = 0; l < 4; ++l)
        lane[l] += static_cast<double>(u[i + l]) * static_cast<double>(v[i + l]);
    }
    for (; i < length; ++i)
      lane[0] += static_cast<double>(u[i]) * static_cast<double>(v[i]);
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
  }
};

/// Where a reduction of `N` columns leaves its sums, without waiting for them.
template <int N, class Result, class Space>
auto sums_at(const ArrayView<Result, Space>& result, int first_column) {
  using Sums = ColumnSums<Result, N>;
  static_assert(sizeof(Sums) == N * sizeof(Result));
  using Target =
      Kokkos::View<Sums, typename Space::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  return Target(reinterpret_cast<Sums*>(result.data() + first_column));
}

/// result(j) = <x_j, y_j> for every column.
template <class Scalar, class Space, class Result>
void dot_columns(const Space& exec, const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,
                 const NonDeduced<ConstMultiVectorView<Scalar, Space>>& y,
                 const ArrayView<Result, Space>& result,
                 const std::string& label = "tessera::spmv_dot") {
  const auto num_rows = static_cast<Ordinal>(x.extent(0));
  if (num_rows == 0) {
    Kokkos::deep_copy(exec, ArrayView<Result, Space>(result.data(), x.extent(1)), Result(0));
    return;
  }
  for_column_groups(static_cast<int>(x.extent(1)), [&](auto columns, int first) {
    constexpr int n = columns.value;
    const ColumnDots<Scalar, Result, n> dots{Columns<const Scalar>(x), Columns<const Scalar>(y),
                                             first};
    if constexpr (is_host_space<Space>) {
      sum_row_chunks<n>(exec, label, num_rows, dots, result.data() + first);
    } else {
      Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Space>(exec, 0, num_rows), dots,
                              sums_at<n, Result, Space>(result, first));
    }
  });
}

/// Throws unless `result` has a place for each of `k` columns.
template <class Result>
void require_result(const Result& result, std::size_t k) {
  require(result.extent(0) >= k, [&] {
    return "result has length " + std::to_string(result.extent(0)) + ", expected at least " +
           std::to_string(k);
  });
}

}  // namespace tessera::kernels::detail
