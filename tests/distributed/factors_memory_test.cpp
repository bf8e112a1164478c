// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What sparse factors on process 0 take: forecasts beside what is measured, and limits that keep
/// rows from being gathered and factors from being made.
#include "distributed/factors_cases.hpp"
#include "support/notes.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"
#include "tessera/solve.hpp"

#include <cstdint>
#include <iostream>
#include <string>

namespace tessera::test::factors_memory_test {

using namespace factors_cases;

double mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / 0x1p20; }

/// The first process has all.
RowRange share_of_one(int nodes, int, int rank) {
  return rank == 0 ? RowRange{0, nodes} : RowRange{nodes, 0};
}

Shared shared(const GalleryParameters& gallery, RowRange (*share)(int, int, int),
              const Communicator& processes = all_processes()) {
  const SharedProblem problem(gallery, processes->size(), processes->rank(), share);
  return {problem.host, {static_cast<int>(problem.first), problem.num_rows()}};
}

MemoryForecast forecast_of(const Shared& rows, const Parameters& p,
                           const Communicator& processes = all_processes()) {
  const Share share(rows.host);
  return DistributedSolver(processes, p).forecast_memory(Space(), share.rows());
}

/// Of the process that needs most, in MiB.
double largest_peak(const Shared& rows, const Parameters& p) {
  return all_processes()->maximum_of(mebibytes(forecast_of(rows, p).peak_bytes()));
}

/// Of the factors of all rows.
double bytes_of_factors(const GalleryParameters& gallery) {
  const SharedProblem whole(gallery, 1, 0);
  direct::SparseDirect factors(*direct::to_host(HostSpace(), whole.own.A.view()), true, 1e12);
  factors.settle_order();
  return factors.cost().bytes();
}

/// Rows are gathered and ordered for a forecast, so that in a setup only what LU adds to its
/// panels, and in a solve the number of its iterations, is not known.
TEST(DistributedFactorsMemory, IsForecast) {
  if (!direct::available()) GTEST_SKIP() << "no SuiteSparse";
  const GalleryParameters galleries[] = {
      {.problem = ProblemKind::poisson2d, .n = 90},
      {.problem = ProblemKind::convdiff2d, .n = 60, .peclet = 1e3},
      {.problem = ProblemKind::elasticity3d, .n = 7},
      {.problem = ProblemKind::poisson3d, .n = 16}};
  for (const GalleryParameters& gallery : galleries) {
    for (const auto share : {odd_share, share_of_pairs, growing_share}) {
      SCOPED_TRACE(to_string(gallery.problem));
      const Shared rows = shared(gallery, share);
      const auto forecast = forecast_of(rows, asked_for());
      EXPECT_EQ(forecast.share, 1);
      const Measured measured = measure(rows, asked_for());
      EXPECT_TRUE(measured.converged);
      const double of_setup = static_cast<double>(forecast.setup_bytes) / measured.setup;
      const double of_peak = static_cast<double>(forecast.peak_bytes()) / measured.peak;
      double extremes[] = {of_setup, of_peak, -of_setup, -of_peak};
      // A process of few rows has more of messages and numbers than of rows.
      if (rows.range.count < 500 && process() > 0)
        extremes[0] = extremes[1] = extremes[2] = extremes[3] = -1;
      all_processes()->maximum(extremes);
      if (process() == 0)
        std::cout << to_string(gallery.problem) << ": forecast over setup " << -extremes[2]
                  << " to " << extremes[0] << ", over the peak " << -extremes[3] << " to "
                  << extremes[1] << '\n';
      EXPECT_GT(-extremes[2], 0.95);
      EXPECT_LT(extremes[0], 1.05);
      EXPECT_GT(-extremes[3], 0.9);
      EXPECT_LT(extremes[1], 1.5);
    }
  }
}

/// The same rows on process 0, whoever else is there; and beside what one process's solver keeps
/// there are copies of the rows alone.
TEST(DistributedFactorsMemory, IsThatOfOneProcess) {
  if (!may_be_picked()) GTEST_SKIP() << "factors are in another memory";
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 60};
  const auto alone = forecast_of(shared(gallery, odd_share, distributed::alone()), asked_for(),
                                 distributed::alone());
  const auto forecast = forecast_of(shared(gallery, share_of_one), asked_for());
  const auto of_odd_shares = forecast_of(shared(gallery, odd_share), asked_for());
  const SharedProblem whole(gallery, 1, 0);
  const Share rows(whole.host);
  const auto n = static_cast<double>(whole.num_rows());
  const double bytes_of_rows = 12 * static_cast<double>(whole.host.values.size()) + 8 * n;
  if (process() == 0) {
    const auto expected = static_cast<double>(alone.kept_bytes);
    EXPECT_NEAR(static_cast<double>(forecast.setup_bytes), static_cast<double>(alone.setup_bytes),
                0.02 * expected);
    EXPECT_NEAR(static_cast<double>(forecast.kept_bytes), expected, 0.02 * expected);
    EXPECT_LT(static_cast<double>(of_odd_shares.kept_bytes), 1.02 * expected);
    EXPECT_GT(static_cast<double>(of_odd_shares.kept_bytes), expected - 2.2 * bytes_of_rows);
  } else {
    EXPECT_LT(20 * forecast.peak_bytes(), alone.peak_bytes());
  }
  const auto problem = make_problem<double, Space, std::int64_t>(Space(), gallery);
  SolveParameters p;
  p.preconditioner = PreconditionerKind::direct;
  const auto of_one =
      tessera::Solver<double, Space, std::int64_t>(p).forecast_memory(Space(), problem.A);
  const double more =
      static_cast<double>(alone.kept_bytes) - static_cast<double>(of_one.kept_bytes);
  EXPECT_GT(more, 2 * bytes_of_rows);
  EXPECT_LT(more, 4 * bytes_of_rows);
  EXPECT_GT(static_cast<double>(alone.kept_bytes), bytes_of_factors(gallery) + 4 * bytes_of_rows);
}

/// A setup and a solve within a limit: nothing of them is beyond it, and they converge.
HierarchyInfo solve(const Shared& rows, const Parameters& p) {
  const Share share(rows.host);
  const Vectors x = zeros(rows.range.count);
  const Vectors b = waves(rows.range.first, rows.range.count);
  const MemoryTracker memory(Space::memory_space::name(), true);
  DistributedSolver solver(all_processes(), p);
  for (int turn = 0; turn < 2; ++turn) {
    Kokkos::deep_copy(x, 0.0);
    solver.setup(Space(), share.rows());
    const auto result = solver.solve(Space(), b, x);
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    expect_alike(result);
    EXPECT_LE(mebibytes(memory.peak_bytes()), p.solve.max_memory_mb);
  }
  return solver.hierarchy();
}

TEST(DistributedFactorsMemory, IsWithinALimit) {
  if (!direct::available()) GTEST_SKIP() << "no SuiteSparse";
  for (const auto share : {odd_share, share_of_pairs, growing_share}) {
    const Shared rows = shared({.problem = ProblemKind::poisson2d, .n = 60}, share);
    const Parameters p = within(1.05 * largest_peak(rows, asked_for()), asked_for());
    const HierarchyInfo info = solve(rows, p);
    EXPECT_TRUE(noted(info, "factors on process 0: "));
    EXPECT_FALSE(noted(info, "gives up"));
    EXPECT_LE(mebibytes(info.peak_forecast_bytes), p.solve.max_memory_mb);
    EXPECT_GT(info.setup_peak_bytes, 0U);
  }
}

/// An error on all processes, in the same words, before more is there than the limit says.
void expect_refused(const Shared& rows, const Parameters& p, const char* what) {
  SCOPED_TRACE(what);
  const Share share(rows.host);
  const MemoryTracker memory(Space::memory_space::name(), true);
  DistributedSolver solver(all_processes(), p);
  const auto error = error_of([&] { solver.setup(Space(), share.rows()); });
  expect_error(error, ErrorKind::out_of_memory,
               {"setup: max_memory_mb is ", " on each process, and what was asked needs ", what,
                "raise max_memory_mb, or set preconditioner=amg for factors"});
  if (num_processes() > 1)
    expect_error(error, ErrorKind::out_of_memory,
                 {("on process 0 of " + std::to_string(num_processes())).c_str()});
  const auto length = static_cast<double>(std::string(error->what()).size());
  EXPECT_EQ(all_processes()->maximum_of(length), all_processes()->minimum_of(length));
  EXPECT_LE(mebibytes(memory.peak_bytes()), p.solve.max_memory_mb);
  // The solver is as good as new.
  const SharedProblem small({.problem = ProblemKind::poisson2d, .n = 4});
  solver.setup(Space(), Share(small.host).rows());
  EXPECT_TRUE(solver.solve(Space(), waves(small.first, small.num_rows()), zeros(small.num_rows()))
                  .converged());
}

TEST(DistributedFactorsMemory, IsRefusedBeforeItIsTaken) {
  if (!may_be_picked()) GTEST_SKIP() << "factors are in another memory";
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 60};
  const double factors = bytes_of_factors(gallery) / 0x1p20;
  for (const auto share : {odd_share, growing_share}) {
    const Shared rows = shared(gallery, share);
    const double kept =
        all_processes()->maximum_of(mebibytes(forecast_of(rows, asked_for()).kept_bytes));
    expect_refused(rows, within(kept - 0.5 * factors, asked_for()),
                   "tessera::direct::factors takes ");
  }
  const Shared rows = shared(gallery, odd_share);
  // Room for what is done with the own rows, but not for those of all three times.
  Parameters by_diagonal;
  by_diagonal.solve.preconditioner = PreconditionerKind::jacobi;
  const double of_rows =
      all_processes()->maximum_of(mebibytes(forecast_of(rows, by_diagonal).setup_bytes));
  expect_refused(rows, within(1.02 * of_rows, asked_for()),
                 "tessera::distributed::gathered_rows takes ");
  // Of a basis a forecast has more than its trial makes.
  const double peak = largest_peak(rows, asked_for());
  expect_refused(rows, within(0.999 * peak, asked_for()), "a forecast of ");
}

TEST(DistributedFactorsMemory, IsWithinALimitForNewValues) {
  if (!direct::available()) GTEST_SKIP() << "no SuiteSparse";
  // A device's small arrays share a quarter of a MiB, which is little of this.
  const int n = kernels::is_host_space<Space> ? 60 : 200;
  const Shared rows = shared({.problem = ProblemKind::poisson2d, .n = n}, odd_share);
  const Share share(rows.host);
  const Parameters p = within(1.5 * largest_peak(rows, asked_for()), asked_for());
  const MemoryTracker memory(Space::memory_space::name(), true);
  DistributedSolver solver(all_processes(), p);
  solver.setup(Space(), share.rows());
  for (int turn = 0; turn < 3; ++turn)
    solver.update_values(Space(), share.values);
  EXPECT_LE(mebibytes(memory.peak_bytes()), p.solve.max_memory_mb);
  EXPECT_TRUE(
      solver.solve(Space(), waves(rows.range.first, rows.range.count), zeros(rows.range.count))
          .converged());
}

/// A tolerance that no double meets: a basis is as long as the forecast has it, or as it was asked
/// for, which counts.
TEST(DistributedFactorsMemory, IsThatOfAShortBasis) {
  if (!direct::available()) GTEST_SKIP() << "no SuiteSparse";
  const Shared rows = shared({.problem = ProblemKind::poisson2d, .n = 60}, odd_share);
  const Share share(rows.host);
  const Vectors b = waves(rows.range.first, rows.range.count);
  for (const int restart : {SolverParameters().gmres.restart, 12}) {
    Parameters p = asked_for();
    p.solve.solver.tolerance = 1e-30;
    p.solve.solver.max_iterations = 100;
    p.solve.solver.gmres.restart = restart;
    p.solve.max_memory_mb = 1.01 * largest_peak(rows, p);
    const Vectors x = zeros(rows.range.count);
    const MemoryTracker memory(Space::memory_space::name(), true);
    DistributedSolver solver(all_processes(), p);
    solver.setup(Space(), share.rows());
    EXPECT_EQ(solver.parameters().solve.solver.gmres.restart, restart == 12 ? 12 : 3);
    EXPECT_EQ(noted(solver.hierarchy(), "solver.gmres.restart 3: max_memory_mb"), restart != 12);
    const auto result = solver.solve(Space(), b, x);
    EXPECT_FALSE(result.converged());
    expect_alike(result);
    // What gathers the vectors of all for the last digits is found out a step later.
    EXPECT_LE(mebibytes(memory.peak_bytes()), 1.1 * p.solve.max_memory_mb);
  }
}

/// With the preconditioner left open: picked where there is room, and else given up as on one
/// process.
TEST(DistributedFactorsMemory, DecidesWhatIsPicked) {
  if (!may_be_picked()) GTEST_SKIP() << "not picked here";
  Parameters open;
  open.gather_rows = 100;
  open.solve.solver.gmres.restart = 4;  // factors have no more of a basis than others
  for (const auto share : {odd_share, share_of_pairs}) {
    const Shared rows = of_both_signs(60, all_processes(), share);
    const double peak = largest_peak(rows, open);
    Parameters named = open;
    named.solve.preconditioner = PreconditionerKind::direct;
    EXPECT_DOUBLE_EQ(peak, largest_peak(rows, named));
    const HierarchyInfo info = solve(rows, within(1.05 * peak, open));
    EXPECT_TRUE(noted(info, "preconditioner direct: factors of "));
    EXPECT_FALSE(noted(info, "gives up"));
    Parameters by_levels = open;
    by_levels.solve.preconditioner = PreconditionerKind::amg;
    const double little = 0.9 * peak;
    const Share given(rows.host);
    DistributedSolver solver(all_processes(), within(little, open));
    solver.setup(Space(), given.rows());
    const HierarchyInfo frugal = solver.hierarchy();
    const bool may_have_levels = largest_peak(rows, by_levels) <= little;
    EXPECT_TRUE(noted(frugal, may_have_levels ? "gives up factors, for multigrid: max_memory_mb is "
                                              : "gives up multigrid, for the diagonal"));
    EXPECT_TRUE(noted(frugal, " on each process, and without that setup needs "));
    EXPECT_FALSE(noted(frugal, "preconditioner direct: "));
    EXPECT_EQ(frugal.levels.empty(), !may_have_levels);
  }
}

/// Shown beside what a setup took, without a limit.
TEST(DistributedFactorsMemory, IsShownWithoutALimit) {
  if (!may_be_picked()) GTEST_SKIP() << "not picked here";
  Parameters open;
  open.solve.forecast_memory = true;
  Parameters asked = asked_for();
  asked.solve.forecast_memory = true;
  for (const Parameters& p : {open, asked}) {
    const Shared rows = of_both_signs(60, all_processes());
    const Solved made = solved(all_processes(), rows, p);
    EXPECT_TRUE(made.result.converged());
    const auto forecast = static_cast<double>(made.hierarchy.setup_forecast_bytes);
    // With the trial that the forecast is from, whose solve may take more than the setup.
    const auto took = static_cast<double>(made.hierarchy.setup_peak_bytes);
    if (process() == 0) {
      EXPECT_GT(took, 0.95 * forecast);
      EXPECT_LT(took, 1.05 * static_cast<double>(made.hierarchy.peak_forecast_bytes));
    }
    EXPECT_GT(forecast, 0);
  }
}

/// The error of factors that `direct.max_memory_mb` does not allow is the one without a limit.
TEST(DistributedFactorsMemory, LeavesTheLimitOfFactors) {
  if (!direct::available()) GTEST_SKIP() << "no SuiteSparse";
  const Shared rows = shared({.problem = ProblemKind::poisson2d, .n = 40}, odd_share);
  const Share share(rows.host);
  Parameters p = within(1000, asked_for());
  p.solve.direct.max_memory_mb = 0.1;
  DistributedSolver solver(all_processes(), p);
  for (const bool is_setup : {true, false})
    expect_error(error_of([&] {
                   if (is_setup)
                     solver.setup(Space(), share.rows());
                   else
                     solver.forecast_memory(Space(), share.rows());
                 }),
                 ErrorKind::configuration,
                 {"'preconditioner=direct' has factors that would take ",
                  "more than 'direct.max_memory_mb'"});
}

}  // namespace tessera::test::factors_memory_test
