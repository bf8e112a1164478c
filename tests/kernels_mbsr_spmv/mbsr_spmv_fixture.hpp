// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One matrix of tiles with vectors, on the host and on the device, for the tests of its products.
#pragma once

#include "support/expected_products.hpp"
#include "support/mbsr.hpp"
#include "support/share.hpp"

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

template <class Param>
struct MbsrCase
    : ProductCase<typename Param::Storage, typename Param::Working, typename Param::Space> {
  using Base = ProductCase<typename Param::Storage, typename Param::Working, typename Param::Space>;
  using typename Base::Space;
  using typename Base::Storage;
  using View = kernels::MbsrView<Storage, Space>;

  kernels::Mbsr<Storage, Space> A;

  MbsrCase(const HostMatrix<double>& matrix, kernels::TileLayout layout, int columns,
           double scale = 1)
      : Base(rounded_to<Storage>(matrix, scale), columns),
        A(make_mbsr<Storage>(this->exec, matrix, layout, scale)) {}

  /// The plans that a test runs: on a host both ways to read maps, on a device also every number of
  /// lanes.
  std::vector<kernels::MbsrSpmvPlan<Space>> plans() const {
    const Space& exec = this->exec;
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
};

/// Calls `test(case, plan)` for every matrix, both layouts, some numbers of columns, every plan.
template <class Param, class Test>
void for_each_mbsr_case(const std::vector<int>& columns, const Test& test) {
  for (const auto& matrix : share_of(mbsr_spmv_matrices())) {
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
