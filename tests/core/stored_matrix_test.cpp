// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A matrix behind the one interface, in every format and scalar: the same products, by
/// definition, and what cannot be had is said.
#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/random_matrix.hpp"
#include "support/storage_formats.hpp"
#include "support/typed_tests.hpp"

#include "tessera/matrix/store.hpp"

#include <limits>

namespace tessera::test::stored_matrix_test {

const std::vector<StorageFormat> all_formats = storage_formats_to_choose();

std::vector<StorageScalar> all_scalars() {
  std::vector<StorageScalar> scalars{StorageScalar::same, StorageScalar::float64,
                                     StorageScalar::float32, StorageScalar::half};
  if (TESSERA_ALL_STORAGE_SCALARS) {
    scalars.push_back(StorageScalar::bfloat16);
    scalars.push_back(StorageScalar::fp8);
  }
  return scalars;
}

template <class Param>
class StoredMatrixTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Operator = SparseOperator<Scalar, Space>;
  Space exec;

  /// n by n with entries of few bits, which every scalar holds as they are; row 3 is empty but for
  /// its diagonal.
  HostMatrix<Scalar> exact_matrix(Ordinal n) {
    Random random(11);
    return by_rows<Scalar>(n, n, [&](auto& A, Ordinal i) {
      for (Ordinal j = std::max(0, i - 4); j < std::min(n, i + 5); ++j) {
        if (j != i && (i == 3 || random.below(3) == 0)) continue;
        A.push(j, Scalar(j == i ? 4 : 0.5 * (1 + random.below(4)) * (random.below(2) ? 1 : -1)));
      }
    });
  }

  std::vector<Scalar> numbers(std::size_t n, int seed) {
    Random random(seed);
    std::vector<Scalar> v(n);
    for (auto& value : v)
      value = static_cast<Scalar>(random.below(17) - 8) / 4;
    return v;
  }

  Stored<Scalar, Space> stored(const HostMatrix<Scalar>& A, StorageParameters storage) {
    const auto csr =
        std::make_shared<const StoredCsr<Scalar, Space, Offset>>(exec, make_csr<Offset>(exec, A));
    return store(exec, csr, storage);
  }

  /// All that the interface offers, for one right-hand side after the other.
  std::vector<Scalar> all_products(const Operator& A, std::size_t k) {
    const std::size_t n = A.num_rows();
    const auto b = to_multivector(exec, numbers(n * k, 1), n, k);
    const auto x = to_multivector(exec, numbers(n * k, 2), n, k);
    const auto d = to_device(exec, numbers(n, 3));
    std::vector<Scalar> all;
    const auto append = [&](const auto& v) {
      const auto host = to_host(v);
      all.insert(all.end(), host.begin(), host.end());
    };
    const auto y = to_multivector(exec, numbers(n * k, 4), n, k);
    A.apply(exec, Scalar(2), x, Scalar(-1), y);
    append(y);
    const auto r = poisoned(n, k);
    A.residual(exec, b, x, r);
    append(r);
    const auto swept = poisoned(n, k);
    A.jacobi_sweep(exec, d, b, x, swept);
    append(swept);
    const auto p = to_multivector(exec, numbers(n * k, 5), n, k);
    const auto stepped = poisoned(n, k);
    A.chebyshev_step(exec, d, Scalar(0.5), Scalar(0.25), b, x, p, stepped);
    append(p);
    append(stepped);
    const auto Ax = poisoned(n, k);
    const auto dots = allocate<Scalar>(exec, "tessera::test", k);
    A.apply_dot(exec, x, Ax, dots);
    append(Ax);
    append(dots);
    return all;
  }

  MultiVector<Scalar, Space> poisoned(std::size_t n, std::size_t k) {
    return to_multivector(
        exec, std::vector<Scalar>(n * k, std::numeric_limits<Scalar>::quiet_NaN()), n, k);
  }
};
TYPED_TEST_SUITE(StoredMatrixTest, Matrices, TypeNames);

TYPED_TEST(StoredMatrixTest, EveryFormatAndScalarHasTheSameProducts) {
  for (const Ordinal n : {1, 2, 37, 300}) {
    const auto A = this->exact_matrix(n);
    const auto csr = this->stored(A, {StorageFormat::csr, StorageScalar::same});
    for (const std::size_t k : {1, 3}) {
      const auto expected = this->all_products(*csr.op, k);
      for (const StorageFormat format : all_formats) {
        for (const StorageScalar scalar : all_scalars()) {
          const auto other = this->stored(A, {format, scalar});
          EXPECT_EQ(other.note, "");
          EXPECT_EQ(other.op->num_entries(), A.num_entries());
          EXPECT_EQ(other.op->num_rows(), n);
          // Inputs have few bits, so that each sum is exact in any order.
          ASSERT_EQ(this->all_products(*other.op, k), expected)
              << other.op->info().format << " in " << other.op->info().storage << ", n = " << n
              << ", k = " << k;
        }
      }
    }
  }
}

TYPED_TEST(StoredMatrixTest, InfoSaysWhatItIs) {
  const auto A = this->exact_matrix(300);
  const auto half = this->stored(A, {StorageFormat::ell, StorageScalar::half}).op->info();
  EXPECT_EQ(half.format, "ell");
  EXPECT_EQ(half.storage, "half");
  EXPECT_GE(half.bytes, 6 * A.num_entries());
  const auto tiles = this->stored(A, {StorageFormat::mbsr, StorageScalar::float32}).op->info();
  EXPECT_TRUE(tiles.format.starts_with("mbsr")) << tiles.format;
  EXPECT_EQ(tiles.storage, "float");
  EXPECT_FALSE(tiles.kernel.empty());
  const auto same = this->stored(A, {}).op->info();
  EXPECT_EQ(same.format, "csr");
  EXPECT_EQ(same.bytes, (A.num_rows + 1) * sizeof(typename TypeParam::Offset) +
                            A.num_entries() * (4 + sizeof(typename TypeParam::Scalar)));
}

TYPED_TEST(StoredMatrixTest, WhatAScalarDoesNotHoldGivesWay) {
  using Scalar = typename TypeParam::Scalar;
  if (!TESSERA_ALL_STORAGE_SCALARS) GTEST_SKIP() << "the library has no bfloat16";
  auto A = this->exact_matrix(40);
  for (auto& value : A.values)
    value *= Scalar(1e6);
  const auto large = this->stored(A, {StorageFormat::csr, StorageScalar::half});
  EXPECT_EQ(large.op->info().storage, "bfloat16");
  EXPECT_NE(large.note.find("half does not hold"), std::string::npos) << large.note;
  EXPECT_EQ(this->stored(A, {StorageFormat::mbsr, StorageScalar::half}).op->info().storage, "half")
      << "a format with a scale";
  // One row far below the others: no scale of the whole matrix helps.
  auto uneven = this->exact_matrix(40);
  for (auto e = uneven.offsets[7]; e < uneven.offsets[8]; ++e)
    uneven.values[e] *= Scalar(1e-12);
  for (const StorageFormat format : all_formats)
    EXPECT_EQ(this->stored(uneven, {format, StorageScalar::half}).op->info().storage, "bfloat16");
}

TYPED_TEST(StoredMatrixTest, NothingNarrowHoldsANan) {
  using Scalar = typename TypeParam::Scalar;
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    auto A = this->exact_matrix(40);
    A.values[17] = static_cast<Scalar>(bad);
    const auto stored = this->stored(A, {StorageFormat::csr, StorageScalar::half});
    EXPECT_EQ(stored.op->info().storage, (std::is_same_v<Scalar, double> ? "double" : "float"));
    EXPECT_FALSE(stored.note.empty());
  }
}

TYPED_TEST(StoredMatrixTest, EmptyMatricesAreStoredToo) {
  using Scalar = typename TypeParam::Scalar;
  for (const Ordinal n : {0, 5}) {
    const auto A = without_entries<Scalar>(n);
    for (const StorageFormat format : all_formats) {
      const auto stored = this->stored(A, {format, StorageScalar::half});
      EXPECT_EQ(stored.op->num_entries(), 0u);
      EXPECT_EQ(stored.op->num_rows(), n);
    }
  }
}

TYPED_TEST(StoredMatrixTest, RectanglesAreStoredToo) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto A = by_rows<Scalar>(3, 50, [&](auto& A, Ordinal i) {
    A.push(7 * i, Scalar(0.5));
    A.push(49 - i, Scalar(-2));
  });
  const auto x = to_multivector(this->exec, this->numbers(50, 6), 50, 1);
  std::vector<Scalar> expected;
  for (const StorageFormat format : all_formats) {
    const auto stored = this->stored(A, {format, StorageScalar::half});
    EXPECT_EQ(stored.op->num_cols(), 50);
    const auto y = this->poisoned(3, 1);
    stored.op->apply(this->exec, Scalar(1), x, Scalar(0), y);
    if (expected.empty()) expected = to_host(y);
    EXPECT_EQ(to_host(y), expected);
  }
}

}  // namespace tessera::test::stored_matrix_test
