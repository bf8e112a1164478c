// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Storing a matrix whose tiles are there already: they are shared or converted, not made again.
#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/matrix/store.hpp"

namespace tessera::test::store_tiles_test {

template <class Param>
class StoreTilesTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Csr = StoredCsr<Scalar, Space, Offset>;
  template <class Storage>
  using StoredTiles = StoredMatrix<Scalar, kernels::Mbsr<Storage, Space>>;
  Space exec;
  kernels::Csr<Scalar, Space, Offset> rows =
      make_csr<Offset>(exec, random_spd_matrix<Scalar>(83, 0.1, 3));
  kernels::Mbsr<Scalar, Space> tiles = kernels::csr_to_mbsr<Scalar>(exec, rows.view());

  Stored<Scalar, Space> stored(const std::shared_ptr<const Csr>& A,
                               const StorageParameters& storage) {
    return store(exec, A, storage, &tiles);
  }
};
TYPED_TEST_SUITE(StoreTilesTest, Matrices, TypeNames);

TYPED_TEST(StoreTilesTest, TheSameTilesAreShared) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto csr = std::make_shared<const typename TestFixture::Csr>(this->exec, this->rows);
  for (const auto& A : {csr, std::shared_ptr<const typename TestFixture::Csr>()}) {
    const auto result = this->stored(A, {StorageFormat::mbsr, StorageScalar::same});
    using Tiles = typename TestFixture::template StoredTiles<Scalar>;
    const auto* const op = dynamic_cast<const Tiles*>(result.op.get());
    ASSERT_NE(op, nullptr);
    EXPECT_EQ(op->matrix().values.data(), this->tiles.values.data());
    EXPECT_EQ(op->matrix().maps.data(), this->tiles.maps.data());
  }
}

TYPED_TEST(StoreTilesTest, ANarrowScalarSharesThePattern) {
  for (const bool with_rows : {true, false}) {
    std::shared_ptr<const typename TestFixture::Csr> A;
    if (with_rows) A = std::make_shared<typename TestFixture::Csr>(this->exec, this->rows);
    const auto result = this->stored(A, {StorageFormat::mbsr, StorageScalar::half});
    using Tiles = typename TestFixture::template StoredTiles<Half>;
    const auto* const op = dynamic_cast<const Tiles*>(result.op.get());
    ASSERT_NE(op, nullptr);
    EXPECT_EQ(op->matrix().maps.data(), this->tiles.maps.data());
  }
}

/// A row beneath half's range, which only its magnitudes tell: the last of a tile row.
TYPED_TEST(StoreTilesTest, ARangeBeyondHalfIsFoundInTilesAlone) {
  TESSERA_TEST_TYPES(TypeParam);
  auto host = to_host(this->rows);
  for (auto e = host.offsets[7]; e < host.offsets[8]; ++e)
    host.values[e] *= Scalar(1e-20);
  for (auto e = host.offsets[8]; e < host.offsets[9]; ++e)
    host.values[e] *= Scalar(1e4);
  this->rows = make_csr<Offset>(this->exec, host);
  this->tiles = kernels::csr_to_mbsr<Scalar>(this->exec, this->rows.view());
  const auto csr = std::make_shared<const typename TestFixture::Csr>(this->exec, this->rows);
  const StorageParameters storage{StorageFormat::mbsr, StorageScalar::half};
  const auto by_rows = store(this->exec, csr, storage);
  const auto by_tiles = this->stored(nullptr, storage);
  EXPECT_NE(by_tiles.op->info().storage, "half");
  EXPECT_EQ(by_tiles.op->info().storage, by_rows.op->info().storage);
  EXPECT_EQ(by_tiles.note, by_rows.note);
}

TYPED_TEST(StoreTilesTest, TilesAloneAreStoredInNoOtherFormat) {
  expect_error(error_of([&] { this->stored(nullptr, {StorageFormat::ell, StorageScalar::same}); }),
               ErrorKind::precondition, {"tiles alone are stored as mBSR"});
}

}  // namespace tessera::test::store_tiles_test
