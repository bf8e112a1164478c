// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Vectors in double above and in float below: wherever the boundary lies, in every cycle, with
/// reuse, several right-hand sides and offsets of either width.
#include "fixture.hpp"

#include "support/columns.hpp"
#include "support/error_of.hpp"
#include "tessera/amg/cycle/cycle.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

namespace tessera::test::vectors_by_level_test {

using amg::CycleType;
using amg::LevelFacts;
using amg::LevelParameters;
using amg::Reuse;
using amg::VectorScalar;

template <class Param>
using VectorsByLevel = PrecisionTest<Param>;

using DoubleMatrices = ::testing::Types<
#if TESSERA_HAVE_DEVICE
    Types<double, DeviceSpace>, Types<double, DeviceSpace, std::int64_t>,
#endif
    Types<double, HostSpace>, Types<double, HostSpace, std::int64_t>>;
TYPED_TEST_SUITE(VectorsByLevel, DoubleMatrices, TypeNames);

TYPED_TEST(VectorsByLevel, TheBoundaryMayLieAnywhere) {
  for (const auto kind : {ProblemKind::poisson2d, ProblemKind::jump2d, ProblemKind::convdiff2d}) {
    const auto p = this->problem(kind, 100);
    const auto plain = this->solve(p, this->uniform());
    const std::size_t num_levels = plain.info.levels.size();
    ASSERT_GE(num_levels, 3U);
    // The last one is solved directly; what lies below all levels has no effect.
    for (std::size_t boundary = 0; boundary <= num_levels; ++boundary) {
      SCOPED_TRACE(boundary);
      const auto mixed = this->solve(p, this->float_from(boundary));
      EXPECT_TRUE(mixed.result.converged());
      EXPECT_LE(std::abs(mixed.iterations() - plain.iterations()), 2);
      ASSERT_EQ(mixed.info.levels.size(), num_levels);
      for (std::size_t i = 0; i < num_levels; ++i) {
        const auto& level = mixed.info.levels[i];
        EXPECT_EQ(level.precision, i < boundary ? "double" : "float") << i;
        EXPECT_EQ(level.A.storage, level.precision) << i;
        EXPECT_EQ(level.rows, plain.info.levels[i].rows) << "as coarse as in double";
        EXPECT_EQ(level.smoother, plain.info.levels[i].smoother);
      }
      EXPECT_EQ(mixed.info.levels.back().aggregation, plain.info.levels.back().aggregation);
      if (kind != ProblemKind::convdiff2d) {
        EXPECT_TRUE(mixed.effective.solver.cg.flexible);
      }
    }
  }
}

TYPED_TEST(VectorsByLevel, OnTheFinestLevelItIsPrecisionFloat) {
  for (const auto kind : {ProblemKind::poisson3d, ProblemKind::elasticity2d}) {
    const auto p = this->problem(kind, 20);
    SolveParameters single = this->uniform();
    single.precision = Precision::single;
    // By launches both: one kernel, which small systems go by on a device, sums in another order.
    single.solver.single_kernel = SingleKernel::off;
    SolveParameters by_levels = this->float_from(0);
    by_levels.solver.single_kernel = SingleKernel::off;
    EXPECT_EQ(this->solve(p, by_levels).x, this->solve(p, single).x);
  }
}

TYPED_TEST(VectorsByLevel, OpenPrecisionLeavesTheBoundaryToTheLevels) {
  const auto p = this->problem(ProblemKind::poisson2d, 80);
  SolveParameters parameters = this->float_from(1);
  parameters.precision = Precision::automatic;
  const auto mixed = this->solve(p, parameters);
  EXPECT_EQ(mixed.effective.precision, Precision::same);
  EXPECT_EQ(mixed.info.levels[0].precision, "double");
  EXPECT_EQ(mixed.info.levels[1].precision, "float");
}

TYPED_TEST(VectorsByLevel, InEveryCycle) {
  const auto p = this->problem(ProblemKind::poisson2d, 120);
  for (const auto cycle : {CycleType::v, CycleType::w, CycleType::f, CycleType::k}) {
    SolveParameters parameters = this->uniform();
    parameters.amg.cycle = cycle;
    parameters.amg.smoothed_aggregation.prolongator_omega = 0;
    const auto plain = this->solve(p, parameters);
    for (const std::size_t boundary : {0, 1, 2}) {
      SolveParameters mixed = this->float_from(boundary);
      mixed.amg.cycle = cycle;
      mixed.amg.smoothed_aggregation.prolongator_omega = 0;
      const auto outcome = this->solve(p, mixed);
      EXPECT_TRUE(outcome.result.converged());
      EXPECT_LE(std::abs(outcome.iterations() - plain.iterations()), 1)
          << static_cast<int>(cycle) << " " << boundary;
    }
  }
}

TYPED_TEST(VectorsByLevel, BelowTheBoundaryTheCycleIsThatOfFloat) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto p = this->problem(ProblemKind::jump2d, 90);
  const std::size_t n = p.A.num_rows;
  const auto parameters = this->float_from(1).amg;
  amg::Multigrid<double, Space> grid(parameters);
  grid.setup(this->exec, p.A);
  ASSERT_EQ(grid.levels().size(), 1U);
  ASSERT_NE(grid.hierarchy().tail, nullptr);
  const auto& tail = *grid.hierarchy().tail;
  EXPECT_EQ(tail.first_level, 1);
  const auto b = to_multivector(this->exec, this->waves(n), n, 1);
  const auto z = allocate_multivector<double>(this->exec, "tessera::test", n, 1);
  grid.apply(this->exec, b, z);

  const auto& level = grid.levels().front();
  const std::size_t m = level.R->num_rows();
  const auto fresh = [&]<class Number>(Number, std::size_t rows) {
    return allocate_multivector<Number>(this->exec, "tessera::test", rows, 1);
  };
  const auto u = fresh(0.0, n);
  const auto r = fresh(0.0, n);
  const auto x = fresh(0.0, n);
  const auto b_coarse = fresh(0.0, m);
  const auto x_coarse = fresh(0.0, m);
  const auto b_float = fresh(0.0F, m);
  const auto x_float = fresh(0.0F, m);
  level.smoother->prepare(this->exec, 1);
  level.smoother->apply(this->exec, b, u);
  level.A->residual(this->exec, b, u, r);
  level.R->apply(this->exec, 1, r, 0, b_coarse);
  kernels::copy(this->exec, ConstMultiVectorView<double, Space>(b_coarse),
                MultiVectorView<float, Space>(b_float));
  const auto cycle = amg::make_cycle(CycleType::v, tail, true);
  cycle->prepare(this->exec, 1);
  cycle->apply(this->exec, b_float, x_float);
  kernels::copy(this->exec, ConstMultiVectorView<float, Space>(x_float),
                MultiVectorView<double, Space>(x_coarse));
  level.P->apply(this->exec, 1, x_coarse, 1, u);
  level.smoother->smooth(this->exec, b, u, x);
  EXPECT_EQ(to_host(z), to_host(x));
}

TYPED_TEST(VectorsByLevel, SeveralColumnsAreThoseAlone) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto p = this->problem(ProblemKind::poisson2d, 60);
  const std::size_t n = p.A.num_rows;
  const auto values = this->waves(3 * n);
  for (const auto cycle : {CycleType::v, CycleType::w, CycleType::k}) {
    auto parameters = this->float_from(1).amg;
    parameters.cycle = cycle;
    amg::Multigrid<double, Space> grid(parameters);
    grid.setup(this->exec, p.A);
    SCOPED_TRACE(static_cast<int>(cycle));
    expect_columns_as_alone(this->exec, grid, values, n, 1e-5);
  }
}

TYPED_TEST(VectorsByLevel, NewValuesReachTheLevelsInFloat) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const auto kind : {ProblemKind::jump2d, ProblemKind::convdiff2d}) {
    const auto before = to_host(this->problem(kind, 60).A);
    auto after = before;
    for_each_entry(
        after, [&](std::int32_t i, std::int32_t j, auto& value) { value *= j == i ? 300 : 256; });
    for (const auto reuse : {Reuse::symbolic, Reuse::interpolation}) {
      for (const std::size_t boundary : {0, 1, 2, 3}) {
        SCOPED_TRACE(boundary);
        SolveParameters parameters = this->float_from(boundary);
        parameters.amg.reuse = reuse;
        auto solver = set_up(this->exec, make_csr<Offset>(this->exec, before), parameters);
        const auto first = this->solve(solver, before.num_rows);
        solver.update_values(this->exec, make_csr<Offset>(this->exec, after));
        const auto second = this->solve(solver, before.num_rows);
        EXPECT_TRUE(second.result.converged());
        const auto fresh = this->solve(make_csr<Offset>(this->exec, after), parameters);
        // Levels of the old values would be off by a factor of 256.
        EXPECT_LE(second.iterations(), fresh.iterations() + 2);
        solver.update_values(this->exec, make_csr<Offset>(this->exec, before));
        const auto third = this->solve(solver, before.num_rows);
        expect_as_first<Space>(third.x, first.x, 1e-3);
        for (std::size_t i = 0; i < first.info.levels.size(); ++i) {
          EXPECT_EQ(third.info.levels[i].precision, first.info.levels[i].precision);
          EXPECT_EQ(third.info.levels[i].aggregation, first.info.levels[i].aggregation);
        }
      }
    }
  }
}

TYPED_TEST(VectorsByLevel, StorageByLevelHoldsBelowTheBoundary) {
  // (DP-SP, DP-SP-HP) of the thesis.
  const auto p = this->problem(ProblemKind::poisson3d, 30);
  SolveParameters parameters = this->uniform();
  parameters.amg.coarse_size = 5;
  const auto plain = this->solve(p, parameters);
  parameters.amg.levels.assign(3, amg::uniform_choice(parameters.amg));
  for (std::size_t i = 1; i < 3; ++i)
    parameters.amg.levels[i].vectors = VectorScalar::float32;
  auto& third = parameters.amg.levels[2];
  third.A.scalar = third.P.scalar = third.R.scalar = StorageScalar::half;
  const auto mixed = this->solve(p, parameters);
  EXPECT_LE(mixed.iterations(), plain.iterations() + 1);
  ASSERT_GE(mixed.info.levels.size(), 4U);
  EXPECT_EQ(mixed.info.levels[0].A.storage, "double");
  EXPECT_EQ(mixed.info.levels[1].A.storage, "float");
  EXPECT_EQ(mixed.info.levels[2].A.storage, "half");
  EXPECT_EQ(mixed.info.levels[2].precision, "float");
}

TYPED_TEST(VectorsByLevel, ACallbackMayChooseTheBoundary) {
  const auto p = this->problem(ProblemKind::poisson2d, 100);
  SolveParameters parameters = this->uniform();
  std::vector<int> seen;
  parameters.amg.choose_level = [&](const LevelFacts& facts, LevelParameters chosen) {
    seen.push_back(facts.number);
    if (facts.rows < 2000) chosen.vectors = VectorScalar::float32;
    return chosen;
  };
  const auto mixed = this->solve(p, parameters);
  EXPECT_TRUE(mixed.result.converged());
  EXPECT_TRUE(mixed.effective.solver.cg.flexible);
  ASSERT_EQ(seen.size(), mixed.info.levels.size() - 1) << "once a level";
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i], static_cast<int>(i));
    EXPECT_EQ(mixed.info.levels[i].precision,
              mixed.info.levels[i].rows < 2000 ? "float" : "double");
  }
  parameters.amg.choose_level = [](const LevelFacts& facts, LevelParameters chosen) {
    chosen.vectors = facts.number == 0 ? VectorScalar::float32 : VectorScalar::float64;
    return chosen;
  };
  expect_error(error_of([&] { this->solve(p, parameters); }), ErrorKind::configuration,
               {"amg.choose_level of level 1: vectors = double below vectors in float"});
}

TYPED_TEST(VectorsByLevel, DoubleBelowFloatIsAnError) {
  TESSERA_TEST_TYPES(TypeParam);
  SolveParameters parameters = this->float_from(1);
  parameters.amg.levels.push_back(parameters.amg.levels.front());
  parameters.amg.levels.back().vectors = VectorScalar::float64;
  const std::initializer_list<std::string> words{
      "amg.levels.2.vectors = double below vectors in float"};
  expect_error(error_of([&] { Solver<double, Space, Offset>{parameters}; }),
               ErrorKind::configuration, words);
  expect_error(error_of([&] { amg::Multigrid<double, Space>{parameters.amg}; }),
               ErrorKind::configuration, words);
  SolveParameters wide = this->uniform();
  wide.amg.levels.assign(1, amg::uniform_choice(wide.amg));
  wide.amg.levels.front().vectors = VectorScalar::float64;
  amg::Multigrid<double, Space>{wide.amg};
  expect_error(error_of([&] { amg::Multigrid<float, Space>{wide.amg}; }), ErrorKind::configuration,
               {"amg.levels.0.vectors = double"});
  wide.precision = Precision::single;
  expect_error(error_of([&] { Solver<double, Space, Offset>{wide}; }), ErrorKind::configuration,
               {"amg.levels.0.vectors = double"});
}

TYPED_TEST(VectorsByLevel, LevelsThatFloatDoesNotHoldStayInDouble) {
  const auto tiny = times(to_host(this->problem(ProblemKind::poisson2d, 60).A), 1e-60);
  const auto A = make_csr<typename TypeParam::Offset>(this->exec, tiny);
  SolveParameters parameters = this->float_from(1);
  parameters.equilibration = Equilibration::none;
  const auto plain = this->solve(A, this->uniform());
  const auto outcome = this->solve(A, parameters);
  EXPECT_EQ(outcome.iterations(), plain.iterations());
  for (const auto& level : outcome.info.levels)
    EXPECT_EQ(level.precision, "double");
  EXPECT_TRUE(noted(outcome.info,
                    "vectors of level 1 in double: float does not hold the levels from there"));
  parameters.equilibration = Equilibration::automatic;
  const auto scaled = this->solve(A, parameters);
  EXPECT_TRUE(scaled.result.converged());
  EXPECT_LE(scaled.iterations(), plain.iterations() + 1);
  EXPECT_EQ(scaled.info.levels[1].precision, "float") << "equilibrated";
}

}  // namespace tessera::test::vectors_by_level_test
