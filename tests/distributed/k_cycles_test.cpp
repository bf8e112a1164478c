// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// K-cycles, whose inner products are of all processes' rows.
#include "distributed/shared_matrix.hpp"
#include "support/systems.hpp"

namespace tessera::test::distributed_k_cycles_test {

using distributed::Parameters;
using shared_matrix::Communicator;
using shared_matrix::num_different;
using shared_matrix::SharedSolve;
using shared_matrix::ShareOfRow;

Parameters by_k_cycles(amg::CoarseningKind coarsening, int gather_rows = 60) {
  Parameters p;
  p.gather_rows = gather_rows;
  p.solve.preconditioner = PreconditionerKind::amg;
  p.solve.precision = Precision::same;
  p.solve.solver.name = SolverName::fgmres;
  p.solve.amg.coarsening = coarsening;
  p.solve.amg.cycle = amg::CycleType::k;
  p.solve.amg.smoother.type = SmootherType::jacobi;
  p.solve.amg.coarse_size = 20;
  return p;
}

SharedSolve solved_by(const Communicator& processes, const GalleryParameters& gallery,
                      const Parameters& p, int columns = 1, ShareOfRow share = odd_share) {
  const SharedProblem problem(gallery, processes->size(), processes->rank(), share);
  DistributedSolver solver(processes, p);
  solver.setup(Space(), Share(problem.host).rows());
  if (p.solve.amg.reuse != amg::Reuse::none) {
    auto values = problem.host.values;
    for (double& value : values)
      value *= 3;
    solver.update_values(Space(), on_device(values));
  }
  const Vectors x = zeros(problem.num_rows(), columns);
  auto result = solver.solve(Space(), waves(problem.first, problem.num_rows(), columns), x);
  return {std::move(result),
          x,
          {static_cast<int>(problem.first), problem.num_rows()},
          solver.parameters()};
}

Vectors times(const Vectors& v, double factor) {
  const Vectors made("times", v.extent(0), v.extent(1));
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
  for (std::size_t j = 0; j < v.extent(1); ++j)
    for (std::size_t i = 0; i < v.extent(0); ++i)
      host(i, j) *= factor;
  Kokkos::deep_copy(made, host);
  return made;
}

const GalleryParameters grid{.problem = ProblemKind::poisson3d, .n = 14};
const GalleryParameters flow{.problem = ProblemKind::convdiff2d, .n = 40, .peclet = 100};

TEST(DistributedKCycles, TakeTheIterationsOfOneProcess) {
  for (const auto& gallery : {grid, flow}) {
    for (const auto kind :
         {amg::CoarseningKind::pairwise, amg::CoarseningKind::smoothed_aggregation,
          amg::CoarseningKind::classical}) {
      SCOPED_TRACE(amg::coarsening_name(kind));
      const Parameters p = by_k_cycles(kind);
      const SharedSolve alone = solved_by(distributed::alone(), gallery, p, 3);
      for (const auto share : {odd_share, share_of_pairs, growing_share}) {
        const SharedSolve together = solved_by(all_processes(), gallery, p, 3, share);
        EXPECT_TRUE(together.result.converged()) << to_string(together.result.status);
        EXPECT_EQ(together.result.iterations, alone.result.iterations);
      }
    }
  }
}

/// Wherever the levels are that process 0 goes on with: these, too, are corrected by two steps.
TEST(DistributedKCycles, AreThoseOfOneProcess) {
  for (const auto& gallery : {grid, flow}) {
    const SharedProblem whole(gallery, 1, 0);
    const Parameters p = by_k_cycles(amg::CoarseningKind::classical);
    Solver<double, Space, std::int64_t> one(p.solve);
    const Share rows(whole.host);
    kernels::Csr<double, Space, std::int64_t> A;
    A.num_rows = A.num_cols = whole.num_rows();
    A.offsets = rows.offsets;
    A.columns =
        on_device(std::vector<Ordinal>(whole.host.columns.begin(), whole.host.columns.end()));
    A.values = rows.values;
    one.setup(Space(), A);
    const SolveResult expected =
        one.solve(Space(), waves(0, whole.num_rows()), zeros(whole.num_rows()));
    ASSERT_TRUE(expected.converged());
    for (const int gather_rows : {30, 200, 100000}) {
      const SharedSolve made = solved_by(all_processes(), gallery,
                                         by_k_cycles(amg::CoarseningKind::classical, gather_rows));
      EXPECT_EQ(made.result.iterations, expected.iterations) << gather_rows;
    }
  }
}

TEST(DistributedKCycles, TakeFewerIterationsThanOthers) {
  const GalleryParameters plane{.problem = ProblemKind::poisson2d, .n = 60};
  Parameters p = by_k_cycles(amg::CoarseningKind::pairwise);
  const int by_k = solved_by(all_processes(), plane, p).result.iterations;
  p.solve.amg.cycle = amg::CycleType::v;
  EXPECT_LT(by_k, solved_by(all_processes(), plane, p).result.iterations);
}

TEST(DistributedKCycles, HaveTheBitsOfOneProcess) {
  for (const auto& gallery : {grid, flow}) {
    for (const auto precision : {Precision::same, Precision::single}) {
      Parameters p = by_k_cycles(amg::CoarseningKind::pairwise);
      p.reproducible = true;
      p.solve.precision = precision;
      const SharedSolve alone = solved_by(distributed::alone(), gallery, p, 2);
      for (const auto share : {odd_share, share_of_pairs})
        EXPECT_EQ(num_different(solved_by(all_processes(), gallery, p, 2, share), alone), 0);
    }
  }
}

TEST(DistributedKCycles, TakeFewerProcessesForCoarseLevels) {
  Parameters p = by_k_cycles(amg::CoarseningKind::pairwise);
  const int expected = solved_by(distributed::alone(), grid, p).result.iterations;
  for (const int rows : {1, 200, 1000}) {
    p.rows_per_process = rows;
    EXPECT_EQ(solved_by(all_processes(), grid, p).result.iterations, expected);
  }
}

TEST(DistributedKCycles, FollowNewValuesOfAnyMagnitude) {
  for (const auto precision : {Precision::same, Precision::single}) {
    Parameters p = by_k_cycles(amg::CoarseningKind::pairwise);
    p.solve.precision = precision;
    p.solve.amg.reuse = amg::Reuse::symbolic;
    const SharedSolve updated = solved_by(all_processes(), grid, p);
    EXPECT_TRUE(updated.result.converged());
    p.solve.amg.reuse = amg::Reuse::none;
    EXPECT_EQ(solved_by(all_processes(), grid, p).result.iterations, updated.result.iterations);
  }
  const SharedProblem problem(grid);
  DistributedSolver solver(all_processes(), by_k_cycles(amg::CoarseningKind::pairwise));
  solver.setup(Space(), Share(problem.host).rows());
  const auto b = waves(problem.first, problem.num_rows(), 2);
  const auto z = zeros(problem.num_rows(), 2), of_tiny = zeros(problem.num_rows(), 2);
  solver.apply_preconditioner(Space(), b, z);
  constexpr double tiny = 0x1p-700;
  solver.apply_preconditioner(Space(), times(b, tiny), of_tiny);
  EXPECT_EQ(on_host(times(z, tiny)), on_host(of_tiny));
}

TEST(DistributedKCycles, TakeOneRow) {
  HostMatrix<double> one;
  one.num_rows = one.num_cols = 1;
  one.push(0, 2);
  one.end_row();
  const shared_matrix::Shared shared(one, all_processes(), growing_share);
  DistributedSolver solver(all_processes(), by_k_cycles(amg::CoarseningKind::pairwise));
  solver.setup(Space(), Share(shared.rows()).rows());
  EXPECT_TRUE(shared_matrix::solved(solver, shared, {3}).result.converged());
}

}  // namespace tessera::test::distributed_k_cycles_test
