// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices of Kokkos Kernels and of Tpetra go into Tessera without a copy.
#include "tpetra/operator_cases.hpp"

#include "tessera/matrix/kokkos_kernels.hpp"

#include <KokkosSparse_BsrMatrix.hpp>
#include <KokkosSparse_CrsMatrix.hpp>
#include <Tpetra_BlockCrsMatrix.hpp>
#include <Tpetra_BlockCrsMatrix_Helpers.hpp>

namespace tessera::test::real_objects_test {

using Space = TpetraMatrix::execution_space;

/// Whether both name the same three arrays.
template <class View, class Matrix>
void expect_same_arrays(const View& ours, const Matrix& theirs) {
  EXPECT_EQ(ours.values.data(), theirs.values.data());
  EXPECT_EQ(ours.columns.data(), theirs.graph.entries.data());
  EXPECT_EQ(static_cast<const void*>(ours.offsets.data()),
            static_cast<const void*>(theirs.graph.row_map.data()));
}

TEST(RealObjects, KokkosKernelsMatricesAreShared) {
  using Theirs = KokkosSparse::CrsMatrix<double, int, Space, void, int>;
  const int n = 5;
  Theirs A;
  {
    const Theirs::row_map_type::non_const_type offsets("offsets", n + 1);
    const Theirs::index_type columns("columns", n);
    const Theirs::values_type values("values", n);
    for (int i = 0; i < n; ++i) {
      offsets(i + 1) = i + 1;
      columns(i) = i;
      values(i) = i + 1;
    }
    A = Theirs("A", n, n, n, values, offsets, columns);
  }
  const Space exec;
  const auto ours = from_kokkos_kernels(exec, A);
  expect_same_arrays(ours.view(), A);
  Solver<double, Space> solver;
  solver.setup(exec, ours.arrays());
  const MultiVector<double, Space> b("b", n, 1);
  const MultiVector<double, Space> x("x", n, 1);
  Kokkos::deep_copy(b, 1.0);
  EXPECT_EQ(solver.solve(exec, b, x).status, SolveStatus::converged);
  for (int i = 0; i < n; ++i)
    EXPECT_NEAR(x(i, 0), 1.0 / (i + 1), 1e-6);
}

TEST(RealObjects, KokkosKernelsBlocksAreShared) {
  using Theirs = KokkosSparse::Experimental::BsrMatrix<double, int, Space, void, int>;
  const Theirs::row_map_type::non_const_type offsets("offsets", 3);
  const Theirs::index_type columns("columns", 2);
  const Theirs::values_type values("values", 8);
  offsets(1) = 1;
  offsets(2) = 2;
  columns(1) = 1;
  const Theirs A("A", 2, 2, 8, values, offsets, columns, 2);
  const auto ours = view_of_kokkos_kernels_blocks(A);
  expect_same_arrays(ours, A);
  EXPECT_EQ(ours.block_size, 2);
}

TEST(RealObjects, TpetrasLocalMatricesAreShared) {
  const TpetraSystem system(ProblemKind::poisson2d, 12);
  const auto local = system.A->getLocalMatrixDevice();
  expect_same_arrays(from_kokkos_kernels(Space(), local).view(), local);

  const auto blocks =
      Tpetra::convertToBlockCrsMatrix(*TpetraSystem(ProblemKind::elasticity2d, 6).A, 2);
  const auto local_blocks = blocks->getLocalMatrixDevice();
  expect_same_arrays(view_of_kokkos_kernels_blocks(local_blocks), local_blocks);
}

}  // namespace tessera::test::real_objects_test
