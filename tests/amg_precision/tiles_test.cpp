// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Precision where Galerkin products are made of rows or of tiles: scaled restrictions, P and R in
/// one scalar, and levels in float below others in double.
#include "fixture.hpp"

namespace tessera::test::tiles_test {

using amg::CoarseningKind;
using amg::LevelFacts;
using amg::LevelParameters;
using amg::Products;
using amg::Reuse;

template <class Param>
class PrecisionOnTiles : public PrecisionTest<Param> {
 public:
  TESSERA_TEST_TYPES(Param);
  using Base = PrecisionTest<Param>;
  using typename Base::Csr;
  using Grid = amg::Multigrid<double, Space>;

  static SolveParameters on_tiles(SolveParameters p, StorageFormat format) {
    p.amg.products = Products::mbsr;
    p.amg.storage.format = format;
    for (LevelParameters& level : p.amg.levels)
      level.A.format = level.P.format = level.R.format = format;
    return p;
  }

  /// A's values times `factor`.
  static void multiply(const Space& exec, const Csr& A, double factor) {
    Kokkos::deep_copy(exec, A.values, to_device(exec, times(to_host(A), factor).values));
  }

  std::vector<double> cycle(Grid& grid, std::size_t n) {
    const auto b = to_multivector(this->exec, this->waves(n), n, 1);
    const auto z = allocate_multivector<double>(this->exec, "tessera::test", n, 1);
    grid.apply(this->exec, b, z);
    return to_host(z);
  }

  static void expect_tiles(const HierarchyInfo& info) {
    ASSERT_GE(info.levels.size(), 3U);
    for (std::size_t i = 0; i + 1 < info.levels.size(); ++i)
      EXPECT_EQ(info.levels[i].products, "mbsr") << i;
  }
};
TYPED_TEST_SUITE(PrecisionOnTiles, Spaces, TypeNames);

/// Values in half's range whose Galerkin products are not.
constexpr double small = 0x1p-16;

/// Of rows, which are scaled to 2^-13 at the most, and of tiles.
TYPED_TEST(PrecisionOnTiles, AScaledRestrictionIsTheSameCycle) {
  TESSERA_TEST_TYPES(TypeParam);
  struct Case {
    Products products;
    StorageFormat format;
    CoarseningKind coarsening = CoarseningKind::smoothed_aggregation;
    Reuse reuse = Reuse::symbolic;
  };
  std::vector<Case> cases{{Products::csr, StorageFormat::automatic}};
  for (const auto coarsening : {CoarseningKind::smoothed_aggregation, CoarseningKind::pairwise})
    for (const auto format : {StorageFormat::csr, StorageFormat::mbsr})
      for (const auto reuse : {Reuse::symbolic, Reuse::interpolation})
        cases.push_back({Products::mbsr, format, coarsening, reuse});
  for (const auto kind : {ProblemKind::poisson3d, ProblemKind::convdiff2d}) {
    for (const Case& c : cases) {
      SCOPED_TRACE(std::string(to_string(kind)) + ", case " + std::to_string(&c - cases.data()));
      const bool on_rows = c.products == Products::csr;
      const auto p = this->problem(kind, 24);
      double largest = 0;
      for (const double value : to_host(p.A.values))
        largest = std::max(largest, std::abs(value));
      this->multiply(this->exec, p.A, on_rows ? 0x1p-13 / largest : small);
      std::vector<std::vector<double>> answers;
      for (const bool scales : {false, true}) {
        auto parameters = this->on_tiles(this->uniform(), c.format).amg;
        parameters.products = c.products;
        parameters.coarsening = c.coarsening;
        parameters.scale_restriction = scales;
        parameters.reuse = c.reuse;
        // A callback might choose half; this one leaves all in double.
        parameters.choose_level = [](const LevelFacts&, LevelParameters chosen) { return chosen; };
        typename TestFixture::Grid grid(parameters);
        grid.setup(this->exec, p.A);
        if (!on_rows) this->expect_tiles(grid.info());
        const auto notes = grid.info().notes;
        const bool is_sure = c.coarsening == CoarseningKind::smoothed_aggregation &&
                             (on_rows || kind == ProblemKind::poisson3d);
        if (!scales) {
          EXPECT_FALSE(noted(grid.info(), "scaled by 2^"));
        } else if (is_sure) {
          EXPECT_TRUE(noted(grid.info(), "restriction to level 1 scaled by 2^"));
        }
        answers.push_back(this->cycle(grid, p.A.num_rows));
        // The same values again are the same hierarchy, notes and all.
        for (int again = 0; again < 2; ++again) {
          ASSERT_TRUE(grid.try_update(this->exec));
          if (on_rows) {
            expect_as_first<Space>(this->cycle(grid, p.A.num_rows), answers.back(), 1e-11);
          } else {
            EXPECT_EQ(this->cycle(grid, p.A.num_rows), answers.back());
          }
          EXPECT_EQ(grid.info().notes, notes);
        }
      }
      EXPECT_EQ(answers[0], answers[1]) << "to the last bit";
    }
  }
}

TYPED_TEST(PrecisionOnTiles, AScaledRestrictionKeepsCoarseLevelsInHalf) {
  const auto p = this->problem(ProblemKind::poisson3d, 30);
  this->multiply(this->exec, p.A, 0x1p-20);
  SolveParameters parameters = this->on_tiles(this->uniform(), StorageFormat::mbsr);
  parameters.equilibration = Equilibration::none;
  const auto in_double = this->solve(p.A, parameters);
  parameters.amg.storage.scalar = StorageScalar::half;
  const auto mended = this->solve(p.A, parameters);
  this->expect_tiles(mended.info);
  for (std::size_t i = 0; i + 1 < mended.info.levels.size(); ++i) {
    EXPECT_EQ(mended.info.levels[i].A.storage, "half") << i;
    EXPECT_EQ(mended.info.levels[i].P.storage, mended.info.levels[i].R.storage) << i;
  }
  EXPECT_TRUE(noted(mended.info, "restriction to level 1 scaled by 2^"));
  EXPECT_LE(mended.iterations(), 1.05 * in_double.iterations());
}

TYPED_TEST(PrecisionOnTiles, NewValuesAreScaledByTheirOwnPower) {
  for (const auto coarsening : {CoarseningKind::smoothed_aggregation, CoarseningKind::pairwise}) {
    for (const auto products : {Products::csr, Products::mbsr}) {
      const auto p = this->problem(ProblemKind::poisson3d, 20);
      auto parameters = this->on_tiles(this->uniform(), StorageFormat::mbsr).amg;
      parameters.products = products;
      parameters.coarsening = coarsening;
      parameters.storage.scalar = StorageScalar::half;
      parameters.reuse = Reuse::symbolic;
      typename TestFixture::Grid grid(parameters);
      grid.setup(this->exec, p.A);
      const auto first = this->cycle(grid, p.A.num_rows);
      for (const double factor : {0x1p-18, 0x1p30, 0x1p-12}) {
        this->multiply(this->exec, p.A, factor);
        ASSERT_TRUE(grid.try_update(this->exec));
        typename TestFixture::Grid fresh(parameters);
        fresh.setup(this->exec, p.A);
        SCOPED_TRACE(factor);
        expect_as_first<typename TypeParam::Space>(this->cycle(grid, p.A.num_rows),
                                                   this->cycle(fresh, p.A.num_rows), 1e-2);
        EXPECT_EQ(grid.info().notes, fresh.info().notes);
      }
      // The product of the factors is 1.
      expect_as_first<typename TypeParam::Space>(this->cycle(grid, p.A.num_rows), first, 1e-2);
    }
  }
}

TYPED_TEST(PrecisionOnTiles, PAndRAreStoredInOneScalar) {
  for (const auto& [products, format, small_entry] :
       {std::tuple(Products::csr, StorageFormat::automatic, 1e-5),
        std::tuple(Products::mbsr, StorageFormat::csr, 1e-12),
        std::tuple(Products::mbsr, StorageFormat::mbsr, 1e-12)}) {
    const auto p = this->problem(ProblemKind::poisson2d, 60);
    const std::size_t n = p.A.num_rows;
    std::vector<double> near_nullspace_vector(n, 1);
    near_nullspace_vector[n / 2] = small_entry;  // a row of P that half does not hold, no row of R
    SolveParameters parameters = this->on_tiles(this->uniform(), format);
    parameters.amg.products = products;
    parameters.amg.smoothed_aggregation.prolongator_omega = 0;
    parameters.amg.storage.scalar = StorageScalar::half;
    const auto outcome =
        this->solve(p.A, parameters, to_multivector(this->exec, near_nullspace_vector, n, 1), 1);
    const auto& level = outcome.info.levels[0];
    EXPECT_EQ(level.products, products == Products::csr ? "csr" : "mbsr");
    EXPECT_EQ(level.A.storage, "half");
    EXPECT_EQ(level.P.storage, wider_than_half);
    EXPECT_EQ(level.R.storage, wider_than_half);
    EXPECT_EQ(level.P.format, level.R.format);
    EXPECT_TRUE(noted(outcome.info, "R of level 0 stored as P is"));
    EXPECT_FALSE(outcome.effective.solver.cg.flexible);
  }
}

TYPED_TEST(PrecisionOnTiles, LevelsInFloatAreMultipliedOnTilesOfTheirOwn) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const auto kind : {ProblemKind::elasticity3d, ProblemKind::convdiff2d}) {
    const auto p = this->problem(kind, kind == ProblemKind::elasticity3d ? 7 : 60);
    const std::size_t n = p.A.num_rows;
    const auto before = to_host(p.A);
    auto after = before;
    for_each_entry(
        after, [&](std::int32_t i, std::int32_t j, auto& value) { value *= j == i ? 300 : 256; });
    for (const std::size_t boundary : {0, 1, 2}) {
      const auto rows = this->float_from(boundary);
      const int iterations_by_rows = this->solve(p, rows).iterations();
      for (const auto format : {StorageFormat::csr, StorageFormat::mbsr}) {
        for (const auto reuse : {Reuse::symbolic, Reuse::interpolation}) {
          SCOPED_TRACE(boundary);
          auto parameters = this->on_tiles(rows, format);
          parameters.amg.reuse = reuse;
          auto solver = set_up(this->exec, p, parameters);
          const auto first = this->solve(solver, n);
          this->expect_tiles(first.info);
          EXPECT_LE(std::abs(first.iterations() - iterations_by_rows), 1);
          for (std::size_t i = 0; i < first.info.levels.size(); ++i)
            EXPECT_EQ(first.info.levels[i].precision, i < boundary ? "double" : "float") << i;
          const auto new_A = make_csr<Offset>(this->exec, after);
          solver.update_values(this->exec, new_A);
          const auto second = this->solve(solver, n);
          EXPECT_TRUE(second.result.converged());
          this->expect_tiles(second.info);
          const auto fresh = this->solve(new_A, parameters, p.near_nullspace, p.block_size);
          // Levels of the old values would be off by a factor of 256.
          EXPECT_LE(second.iterations(), fresh.iterations() + 2);
          solver.update_values(this->exec, make_csr<Offset>(this->exec, before));
          EXPECT_EQ(this->solve(solver, n).x, first.x) << "the bits of the first setup";
        }
      }
    }
  }
}

}  // namespace tessera::test::tiles_test
