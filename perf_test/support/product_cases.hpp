// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The sparse products that the programs on SpGEMM time: the square of a matrix, and those that an
/// AMG setup makes of a problem on a grid.
#pragma once

#include "support/spmv_cases.hpp"

#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"

namespace tessera::perf {

template <class Space>
using Matrix = kernels::Csr<double, Space>;

/// One product C = A B.
template <class Space>
struct ProductCase {
  std::string name;
  Matrix<Space> A, B;
};

/// Fills T, one entry per row: aggregates are boxes of three points per side.
template <class Space>
struct FillBoxes {
  Ordinal n, coarse_n;
  Array<Ordinal, Space> offsets, columns;
  Array<double, Space> values;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    offsets(i) = i;
    if (i == static_cast<Ordinal>(columns.extent(0))) return;
    const Ordinal x = i % n, y = i / n % n, z = i / n / n;
    columns(i) = x / 3 + coarse_n * (y / 3 + coarse_n * (z / 3));
    values(i) = 1.0;
  }
};

/// S = I - (2/3) D^-1 A in the pattern of A.
template <class Space>
struct FillSmoother {
  kernels::CsrView<double, Space> A;
  Array<double, Space> values;

  KOKKOS_FUNCTION void operator()(Ordinal row) const {
    double diagonal = 1.0;
    for (Ordinal k = A.offsets(row); k < A.offsets(row + 1); ++k)
      if (A.columns(k) == row) diagonal = A.values(k);
    for (Ordinal k = A.offsets(row); k < A.offsets(row + 1); ++k)
      values(k) = (A.columns(k) == row ? 1.0 : 0.0) - 2.0 / 3.0 / diagonal * A.values(k);
  }
};

/// The tentative prolongator of boxes on a grid of n points per side.
template <class Space>
Matrix<Space> tentative_boxes(const Space& exec, Ordinal n, Ordinal num_rows) {
  const Ordinal coarse_n = (n + 2) / 3;
  const Ordinal planes = num_rows / n / n;
  const FillBoxes<Space> fill{n, coarse_n,
                              allocate<Ordinal>(exec, "tessera::perf::offsets", num_rows + 1),
                              allocate<Ordinal>(exec, "tessera::perf::columns", num_rows),
                              allocate<double>(exec, "tessera::perf::values", num_rows)};
  Kokkos::parallel_for("tessera::perf::tentative",
                       Kokkos::RangePolicy<Space>(exec, 0, num_rows + 1), fill);
  return {num_rows, coarse_n * coarse_n * ((planes + 2) / 3), fill.offsets, fill.columns,
          fill.values};
}

/// A A, S T, A P, and R (A P) with P = S T and R its transpose, for A of a grid of n points per
/// side; throws where A has another number of rows.
template <class Space>
std::vector<ProductCase<Space>> setup_products(const Space& exec, const Matrix<Space>& A,
                                               Ordinal n) {
  if (A.num_rows == 0 || A.num_rows % (n * n) != 0) {
    throw std::invalid_argument(std::to_string(A.num_rows) + " rows are no grid of " +
                                std::to_string(n) + " points per side, as setup products need");
  }
  Matrix<Space> S = A;
  S.values = allocate<double>(exec, "tessera::perf::values", A.num_entries());
  Kokkos::parallel_for("tessera::perf::smoother", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
                       FillSmoother<Space>{A.view(), S.values});
  const Matrix<Space> T = tentative_boxes(exec, n, A.num_rows);
  const Matrix<Space> P = kernels::spgemm(exec, S.view(), T.view());
  const Matrix<Space> R = kernels::transpose(exec, P.view());
  const Matrix<Space> AP = kernels::spgemm(exec, A.view(), P.view());
  return {{"A A", A, A}, {"S T", S, T}, {"A P", A, P}, {"R (A P)", R, AP}};
}

/// Which products are timed, of which matrices.
struct ProductOptions {
  MatrixOptions matrices;
  bool setup = false;

  void add_to(CLI::App& app) {
    matrices.add_to(app);
    app.add_flag("--setup-products", setup,
                 "S T, A P and R (A P) of a problem on a grid beside A A");
  }

  template <class Space>
  std::vector<ProductCase<Space>> products(const Space& exec, const MatrixSource& source) const {
    const Matrix<Space> A = source.make(exec);
    if (setup && source.file.empty()) return setup_products(exec, A, source.n);
    return {{"A A", A, A}};
  }
};

}  // namespace tessera::perf
