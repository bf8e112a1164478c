// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The kernels without the solvers: a product, and two levels of plain aggregation by hand, for a
/// tridiagonal matrix in an application's own Views. Tessera::kernels is all that it needs.
// expect: 1000 rows, of which aggregation makes [0-9]+
// expect: row sums of both levels agree
#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/graph/aggregate.hpp"
#include "tessera/kernels/graph/strength.hpp"
#include "tessera/kernels/spgemm/galerkin.hpp"
#include "tessera/kernels/spmv/products.hpp"
#include "tessera/kernels/vector/reductions.hpp"

#include <cmath>
#include <cstdint>
#include <iostream>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
namespace kernels = tessera::kernels;
using Matrix = kernels::Csr<double, Space>;

/// Row i of the tridiagonal matrix (-1, 2, -1).
struct FillRow {
  int n;
  tessera::Array<std::int32_t, Space> offsets;
  tessera::Array<tessera::Ordinal, Space> columns;
  tessera::Array<double, Space> values;

  KOKKOS_FUNCTION void operator()(const int i) const {
    int at = i == 0 ? 0 : 3 * i - 1;
    offsets(i) = at;
    for (int j = i - 1; j <= i + 1; ++j) {
      if (j < 0 || j >= n) continue;
      columns(at) = j;
      values(at++) = j == i ? 2.0 : -1.0;
    }
    if (i == n - 1) offsets(n) = at;
  }
};

/// Row i of P has one entry, in the column of its aggregate.
struct FillOffset {
  tessera::Array<std::int32_t, Space> offsets;

  KOKKOS_FUNCTION void operator()(const int i) const { offsets(i) = i; }
};

Matrix make_matrix(const Space& exec, int n) {
  const tessera::Array<std::int32_t, Space> offsets("offsets", n + 1);
  const tessera::Array<tessera::Ordinal, Space> columns("columns", 3 * n - 2);
  const tessera::Array<double, Space> values("values", 3 * n - 2);
  Kokkos::parallel_for("fill", Kokkos::RangePolicy<Space>(exec, 0, n),
                       FillRow{n, offsets, columns, values});
  return {n, n, offsets, columns, values};
}

/// P of plain aggregation, where each node is in an aggregate.
Matrix make_prolongator(const Space& exec, const kernels::Aggregates<Space>& aggregates) {
  const int n = static_cast<int>(aggregates.aggregate_of.extent(0));
  const tessera::Array<std::int32_t, Space> offsets("offsets of P", n + 1);
  const tessera::Array<double, Space> values("values of P", n);
  Kokkos::parallel_for("rows of P", Kokkos::RangePolicy<Space>(exec, 0, n + 1),
                       FillOffset{offsets});
  Kokkos::deep_copy(exec, values, 1.0);
  return {n, aggregates.num_aggregates, offsets, aggregates.aggregate_of, values};
}

//! [product]
/// <e, A e> with the vector e of ones: the sum of all entries.
double sum_of_entries(const Space& exec, const Matrix& A) {
  const tessera::MultiVector<double, Space> e("e", A.num_cols, 1);
  const tessera::MultiVector<double, Space> y("y", A.num_rows, 1);
  Kokkos::deep_copy(exec, e, 1.0);
  const auto plan = kernels::analyse_spmv(exec, A.view());  // once for a pattern
  kernels::spmv(exec, plan, 1.0, A.view(), e, 0.0, y);  // y = A e

  const kernels::ReductionWorkspace<Space> workspace(exec, 1, 1);
  const tessera::Array<double, Space> sum("sum", 1);
  kernels::dot<double>(exec, workspace, e, y, sum);
  double result = 0;
  Kokkos::deep_copy(exec, result, Kokkos::subview(sum, 0));
  exec.fence("read the sum");
  return result;
}
//! [product]

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Space exec;
  const Matrix A = make_matrix(exec, 1000);

  //! [coarse]
  const auto graph = kernels::strength_of_connection(exec, A.view(), 0.25);
  const Matrix P = make_prolongator(exec, kernels::aggregate_mis2(exec, graph));
  const Matrix R = kernels::transpose(exec, P.view());
  kernels::GalerkinPlan<double, Space> plan;
  const Matrix Ac = kernels::galerkin_product(exec, R.view(), A.view(), P.view(), plan);

  // New values of A in the pattern that it had: nothing but numbers is computed.
  kernels::galerkin_numeric(exec, plan, R.view(), A.view(), P.view(), Ac);
  //! [coarse]

  const double fine = sum_of_entries(exec, A);
  const double coarse = sum_of_entries(exec, Ac);
  std::cout << A.num_rows << " rows, of which aggregation makes " << Ac.num_rows << '\n'
            << "row sums of both levels " << (std::abs(fine - coarse) < 1e-10 ? "agree" : "differ")
            << '\n';
  return std::abs(fine - coarse) < 1e-10 && Ac.num_rows < A.num_rows / 2 ? 0 : 1;
}
