// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/multigrid.hpp"

#include "support/columns.hpp"
#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/level_matrix.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/error.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace tessera::test::multigrid_test {

template <class Param>
class MultigridTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Grid = amg::Multigrid<Scalar, Space>;
  Space exec;

  Problem<Scalar, Space, Offset> problem(ProblemKind kind, int n) {
    return make_problem<Scalar, Space, Offset>(exec, {.problem = kind, .n = n});
  }

  Grid set_up(const Problem<Scalar, Space, Offset>& p, amg::Parameters parameters = {}) {
    Grid grid(parameters);
    grid.setup(exec, p.A, p.near_nullspace, p.block_size);
    return grid;
  }

  std::vector<Scalar> apply(Grid& grid, const MultiVector<Scalar, Space>& r) {
    const auto z = allocate_multivector<Scalar>(exec, "tessera::test", r.extent(0), r.extent(1));
    Kokkos::deep_copy(exec, z, std::numeric_limits<Scalar>::quiet_NaN());
    grid.apply(exec, r, z);
    return to_host(z);
  }
};
TYPED_TEST_SUITE(MultigridTest, Matrices, TypeNames);

TYPED_TEST(MultigridTest, CoarsensToADenseLevelWithinItsComplexity) {
  auto p = this->problem(ProblemKind::poisson2d, 100);
  const auto grid = this->set_up(p);
  const auto& info = grid.info();
  ASSERT_GE(info.levels.size(), 3U);
  EXPECT_EQ(info.levels.front().rows, 10000);
  EXPECT_EQ(info.levels.front().entries, static_cast<std::int64_t>(p.A.num_entries()));
  EXPECT_LE(info.levels.back().rows, 200);
  EXPECT_EQ(info.levels.back().aggregation, "dense cholesky");
  EXPECT_LT(info.operator_complexity, 1.4);
  EXPECT_GT(info.operator_complexity, 1.0);
  for (std::size_t i = 1; i < info.levels.size(); ++i) {
    EXPECT_LT(info.levels[i].rows, info.levels[i - 1].rows / 3);
  }
}

TYPED_TEST(MultigridTest, RestrictionIsTheTranspose) {
  using Scalar = typename TypeParam::Scalar;
  using Offset = typename TypeParam::Offset;
  auto p = this->problem(ProblemKind::jump2d, 40);
  const auto grid = this->set_up(p);
  const auto P = to_host(csr_of<Offset>(grid.levels()[0].P));
  const auto R = to_host(csr_of<Offset>(grid.levels()[0].R));
  ASSERT_EQ(P.columns.size(), R.columns.size());
  std::map<std::pair<Ordinal, Ordinal>, Scalar> entries;
  for_each_entry(P, [&](std::int32_t i, std::int32_t j, auto value) { entries[{i, j}] = value; });
  for_each_entry(R, [&](std::int32_t i, std::int32_t j, auto value) {
    EXPECT_EQ((entries.at({j, i})), value);
  });
}

TYPED_TEST(MultigridTest, TheConstantStaysInTheNullspaceOfEveryLevel) {
  const auto p = this->problem(ProblemKind::neumann2d, 40);
  typename TestFixture::Grid grid;
  grid.setup(this->exec, p.A, {}, 1, {0});
  const auto& coarsest = grid.info().levels.back();
  EXPECT_EQ(coarsest.aggregation, "dense pseudo-inverse, rank " +
                                      std::to_string(coarsest.rows - 1) + " of " +
                                      std::to_string(coarsest.rows));
}

/// With every smoother: of one sweep those that run one way run the other way after the coarse
/// correction, and on a coarsest level that is relaxed.
TYPED_TEST(MultigridTest, OneCycleIsSymmetricAndPositive) {
  using Scalar = typename TypeParam::Scalar;
  auto p = this->problem(ProblemKind::poisson2d, 41);
  const std::size_t n = p.A.num_rows;
  const auto u = random_vector<Scalar>(n, 1);
  const auto v = random_vector<Scalar>(n, 2);
  const auto dot = [](const auto& x, const auto& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  for (const auto& smoother : smoother_type_names) {
    for (const int coarse_sweeps : {0, 3}) {
      SCOPED_TRACE(smoother.name);
      amg::Parameters parameters;
      parameters.smoother.type = smoother.value;
      parameters.coarse_sweeps = coarse_sweeps;
      auto grid = this->set_up(p, parameters);
      const auto Mu = this->apply(grid, to_multivector(this->exec, u, n));
      const auto Mv = this->apply(grid, to_multivector(this->exec, v, n));
      double scale = 0;
      for (std::size_t i = 0; i < n; ++i)
        scale += std::abs(static_cast<double>(v[i]) * Mu[i]);
      EXPECT_NEAR(dot(v, Mu), dot(u, Mv), 50 * std::numeric_limits<Scalar>::epsilon() * scale);
      EXPECT_GT(dot(u, Mu), 0);
    }
  }
}

TYPED_TEST(MultigridTest, SameInputSameBits) {
  using Scalar = typename TypeParam::Scalar;
  auto p = this->problem(ProblemKind::jump2d, 60);
  auto first = this->set_up(p);
  auto second = this->set_up(p);
  const auto b = to_multivector(this->exec, random_vector<Scalar>(p.A.num_rows, 3), p.A.num_rows);
  EXPECT_EQ(this->apply(first, b), this->apply(second, b));
}

TYPED_TEST(MultigridTest, SeveralColumnsAreTheSameAsOneAfterAnother) {
  using Scalar = typename TypeParam::Scalar;
  auto p = this->problem(ProblemKind::poisson3d, 12);
  auto grid = this->set_up(p);
  const std::size_t n = p.A.num_rows;
  expect_columns_as_alone(this->exec, grid, random_vector<Scalar>(5 * n, 4), n,
                          1e3 * std::numeric_limits<Scalar>::epsilon());
}

TYPED_TEST(MultigridTest, SmallAndEmptyMatricesAreSolvedDirectly) {
  TESSERA_TEST_TYPES(TypeParam);
  const HostMatrix<Scalar> one{1, 1, {0, 1}, {0}, {Scalar(4)}};
  amg::Multigrid<Scalar, Space> grid;
  grid.setup(this->exec, make_csr<Offset>(this->exec, one));
  EXPECT_EQ(this->apply(grid, to_multivector(this->exec, std::vector<Scalar>{8}, 1)),
            std::vector<Scalar>{2});
  const HostMatrix<Scalar> none{0, 0, {0}, {}, {}};
  grid.setup(this->exec, make_csr<Offset>(this->exec, none));
  EXPECT_EQ(grid.info().levels.size(), 1U);
}

TYPED_TEST(MultigridTest, ADiagonalMatrixCannotBeCoarsenedAndSaysSo) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto D = with_diagonal(identity<Scalar>(3000), [](Ordinal i, Scalar& value) {
    value = static_cast<Scalar>(1 + i % 7);
  });
  amg::Multigrid<Scalar, Space> grid;
  grid.setup(this->exec, make_csr<Offset>(this->exec, D));
  ASSERT_EQ(grid.info().levels.size(), 1U);
  EXPECT_EQ(grid.info().levels.front().aggregation, "relaxed");
  ASSERT_FALSE(grid.info().notes.empty());
  EXPECT_NE(grid.info().notes.front().find("coarsening stalled"), std::string::npos);
  const std::vector<Scalar> b(3000, 1);
  const auto x = this->apply(grid, to_multivector(this->exec, b, 3000));
  for (int i = 0; i < 3000; ++i)
    EXPECT_NEAR(x[i] * (1 + i % 7), 1.0, 1e-4);
}

/// Of one level alone, n applications of a smoother are the smoother with n sweeps.
TYPED_TEST(MultigridTest, RelaxesTheCoarsestLevelAsOftenAsAsked) {
  using Scalar = typename TypeParam::Scalar;
  const auto p = this->problem(ProblemKind::poisson2d, 12);
  const auto r = to_multivector(this->exec, random_vector<Scalar>(p.A.num_rows, 5), p.A.num_rows);
  for (const int sweeps : {1, 2, 4, 5, 18}) {
    amg::Parameters relaxed;
    relaxed.max_levels = 1;
    relaxed.coarse_sweeps = sweeps;
    relaxed.smoother.type = SmootherType::jacobi;
    amg::Parameters once = relaxed;
    once.coarse_sweeps = 1;
    once.smoother.sweeps = sweeps;
    auto grid = this->set_up(p, relaxed);
    auto expected = this->set_up(p, once);
    EXPECT_EQ(this->apply(grid, r), this->apply(expected, r)) << sweeps;
    EXPECT_EQ(grid.info().levels.back().aggregation, "relaxed");
    EXPECT_TRUE(grid.info().notes.empty()) << grid.info().notes.front();
  }
  // Levels above it are made down to the same size.
  const auto large = this->problem(ProblemKind::poisson2d, 60);
  amg::Parameters parameters;
  parameters.reuse = amg::Reuse::symbolic;
  const auto solved = this->set_up(large, parameters);
  parameters.coarse_sweeps = 4;
  auto grid = this->set_up(large, parameters);
  ASSERT_EQ(grid.info().levels.size(), solved.info().levels.size());
  EXPECT_EQ(grid.info().levels.back().rows, solved.info().levels.back().rows);
  EXPECT_EQ(grid.info().levels.back().aggregation, "relaxed");
  const auto ones = to_multivector(this->exec, std::vector<Scalar>(large.A.num_rows, Scalar(1)),
                                   large.A.num_rows);
  const auto before = this->apply(grid, ones);
  ASSERT_TRUE(grid.try_update(this->exec));
  // On a device the sums of a product's values alone have an order of their own.
  const auto after = this->apply(grid, ones);
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < after.size(); ++i)
    ASSERT_NEAR(after[i], before[i],
                1000 * std::numeric_limits<Scalar>::epsilon() * std::abs(before[i]))
        << i;
}

TYPED_TEST(MultigridTest, StopsAtMaxLevels) {
  amg::Parameters parameters;
  parameters.max_levels = 2;
  auto p = this->problem(ProblemKind::poisson2d, 100);
  const auto grid = this->set_up(p, parameters);
  EXPECT_EQ(grid.info().levels.size(), 2U);
  ASSERT_FALSE(grid.info().notes.empty());
  EXPECT_EQ(grid.info().notes.back(), "stopped at max_levels = 2");
}

TYPED_TEST(MultigridTest, StopsBeforeTheOperatorsGrowTooLarge) {
  amg::Parameters parameters;
  parameters.max_operator_complexity = 1.05;
  auto p = this->problem(ProblemKind::poisson2d, 100);
  const auto grid = this->set_up(p, parameters);
  EXPECT_EQ(grid.info().levels.size(), 1U);
  EXPECT_LE(grid.info().operator_complexity, 1.05);
  EXPECT_NE(grid.info().notes.front().find("operator complexity"), std::string::npos);
}

TYPED_TEST(MultigridTest, RefusesWhatDoesNotFit) {
  TESSERA_TEST_TYPES(TypeParam);
  auto p = this->problem(ProblemKind::poisson2d, 5);
  amg::Multigrid<Scalar, Space> grid;
  EXPECT_THROW(grid.setup(this->exec, p.A, {}, 2), Error);
  const auto short_near_nullspace = allocate_multivector<Scalar>(this->exec, "tessera::test", 7, 1);
  EXPECT_THROW(grid.setup(this->exec, p.A, short_near_nullspace, 1), Error);
  const HostMatrix<Scalar> wide{1, 2, {0, 1}, {1}, {Scalar(1)}};
  EXPECT_THROW(grid.setup(this->exec, make_csr<Offset>(this->exec, wide)), Error);
  amg::Multigrid<Scalar, Space> unused;
  const auto r = allocate_multivector<Scalar>(this->exec, "tessera::test", 25, 1);
  const auto z = allocate_multivector<Scalar>(this->exec, "tessera::test", 25, 1);
  EXPECT_THROW(unused.apply(this->exec, r, z), Error);
}

TYPED_TEST(MultigridTest, LanczosAndArnoldiAgreeForASymmetricMatrix) {
  auto p = this->problem(ProblemKind::poisson2d, 60);
  amg::Parameters parameters;
  parameters.spectral_radius = amg::SpectralRadiusMethod::lanczos;
  const auto lanczos = this->set_up(p, parameters);
  parameters.spectral_radius = amg::SpectralRadiusMethod::arnoldi;
  const auto arnoldi = this->set_up(p, parameters);
  const auto expected = lanczos.info().levels;
  const auto actual = arnoldi.info().levels;
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t depth = 0; depth < actual.size(); ++depth) {
    EXPECT_NEAR(actual[depth].spectral_radius, expected[depth].spectral_radius,
                1e-3 * expected[depth].spectral_radius);
  }
}

TYPED_TEST(MultigridTest, StructuredIsAnErrorOnAnUnstructuredGraph) {
  amg::Parameters parameters;
  parameters.smoothed_aggregation.aggregation = amg::Aggregation::structured;
  auto p = this->problem(ProblemKind::graph, 40);
  EXPECT_THROW(this->set_up(p, parameters), Error);
}

TYPED_TEST(MultigridTest, RefusesNotANumber) {
  using Scalar = typename TypeParam::Scalar;
  auto p = this->problem(ProblemKind::poisson2d, 40);
  Kokkos::deep_copy(this->exec, Kokkos::subview(p.A.values, 77),
                    std::numeric_limits<Scalar>::quiet_NaN());
  EXPECT_THROW(this->set_up(p), Error);
}

}  // namespace tessera::test::multigrid_test
