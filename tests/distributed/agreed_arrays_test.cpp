// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Arrays of setups, updates and solves are allocated in steps of all processes: where one has no
/// room for them, none waits for it.
#include "distributed/factors_cases.hpp"
#include "distributed/reduction_cases.hpp"
#include "support/notes.hpp"
#include "support/tools_observer.hpp"
#include "tessera/distributed/level_rows.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/distributed/pairwise_aggregates.hpp"
#include "tessera/distributed/step_memory_limit.hpp"
#include "tessera/distributed/transposition.hpp"
#include "tessera/smoother/smoother_needs.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace tessera::test::agreed_arrays_test {

using namespace reduction_cases;
using Labels = std::set<std::string, std::less<>>;

/// Labels of the arrays that are allocated while it lives, in steps of `on_all_processes` and
/// between them.
class Allocations : public ToolsObserver<Allocations> {
 public:
  Allocations() {
    Kokkos::Tools::Experimental::set_allocate_data_callback(
        [](Kokkos::Profiling::SpaceHandle space, const char* label, const void*, std::uint64_t) {
          if (space.name == memory) current().note(label);
        });
    m_limit.emplace(memory, limit_of_steps);
  }

  Labels in_steps, between_steps;

 private:
  static constexpr std::int64_t limit_of_steps = std::int64_t(1) << 50;
  static inline const std::string_view memory = Space::memory_space::name();

  /// In a step, and there alone, what goes beyond the limit is refused.
  static bool is_in_step() {
    try {
      MemoryTracker::require_room(memory, "more than the limit",
                                  static_cast<std::size_t>(2 * limit_of_steps));
    } catch (const MemoryLimitExceeded&) {
      return true;
    }
    return false;
  }
  void note(const char* label) { (is_in_step() ? in_steps : between_steps).insert(label); }

  std::optional<distributed::StepMemoryLimit> m_limit;
};

/// Nothing of Tessera's is allocated where a process that leaves would be waited for.
void expect_steps(const Allocations& allocations) {
  EXPECT_FALSE(allocations.in_steps.empty());
  for (const std::string& label : allocations.between_steps)
    EXPECT_FALSE(label.starts_with("tessera::")) << label;
}

TEST(DistributedAgreedArrays, AreThoseOfPairs) {
  const Space exec;
  const SharedProblem problem({.problem = ProblemKind::unstructured3d, .n = 9});
  const Share rows(problem.host);
  const auto A = distributed::numbered(exec, all_processes(), rows.rows()).matrix;
  auto fine = distributed::level_rows(A, 1);
  distributed::Transposition<Space> transpose;
  fine.transposed = std::make_shared<distributed::LevelTranspose<Space>>(
      distributed::level_transpose(exec, A, transpose.make(exec, A), 1));
  const Allocations allocations;
  distributed::aggregate_pairwise(exec, fine, {.passes = 3});
  for (const char* const label :
       {"tessera::pairwise::root_of", "tessera::distributed::PairGraph::scale",
        "tessera::distributed::answers", "tessera::distributed::Pairs::second"})
    EXPECT_TRUE(allocations.in_steps.contains(label)) << label;
  expect_steps(allocations);
}

/// Fronts, aggressive levels by passes, systems by unknowns, points that are relaxed apart, and
/// levels that go to fewer processes.
TEST(DistributedAgreedArrays, AreThoseOfPoints) {
  const SharedProblem problem({.problem = ProblemKind::elasticity3d, .n = 8});
  const Share rows(problem.host);
  for (const auto interpolation :
       {amg::AggressiveInterpolation::multipass, amg::AggressiveInterpolation::two_stage}) {
    Parameters p = classical();
    p.block_size = 3;
    p.rows_per_process = 200;
    p.solve.amg.pool_memory = false;  // each array under its own label
    p.solve.amg.smoother.type = SmootherType::l1_jacobi;
    p.solve.amg.smoother.points = RelaxationPoints::fc;
    p.solve.amg.classical.splitting = amg::PointSplitting::advancing_front;
    p.solve.amg.classical.systems = amg::SystemSplitting::unknowns;
    p.solve.amg.classical.aggressive_levels = 1;
    p.solve.amg.classical.aggressive_interpolation = interpolation;
    DistributedSolver solver(all_processes(), p);
    const Allocations allocations;
    solver.setup(Space(), rows.rows());
    const Labels steps = {
        "fronts::seen",
        "functions",
        "coarse_numbers",
        "rows_of_set",
        "second_splitting",
        interpolation == amg::AggressiveInterpolation::multipass ? "multipass::points" : "squared"};
    for (const std::string& step : steps) {
      const std::string label = "tessera::distributed::" + step;
      EXPECT_TRUE(allocations.in_steps.contains(label)) << label;
    }
    expect_steps(allocations);
  }
}

/// Levels of several kinds of cycles that stay on all processes, but for the last ones.
Parameters aggregating() {
  Parameters p;
  p.solve.preconditioner = PreconditionerKind::amg;
  p.solve.amg.coarsening = amg::CoarseningKind::smoothed_aggregation;
  p.solve.amg.pool_memory = false;  // each array under its own label
  p.solve.amg.reuse = amg::Reuse::symbolic;
  p.gather_rows = 60;
  p.rows_per_process = 150;
  return p;
}

/// A setup, a solve for a column, one for three, and new values.
void expect_steps_of(const GalleryParameters& gallery, const Parameters& p,
                     bool gives_vectors = false) {
  SCOPED_TRACE(to_string(gallery.problem));
  const SharedProblem problem(gallery);
  const Share rows(problem.host);
  const Vectors vectors = gives_vectors ? problem.near_nullspace() : Vectors();
  const Space exec;
  const Vectors b = waves(problem.first, problem.num_rows(), 3);
  const Vectors x = zeros(problem.num_rows(), 3);
  const Vectors one = zeros(problem.num_rows());
  DistributedSolver solver(all_processes(), p);
  const Allocations allocations;
  solver.setup(exec, rows.rows(), vectors);
  solver.solve(exec, b, x);
  solver.solve(exec, waves(problem.first, problem.num_rows()), one);
  solver.update_values(exec, rows.values);
  solver.solve(exec, b, x);
  expect_steps(allocations);
}

TEST(DistributedAgreedArrays, AreThoseOfAggregates) {
  const Parameters p = aggregating();
  expect_steps_of({.problem = ProblemKind::poisson2d, .n = 30}, p);
  expect_steps_of({.problem = ProblemKind::anisotropic2d, .n = 30}, p);
  expect_steps_of({.problem = ProblemKind::poisson3d, .n = 12}, p);
  expect_steps_of({.problem = ProblemKind::unstructured3d, .n = 10}, p);
  expect_steps_of({.problem = ProblemKind::convdiff2d, .n = 30}, p);
  Parameters by_nodes = p;
  by_nodes.block_size = 3;
  expect_steps_of({.problem = ProblemKind::elasticity3d, .n = 7}, by_nodes, true);
}

TEST(DistributedAgreedArrays, AreThoseOfSmoothersAndCycles) {
  const GalleryParameters gallery{.problem = ProblemKind::unstructured3d, .n = 9};
  for (const SmootherType type : {SmootherType::chebyshev, SmootherType::gauss_seidel,
                                  SmootherType::ilu, SmootherType::l1_jacobi}) {
    Parameters p = aggregating();
    p.solve.amg.smoother.type = type;
    SCOPED_TRACE(smoother_name(type));
    expect_steps_of(gallery, p);
  }
  Parameters p = aggregating();
  p.solve.amg.cycle = amg::CycleType::k;
  expect_steps_of(gallery, p);
  p.solve.amg.cycle = amg::CycleType::w;
  p.solve.precision = Precision::single;
  expect_steps_of(gallery, p);
}

TEST(DistributedAgreedArrays, AreThoseOfOtherCoarsenings) {
  for (const auto coarsening : {amg::CoarseningKind::classical, amg::CoarseningKind::pairwise,
                                amg::CoarseningKind::reduction}) {
    Parameters p = aggregating();
    p.solve.amg.coarsening = coarsening;
    SCOPED_TRACE(amg::coarsening_name(coarsening));
    expect_steps_of({.problem = ProblemKind::unstructured2d, .n = 25}, p);
    expect_steps_of({.problem = ProblemKind::convdiff2d, .n = 25}, p);
  }
}

TEST(DistributedAgreedArrays, AreThoseOfMethods) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 25};
  for (const SolverName name :
       {SolverName::cg, SolverName::bicgstab, SolverName::fgmres, SolverName::richardson}) {
    Parameters p = aggregating();
    p.solve.solver.name = name;
    p.solve.solver.gmres.restart = 5;
    p.solve.solver.max_iterations = 12;
    SCOPED_TRACE(static_cast<int>(name));
    expect_steps_of(gallery, p);
  }
}

TEST(DistributedAgreedArrays, AreThoseOfOtherPreconditioners) {
  for (const PreconditionerKind kind :
       {PreconditionerKind::jacobi, PreconditionerKind::ilu, PreconditionerKind::block_jacobi}) {
    Parameters p = aggregating();
    p.solve.preconditioner = kind;
    expect_steps_of({.problem = ProblemKind::poisson2d, .n = 15}, p);
  }
}

/// From multigrid to sparse factors, in the midst of iterations and within a limit.
TEST(DistributedAgreedArrays, AreThoseOfATurnToFactors) {
  if (!factors_cases::may_be_picked()) GTEST_SKIP() << "not picked here";
  const auto given = factors_cases::biharmonic(100, all_processes());
  const Share rows(given.host);
  const Vectors b = waves(given.range.first, given.range.count);
  const Vectors x = zeros(given.range.count);
  Parameters p = factors_cases::slow();
  p.solve.amg.pool_memory = false;
  p.solve.max_memory_mb = 1000;
  DistributedSolver solver(all_processes(), p);
  const Allocations allocations;
  solver.setup(Space(), rows.rows());
  EXPECT_TRUE(solver.solve(Space(), b, x).converged());
  EXPECT_TRUE(noted(solver.hierarchy(), "preconditioner direct: after "));
  expect_steps(allocations);
}

/// Sums that are the same for any shares are computed by other code.
TEST(DistributedAgreedArrays, AreThoseOfReproducibleSolves) {
  Parameters p = aggregating();
  p.reproducible = true;
  expect_steps_of({.problem = ProblemKind::unstructured3d, .n = 9}, p);
  p.solve.amg.cycle = amg::CycleType::k;
  expect_steps_of({.problem = ProblemKind::convdiff2d, .n = 25}, p);
}

}  // namespace tessera::test::agreed_arrays_test
