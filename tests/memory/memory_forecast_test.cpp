// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Forecasts of memory beside what a setup and a solve take, on the gallery's problems and on real
/// matrices.
#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "real_matrices/real_matrix.hpp"
#include "support/device.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"
#include "tessera/solve.hpp"
#include "tessera/solve/forecast.hpp"

namespace tessera::test::memory_forecast_test {

using Space = DeviceSpace;
using Matrix = kernels::Csr<double, Space>;

/// The most bytes at once of a setup, and of both it and the first iterations of a solve.
struct Measured {
  double setup = 0;
  double peak = 0;
};

Measured measure(const Matrix& A, const MultiVector<double, Space>& near_nullspace, int block_size,
                 const SolveParameters& parameters) {
  const Space exec;
  const auto b = to_multivector(exec, vector_in_range(to_host(A)), A.num_rows, 1);
  const auto x = allocate_multivector<double>(exec, "x", A.num_rows);
  Kokkos::deep_copy(exec, x, 0.0);
  const MemoryTracker memory(Space::memory_space::name(), true);
  Solver<double, Space> solver(parameters);
  solver.set_logger([](const IterationInfo& now) { return now.iteration < 3; });
  solver.setup(exec, A, near_nullspace, block_size);
  Measured measured;
  measured.setup = static_cast<double>(memory.peak_bytes());
  solver.solve(exec, b, x);
  measured.peak = static_cast<double>(memory.peak_bytes());
  return measured;
}

/// Compares the forecast from at most so many entries with what is measured.
void expect_forecast(const std::string& name, const Matrix& A, double trial_entries,
                     const MultiVector<double, Space>& near_nullspace = {}, int block_size = 0,
                     const SolveParameters& parameters = {}, double least = 0.5, double most = 2) {
  const Space exec;
  const auto forecast = detail::forecast_memory<double, Space, std::int32_t>(
      exec, A, near_nullspace, block_size, parameters, {}, trial_entries);
  const Measured measured = measure(A, near_nullspace, block_size, parameters);
  const double of_setup = static_cast<double>(forecast.setup_bytes) / measured.setup;
  const double of_peak = static_cast<double>(forecast.peak_bytes()) / measured.peak;
  std::cout << name << ": from " << 100 * forecast.share << " % of the entries, setup "
            << 1e-6 * measured.setup << " MB, forecast over that " << of_setup << ", of the peak "
            << of_peak << '\n';
  EXPECT_GT(of_setup, least) << name;
  EXPECT_LT(of_setup, most) << name;
  EXPECT_GT(of_peak, 0.5) << name;
  EXPECT_LT(of_peak, most) << name;
}

/// On an H200 a setup of 27-point Poisson on 32^3 points took 11.68 MB, of 9.17 % of its entries
/// 3.97 and of 48.5 % 7.85: by the share of the smaller piece it would be 43.
TEST(BytesByTwo, LeaveAPartThatDoesNotGrowAsItIs) {
  using detail::bytes_by_two;
  EXPECT_NEAR(static_cast<double>(bytes_by_two({48.5, 7850000}, {9.17, 3970000}, 100)), 11.68e6,
              2e6);
  EXPECT_EQ(bytes_by_two({10, 100}, {5, 50}, 100), 1000U);
  EXPECT_EQ(bytes_by_two({10, 100}, {5, 100}, 100), 100U);
  EXPECT_EQ(bytes_by_two({10, 100}, {5, 120}, 100), 100U) << "not less than the larger piece";
  EXPECT_EQ(bytes_by_two({10, 100}, {5, 0}, 100), 1000U) << "not more than by its share";
  EXPECT_EQ(bytes_by_two({10, 100}, {}, 100), 1000U) << "of one piece alone";
}

GalleryParameters of(ProblemKind kind, int n, int order = 1) {
  return {.problem = kind, .n = n, .order = order};
}

class Forecast : public ::testing::TestWithParam<GalleryParameters> {};

TEST_P(Forecast, IsWithinAFactorOfTwo) {
  const auto problem = make_problem<double, Space>(Space(), GetParam());
  const std::string name = problem.description;
  const auto entries = static_cast<double>(problem.A.num_entries());
  expect_forecast(name, problem.A, 0.5 * entries, problem.near_nullspace, problem.block_size);
  // On a device a part of what 3,000 rows take is fixed.
  const double most = kernels::is_host_space<Space> ? 2 : 2.5;
  expect_forecast(name, problem.A, 0.1 * entries, problem.near_nullspace, problem.block_size, {},
                  0.5, most);
  for (const auto precision : {Precision::same, Precision::single}) {
    SolveParameters p;
    p.preconditioner = PreconditionerKind::amg;
    p.precision = precision;
    p.amg.reuse = amg::Reuse::symbolic;
    p.amg.storage.format = StorageFormat::mbsr;
    expect_forecast(name + " for new values, in tiles", problem.A, 0.2 * entries,
                    problem.near_nullspace, problem.block_size, p);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Gallery, Forecast,
    ::testing::Values(of(ProblemKind::poisson2d, 400), of(ProblemKind::poisson3d, 48),
                      of(ProblemKind::poisson3d27, 32), of(ProblemKind::convdiff3d, 40),
                      of(ProblemKind::graph, 245), of(ProblemKind::elasticity3d, 18),
                      of(ProblemKind::elasticity2d, 100)));

TEST(ForecastOf, EveryCoarseningAndPreconditioner) {
  const auto problem = make_problem<double, Space>(Space(), of(ProblemKind::poisson3d, 40));
  const auto expect = [&](const char* name, const auto& set) {
    SolveParameters p;
    p.preconditioner = PreconditionerKind::amg;
    set(p);
    expect_forecast(name, problem.A, 100000, {}, 0, p);
  };
  for (const auto kind : {amg::CoarseningKind::pairwise, amg::CoarseningKind::classical})
    expect("another coarsening", [&](auto& p) { p.amg.coarsening = kind; });
  for (const auto kind : {PreconditionerKind::jacobi, PreconditionerKind::ilu,
                          PreconditionerKind::block_jacobi, PreconditionerKind::none})
    expect("no multigrid", [&](auto& p) { p.preconditioner = kind; });
  expect("half", [](auto& p) { p.amg.storage.scalar = StorageScalar::half; });
  expect("boxes of a grid, which no piece is",
         [](auto& p) { p.amg.smoothed_aggregation.aggregation = amg::Aggregation::structured; });
  expect("gmres", [](auto& p) { p.solver.name = SolverName::gmres; });
  expect("ell", [](auto& p) { p.amg.storage.format = StorageFormat::ell; });
}

TEST(ForecastOf, AReduction) {
  const auto problem = make_problem<double, Space>(Space(), of(ProblemKind::convdiff3d, 24));
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  p.amg.coarsening = amg::CoarseningKind::reduction;
  const auto entries = static_cast<double>(problem.A.num_entries());
  expect_forecast("reduction", problem.A, 0.3 * entries, {}, 0, p);
}

TEST(ForecastOf, RealMatrices) {
  const std::string missing = why_unreadable();
  if (!missing.empty()) GTEST_SKIP() << missing;
  for (const char* name :
       {"swh_elasticity_p1", "GT01R",    "brack2_lap",  "mdual_lap", "shallow_water1",
        "rail_79841",        "bcsstk38", "s3rmt3m3",    "Dubcova1",  "G2_circuit",
        "memplus",           "cvxbqp1",  "bcsstk18",    "lhr07",     "ex14",
        "Trefethen_20000",   "cage9",    "poisson4009", "add32",     "EVSL_A"}) {
    if (!why_unreadable(name).empty()) continue;
    const Matrix A = read_real_matrix(Space(), name);
    const auto entries = static_cast<double>(A.num_entries());
    // A few of its rows are so long that no piece is like the rest.
    const bool has_hubs = name == std::string("memplus");
    // Without levels a setup takes little beside the solve: 1.2 MB on an H200, 0.5 by the forecast.
    const bool has_no_levels =
        !kernels::is_host_space<Space> && name == std::string("Trefethen_20000");
    const double least = has_hubs || has_no_levels ? 0.4 : 0.5;
    const double most = has_hubs ? 3 : 2;  // 2.4 on an H200; of the peak, which counts, 1.04
    expect_forecast(name, A, 0.3 * entries, {}, 0, {}, least, most);
    expect_forecast(std::string(name) + " as it is", A, rules::max_entries_of_trial);
  }
}

}  // namespace tessera::test::memory_forecast_test
