// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Inverses of blocks on the diagonal.
#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/format/inverse_blocks.hpp"

namespace tessera::test::inverse_blocks_test {

template <class Param>
class InverseBlocks : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;
  Ordinal singular = -1;

  std::vector<Scalar> invert(const HostMatrix<Scalar>& A, int rows) {
    const auto matrix = make_csr<Offset>(exec, A);
    return to_host(kernels::inverse_blocks(exec, matrix.view(), rows, &singular));
  }
};
TYPED_TEST_SUITE(InverseBlocks, Matrices, TypeNames);

template <class Scalar>
HostMatrix<Scalar> dense_matrix(const std::vector<std::vector<double>>& rows) {
  const auto n = static_cast<std::int32_t>(rows.size());
  return by_rows<Scalar>(n, n, [&](auto& A, std::int32_t i) {
    for (std::int32_t j = 0; j < n; ++j)
      A.push(j, static_cast<Scalar>(rows[i][j]));
  });
}

TYPED_TEST(InverseBlocks, TimesTheBlocksIsOne) {
  using Scalar = typename TypeParam::Scalar;
  for (const int rows : {1, 2, 3, 5, 8, 16, 20, 32}) {
    for (const std::int32_t n : {1, 2, 16, 50}) {
      const auto A = random_spd_matrix<Scalar>(n, 1.0, n + rows);
      const auto D = to_dense(A);
      const auto B = this->invert(A, rows);
      EXPECT_EQ(this->singular, 0);
      ASSERT_EQ(B.size(), static_cast<std::size_t>(n) * rows);
      for (std::int32_t i = 0; i < n; ++i) {
        const std::int32_t first = i - i % rows;
        const std::int32_t end = std::min(first + rows, n);
        for (std::int32_t j = first; j < end; ++j) {
          long double sum = 0;
          for (std::int32_t k = first; k < end; ++k)
            sum += static_cast<long double>(B[i * rows + k - first]) * D(k, j);
          ASSERT_NEAR(static_cast<double>(sum), i == j ? 1 : 0, sizeof(Scalar) == 8 ? 1e-11 : 1e-3);
          EXPECT_EQ(B[i * rows + j - first], B[j * rows + i - first]) << "symmetric";
        }
        for (std::int32_t j = end; j < first + rows; ++j)
          EXPECT_EQ(B[i * rows + j - first], Scalar(0));
      }
    }
  }
}

TYPED_TEST(InverseBlocks, NeedPivotsAndScales) {
  using Scalar = typename TypeParam::Scalar;
  // A zero in the corner.
  const auto swapped = this->invert(dense_matrix<Scalar>({{0, 2}, {4, 0}}), 2);
  EXPECT_EQ(this->singular, 0);
  EXPECT_EQ(swapped, (std::vector<Scalar>{0, Scalar(0.25), Scalar(0.5), 0}));
  // Rows of very different sizes are no less regular.
  const auto scaled = this->invert(dense_matrix<Scalar>({{1e-20, 0}, {0, 1e15}}), 2);
  EXPECT_EQ(this->singular, 0);
  EXPECT_NEAR(scaled[0] * 1e-20, 1, 1e-6);
  EXPECT_NEAR(scaled[3] * 1e15, 1, 1e-6);
  const auto three = this->invert(dense_matrix<Scalar>({{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}), 3);
  EXPECT_EQ(three, (std::vector<Scalar>{0, 0, 1, 1, 0, 0, 0, 1, 0}));
}

TYPED_TEST(InverseBlocks, OfSingularBlocksAreTheirDiagonals) {
  using Scalar = typename TypeParam::Scalar;
  const auto half = Scalar(0.5);
  EXPECT_EQ(this->invert(dense_matrix<Scalar>({{2, 4}, {1, 2}}), 2),
            (std::vector<Scalar>{half, 0, 0, half}));
  EXPECT_EQ(this->singular, 1);
  EXPECT_EQ(this->invert(dense_matrix<Scalar>({{0, 0}, {0, 2}}), 2),
            (std::vector<Scalar>{0, 0, 0, half}));
  EXPECT_EQ(this->singular, 1);
  EXPECT_EQ(this->invert(dense_matrix<Scalar>({{0, 0}, {0, 0}}), 2),
            std::vector<Scalar>(4, Scalar(0)));
  EXPECT_EQ(this->singular, 1);
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  const auto bad = this->invert(dense_matrix<Scalar>({{nan, 1}, {1, 2}}), 2);
  EXPECT_EQ(this->singular, 1);
  EXPECT_TRUE(std::isnan(bad[0]));
  EXPECT_THROW(this->invert(identity<Scalar>(4), 0), Error);
  EXPECT_THROW(this->invert(identity<Scalar>(4), 33), Error);
}

/// Others of their blocks are inverted without them, though they may reach their columns.
TYPED_TEST(InverseBlocks, EmptyRowsStayOut) {
  using Scalar = typename TypeParam::Scalar;
  EXPECT_EQ(this->invert(without_entries<Scalar>(5), 2), std::vector<Scalar>(10, Scalar(0)));
  EXPECT_EQ(this->singular, 0);
  const auto A = by_rows<Scalar>(6, 6, [](auto& row, std::int32_t i) {
    if (i % 3 == 1) return;
    row.push(i / 3 * 3, Scalar(i % 3 == 0 ? 0 : 4));
    row.push(i / 3 * 3 + 1, Scalar(7));
    row.push(i / 3 * 3 + 2, Scalar(i % 3 == 0 ? 2 : 0));
  });
  const std::vector<Scalar> one = {0, 0, Scalar(0.25), 0, 0, 0, Scalar(0.5), 0, 0};
  auto both = one;
  both.insert(both.end(), one.begin(), one.end());
  EXPECT_EQ(this->invert(A, 3), both);
  EXPECT_EQ(this->singular, 0);
}

TESSERA_TYPED_TEST(InverseBlocks, MultiplyVectors) {
  const std::int32_t n = 37;
  const auto A = random_spd_matrix<Scalar>(n, 0.5, 4);
  const auto matrix = make_csr<Offset>(exec, A);
  for (const int rows : {1, 4, 20}) {
    const auto blocks = kernels::inverse_blocks(exec, matrix.view(), rows);
    const auto B = to_host(blocks);
    const auto r = random_vector<Scalar>(n * 2, 3);
    const auto z = allocate_multivector<Scalar>(exec, "tessera::test", n, 2);
    const auto r_device = to_multivector(exec, r, n, 2);
    kernels::multiply_blocks<Scalar, Space>(exec, blocks, rows, r_device, z);
    const auto actual = to_host(z);
    for (std::int32_t i = 0; i < 2 * n; ++i) {
      const std::int32_t row = i % n;
      const std::int32_t first = row - row % rows;
      double sum = 0;
      for (std::int32_t j = first; j < std::min(first + rows, n); ++j)
        sum += static_cast<double>(B[row * rows + j - first]) * r[i - row + j];
      ASSERT_NEAR(actual[i], sum, sizeof(Scalar) == 8 ? 1e-13 : 1e-5);
    }
  }
}

}  // namespace tessera::test::inverse_blocks_test
