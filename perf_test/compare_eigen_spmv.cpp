// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse matrix times vector beside Eigen's row-major SparseMatrix, which OpenMP shares among
/// threads, on the host in turn in one run.
#include "support/spmv_comparison.hpp"

#include <Eigen/SparseCore>

namespace {

using PeerMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>;
using PeerVector = Eigen::VectorXd;

std::vector<tessera::perf::PeerProduct> prepare(const tessera::perf::HostCsr& A) {
  const auto matrix = std::make_shared<const PeerMatrix>(Eigen::Map<const PeerMatrix>(
      A.num_rows, A.num_cols, static_cast<Eigen::Index>(A.num_entries()), A.offsets.data(),
      A.columns.data(), A.values.data()));
  return {{"SparseMatrix, row-major", [matrix](const double* x, double* y) {
             Eigen::Map<PeerVector>(y, matrix->rows()).noalias() =
                 *matrix * Eigen::Map<const PeerVector>(x, matrix->cols());
           }}};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Sparse matrix times vector beside Eigen on the host, medians of runs in turn"};
  tessera::perf::SpmvComparison comparison("eigen");
  comparison.add_to(app);
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(argc, argv);
  return comparison.run(prepare);
}
