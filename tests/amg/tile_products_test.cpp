// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Coarse operators by products of tiles: the hierarchy that products of rows make, to rounding, in
/// every scalar and offset, and again for new values.
#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/multigrid.hpp"
#include "tessera/amg/selection_rules.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/matrix/stored_matrix.hpp"

#include <limits>
#include <utility>

namespace tessera::test::tile_products_test {

using amg::Products;

template <class Param>
class TileProductsTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Grid = amg::Multigrid<Scalar, Space>;
  Space exec;

  /// Sizes that four does not divide.
  Problem<Scalar, Space, Offset> problem(ProblemKind kind) {
    const int n = kind == ProblemKind::elasticity3d ? 6 : kind == ProblemKind::poisson3d ? 11 : 37;
    return make_problem<Scalar, Space, Offset>(exec, {.problem = kind, .n = n});
  }

  static amg::Parameters parameters(Products products, StorageFormat format) {
    amg::Parameters p;
    p.products = products;
    p.storage.format = format;
    p.coarse_size = 20;
    return p;
  }

  Grid grid(const Problem<Scalar, Space, Offset>& p, const amg::Parameters& parameters) {
    Grid result(parameters);
    result.setup(exec, p.A, p.near_nullspace, std::max(1, p.block_size));
    return result;
  }

  std::vector<Scalar> product(const SparseOperator<Scalar, Space>& A) {
    const auto x = random_vector<Scalar>(A.num_cols());
    const auto y = allocate_multivector<Scalar>(exec, "tessera::test", A.num_rows(), 1);
    A.apply(exec, Scalar(1), to_multivector(exec, x, x.size()), Scalar(0), y);
    return to_host(y);
  }

  /// Equal up to `bound` of the largest element.
  void expect_near(const SparseOperator<Scalar, Space>& A, const SparseOperator<Scalar, Space>& B,
                   double bound) {
    ASSERT_EQ(A.num_rows(), B.num_rows());
    ASSERT_EQ(A.num_cols(), B.num_cols());
    EXPECT_EQ(A.num_entries(), B.num_entries());
    EXPECT_LE(relative_difference(product(A), product(B)), bound);
  }

  void expect_same_hierarchy(const Grid& tiles, const Grid& rows, double factor = 200) {
    const double bound = factor * std::numeric_limits<Scalar>::epsilon();
    ASSERT_EQ(tiles.levels().size(), rows.levels().size());
    for (std::size_t l = 0; l < rows.levels().size(); ++l) {
      SCOPED_TRACE("level " + std::to_string(l));
      const auto& t = tiles.levels()[l];
      const auto& r = rows.levels()[l];
      expect_near(*t.A, *r.A, bound);
      ASSERT_EQ(t.P == nullptr, r.P == nullptr);
      if (t.P == nullptr) continue;
      expect_near(*t.P, *r.P, bound);
      expect_near(*t.R, *r.R, bound);
    }
  }

  static void expect_products(const Grid& grid, const std::string& expected) {
    const auto& levels = grid.info().levels;
    ASSERT_GE(levels.size(), 2U);
    for (std::size_t l = 0; l + 1 < levels.size(); ++l)
      EXPECT_EQ(levels[l].products, expected) << l;
    EXPECT_EQ(levels.back().products, "");
  }
};
TYPED_TEST_SUITE(TileProductsTest, Matrices, TypeNames);

const std::vector<ProblemKind> kinds{ProblemKind::elasticity3d, ProblemKind::elasticity2d,
                                     ProblemKind::poisson3d, ProblemKind::convdiff2d};

TYPED_TEST(TileProductsTest, TheHierarchyOfRows) {
  for (const ProblemKind kind : kinds) {
    SCOPED_TRACE(to_string(kind));
    const auto p = this->problem(kind);
    const auto rows = this->grid(p, this->parameters(Products::csr, StorageFormat::csr));
    this->expect_products(rows, "csr");
    for (const StorageFormat format : {StorageFormat::csr, StorageFormat::mbsr,
                                       StorageFormat::automatic, StorageFormat::least_bytes}) {
      const auto tiles = this->grid(p, this->parameters(Products::mbsr, format));
      this->expect_products(tiles, "mbsr");
      this->expect_same_hierarchy(tiles, rows);
    }
    auto mixed = this->parameters(Products::mbsr, StorageFormat::csr);
    mixed.levels = {uniform_choice(mixed)};
    mixed.levels[0].A.format = StorageFormat::hyb;
    mixed.levels[0].R.format = StorageFormat::mbsr;
    this->expect_same_hierarchy(this->grid(p, mixed), rows);
  }
}

/// Couplings of a jittered mesh differ. Where they are equal, as on a grid, the order of sums would
/// decide about pairs.
TYPED_TEST(TileProductsTest, PairsOnTiles) {
  const auto p = this->problem(ProblemKind::unstructured2d);
  auto parameters = this->parameters(Products::csr, StorageFormat::csr);
  parameters.coarsening = amg::CoarseningKind::pairwise;
  const auto rows = this->grid(p, parameters);
  parameters.products = Products::mbsr;
  parameters.storage.format = StorageFormat::mbsr;
  const auto tiles = this->grid(p, parameters);
  this->expect_products(tiles, "mbsr");
  this->expect_same_hierarchy(tiles, rows);
}

TYPED_TEST(TileProductsTest, TheSameBitsEachTime) {
  const auto p = this->problem(ProblemKind::elasticity3d);
  const auto parameters = this->parameters(Products::mbsr, StorageFormat::mbsr);
  const auto first = this->grid(p, parameters);
  const auto second = this->grid(p, parameters);
  ASSERT_EQ(first.levels().size(), second.levels().size());
  for (std::size_t l = 0; l < first.levels().size(); ++l)
    EXPECT_EQ(this->product(*first.levels()[l].A), this->product(*second.levels()[l].A)) << l;
}

TYPED_TEST(TileProductsTest, FullTilesStoredAsSuchAreMultipliedByThemselves) {
  const auto blocks = this->problem(ProblemKind::elasticity3d);
  const auto points = this->problem(ProblemKind::poisson3d);
  const auto grid = [&](const auto& p, StorageFormat format) {
    return this->grid(p, this->parameters(Products::automatic, format));
  };
  this->expect_products(grid(blocks, StorageFormat::mbsr), "mbsr");
  this->expect_products(grid(blocks, StorageFormat::csr), "csr");
  const auto sparse = grid(points, StorageFormat::mbsr);
  EXPECT_EQ(sparse.info().levels[0].products, "csr") << "four entries per tile";
}

/// On a device, where products of tiles pay from some size on, and nobody has to ask for them.
TYPED_TEST(TileProductsTest, LargeBlocksAreTilesOnADevice) {
  TESSERA_TEST_TYPES(TypeParam);
  const amg::Parameters open;
  const auto small = this->grid(this->problem(ProblemKind::elasticity3d), open);
  EXPECT_EQ(small.info().levels[0].products, "csr");
  const auto p = make_problem<Scalar, Space, Offset>(
      this->exec, {.problem = ProblemKind::elasticity3d, .n = 26});
  ASSERT_GE(p.A.num_rows, rules::min_rows_for_tiles.value);
  const auto large = this->grid(p, open);
  const auto& finest = large.info().levels[0];
  EXPECT_EQ(finest.products, kernels::is_host_space<Space> ? "csr" : "mbsr");
  EXPECT_EQ(finest.A.format, kernels::is_host_space<Space> ? "csr" : "mbsr packed");
  auto asked = open;
  asked.storage.format = StorageFormat::csr;
  EXPECT_EQ(this->grid(p, asked).info().levels[0].products, "csr");
}

/// The second near-nullspace vector is twice the first: it is dropped from each aggregate, and the
/// coarse operator has a row of zeros with a 1 on the diagonal for it.
TYPED_TEST(TileProductsTest, DroppedNearNullspaceVectors) {
  TESSERA_TEST_TYPES(TypeParam);
  auto p = this->problem(ProblemKind::poisson3d);
  const std::size_t n = p.A.num_rows;
  std::vector<Scalar> near_nullspace(2 * n, 1);
  std::fill(near_nullspace.begin() + static_cast<std::ptrdiff_t>(n), near_nullspace.end(),
            Scalar(2));
  p.near_nullspace = to_multivector(this->exec, near_nullspace, n, 2);
  const auto rows = this->grid(p, this->parameters(Products::csr, StorageFormat::csr));
  const auto tiles = this->grid(p, this->parameters(Products::mbsr, StorageFormat::mbsr));
  this->expect_products(tiles, "mbsr");
  this->expect_same_hierarchy(tiles, rows);
}

TYPED_TEST(TileProductsTest, HalfIsMadeOfTheProductsTiles) {
  const auto p = this->problem(ProblemKind::elasticity3d);
  auto parameters = this->parameters(Products::csr, StorageFormat::mbsr);
  parameters.storage.scalar = StorageScalar::half;
  const auto rows = this->grid(p, parameters);
  parameters.products = Products::mbsr;
  const auto tiles = this->grid(p, parameters);
  ASSERT_GE(tiles.levels().size(), 2U);
  for (std::size_t l = 0; l + 1 < tiles.levels().size(); ++l) {
    EXPECT_EQ(tiles.info().levels[l].A.storage, "half");
    EXPECT_EQ(tiles.info().levels[l].P.storage, "half");
    EXPECT_EQ(tiles.info().levels[l].R.storage, "half");
    EXPECT_EQ(tiles.info().levels[l].R.format, "mbsr packed");
    this->expect_near(*tiles.levels()[l].A, *rows.levels()[l].A, 1e-3);
    this->expect_near(*tiles.levels()[l].R, *rows.levels()[l].R, 1e-3);
  }
}

/// mBSR has one place for a column: the finest level goes by rows, and says so.
TYPED_TEST(TileProductsTest, AColumnTwiceIsMultipliedByRows) {
  TESSERA_TEST_TYPES(TypeParam);
  auto p = this->problem(ProblemKind::poisson3d);
  const auto host = to_host(p.A);
  const auto twice = by_rows<Scalar>(host.num_rows, host.num_rows, [&](auto& twice, Ordinal i) {
    for (auto e = host.offsets[i]; e < host.offsets[i + 1]; ++e) {
      if (host.columns[e] == i) twice.push(i, host.values[e] / 2);
      twice.push(host.columns[e], host.columns[e] == i ? host.values[e] / 2 : host.values[e]);
    }
  });
  p.A = make_csr<Offset>(this->exec, twice);
  const auto rows = this->grid(p, this->parameters(Products::csr, StorageFormat::csr));
  const auto tiles = this->grid(p, this->parameters(Products::mbsr, StorageFormat::csr));
  const auto& info = tiles.info();
  EXPECT_EQ(info.levels[0].products, "csr");
  EXPECT_EQ(info.levels[1].products, "mbsr");
  EXPECT_TRUE(noted(info, "products of level 0 in compressed rows: mBSR cannot hold"));
  ASSERT_EQ(tiles.levels().size(), rows.levels().size());
  this->expect_near(*tiles.levels()[1].A, *rows.levels()[1].A,
                    200 * std::numeric_limits<Scalar>::epsilon());
}

TYPED_TEST(TileProductsTest, NewValues) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const ProblemKind kind : {ProblemKind::elasticity3d, ProblemKind::convdiff2d}) {
    SCOPED_TRACE(to_string(kind));
    for (const auto& [reuse, format] :
         {std::pair(amg::Reuse::symbolic, StorageFormat::mbsr),
          std::pair(amg::Reuse::symbolic, StorageFormat::automatic),
          std::pair(amg::Reuse::interpolation, StorageFormat::mbsr)}) {
      const auto p = this->problem(kind);
      const auto before = to_host(p.A.values);
      auto parameters = this->parameters(Products::csr, StorageFormat::csr);
      parameters.reuse = reuse;
      auto rows = this->grid(p, parameters);
      parameters.products = Products::mbsr;
      parameters.storage.format = format;
      auto tiles = this->grid(p, parameters);
      const auto first = this->product(*tiles.levels()[1].A);

      const auto after = with_diagonal(times(to_host(p.A), 2), [](Ordinal i, Scalar& value) {
        value *= static_cast<Scalar>(1 + 0.01 * (i % 3));
      });
      Kokkos::deep_copy(this->exec, p.A.values, to_device(this->exec, after.values));
      ASSERT_TRUE(rows.try_update(this->exec));
      ASSERT_TRUE(tiles.try_update(this->exec));
      this->expect_products(tiles, "mbsr");
      this->expect_same_hierarchy(tiles, rows);
      EXPECT_NE(this->product(*tiles.levels()[1].A), first);

      Kokkos::deep_copy(this->exec, p.A.values, to_device(this->exec, before));
      ASSERT_TRUE(tiles.try_update(this->exec));
      EXPECT_EQ(this->product(*tiles.levels()[1].A), first) << "the bits of the first setup";
    }
  }
}

}  // namespace tessera::test::tile_products_test
