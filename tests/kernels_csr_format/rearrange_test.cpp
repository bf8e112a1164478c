// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
// Transpose, sort, diagonal: what moves entries and computes nothing must be exact.
#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/same_matrix.hpp"
#include "support/share.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/kernels/format/transpose.hpp"

namespace tessera::test::rearrange_test {

/// Duplicates in one row, apart from each other and out of order.
template <class Scalar>
HostMatrix<Scalar> with_duplicates() {
  return from_rows<Scalar>(3, {{{2, 1}, {0, 2}, {2, 3}}, {}, {{1, 4}, {1, 5}, {0, 6}, {1, 7}}});
}

/// Many of each column in a row too long for insertion.
template <class Scalar>
HostMatrix<Scalar> with_many_duplicates() {
  std::vector<std::pair<std::int32_t, Scalar>> row;
  for (int e = 0; e < 300; ++e)
    row.emplace_back(37 * e % 11, static_cast<Scalar>(e));
  return from_rows<Scalar>(11, {row, {}, row});
}

template <class Scalar>
std::vector<HostMatrix<Scalar>> rearranged_matrices() {
  auto list = edge_case_matrices<Scalar>();
  list.push_back(with_duplicates<Scalar>());
  list.push_back(with_many_duplicates<Scalar>());
  list.push_back(poisson<Scalar>(9, 8, 7));
  // Long rows and long columns, past every threshold between short-row and long-row sorting.
  list.push_back(random_matrix<Scalar>(
      {.num_rows = 3, .num_cols = 2000, .density = 0.7, .unsorted = true, .seed = 31}));
  list.push_back(random_matrix<Scalar>(
      {.num_rows = 2500, .num_cols = 4, .density = 0.6, .unsorted = true, .seed = 32}));
  for (const std::int32_t n : {47, 48, 49, 255, 256, 257, 512, 513}) {
    list.push_back(random_matrix<Scalar>(
        {.num_rows = 2, .num_cols = n, .density = 1, .unsorted = true, .seed = 33}));
    list.push_back(random_matrix<Scalar>({.num_rows = n, .num_cols = 2, .density = 1, .seed = 34}));
  }
  return list;
}

TESSERA_TEST_SUITE(Rearrange, Matrices, TypeNames);

TESSERA_TYPED_TEST(Rearrange, TransposeIsExactAndTwiceSorts) {
  for (const auto& host : share_of(rearranged_matrices<Scalar>())) {
    const auto A = make_csr<Offset>(exec, host);
    for (int repetition = 0; repetition < 3; ++repetition)
      expect_same(to_host(kernels::transpose(exec, A.view())), transpose(host));
    const auto T = kernels::transpose(exec, A.view());
    expect_same(to_host(kernels::transpose(exec, T.view())), sorted(host));
  }
}

TESSERA_TYPED_TEST(Rearrange, TransposeValuesFollowsTheValues) {
  auto list = edge_case_matrices<Scalar>();
  list.push_back(poisson<Scalar>(9, 8, 7));
  list.push_back(
      random_matrix<Scalar>({.num_rows = 3, .num_cols = 2000, .density = 0.7, .seed = 31}));
  list.push_back(
      random_matrix<Scalar>({.num_rows = 2500, .num_cols = 4, .density = 0.6, .seed = 32}));
  list.push_back(
      random_matrix<Scalar>({.num_rows = 300, .num_cols = 200, .density = 0.02, .seed = 33}));
  for (const auto& unsorted : share_of(list)) {
    HostMatrix<Scalar> host = sorted(unsorted);
    const auto At = kernels::transpose(exec, make_csr<Offset>(exec, host).view());
    for (std::size_t k = 0; k < host.values.size(); ++k)
      host.values[k] = static_cast<Scalar>(1000 + k);
    const auto A = make_csr<Offset>(exec, host);
    kernels::transpose_values(exec, A.view(), At);
    expect_same(to_host(At), transpose(host));
  }
}

TESSERA_TYPED_TEST(Rearrange, TransposeValuesNeedsAPatternOfItsShape) {
  const auto A = make_csr<Offset>(exec, poisson<Scalar>(3, 3, 1));
  const auto other = make_csr<Offset>(exec, poisson<Scalar>(3, 2, 1));
  EXPECT_THROW(kernels::transpose_values(exec, A.view(), other), Error);
  const auto same_size = make_csr<Offset>(exec, identity<Scalar>(9));
  EXPECT_THROW(kernels::transpose_values(exec, A.view(), same_size), Error);
}

TESSERA_TYPED_TEST(Rearrange, SortRowsIsStableAndLeavesItsInput) {
  for (const auto& host : share_of(rearranged_matrices<Scalar>())) {
    const auto A = make_csr<Offset>(exec, host);
    const auto S = kernels::sort_rows(exec, A.view());
    expect_same(to_host(S), sorted(host));
    expect_same(to_host(A), host);
    EXPECT_TRUE(kernels::rows_sorted(exec, S.view()));
    EXPECT_EQ(kernels::rows_sorted(exec, A.view()), sorted(host).columns == host.columns);
  }
}

TESSERA_TYPED_TEST(Rearrange, ExtractDiagonal) {
  for (const auto& host : share_of(edge_case_matrices<Scalar>())) {
    const auto A = make_csr<Offset>(exec, host);
    const auto d = to_device(exec, std::vector<Scalar>(host.num_rows, Scalar(-99)));
    kernels::extract_diagonal(exec, A.view(), d);
    const auto actual = to_host(d);
    const Dense D = to_dense(host);
    for (std::int32_t i = 0; i < host.num_rows; ++i) {
      ASSERT_EQ(actual[i], static_cast<Scalar>(i < host.num_cols ? D(i, i) : 0.0L));
    }
  }
}

TESSERA_TYPED_TEST(Rearrange, ExtractDiagonalNeedsItsLength) {
  const auto A = make_csr<Offset>(exec, identity<Scalar>(4));
  const auto d = allocate<Scalar>(exec, "tessera::test", 3);
  EXPECT_THROW(kernels::extract_diagonal(exec, A.view(), d), Error);
}

}  // namespace tessera::test::rearrange_test
