// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One matrix of tiles with vectors, on the host and on the device, for the tests of its products.
#pragma once

#include "support/mbsr.hpp"
#include "support/reference.hpp"
#include "support/share.hpp"

#include "tessera/kernels/spmv/mbsr/mbsr_spmv.hpp"

#include <cmath>
#include <limits>

namespace tessera::test {

/// The edge cases, and matrices of many load-balanced shares with tile rows that lie in several.
inline std::vector<HostMatrix<double>> mbsr_spmv_matrices() {
  auto list = mbsr_edge_cases();
  list.push_back(poisson<double>(19, 17, 11));
  list.push_back(alike_tiles(77));
  list.push_back(random_matrix<double>(
      {.num_rows = 21, .num_cols = 3999, .density = 0.9, .empty_row_fraction = 0.3, .seed = 8}));
  list.push_back(random_matrix<double>({.num_rows = 5001,
                                        .num_cols = 5001,
                                        .density = 0.0003,
                                        .empty_row_fraction = 0.9,
                                        .dense_row = 5000,
                                        .seed = 9}));
  return list;
}

template <class Scalar>
std::vector<Scalar> all_nan(std::size_t n) {
  return std::vector<Scalar>(n, std::numeric_limits<Scalar>::quiet_NaN());
}

template <class Param>
struct MbsrCase {
  using Storage = typename Param::Storage;
  using Working = typename Param::Working;
  using Space = typename Param::Space;
  using View = kernels::MbsrView<Storage, Space>;

  Space exec;
  HostMatrix<double> host;  ///< with the values that storage rounds to
  kernels::Mbsr<Storage, Space> A;
  int k;
  std::vector<Working> x_host;
  std::vector<Working> y_host;
  std::vector<long double> product;  ///< A x
  std::vector<long double> magnitude;  ///< |A| |x|
  MultiVector<Working, Space> x;
  MultiVector<Working, Space> y;

  MbsrCase(const HostMatrix<double>& matrix, kernels::TileLayout layout, int columns,
           double scale = 1)
      : host(rounded_to<Storage>(matrix, scale)),
        A(make_mbsr<Storage>(exec, matrix, layout, scale)),
        k(columns),
        x_host(random_vector<Working>(static_cast<std::size_t>(host.num_cols) * k, 11)),
        y_host(random_vector<Working>(static_cast<std::size_t>(host.num_rows) * k, 12)),
        product(sums(false)),
        magnitude(sums(true)),
        x(to_multivector(exec, x_host, host.num_cols, k)),
        y(to_multivector(exec, y_host, host.num_rows, k)) {}

  std::size_t size() const { return static_cast<std::size_t>(host.num_rows) * k; }
  MultiVector<Working, Space> rows_by_k(const std::vector<Working>& v) const {
    return to_multivector(exec, v, host.num_rows, k);
  }
  std::vector<Working> diagonal_scaling() const {
    return random_vector<Working>(host.num_rows, 13);
  }

  /// What the sum of place `i` of A x may lose: n terms in any order lose at most n roundings of
  /// the sum of their absolute values.
  double sum_error(std::size_t i) const {
    const std::size_t row = i % host.num_rows;
    const auto terms = static_cast<double>(host.offsets[row + 1] - host.offsets[row]);
    return (terms + 2) * unit_roundoff<Arithmetic<Storage, Working>> *
           static_cast<double>(magnitude[i]);
  }
  /// The same after a few more operations, with operands of `extra` in absolute value, rounded to
  /// the working scalar at the end.
  double update_error(std::size_t i, double factor, double extra) const {
    const double reach = factor * static_cast<double>(magnitude[i]) + extra;
    return 1.1 * (factor * sum_error(i) + 6 * unit_roundoff<Working> * reach);
  }

  /// The plans that a test runs: on a host both ways to read maps, on a device also every number of
  /// lanes.
  std::vector<kernels::MbsrSpmvPlan<Space>> plans() const {
    std::vector<kernels::MbsrSpmvPlan<Space>> list{
        kernels::analyse_spmv(exec, A.view(), kernels::MbsrSpmvKernel::tile_row),
        kernels::analyse_spmv(exec, A.view(), kernels::MbsrSpmvKernel::load_balanced)};
    if (kernels::has_tensor_core_spmv<Space>()) {
      list.push_back(kernels::analyse_spmv(exec, A.view(), kernels::MbsrSpmvKernel::tensor_core));
    }
    if (kernels::has_staged_spmv<Space>()) {
      for (const int lanes : {0, 1, 2, 4, 8, 16}) {
        list.push_back(
            kernels::analyse_spmv(exec, A.view(), kernels::MbsrSpmvKernel::staged, lanes));
      }
    }
    if (std::is_same_v<Space, HostSpace>) {
      for (const int i : {0, 1}) {
        list.push_back(list[i]);
        list.back().maps_repeat = !list[i].maps_repeat;
      }
    } else {
      for (const int lanes : {4, 8, 16, 32}) {
        list.push_back(
            kernels::analyse_spmv(exec, A.view(), kernels::MbsrSpmvKernel::tile_row, lanes));
      }
    }
    return list;
  }

 private:
  std::vector<long double> sums(bool absolute) const {
    std::vector<long double> result(size(), 0.0L);
    for (std::size_t i = 0; i < size(); ++i) {
      const std::size_t row = i % host.num_rows;
      const std::size_t first = i / host.num_rows * host.num_cols;
      for (auto e = host.offsets[row]; e < host.offsets[row + 1]; ++e) {
        const long double term =
            static_cast<long double>(host.values[e]) * x_host[first + host.columns[e]];
        result[i] += absolute ? std::abs(term) : term;
      }
    }
    return result;
  }
};

/// Each entry of `actual` equals expected(i) within tolerance(i).
template <class Scalar, class Expected, class Tolerance>
void expect_within(const std::vector<Scalar>& actual, const Expected& expected,
                   const Tolerance& tolerance, const char* what) {
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(actual[i]), static_cast<double>(expected(i)), tolerance(i))
        << what << ", place " << i;
  }
}

/// Calls `test(case, plan)` for every matrix, both layouts, some numbers of columns, every plan.
template <class Param, class Test>
void for_each_mbsr_case(const std::vector<int>& columns, bool square_only, const Test& test) {
  for (const auto& matrix : share_of(mbsr_spmv_matrices())) {
    if (square_only && matrix.num_rows != matrix.num_cols) continue;
    for (const auto layout : tile_layouts) {
      for (const int k : columns) {
        const MbsrCase<Param> t(matrix, layout, k);
        SCOPED_TRACE(std::to_string(matrix.num_rows) + " by " + std::to_string(matrix.num_cols) +
                     (layout == kernels::TileLayout::packed ? " packed, " : " dense, ") +
                     std::to_string(k) + " columns");
        for (const auto& plan : t.plans())
          ASSERT_NO_FATAL_FAILURE(test(t, plan));
      }
    }
  }
}

}  // namespace tessera::test
