// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Forecasts of each process's memory beside what it takes, and limits to that, by which all
/// processes take the same way.
#include "distributed/shares.hpp"
#include "support/notes.hpp"
#include "tessera/distributed/forecast.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"

#include <algorithm>
#include <iostream>
#include <span>
#include <string>

namespace tessera::test::distributed_memory_test {

using distributed::Parameters;

double mebibytes(std::size_t bytes) { return static_cast<double>(bytes) / 0x1p20; }

/// What a setup took at once on this process, and what both that and the first iterations did.
struct Measured {
  double setup = 0;
  double peak = 0;
};

Measured measure(const SharedProblem& problem, const Parameters& parameters) {
  const Share share(problem.host);
  const Space exec;
  const Vectors x = zeros(problem.num_rows());
  const Vectors b = waves(problem.first, problem.num_rows());
  const Vectors vectors = problem.near_nullspace();
  const MemoryTracker memory(Space::memory_space::name(), true);
  DistributedSolver solver(all_processes(), parameters);
  solver.set_logger([](const IterationInfo& now) { return now.iteration < 3; });
  solver.setup(exec, share.rows(), vectors);
  Measured measured;
  measured.setup = static_cast<double>(memory.peak_bytes());
  solver.solve(exec, b, x);
  measured.peak = static_cast<double>(memory.peak_bytes());
  return measured;
}

/// Of a forecast by pieces of a share of each process's entries, beside what is measured.
void expect_forecast(const GalleryParameters& gallery, const Parameters& parameters, double part,
                     RowRange (*shares)(int, int, int) = odd_share) {
  SCOPED_TRACE(to_string(gallery.problem));
  const SharedProblem problem(gallery, num_processes(), process(), shares);
  const Share share(problem.host);
  const Space exec;
  distributed::SolverState<Space> state;
  state.processes = std::make_shared<distributed::CountingCommunicator>(all_processes());
  state.asked = state.given = parameters;
  std::size_t taken = 0;
  {
    const Vectors vectors = problem.near_nullspace();
    const MemoryTracker memory(Space::memory_space::name(), true);
    state.A = distributed::numbered(exec, state.processes, share.rows());
    state.take_near_nullspace(exec, vectors);
    taken = static_cast<std::size_t>(memory.live_bytes());
  }
  const auto entries = static_cast<double>(problem.host.values.size());
  const auto forecast =
      distributed::forecast_memory(exec, state, parameters, part * entries, false);
  EXPECT_LT(forecast.share, 1);
  const Measured measured = measure(problem, parameters);
  const double of_setup = static_cast<double>(taken + forecast.setup_bytes) / measured.setup;
  const double of_peak = static_cast<double>(taken + forecast.peak_bytes()) / measured.peak;
  double extremes[] = {of_setup, of_peak, -of_setup, -of_peak};
  // A process of few rows may have more of messages than of rows.
  if (problem.num_rows() < 2000) extremes[0] = extremes[1] = extremes[2] = extremes[3] = -1;
  all_processes()->maximum(extremes);
  if (process() == 0)
    std::cout << to_string(gallery.problem) << ": forecast over setup " << -extremes[2] << " to "
              << extremes[0] << ", over the peak " << -extremes[3] << " to " << extremes[1] << '\n';
  for (const double ratio : {-extremes[2], -extremes[3]})
    EXPECT_GT(ratio, 0.5);
  // On a device a part of what few rows take is fixed.
  const double most = kernels::is_host_space<Space> ? 2 : 2.5;
  for (const double ratio : {extremes[0], extremes[1]})
    EXPECT_LT(ratio, most);
}

GalleryParameters of(ProblemKind kind, int n) { return {.problem = kind, .n = n}; }

TEST(DistributedForecast, IsWithinAFactorOfTwo) {
  Parameters p;
  p.gather_rows = 1000;
  p.solve.solver.name = SolverName::cg;
  expect_forecast(of(ProblemKind::poisson3d, 36), p, 0.25);
  expect_forecast(of(ProblemKind::poisson2d, 200), p, 0.25, share_of_pairs);
  expect_forecast(of(ProblemKind::unstructured3d, 26), p, 0.25);
  p.solve.amg.reuse = amg::Reuse::symbolic;
  expect_forecast(of(ProblemKind::poisson3d, 36), p, 0.25);
  p.solve.amg.coarsening = amg::CoarseningKind::classical;
  expect_forecast(of(ProblemKind::poisson3d, 30), p, 0.25);
  p.solve.amg.reuse = amg::Reuse::none;
  expect_forecast(of(ProblemKind::unstructured3d, 26), p, 0.25);
  p = {};
  p.gather_rows = 1000;
  p.solve.amg.coarsening = amg::CoarseningKind::pairwise;
  expect_forecast(of(ProblemKind::poisson3d, 36), p, 0.25);
  p.solve.amg.coarsening = amg::CoarseningKind::reduction;
  expect_forecast(of(ProblemKind::convdiff2d, 150), p, 0.25);
  p.solve.amg.reuse = amg::Reuse::symbolic;
  expect_forecast(of(ProblemKind::convdiff2d, 150), p, 0.25);
  p = {};
  p.block_size = 3;
  p.gather_rows = 1000;
  expect_forecast(of(ProblemKind::elasticity3d, 18), p, 0.3);
  p = {};
  p.solve.preconditioner = PreconditionerKind::jacobi;
  expect_forecast(of(ProblemKind::poisson3d, 36), p, 0.25);
}

TEST(DistributedForecast, OfAWholeMatrixIsExact) {
  const SharedProblem problem(of(ProblemKind::poisson3d, 20));
  const Share share(problem.host);
  Parameters p;
  p.gather_rows = 500;
  const DistributedSolver solver(all_processes(), p);
  const Vectors vectors = problem.near_nullspace();
  const auto forecast = solver.forecast_memory(Space(), share.rows(), vectors);
  EXPECT_EQ(forecast.share, 1);
  const Measured measured = measure(problem, p);
  EXPECT_NEAR(static_cast<double>(forecast.setup_bytes), measured.setup, 0.02 * measured.setup);
  EXPECT_NEAR(static_cast<double>(forecast.peak_bytes()), measured.peak, 0.05 * measured.peak);
}

class DistributedMemoryLimit : public ::testing::Test {
 protected:
  Space exec;
  SharedProblem problem{of(ProblemKind::poisson3d, 24)};
  Share share{problem.host};

  static Parameters within(double mebibytes) {
    Parameters p;
    p.gather_rows = 500;
    p.solve.max_memory_mb = mebibytes;
    return p;
  }

  double own_peak(const Parameters& p) const {
    return mebibytes(
        DistributedSolver(all_processes(), p).forecast_memory(exec, share.rows()).peak_bytes());
  }
  /// Of the process that needs most, in MiB.
  double peak_of(const Parameters& p) const { return all_processes()->maximum_of(own_peak(p)); }

  /// Sets up and solves twice below a limit, and holds all processes to the same end.
  HierarchyInfo solve(const Parameters& p) const {
    const Vectors x = zeros(problem.num_rows());
    const Vectors b = waves(problem.first, problem.num_rows());
    const MemoryTracker memory(Space::memory_space::name(), true);
    DistributedSolver solver(all_processes(), p);
    for (int turn = 0; turn < 2; ++turn) {
      Kokkos::deep_copy(x, 0.0);
      solver.setup(exec, share.rows());
      EXPECT_TRUE(solver.solve(exec, b, x).converged());
      // Between two agreements nothing is refused.
      EXPECT_LE(mebibytes(memory.peak_bytes()), 1.1 * p.solve.max_memory_mb);
    }
    const auto info = solver.hierarchy();
    EXPECT_GT(info.setup_forecast_bytes, 0U);
    EXPECT_GT(info.setup_peak_bytes, 0U);
    EXPECT_LE(mebibytes(info.peak_forecast_bytes), p.solve.max_memory_mb);
    return info;
  }
};

/// The same on all processes, and whether it is so.
bool noted_by_all(const HierarchyInfo& info, const char* text) {
  const double own = noted(info, text) ? 1 : 0;
  EXPECT_EQ(all_processes()->maximum_of(own), all_processes()->minimum_of(own)) << text;
  return own > 0;
}

TEST_F(DistributedMemoryLimit, ThatIsHighEnoughChangesNothing) {
  const auto info = solve(within(1.3 * peak_of(within(0))));
  EXPECT_FALSE(noted_by_all(info, "gives up"));
  EXPECT_GT(info.levels.size(), 1U);
}

TEST_F(DistributedMemoryLimit, GivesUpMultigridLast) {
  Parameters by_diagonal = within(0);
  by_diagonal.solve.preconditioner = PreconditionerKind::jacobi;
  const double least = peak_of(by_diagonal);
  ASSERT_LT(least, 0.8 * peak_of(within(0)));
  const auto info = solve(within(1.05 * least));
  EXPECT_TRUE(noted_by_all(info, "gives up multigrid"));
  EXPECT_TRUE(noted_by_all(info, "on each process, and without that setup needs"));
  EXPECT_TRUE(info.levels.empty());
}

/// The last process alone has little: the others, which have enough, go its way.
TEST_F(DistributedMemoryLimit, OfOneProcessIsThatOfAll) {
  const bool is_last = process() == num_processes() - 1;
  Parameters by_diagonal = within(0);
  by_diagonal.solve.preconditioner = PreconditionerKind::jacobi;
  const double enough = 1.3 * peak_of(within(0));
  const double little = 1.05 * own_peak(by_diagonal);
  const auto info = solve(within(is_last ? little : enough));
  EXPECT_TRUE(noted_by_all(info, "gives up multigrid"));
}

TEST_F(DistributedMemoryLimit, RefusesWhatNothingFitsAndLeavesASolver) {
  struct Case {
    PreconditionerKind kind;
    double part;
    const char* says;
  };
  // A basis takes more than the copy of the rows does while it is made.
  Parameters by_diagonal = within(0);
  by_diagonal.solve.preconditioner = PreconditionerKind::jacobi;
  by_diagonal.solve.solver.name = SolverName::fgmres;
  const double least = peak_of(by_diagonal);
  for (const Case& c : {Case{PreconditionerKind::automatic, 0.1, "a copy of the rows needs more"},
                        Case{PreconditionerKind::amg, 1.02, "what was asked needs"},
                        Case{PreconditionerKind::automatic, 0.9, "with all given up"}}) {
    SCOPED_TRACE(c.says);
    Parameters p = within(c.part * least);
    p.solve.preconditioner = c.kind;
    p.solve.solver.name = SolverName::fgmres;
    DistributedSolver solver(all_processes(), p);
    const auto error = error_of([&] { solver.setup(exec, share.rows()); });
    expect_error(error, ErrorKind::out_of_memory,
                 {"setup: max_memory_mb is", "on each process", c.says, "raise max_memory_mb"});
    if (num_processes() > 1)
      expect_error(error, ErrorKind::out_of_memory,
                   {" on process ", (" of " + std::to_string(num_processes())).c_str()});
    const auto length = static_cast<double>(std::string(error->what()).size());
    EXPECT_EQ(all_processes()->maximum_of(length), all_processes()->minimum_of(length));
    const Vectors x = zeros(problem.num_rows());
    expect_error(error_of([&] { solver.solve(exec, waves(0, problem.num_rows()), x); }),
                 ErrorKind::precondition, {"succeeds"});
    // A device's arrays come from pools of a quarter of a MiB, for which the least limit is too
    // low.
    if (!kernels::is_host_space<Space> && c.part < 0.5) continue;
    const SharedProblem small(of(ProblemKind::poisson3d, 3));
    solver.setup(exec, Share(small.host).rows());
    EXPECT_TRUE(solver.solve(exec, waves(small.first, small.num_rows()), zeros(small.num_rows()))
                    .converged());
  }
}

/// The process that needs most is the one with most rows: here the last.
TEST_F(DistributedMemoryLimit, NamesTheProcessThatNeedsMost) {
  if (num_processes() == 1) GTEST_SKIP() << "there is one process";
  const SharedProblem grown(of(ProblemKind::poisson3d, 24), num_processes(), process(),
                            growing_share);
  const Share rows(grown.host);
  Parameters p = within(0);
  p.solve.preconditioner = PreconditionerKind::jacobi;
  const auto forecast = DistributedSolver(all_processes(), p).forecast_memory(exec, rows.rows());
  p.solve.max_memory_mb = 0.97 * all_processes()->maximum_of(mebibytes(forecast.peak_bytes()));
  DistributedSolver solver(all_processes(), p);
  const std::string last = "on process " + std::to_string(num_processes() - 1) + " of ";
  expect_error(error_of([&] { solver.setup(exec, rows.rows()); }), ErrorKind::out_of_memory,
               {"max_memory_mb", last.c_str()});
}

TEST_F(DistributedMemoryLimit, HoldsForSolves) {
  DistributedSolver solver(all_processes(), within(1.3 * peak_of(within(0))));
  solver.setup(exec, share.rows());
  constexpr int k = 60;
  const Vectors x = zeros(problem.num_rows(), k);
  expect_error(
      error_of([&] { solver.solve(exec, waves(problem.first, problem.num_rows(), k), x); }),
      ErrorKind::out_of_memory, {"solve: max_memory_mb is", "60 right-hand sides need", "fewer"});
  EXPECT_TRUE(
      solver.solve(exec, waves(problem.first, problem.num_rows()), zeros(problem.num_rows()))
          .converged());
}

TEST_F(DistributedMemoryLimit, HoldsForNewValues) {
  for (const auto reuse : {amg::Reuse::none, amg::Reuse::symbolic}) {
    Parameters p = within(0);
    p.solve.amg.reuse = reuse;
    p.solve.max_memory_mb = 2 * peak_of(p);
    DistributedSolver solver(all_processes(), p);
    const MemoryTracker memory(Space::memory_space::name(), true);
    solver.setup(exec, share.rows());
    for (int turn = 0; turn < 4; ++turn)
      solver.update_values(exec, share.values);
    EXPECT_LE(mebibytes(memory.peak_bytes()), p.solve.max_memory_mb);
  }
}

TEST_F(DistributedMemoryLimit, ShowsAForecastWithoutALimit) {
  Parameters p = within(0);
  p.solve.forecast_memory = true;
  DistributedSolver solver(all_processes(), p);
  solver.setup(exec, share.rows());
  const auto info = solver.hierarchy();
  EXPECT_GT(info.setup_forecast_bytes, info.setup_peak_bytes / 2);
  EXPECT_LT(info.setup_forecast_bytes, info.setup_peak_bytes * 2);
}

TEST_F(DistributedMemoryLimit, OfNothing) {
  const double min_mb = kernels::is_host_space<Space> ? 1 : 3;  // pools of a device
  const HostShare host;
  const Share nothing(host);
  const auto forecast =
      DistributedSolver(all_processes(), within(0)).forecast_memory(exec, nothing.rows());
  EXPECT_LT(static_cast<double>(forecast.peak_bytes()), min_mb * 1e6);
  Parameters p = within(min_mb);
  p.solve.forecast_memory = true;
  DistributedSolver solver(all_processes(), p);
  solver.setup(exec, nothing.rows());
  EXPECT_TRUE(solver.solve(exec, zeros(0), zeros(0)).converged());
}

}  // namespace tessera::test::distributed_memory_test
