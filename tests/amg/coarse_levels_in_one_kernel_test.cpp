// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Coarse levels in one kernel: the cycle that runs kernel by kernel, up to rounding.
#include "amg/systems.hpp"
#include "support/columns.hpp"
#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/multigrid.hpp"
#include "tessera/amg/single_kernel.hpp"
#include "tessera/core/captured_preconditioner.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/launch_graph.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/solve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tessera::test {
namespace {

using amg::CycleType;

constexpr int all_rows = 1000000000;

int levels_in_one_kernel(const HierarchyInfo& info) {
  int count = 0;
  for (const auto& level : info.levels)
    count += level.A.kernel == "in one kernel" ? 1 : 0;
  return count;
}

template <class Param>
class CoarseLevelsInOneKernel : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Grid = amg::Multigrid<Scalar, Space>;
  Space exec;

  /// Levels of which few are so small that one would do, all of them in compressed rows.
  static amg::Parameters parameters(int single_kernel_rows) {
    amg::Parameters p;
    p.coarse_size = 20;
    p.products = amg::Products::csr;
    p.storage.format = StorageFormat::csr;
    p.single_kernel_rows = single_kernel_rows;
    return p;
  }

  Problem<Scalar, Space, Offset> problem(ProblemKind kind, int n) {
    GalleryParameters gallery;
    gallery.problem = kind;
    gallery.n = n;
    gallery.refine = 2;
    gallery.order = 2;
    return make_problem<Scalar, Space, Offset>(exec, gallery);
  }

  std::vector<Scalar> apply(Grid& grid, const std::vector<Scalar>& b, std::size_t k = 1) {
    const std::size_t n = b.size() / k;
    const auto z = allocate_multivector<Scalar>(exec, "tessera::test", n, k);
    Kokkos::deep_copy(exec, z, std::numeric_limits<Scalar>::quiet_NaN());
    grid.apply(exec, to_multivector(exec, b, n, k), z);
    return to_host(z);
  }

  static void expect_close(const std::vector<Scalar>& actual, const std::vector<Scalar>& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    double scale = 0;
    for (const Scalar value : expected)
      scale = std::max(scale, std::abs(static_cast<double>(value)));
    const double tolerance = 2000 * std::numeric_limits<Scalar>::epsilon() * scale;
    for (std::size_t i = 0; i < actual.size(); ++i)
      ASSERT_NEAR(actual[i], expected[i], tolerance) << i;
  }

  /// That the cycle with `p` is that of the same parameters kernel by kernel, for limits that put
  /// all levels into one kernel or some; returns how many levels there are.
  template <class Matrix>
  std::size_t expect_same_cycle(const Matrix& A, amg::Parameters p,
                                const MultiVector<Scalar, Space>& candidates = {},
                                int block_size = 1) {
    p.single_kernel_rows = 0;
    Grid plain(p);
    plain.setup(exec, A, candidates, block_size);
    EXPECT_EQ(levels_in_one_kernel(plain.info()), 0);
    const auto b = random_vector<Scalar>(A.num_rows, 3);
    const auto expected = apply(plain, b);
    const auto& levels = plain.info().levels;
    for (std::size_t first = 0; first < levels.size(); ++first) {
      const bool solve_alone =
          first + 1 == levels.size() && levels.back().aggregation.starts_with("dense");
      p.single_kernel_rows = static_cast<int>(levels[first].rows);
      Grid grid(p);
      grid.setup(exec, A, candidates, block_size);
      SCOPED_TRACE("from level " + std::to_string(first));
      EXPECT_EQ(levels_in_one_kernel(grid.info()),
                solve_alone ? 0 : static_cast<int>(levels.size() - first));
      const auto actual = apply(grid, b);
      expect_close(actual, expected);
      for (int time = 0; time < 3; ++time)
        EXPECT_EQ(apply(grid, b), actual) << "the same bits each time";
    }
    return levels.size();
  }
};
TYPED_TEST_SUITE(CoarseLevelsInOneKernel, Matrices, TypeNames);

TYPED_TEST(CoarseLevelsInOneKernel, IsTheCycleKernelByKernel) {
  for (const auto [kind, n] :
       {std::pair(ProblemKind::poisson2d, 70), std::pair(ProblemKind::poisson3d, 16),
        std::pair(ProblemKind::convdiff2d, 40), std::pair(ProblemKind::graph, 40),
        std::pair(ProblemKind::jump2d, 50), std::pair(ProblemKind::neumann2d, 40)}) {
    SCOPED_TRACE(to_string(kind));
    const auto p = this->problem(kind, n);
    EXPECT_GE(this->expect_same_cycle(p.A, this->parameters(0)), 3U);
  }
  const auto p = this->problem(ProblemKind::elasticity3d, 6);
  SCOPED_TRACE("elasticity");
  auto parameters = this->parameters(0);
  parameters.smoother.type = SmootherType::chebyshev;
  EXPECT_GE(this->expect_same_cycle(p.A, parameters, p.near_nullspace, 3), 2U);
}

TYPED_TEST(CoarseLevelsInOneKernel, WithEverySmootherSweepsAndCycle) {
  const auto p = this->problem(ProblemKind::poisson2d, 60);
  for (const auto type : {SmootherType::jacobi, SmootherType::l1_jacobi, SmootherType::spai0,
                          SmootherType::chebyshev}) {
    for (const int sweeps : {1, 2, 3}) {
      for (const int degree : {1, 2, 3}) {
        if (degree != 2 && type != SmootherType::chebyshev) continue;
        auto parameters = this->parameters(0);
        parameters.smoother.type = type;
        parameters.smoother.sweeps = sweeps;
        parameters.smoother.degree = degree;
        SCOPED_TRACE(std::to_string(static_cast<int>(type)) + " sweeps " + std::to_string(sweeps) +
                     " degree " + std::to_string(degree));
        EXPECT_GE(this->expect_same_cycle(p.A, parameters), 3U);
      }
    }
  }
  for (const auto cycle : {CycleType::w, CycleType::f}) {
    for (const auto type : {SmootherType::jacobi, SmootherType::chebyshev}) {
      auto parameters = this->parameters(0);
      parameters.cycle = cycle;
      parameters.smoother.type = type;
      SCOPED_TRACE("cycle " + std::to_string(static_cast<int>(cycle)));
      EXPECT_GE(this->expect_same_cycle(p.A, parameters), 3U);
    }
  }
}

TYPED_TEST(CoarseLevelsInOneKernel, WithARelaxedCoarsestLevel) {
  const auto p = this->problem(ProblemKind::poisson2d, 50);
  for (const int sweeps : {1, 2, 5}) {
    for (const int levels : {1, 2, 20}) {
      for (const auto type : {SmootherType::jacobi, SmootherType::chebyshev}) {
        auto parameters = this->parameters(0);
        parameters.coarse_sweeps = sweeps;
        parameters.max_levels = levels;
        parameters.smoother.type = type;
        SCOPED_TRACE(std::to_string(levels) + " levels, " + std::to_string(sweeps) + " sweeps");
        this->expect_same_cycle(p.A, parameters);
      }
    }
  }
}

TYPED_TEST(CoarseLevelsInOneKernel, WithFewLevelsAndFewRows) {
  using Scalar = typename TypeParam::Scalar;
  using Offset = typename TypeParam::Offset;
  for (const int n : {1, 2, 5, 12}) {
    SCOPED_TRACE(std::to_string(n));
    const auto p = this->problem(ProblemKind::poisson2d, n);
    auto parameters = this->parameters(0);
    parameters.coarse_size = 1;
    this->expect_same_cycle(p.A, parameters);
  }
  // Rows that hold nothing, and rows that nothing couples.
  HostMatrix<Scalar> A;
  A.num_rows = A.num_cols = 900;
  A.offsets = {0};
  for (std::int32_t i = 0; i < A.num_rows; ++i) {
    const bool is_empty = i % 7 == 3;
    for (const std::int32_t j : {i - 30, i - 1, i, i + 1, i + 30}) {
      if (is_empty || j < 0 || j >= A.num_cols || j % 7 == 3) continue;
      A.columns.push_back(j);
      A.values.push_back(j == i ? Scalar(4.1) : Scalar(-1));
    }
    A.offsets.push_back(static_cast<std::int64_t>(A.columns.size()));
  }
  SCOPED_TRACE("empty rows");
  this->expect_same_cycle(make_csr<Offset>(this->exec, A), this->parameters(0));
}

TYPED_TEST(CoarseLevelsInOneKernel, IsLeftForSeveralColumnsAndTakenAgain) {
  using Scalar = typename TypeParam::Scalar;
  const auto p = this->problem(ProblemKind::poisson2d, 40);
  const std::size_t n = p.A.num_rows;
  typename TestFixture::Grid plain(this->parameters(0));
  typename TestFixture::Grid grid(this->parameters(all_rows));
  plain.setup(this->exec, p.A);
  grid.setup(this->exec, p.A);
  ASSERT_EQ(levels_in_one_kernel(grid.info()), static_cast<int>(grid.info().levels.size()));
  for (const std::size_t k : {1, 3, 1, 2}) {
    const auto b = random_vector<Scalar>(n * k, static_cast<int>(k));
    SCOPED_TRACE(std::to_string(k) + " columns");
    this->expect_close(this->apply(grid, b, k), this->apply(plain, b, k));
  }
}

TYPED_TEST(CoarseLevelsInOneKernel, SeesNewValuesAndOutlivesAMove) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const auto kind : {ProblemKind::poisson2d, ProblemKind::convdiff2d}) {
    for (const auto reuse : {amg::Reuse::symbolic, amg::Reuse::interpolation}) {
      const auto p = this->problem(kind, 40);
      auto with = this->parameters(all_rows);
      auto without = this->parameters(0);
      with.reuse = without.reuse = reuse;
      typename TestFixture::Grid grid(with);
      typename TestFixture::Grid plain(without);
      grid.setup(this->exec, p.A);
      plain.setup(this->exec, p.A);
      const auto b = random_vector<Scalar>(p.A.num_rows, 1);
      const auto before = this->apply(grid, b);
      const MultiVectorView<Scalar, Space> values = as_multivector(p.A.values);
      kernels::scale(this->exec, Scalar(3), values);
      ASSERT_TRUE(grid.try_update(this->exec));
      ASSERT_TRUE(plain.try_update(this->exec));
      EXPECT_EQ(levels_in_one_kernel(grid.info()), static_cast<int>(grid.info().levels.size()));
      const auto after = this->apply(grid, b);
      this->expect_close(after, this->apply(plain, b));
      EXPECT_LT(std::abs(after[7]), 0.5 * std::abs(before[7])) << "a third, up to rounding";
      typename TestFixture::Grid moved(std::move(grid));
      EXPECT_EQ(this->apply(moved, b), after);
      grid = std::move(moved);
      EXPECT_EQ(this->apply(grid, b), after);
    }
  }
}

TYPED_TEST(CoarseLevelsInOneKernel, IsReplayedAsAGraph) {
  TESSERA_TEST_TYPES(TypeParam);
  constexpr bool replays = kernels::has_launch_graphs<Space>;
  const auto p = this->problem(ProblemKind::poisson3d, 14);
  for (const int rows : {all_rows, 1000}) {
    const auto inner = std::make_shared<typename TestFixture::Grid>(this->parameters(rows));
    typename TestFixture::Grid plain(this->parameters(rows));
    inner->setup(this->exec, p.A);
    plain.setup(this->exec, p.A);
    EXPECT_GT(levels_in_one_kernel(plain.info()), 0);
    CapturedPreconditioner<Scalar, Space> captured(inner);
    const std::size_t n = p.A.num_rows;
    const auto r = allocate_multivector<Scalar>(this->exec, "tessera::test::r", n, 1);
    const auto z = allocate_multivector<Scalar>(this->exec, "tessera::test::z", n, 1);
    for (int i = 0; i < 4; ++i) {
      const auto b = random_vector<Scalar>(n, 20 + i);
      Kokkos::deep_copy(this->exec, r, to_multivector(this->exec, b, n));
      captured.apply(this->exec, r, z);
      EXPECT_EQ(to_host(z), this->apply(plain, b)) << i;
    }
    EXPECT_EQ(captured.failure(), "");
    EXPECT_EQ(captured.num_captures(), replays ? 1U : 0U);
    EXPECT_EQ(captured.num_launches(), replays ? 3U : 0U);
  }
}

/// Many barriers in a row, with others' launches around them: nothing is left over from one to the
/// next.
TYPED_TEST(CoarseLevelsInOneKernel, GivesTheSameBitsHundredsOfTimes) {
  using Scalar = typename TypeParam::Scalar;
  const auto p = this->problem(ProblemKind::poisson2d, 150);
  typename TestFixture::Grid grid(this->parameters(all_rows));
  grid.setup(this->exec, p.A);
  const auto b = random_vector<Scalar>(p.A.num_rows, 5);
  const auto first = this->apply(grid, b);
  for (int i = 0; i < 200; ++i)
    ASSERT_EQ(this->apply(grid, b), first) << i;
}

/// What a program says of itself: four barriers a level at most, and none between the steps of
/// small levels.
TYPED_TEST(CoarseLevelsInOneKernel, SharesStepsAndFusesTheFirstSweep) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto p = this->problem(ProblemKind::poisson2d, 70);
  typename TestFixture::Grid grid(this->parameters(0));
  grid.setup(this->exec, p.A);
  const std::size_t levels = grid.info().levels.size();
  const auto program =
      amg::coarse_program(CycleType::v, grid.hierarchy(), 0, false, {.one_block_entries = 0});
  // From the caller's b the first sweep is a step of its own.
  EXPECT_EQ(program.steps().size(), 4 * (levels - 1) + 2);
  EXPECT_EQ(program.num_grid_barriers(), static_cast<int>(program.steps().size()) - 1);
  const auto alone = amg::coarse_program(CycleType::v, grid.hierarchy(), 0, false,
                                         {.one_block_entries = std::size_t{1} << 40});
  EXPECT_EQ(alone.num_grid_barriers(), 0);
  EXPECT_EQ(alone.num_blocks(), 1);
  // However the steps are shared out, each row is summed up in one order.
  const std::size_t n = p.A.num_rows;
  const auto b = to_multivector(this->exec, random_vector<Scalar>(n, 9), n);
  std::vector<std::vector<Scalar>> results;
  for (const kernels::StepSharing sharing :
       {kernels::StepSharing{0, 256}, kernels::StepSharing{2000, 1024},
        kernels::StepSharing{std::size_t{1} << 40, 8192}, kernels::StepSharing{}}) {
    auto shared = amg::coarse_program(CycleType::v, grid.hierarchy(), 0, false, sharing);
    shared.prepare(this->exec);
    const auto x = allocate_multivector<Scalar>(this->exec, "tessera::test", n, 1);
    shared.run(this->exec, b.data(), x.data());
    results.push_back(to_host(x));
    EXPECT_EQ(results.back(), results.front());
  }
}

TYPED_TEST(CoarseLevelsInOneKernel, TakesAsManyIterations) {
  TESSERA_TEST_TYPES(TypeParam);
  if constexpr (std::is_same_v<Scalar, double> && std::is_same_v<Offset, std::int32_t>) {
    for (const auto kind : {ProblemKind::poisson2d, ProblemKind::jump2d, ProblemKind::convdiff2d}) {
      for (const auto precision : {Precision::same, Precision::single}) {
        std::vector<int> iterations;
        for (const int rows : {0, 3000, all_rows}) {
          SolveParameters parameters;
          parameters.preconditioner = PreconditionerKind::amg;
          parameters.precision = precision;
          parameters.amg = this->parameters(rows);
          Solver<double, Space> solver(parameters);
          const auto p = this->problem(kind, 100);
          solver.setup(this->exec, p.A);
          EXPECT_EQ(levels_in_one_kernel(solver.hierarchy()) > 0, rows > 0);
          const auto result = solve_waves(this->exec, solver, p.A.num_rows);
          EXPECT_TRUE(result.converged());
          iterations.push_back(result.iterations);
        }
        EXPECT_EQ(iterations[1], iterations[0]) << to_string(kind);
        EXPECT_EQ(iterations[2], iterations[0]) << to_string(kind);
      }
    }
  }
}

TYPED_TEST(CoarseLevelsInOneKernel, IsNotTakenWhereItCannotBe) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto p = this->problem(ProblemKind::poisson2d, 60);
  const auto count = [&](const amg::Parameters& parameters) {
    typename TestFixture::Grid grid(parameters);
    grid.setup(this->exec, p.A);
    const auto b = random_vector<Scalar>(p.A.num_rows, 5);
    for (const Scalar value : this->apply(grid, b))
      EXPECT_TRUE(std::isfinite(value));
    return levels_in_one_kernel(grid.info());
  };
  auto krylov = this->parameters(all_rows);
  krylov.cycle = CycleType::k;
  EXPECT_EQ(count(krylov), 0);
  auto tiles = this->parameters(all_rows);
  tiles.storage.format = StorageFormat::mbsr;
  EXPECT_EQ(count(tiles), 0);
  auto narrow = this->parameters(all_rows);
  narrow.storage.scalar = StorageScalar::half;
  EXPECT_EQ(count(narrow), 0);
  // Those below the tiles.
  auto mixed = this->parameters(all_rows);
  auto choice = amg::uniform_choice(mixed);
  choice.A.format = choice.P.format = choice.R.format = StorageFormat::mbsr;
  mixed.levels = {choice, amg::uniform_choice(mixed)};
  EXPECT_GT(count(mixed), 0);
  // By itself a host has none.
  if (kernels::is_host_space<Space>) {
    EXPECT_EQ(count(this->parameters(-1)), 0);
  }
}

}  // namespace
}  // namespace tessera::test
