// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse matrix times vector beside amgcl's builtin backend on the host, in turn in one run: with
/// its own index type, the signed 64-bit one, and with the 32-bit indices that Tessera has.
#define AMGCL_NO_BOOST
#include "support/spmv_comparison.hpp"

#include <amgcl/backend/builtin.hpp>
#include <amgcl/util.hpp>

namespace {

template <class Index>
tessera::perf::PeerProduct prepare_with(const tessera::perf::HostCsr& A, const std::string& name) {
  using Matrix = typename amgcl::backend::builtin<double, Index>::matrix;
  const auto n = static_cast<std::size_t>(A.num_rows);
  const std::size_t entries = A.num_entries();
  const auto matrix = std::make_shared<const Matrix>(
      n, static_cast<std::size_t>(A.num_cols),
      amgcl::make_iterator_range(A.offsets.data(), A.offsets.data() + n + 1),
      amgcl::make_iterator_range(A.columns.data(), A.columns.data() + entries),
      amgcl::make_iterator_range(A.values.data(), A.values.data() + entries));
  return {name, [matrix](const double* x, double* y) {
            const auto from = amgcl::make_iterator_range(x, x + matrix->ncols);
            auto to = amgcl::make_iterator_range(y, y + matrix->nrows);
            amgcl::backend::spmv(1.0, *matrix, from, 0.0, to);
          }};
}

std::vector<tessera::perf::PeerProduct> prepare(const tessera::perf::HostCsr& A) {
  return {prepare_with<std::ptrdiff_t>(A, "builtin"),
          prepare_with<std::int32_t>(A, "builtin, 32-bit indices")};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Sparse matrix times vector beside amgcl on the host, medians of runs in turn"};
  tessera::perf::SpmvComparison comparison("amgcl");
  comparison.add_to(app);
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(argc, argv);
  return comparison.run(prepare);
}
