// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/product_case.hpp"
#include "support/same_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/matrix/kokkos_kernels.hpp"
#include "tessera/operator/error.hpp"

namespace tessera::test::crs_matrix_test {

TESSERA_TEST_SUITE(CrsMatrixTest, Matrices, TypeNames);

/// What `from_kokkos_kernels` needs of a KokkosSparse::CrsMatrix, with Tpetra's offset type.
template <class Scalar, class Space>
struct LocalMatrix {
  using value_type = Scalar;
  using non_const_value_type = Scalar;
  using non_const_ordinal_type = int;
  using non_const_size_type = std::size_t;
  using execution_space = Space;

  struct {
    Kokkos::View<const std::size_t*, Space> row_map;
    Kokkos::View<int*, Space> entries;
  } graph;
  Kokkos::View<Scalar*, Space> values;
  int columns = 0;

  int block_size = 1;

  int numRows() const { return static_cast<int>(graph.row_map.extent(0)) - 1; }
  int numCols() const { return columns; }
  int blockDim() const { return block_size; }
};

TESSERA_TYPED_TEST(CrsMatrixTest, IsALinearOperator) {
  const auto host = random_spd_matrix<Scalar>(150, 0.1);
  const CrsMatrix<Scalar, Space, Offset> A(exec, make_csr<Offset>(exec, host));
  const LinearOperator<Scalar, Space>& op = A;
  ASSERT_EQ(op.num_rows(), 150);
  ASSERT_EQ(op.num_cols(), 150);
  EXPECT_EQ(A.num_entries(), host.num_entries());

  const ProductCase<Scalar, Scalar, Space> t(converted<double>(host), 2);
  const auto y = t.rows_by_k(t.y_host);
  op.apply(exec, Scalar(3), t.x, Scalar(-1), y);
  EXPECT_TRUE(is_within(to_host(y), t.spmv_bound(3, -1)));
  op.residual(exec, t.y, t.x, y);
  EXPECT_TRUE(is_within(to_host(y), t.residual_bound()));
  const auto dots = allocate<Scalar>(exec, "tessera::test", 2);
  op.apply_dot(exec, t.x, y, dots);
  EXPECT_TRUE(is_within(to_host(y), t.spmv_bound(1, 0)));
  EXPECT_TRUE(is_within(to_host(dots), t.dot_bound_with(to_host(y))));
}

TESSERA_TYPED_TEST(CrsMatrixTest, SharesItsViews) {
  const auto arrays = make_csr<Offset>(exec, poisson<Scalar>(5, 4));
  const CrsMatrix<Scalar, Space, Offset> A(exec, arrays.num_rows, arrays.num_cols, arrays.offsets,
                                           arrays.columns, arrays.values);
  EXPECT_EQ(A.arrays().offsets.data(), arrays.offsets.data());
  EXPECT_EQ(A.view().columns.data(), arrays.columns.data());
  EXPECT_EQ(A.view().values.data(), arrays.values.data());
  const auto copy = A;
  EXPECT_EQ(copy.view().values.data(), arrays.values.data());
}

TESSERA_TYPED_TEST(CrsMatrixTest, MayBeEmpty) {
  const CrsMatrix<Scalar, Space, Offset> none;
  EXPECT_EQ(none.num_rows() + none.num_cols(), 0);
  EXPECT_EQ(none.num_entries(), 0u);
  const CrsMatrix<Scalar, Space, Offset> without_offsets(exec, 0, 3, {}, {}, {});
  EXPECT_EQ(to_host(without_offsets.arrays().offsets), std::vector<Offset>{0});
  const auto x = to_multivector(exec, std::vector<Scalar>(3), 3);
  const auto y = to_multivector(exec, std::vector<Scalar>(), 0);
  EXPECT_NO_THROW(without_offsets.apply(exec, Scalar(1), x, Scalar(0), y));
}

TESSERA_TYPED_TEST(CrsMatrixTest, LengthsMustFit) {
  using Matrix = CrsMatrix<Scalar, Space, Offset>;
  const auto good = make_csr<Offset>(exec, poisson<Scalar>(5, 4));
  auto bad = good;
  bad.num_rows = 19;
  EXPECT_THROW(Matrix(exec, bad), Error);
  bad = good;
  bad.num_rows = -1;
  EXPECT_THROW(Matrix(exec, bad), Error);
  bad = good;
  bad.values = allocate<Scalar>(exec, "tessera::test", 3);
  EXPECT_THROW(Matrix(exec, bad), Error);
}

TESSERA_TYPED_TEST(CrsMatrixTest, TakesKokkosKernelsMatricesWithoutCopying) {
  const auto host = poisson<Scalar>(7, 6);
  CrsMatrix<Scalar, Space, std::int64_t> A;
  const Scalar* values = nullptr;
  {
    LocalMatrix<Scalar, Space> local;
    const std::vector<std::size_t> offsets(host.offsets.begin(), host.offsets.end());
    local.graph.row_map = to_device(exec, offsets);
    local.graph.entries = to_device(exec, host.columns);
    local.values = to_device(exec, host.values);
    local.columns = host.num_cols;
    values = local.values.data();
    A = from_kokkos_kernels(exec, local);
  }
  EXPECT_EQ(A.view().values.data(), values);
  // The offsets outlive the matrix that they came from.
  expect_same(to_host(A.arrays()), host);
}

TESSERA_TYPED_TEST(CrsMatrixTest, TakesKokkosKernelsBlocks) {
  // Blocks (0, 1), (1, 0) and (1, 2) of 2 by 2, row by row in each.
  LocalMatrix<Scalar, Space> local;
  local.graph.row_map = to_device(exec, std::vector<std::size_t>{0, 1, 3});
  local.graph.entries = to_device(exec, std::vector<int>{1, 0, 2});
  local.values = to_device(exec, std::vector<Scalar>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  local.columns = 3;
  local.block_size = 2;
  expect_same(to_host(kernels::bsr_to_csr(exec, view_of_kokkos_kernels_blocks(local))),
              HostMatrix<Scalar>{4,
                                 6,
                                 {0, 2, 4, 8, 12},
                                 {2, 3, 2, 3, 0, 1, 4, 5, 0, 1, 4, 5},
                                 {1, 2, 3, 4, 5, 6, 9, 10, 7, 8, 11, 12}});
}

}  // namespace tessera::test::crs_matrix_test
