// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves in one kernel whose rate is watched, as what was picked may prove too weak: the kernel
/// comes back for a look, and goes on.
#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/random_matrix.hpp"
#include "support/solves.hpp"
#include "support/typed_tests.hpp"

#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/solve.hpp"
#include "tessera/solve/solve_attempts.hpp"
#include "tessera/solver/selection_rules.hpp"

#include <numeric>

namespace tessera::test::monitored_single_kernel_test {

template <class Param>
class MonitoredSingleKernel : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;
  bool hears_late = false;
  std::vector<IterationInfo> logged;

  struct Outcome {
    SolveResult result;
    HierarchyInfo hierarchy;
    SolveParameters parameters;

    bool says(const std::string& text) const { return noted(hierarchy, text); }
  };
  Outcome run(const SolveParameters& parameters, const kernels::Csr<double, Space>& A) {
    Solver<double, Space> solver(parameters);
    if (hears_late) {
      logged.clear();
      solver.set_logger(
          [this](const IterationInfo& now) {
            logged.push_back(now);
            return true;
          },
          LogTiming::may_be_late);
    }
    solver.setup(exec, A);
    const auto n = static_cast<std::size_t>(A.num_rows);
    const auto b = to_multivector(exec, random_vector<double>(A.num_rows), n);
    const auto x = zeros<double>(exec, n);
    Outcome outcome;
    outcome.result = solver.solve(exec, b, x);
    outcome.hierarchy = solver.hierarchy();
    outcome.parameters = solver.parameters();
    return outcome;
  }
  kernels::Csr<double, Space> make(ProblemKind kind, int n, double contrast = 1e3) const {
    return make_problem<double, Space>(exec, {.problem = kind, .n = n, .contrast = contrast}).A;
  }
  /// What `auto` picks, in one kernel on any machine.
  static SolveParameters picked() {
    SolveParameters p;
    p.solver.single_kernel = SingleKernel::on;
    return p;
  }
};
TYPED_TEST_SUITE(MonitoredSingleKernel, Spaces, TypeNames);

/// A stronger smoother stands by for it, and it is over before anyone looks.
TYPED_TEST(MonitoredSingleKernel, AShortSolveIsAllOfIt) {
  const auto A = this->make(ProblemKind::poisson2d, 40);
  const auto short_one = this->run(this->picked(), A);
  EXPECT_EQ(short_one.parameters.preconditioner, PreconditionerKind::amg);
  EXPECT_TRUE(short_one.result.converged());
  EXPECT_LT(short_one.result.iterations, rules::iterations_before_estimate.value);
  EXPECT_TRUE(short_one.result.in_one_kernel);
  auto launched = this->picked();
  launched.solver.single_kernel = SingleKernel::off;
  EXPECT_NEAR(this->run(launched, A).result.iterations, short_one.result.iterations, 1);
  // By itself on a device alone.
  for (const auto kind : {PreconditionerKind::automatic, PreconditionerKind::amg}) {
    SolveParameters p;
    p.preconditioner = kind;
    EXPECT_EQ(this->run(p, A).result.in_one_kernel,
              !kernels::is_host_space<typename TypeParam::Space>);
  }
}

/// A grid of `width` by `width` points, and rows that the diagonal dominates.
HostMatrix<double> grid_beside_decided_rows(int width, int decided) {
  const auto grid = poisson<double>(width, width);
  const auto line = poisson<double>(decided);
  const int n = grid.num_rows;
  return by_rows<double>(n + decided, n + decided, [&](auto& A, int i) {
    const auto& part = i < n ? grid : line;
    const int row = i < n ? i : i - n;
    for (auto e = part.offsets[row]; e < part.offsets[row + 1]; ++e) {
      const bool dominates = i >= n && part.columns[e] == row;
      A.push(part.columns[e] + i - row, dominates ? 4 : part.values[e]);
    }
  });
}

/// A grid that Jacobi takes some tens of iterations for, beside rows that it decides: `auto` takes
/// Jacobi, and would leave it if it were slow.
TYPED_TEST(MonitoredSingleKernel, AFairRateGoesOnInTheKernel) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a logger waits for a second, and this takes longer under ThreadSanitizer";
#endif
  const auto csr = make_csr(this->exec, grid_beside_decided_rows(20, 1000));
  for (const bool late : {false, true}) {
    this->hears_late = late;
    const auto fair = this->run(this->picked(), csr);
    EXPECT_EQ(fair.parameters.preconditioner, PreconditionerKind::jacobi);
    EXPECT_TRUE(fair.result.converged());
    EXPECT_TRUE(fair.result.in_one_kernel);
    EXPECT_GT(fair.result.iterations, rules::iterations_before_estimate.value);
    EXPECT_LE(fair.result.true_relative_residual, 1e-8);
    EXPECT_EQ(fair.result.columns[0].iterations, fair.result.iterations);
    const auto& history = fair.result.residual_history;
    ASSERT_EQ(history.size(), static_cast<std::size_t>(fair.result.iterations) + 1);
    EXPECT_NEAR(history.front(), 1, 1e-12);
    EXPECT_LE(history.back(), 1e-8);
    if (late) {
      ASSERT_EQ(this->logged.size(), history.size());
      for (std::size_t i = 0; i < history.size(); ++i) {
        EXPECT_EQ(this->logged[i].iteration, static_cast<int>(i));
        EXPECT_EQ(this->logged[i].relative_residual, history[i]);
        if (i > 0) {
          EXPECT_GE(this->logged[i].elapsed_ms, this->logged[i - 1].elapsed_ms);
        }
      }
    }
    auto launched = this->picked();
    launched.solver.single_kernel = SingleKernel::off;
    // On a host it may have come back to ask for the time of factors, with another Krylov space.
    const bool is_host = kernels::is_host_space<typename TypeParam::Space>;
    EXPECT_NEAR(fair.result.iterations, this->run(launched, csr).result.iterations,
                is_host ? rules::iterations_before_estimate.value : 1);
  }
  // The user's limit is not a part's.
  auto limited = this->picked();
  limited.solver.max_iterations = rules::iterations_before_estimate.value;
  const auto at_limit = this->run(limited, csr).result;
  EXPECT_EQ(at_limit.status, SolveStatus::max_iterations);
  EXPECT_EQ(at_limit.iterations, rules::iterations_before_estimate.value);
}

/// Watched or not, solves in one kernel are on tiles where these are asked for, until they fail.
TYPED_TEST(MonitoredSingleKernel, HoldsTiles) {
  auto p = this->picked();
  p.solver.tiles = TilePrecision::fixed;
  const auto A = with_diagonal(poisson<double>(40, 25), [](Ordinal, double& value) { value = 8; });
  const auto decided = this->run(p, make_csr(this->exec, A));
  EXPECT_EQ(decided.parameters.preconditioner, PreconditionerKind::jacobi);
  EXPECT_TRUE(decided.result.converged());
  EXPECT_TRUE(decided.result.in_one_kernel);
  const auto& work = decided.result.tile_work;
  EXPECT_GT(std::accumulate(work.begin(), work.end(), std::int64_t(0)), 0);
  EXPECT_FALSE(decided.says("no tiles"));
  // Indefinite: CG breaks down on any of both.
  p.solver.name = SolverName::cg;
  p.preconditioner = PreconditionerKind::none;
  const std::vector<std::int64_t> offsets{0, 2, 4};
  const auto broken = this->run(p, make_csr<std::int32_t>(this->exec, 2, 2, offsets, {0, 1, 0, 1},
                                                          std::vector<double>{1, 3, 3, 1}));
  EXPECT_FALSE(broken.result.converged());
  EXPECT_TRUE(broken.says("no tiles in mixed precision: a solve ended as breakdown with them"));
}

/// What was read on tiles counts where another method ends the solve.
TYPED_TEST(MonitoredSingleKernel, TilesOfAnAttemptThatWasLeftAreCounted) {
  auto p = this->picked();
  p.solver.tiles = TilePrecision::fixed;
  const auto left = this->run(p, make_csr(this->exec, grid_beside_decided_rows(120, 30000)));
  EXPECT_TRUE(left.result.converged());
  EXPECT_NE(left.parameters.preconditioner, PreconditionerKind::jacobi);
  EXPECT_FALSE(left.result.in_one_kernel);
  EXPECT_GT(left.result.iterations, rules::iterations_before_estimate.value);
  const auto& work = left.result.tile_work;
  EXPECT_GT(std::accumulate(work.begin(), work.end(), std::int64_t(0)), 0);
}

/// A launch may not hold a device for good, and its end is not that of a solve without a limit.
TYPED_TEST(MonitoredSingleKernel, ALaunchThatIsCutShortIsGoneOnWith) {
  using Space = typename TypeParam::Space;
  const auto& exec = this->exec;
  const auto A = this->make(ProblemKind::poisson2d, 30);
  const auto n = static_cast<std::size_t>(A.num_rows);
  for (const auto kind : {PreconditionerKind::automatic, PreconditionerKind::jacobi}) {
    auto p = this->picked();
    p.preconditioner = kind;
    detail::SolverState<double, Space, std::int32_t> picked(p);
    picked.choose_and_build(exec, A, {}, 0);
    picked.set_ready(true);
    ASSERT_NE(picked.single_kernel(), nullptr);
    picked.single_kernel()->set_launch_limit(1e-6);
    const auto b = to_multivector(exec, random_vector<double>(A.num_rows), n);
    const auto x = zeros<double>(exec, n);
    const Logger nobody;
    detail::SolveAttempts<double, Space, std::int32_t> attempts(picked, nobody, LogTiming::live);
    const auto result = attempts.solve(exec, b, x);
    EXPECT_EQ(to_string(result.status), "converged");
    EXPECT_FALSE(result.in_one_kernel);
    EXPECT_LE(result.true_relative_residual, 1e-8);
    EXPECT_EQ(result.residual_history.size(), static_cast<std::size_t>(result.iterations) + 1);
  }
}

/// Jumping coefficients, and aggregates across the jumps: a slow hierarchy.
TYPED_TEST(MonitoredSingleKernel, APoorRateTakesSomethingElse) {
  auto p = this->picked();
  p.amg.smoothed_aggregation.strength_threshold = 0;
  const auto slow = this->run(p, this->make(ProblemKind::jump3d, 30, 1e5));
  EXPECT_TRUE(slow.result.converged());
  EXPECT_FALSE(slow.result.in_one_kernel);
  EXPECT_TRUE(slow.says("after 30 iterations more than 200 further ones were estimated"));
  EXPECT_EQ(slow.result.residual_history.size(),
            static_cast<std::size_t>(slow.result.iterations) + 1);
}

}  // namespace tessera::test::monitored_single_kernel_test
