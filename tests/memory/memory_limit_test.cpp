// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Setups and solves below `max_memory_mb`: what is given up, what is refused, and that nothing
/// takes more.
#include <gtest/gtest.h>

#include <string>

#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/notes.hpp"
#include "tessera/direct/sparse_direct.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"
#include "tessera/solve.hpp"

namespace tessera::test::memory_limit_test {

using Space = DeviceSpace;

class MemoryLimit : public ::testing::Test {
 protected:
  Space exec;
  /// 7-point on 40^3 points.
  Problem<double, Space, std::int32_t> problem =
      make_problem<double, Space>(exec, {.problem = ProblemKind::poisson3d, .n = 40});

  static SolveParameters within(double mebibytes, SolveParameters p = {}) {
    p.max_memory_mb = mebibytes;
    return p;
  }

  /// Of what `p` asks for, in MiB.
  double peak_of(const SolveParameters& p) const {
    const auto forecast = Solver<double, Space>(p).forecast_memory(exec, problem.A);
    return static_cast<double>(forecast.peak_bytes()) / 0x1p20;
  }

  /// Sets up and solves below the limit of `p`, twice, and returns what is said of the hierarchy.
  HierarchyInfo solve(const SolveParameters& p) const {
    const auto x = allocate_multivector<double>(exec, "x", problem.A.num_rows);
    const MemoryTracker memory(Space::memory_space::name(), true);
    Solver<double, Space> solver(p);
    for (int turn = 0; turn < 2; ++turn) {
      Kokkos::deep_copy(exec, x, 0.0);
      solver.setup(exec, problem.A);
      EXPECT_TRUE(solver.solve(exec, problem.b, x).converged());
      EXPECT_LE(static_cast<double>(memory.peak_bytes()) / 0x1p20, p.max_memory_mb);
    }
    const HierarchyInfo& info = solver.hierarchy();
    EXPECT_GT(info.setup_forecast_bytes, 0U);
    EXPECT_LE(static_cast<double>(info.peak_forecast_bytes) / 0x1p20, p.max_memory_mb);
    return info;
  }
};

TEST_F(MemoryLimit, ThatIsHighEnoughChangesNothing) {
  const auto info = solve(within(1.3 * peak_of({})));
  EXPECT_FALSE(noted(info, "gives up"));
  EXPECT_GT(info.levels.size(), 1U);
}

TEST_F(MemoryLimit, GivesUpMultigridLast) {
  SolveParameters by_diagonal;
  by_diagonal.preconditioner = PreconditionerKind::jacobi;
  const double least = peak_of(by_diagonal);
  ASSERT_LT(least, 0.5 * peak_of({}));
  const auto info = solve(within(1.1 * least));
  EXPECT_TRUE(noted(info, "gives up multigrid"));
  EXPECT_TRUE(noted(info, "without that setup needs more in setup of level"));
}

TEST_F(MemoryLimit, GivesUpTilesFirst) {
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  p.amg.products = amg::Products::csr;
  p.amg.storage.format = StorageFormat::csr;
  const double in_rows = peak_of(p);
  p.amg.storage.format = StorageFormat::automatic;
  const double in_any = peak_of(p);
  const auto info = solve(within(1.02 * in_rows, p));
  EXPECT_EQ(noted(info, "gives up tiles"), in_any > 1.02 * in_rows);
}

TEST_F(MemoryLimit, RefusesWhatNothingFitsAndLeavesASolver) {
  struct Case {
    PreconditionerKind kind;
    double limit;
    const char* says;
  };
  // Of a device, whose arrays come from pools of a quarter of a MiB, the small one needs more.
  constexpr bool on_host = kernels::is_host_space<Space>;
  for (const Case& c :
       {Case{PreconditionerKind::automatic, on_host ? 0.25 : 0.6, "looking at the matrix"},
        Case{PreconditionerKind::amg, 5, "in setup of level"},
        Case{PreconditionerKind::automatic, 2.6,
             on_host ? "with all given up" : "looking at the matrix"}}) {
    SolveParameters p = within(c.limit);
    p.preconditioner = c.kind;
    Solver<double, Space> solver(p);
    expect_error(error_of([&] { solver.setup(exec, problem.A); }), ErrorKind::out_of_memory,
                 {"setup: max_memory_mb is", c.says, "tessera::", "raise max_memory_mb"});
    expect_error(error_of([&] { solver.preconditioner(); }), ErrorKind::precondition,
                 {"before a setup"});
    const auto small =
        make_problem<double, Space>(exec, {.problem = ProblemKind::poisson3d, .n = 3});
    solver.setup(exec, small.A);
    const auto x = allocate_multivector<double>(exec, "x", small.A.num_rows);
    Kokkos::deep_copy(exec, x, 0.0);
    EXPECT_TRUE(solver.solve(exec, small.b, x).converged());
  }
}

/// Many right-hand sides at once, which a forecast of one does not count: the running total stops
/// them, and fewer go on.
TEST_F(MemoryLimit, HoldsForSolves) {
  Solver<double, Space> solver(within(1.3 * peak_of({})));
  solver.setup(exec, problem.A);
  constexpr int k = 50;
  const auto b = allocate_multivector<double>(exec, "b", problem.A.num_rows, k);
  const auto x = allocate_multivector<double>(exec, "x", problem.A.num_rows, k);
  Kokkos::deep_copy(exec, b, 1.0);
  Kokkos::deep_copy(exec, x, 0.0);
  expect_error(
      error_of([&] { solver.solve(exec, b, x); }), ErrorKind::out_of_memory,
      {"solve: max_memory_mb is reached", "tessera::", "of a limit of", "fewer right-hand sides"});
  const auto one = allocate_multivector<double>(exec, "x", problem.A.num_rows);
  Kokkos::deep_copy(exec, one, 0.0);
  EXPECT_TRUE(solver.solve(exec, problem.b, one).converged());
}

TEST_F(MemoryLimit, HoldsForNewValues) {
  SolveParameters p;
  p.amg.reuse = amg::Reuse::symbolic;
  p = within(1.5 * peak_of(p), p);
  Solver<double, Space> solver(p);
  const MemoryTracker memory(Space::memory_space::name(), true);
  solver.setup(exec, problem.A);
  for (int turn = 0; turn < 5; ++turn)
    solver.update_values(exec);
  EXPECT_LE(static_cast<double>(memory.peak_bytes()) / 0x1p20, p.max_memory_mb);
}

/// Factors that are asked for may take what there is, and are no choice where there is less.
TEST_F(MemoryLimit, HoldsForFactors) {
  if (!kernels::is_host_space<Space> || !direct::available()) GTEST_SKIP() << "no factors";
  const auto plate =
      make_problem<double, Space>(exec, {.problem = ProblemKind::poisson2d, .n = 100});
  SolveParameters p;
  p.preconditioner = PreconditionerKind::direct;
  const auto forecast = Solver<double, Space>(p).forecast_memory(exec, plate.A);
  EXPECT_GT(forecast.kept_bytes, 8 * plate.A.num_entries());
  p.max_memory_mb = 1.2 * static_cast<double>(forecast.peak_bytes()) / 0x1p20;
  Solver<double, Space> enough(p);
  enough.setup(exec, plate.A);
  EXPECT_EQ(enough.parameters().preconditioner, PreconditionerKind::direct);
  p.max_memory_mb /= 2.4;
  Solver<double, Space> little(p);
  expect_error(error_of([&] { little.setup(exec, plate.A); }), ErrorKind::out_of_memory,
               {"max_memory_mb is", "tessera::direct::factors", "preconditioner=amg for factors"});
}

TEST_F(MemoryLimit, ShowsAForecastWithoutALimit) {
  SolveParameters p;
  p.forecast_memory = p.amg.measure_memory = true;
  Solver<double, Space> solver(p);
  solver.setup(exec, problem.A);
  const auto& info = solver.hierarchy();
  EXPECT_GT(info.setup_forecast_bytes, info.setup_peak_bytes / 2);
  EXPECT_LT(info.setup_forecast_bytes, info.setup_peak_bytes * 2);
}

TEST_F(MemoryLimit, OfNothing) {
  const auto none = make_problem<double, Space>(exec, {.problem = ProblemKind::poisson2d, .n = 1});
  EXPECT_EQ((Solver<double, Space>().forecast_memory(exec, none.A).share), 1);
  const kernels::Csr<double, Space> empty{0, 0, Array<std::int32_t, Space>("offsets", 1), {}, {}};
  const auto forecast = Solver<double, Space>().forecast_memory(exec, empty);
  EXPECT_LT(forecast.peak_bytes(), 1000000U);
}

}  // namespace tessera::test::memory_limit_test
