// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Squares of stencils, whose numbers of entries are known, and products applied to vectors.

#include "kernels_spgemm/grid_matrix.hpp"
#include "kernels_spgemm/spgemm_test.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"
#include "tessera/kernels/spgemm/spgemm_algorithms.hpp"

namespace tessera::kernels::test::stencil_product_test {

template <class T>
struct StencilProduct : ::testing::Test {
  TESSERA_TEST_TYPES(T);

  Space exec;

  Csr<Scalar, Space, Offset> grid(Ordinal n, bool box) {
    return grid_matrix<Scalar, Space, Offset>(exec, {n, box});
  }
};
TYPED_TEST_SUITE(StencilProduct, Matrices, TypeNames);

TYPED_TEST(StencilProduct, EntriesOfSquares) {
  const auto entries = [&](bool box) {
    const auto A = this->grid(1024, box);
    return spgemm(this->exec, A.view(), A.view()).num_entries();
  };
  EXPECT_EQ(entries(false), 13'611'012u);
  EXPECT_EQ(entries(true), 26'152'996u);
}

/// The sums are of small integers: exact, so that all implementations agree to the bit.
TYPED_TEST(StencilProduct, ImplementationsAgree) {
  for (const bool box : {false, true}) {
    const auto A = this->grid(150, box);
    const auto C = spgemm(this->exec, A.view(), A.view());
    expect_same_bits(C, hash_spgemm(this->exec, A.view(), A.view()));
  }
}

/// y = A x on the host.
std::vector<long double> times(const HostMatrix& A, const std::vector<long double>& x) {
  std::vector<long double> y(A.num_rows, 0);
  for_each_entry(A, [&](Ordinal i, Ordinal j, double value) { y[i] += value * x[j]; });
  return y;
}

/// (A B) x = A (B x), within the rounding of the product's entries.
TYPED_TEST(StencilProduct, ProductAppliedIsAppliedTwice) {
  TESSERA_TEST_TYPES(TestFixture);
  for (unsigned trial = 0; trial < 5; ++trial) {
    const auto A = random_matrix(200, 150, [](Ordinal row) { return row % 20; }, 10 * trial);
    const auto B = random_matrix(150, 180, [](Ordinal row) { return row % 11; }, 10 * trial + 1);
    const auto device_A = to_space<Scalar, Space, Offset>(this->exec, A);
    const auto device_B = to_space<Scalar, Space, Offset>(this->exec, B);
    const auto C = in_double(spgemm(this->exec, device_A.view(), device_B.view()));
    std::vector<long double> x(180);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = std::sin(1.0L + i);
    const auto once = times(C, x);
    const auto twice = times(A, times(B, x));
    // Entries are below one, so that a row has at most 20 times 11 products of magnitude below one.
    const long double bound = 220 * 20 * std::numeric_limits<Scalar>::epsilon();
    for (Ordinal i = 0; i < A.num_rows; ++i)
      EXPECT_NEAR(once[i], twice[i], bound) << "row " << i;
  }
}

}  // namespace tessera::kernels::test::stencil_product_test
