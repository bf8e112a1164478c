// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "spmv_fixture.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/format/mbsr/bsr_to_csr.hpp"
#include "tessera/kernels/spmv/bsr/bsr_spmv.hpp"

namespace tessera::test::bsr_spmv_test {

TESSERA_TEST_SUITE(BsrSpmv, Matrices, TypeNames);

/// Blocks of random values on a pattern, and the vectors of the same matrix in rows.
template <class Param>
struct BsrCase {
  TESSERA_TEST_TYPES(Param);
  using View = kernels::BsrView<Scalar, Space, Offset>;

  BsrCase(const HostMatrix<double>& pattern, int block_size, int k)
      : structure(make_csr<Offset>(Space(), pattern)),
        values(to_device(
            Space(), random_vector<Scalar>(pattern.num_entries() * block_size * block_size, 5))),
        A{pattern.num_rows,  pattern.num_cols,  block_size, pattern.num_entries(),
          structure.offsets, structure.columns, values},
        rows(to_host(kernels::bsr_to_csr(Space(), A)), k) {}

  kernels::Csr<double, Space, Offset> structure;
  Array<Scalar, Space> values;
  View A;
  SpmvCase<Param> rows;
};

/// Calls `test(case)` for patterns, among them those of empty rows, one dense row and no rows, for
/// blocks of several sizes and for one to nine columns.
template <class Param, class Test>
void for_each_case(const Test& test) {
  for (const auto& pattern : share_of(edge_case_matrices<double>())) {
    if (pattern.num_entries() > 5000) continue;
    for (const int size : {1, 2, 3, 6, 40}) {
      if (size == 40 && pattern.num_entries() > 100) continue;
      for (const int k : {1, 3, 9}) {
        SCOPED_TRACE(::testing::Message() << pattern.num_rows << " by " << pattern.num_cols
                                          << " blocks of size " << size << ", " << k << " columns");
        test(BsrCase<Param>(pattern, size, k));
      }
    }
  }
}

TESSERA_TYPED_TEST(BsrSpmv, IsThatOfTheRows) {
  for_each_case<TypeParam>([](const BsrCase<TypeParam>& t) {
    const auto& rows = t.rows;
    auto y = rows.rows_by_k(rows.y_host);
    kernels::bsr_spmv(rows.exec, Scalar(2), t.A, rows.x, Scalar(-0.5), y);
    EXPECT_TRUE(is_within(to_host(y), rows.spmv_bound(2, -0.5)));
    // y is not read, and the next product is the same to the bit.
    y = rows.rows_by_k(all_nan<Scalar>(rows.size()));
    kernels::bsr_spmv(rows.exec, Scalar(1), t.A, rows.x, Scalar(0), y);
    EXPECT_TRUE(is_within(to_host(y), rows.spmv_bound(1, 0)));
    const auto first = to_host(y);
    kernels::bsr_spmv(rows.exec, Scalar(1), t.A, rows.x, Scalar(0), y);
    EXPECT_EQ(to_host(y), first);
    // Nor is x.
    const auto nothing =
        to_multivector(rows.exec, all_nan<Scalar>(rows.x_host.size()), t.A.num_cols(), rows.k);
    y = rows.rows_by_k(rows.y_host);
    kernels::bsr_spmv(rows.exec, Scalar(0), t.A, nothing, Scalar(3), y);
    EXPECT_TRUE(is_within(to_host(y), rows.spmv_bound(0, 3)));
  });
}

TESSERA_TYPED_TEST(BsrSpmv, Residual) {
  for_each_case<TypeParam>([](const BsrCase<TypeParam>& t) {
    const auto& rows = t.rows;
    const auto r = rows.rows_by_k(all_nan<Scalar>(rows.size()));
    kernels::bsr_residual(rows.exec, t.A, rows.y, rows.x, r);
    EXPECT_TRUE(is_within(to_host(r), rows.residual_bound()));
    const auto b = rows.rows_by_k(rows.y_host);
    kernels::bsr_residual(rows.exec, t.A, b, rows.x, b);
    EXPECT_EQ(to_host(b), to_host(r)) << "in place";
  });
}

TESSERA_TYPED_TEST(BsrSpmv, WithInnerProducts) {
  for_each_case<TypeParam>([](const BsrCase<TypeParam>& t) {
    if (t.A.num_block_rows != t.A.num_block_cols) return;
    const auto& rows = t.rows;
    const auto y = rows.rows_by_k(all_nan<Scalar>(rows.size()));
    const auto result = to_device(rows.exec, all_nan<Scalar>(rows.k));
    kernels::bsr_spmv_dot(rows.exec, t.A, rows.x, y, result);
    EXPECT_TRUE(is_within(to_host(y), rows.spmv_bound(1, 0)));
    EXPECT_TRUE(is_within(to_host(result), rows.dot_bound_with(to_host(y))));
  });
}

TESSERA_TYPED_TEST(BsrSpmv, OtherShapesThrow) {
  BsrCase<TypeParam> t(converted<double>(poisson<double>(3, 2)), 3, 2);
  const auto& rows = t.rows;
  const auto result = to_device(rows.exec, all_nan<Scalar>(1));
  EXPECT_THROW(kernels::bsr_spmv_dot(rows.exec, t.A, rows.x, rows.y, result), Error);
  const auto longer = to_multivector(rows.exec, all_nan<Scalar>(38), 19, 2);
  EXPECT_THROW(kernels::bsr_spmv(rows.exec, Scalar(1), t.A, longer, Scalar(0), rows.y), Error);
  EXPECT_THROW(kernels::bsr_spmv(rows.exec, Scalar(1), t.A, rows.x, Scalar(0), longer), Error);
  EXPECT_THROW(kernels::bsr_residual(rows.exec, t.A, longer, rows.x, rows.y), Error);
  t.A.block_size = 4;
  EXPECT_THROW(kernels::bsr_spmv(rows.exec, Scalar(1), t.A, rows.x, Scalar(0), rows.y), Error);
}

}  // namespace tessera::test::bsr_spmv_test
