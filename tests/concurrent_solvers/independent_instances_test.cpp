// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A solve waits for its own execution-space instance, and for no other's work.
#include "concurrent_solvers/long_kernel.hpp"
#include "contract/tools_recorder.hpp"
#include "support/device.hpp"
#include "support/solves.hpp"
#include "support/typed_tests.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/host_space.hpp"

#include <ostream>
#include <vector>

namespace tessera::test::independent_instances_test {

struct Method {
  ProblemKind problem;
  int n;
  PreconditionerKind preconditioner;
  SolverName solver;
  /// A recording is made once, by a stream and memory that are new, and waits for the whole device:
  /// it comes before the solve that is watched, or never.
  int solves_before = 1;
  bool graph = true;

  friend std::ostream& operator<<(std::ostream& out, const Method& m) {
    return out << to_string(m.problem) << " " << m.n << ", after " << m.solves_before << " solves, "
               << (m.graph ? "with graphs" : "without graphs");
  }
};

constexpr Method methods[] = {
    {ProblemKind::poisson3d, 14, PreconditionerKind::amg, SolverName::cg},
    {ProblemKind::elasticity2d, 16, PreconditionerKind::amg, SolverName::cg},
    {ProblemKind::convdiff2d, 40, PreconditionerKind::amg, SolverName::gmres, 8},
    {ProblemKind::convdiff2d, 40, PreconditionerKind::amg, SolverName::gmres, 1, false},
    {ProblemKind::convdiff2d, 30, PreconditionerKind::jacobi, SolverName::bicgstab}};

/// A solver on an instance that has solved before: kernels are loaded, and room for vectors is
/// made. What comes before is not asked: Kokkos waits for the whole device where it frees memory.
template <class Space>
struct Repeated {
  Space exec;
  Problem<double, Space> problem;
  Solver<double, Space> solver;
  MultiVector<double, Space> x;
  SolveResult first;
  std::vector<double> x_of_first;

  Repeated(const Space& instance, const Method& method)
      : exec(instance),
        problem(make_problem<double, Space>(exec, {.problem = method.problem, .n = method.n})),
        solver(set_up(exec, problem, parameters_of(method))),
        x(zeros<double>(exec, problem.A.num_rows)),
        first(solver.solve(exec, problem.b, x)),
        x_of_first(to_host(x)) {
    EXPECT_EQ(first.status, SolveStatus::converged);
    start_from_zero();
    for (int solves = 1; solves < method.solves_before; ++solves) {
      expect_as_first(solve());
      start_from_zero();
    }
  }

  void start_from_zero() const {
    Kokkos::deep_copy(exec, x, 0.0);
    exec.fence("tessera::test: the guess is zero");
  }

  SolveResult solve() { return solver.solve(exec, problem.b, x); }

  void expect_as_first(const SolveResult& result) const {
    EXPECT_EQ(result.status, first.status);
    EXPECT_EQ(result.iterations, first.iterations);
    EXPECT_EQ(to_host(x), x_of_first);
  }

  static SolveParameters parameters_of(const Method& method) {
    SolveParameters parameters;
    parameters.preconditioner = method.preconditioner;
    parameters.solver.name = method.solver;
    // Its kernel would wait for processors that the other instance has.
    parameters.solver.single_kernel = SingleKernel::off;
    parameters.graph = method.graph;
    return parameters;
  }
};

template <class Space>
void solve_beside_a_long_kernel(const Space& solving, const Space& other, const Method& method) {
  Repeated<Space> repeated(solving, method);
  LongKernel<Space> kernel(other);
  ASSERT_TRUE(kernel.starts()) << "the other instance does not begin";
  const auto result = repeated.solve();
  EXPECT_FALSE(kernel.has_run_out()) << "the solve waited for the other instance's kernel";
  kernel.release();
  repeated.expect_as_first(result);
}

TESSERA_TEST_SUITE(IndependentInstances, Spaces, TypeNames);

TESSERA_TYPED_TEST(IndependentInstances, ASolveWaitsForItsOwn) {
  const auto solving = Kokkos::Experimental::partition_space(exec, 1, 1)[0];
  const auto own = Kokkos::Tools::Experimental::device_id(solving);
  for (const Method& method : methods) {
    SCOPED_TRACE(method);
    Repeated<Space> repeated(solving, method);
    const ToolsRecorder recorder;
    const auto result = repeated.solve();
    EXPECT_FALSE(recorder.fences.empty());
    for (const auto& fence : recorder.fences)
      EXPECT_EQ(fence.device, own) << fence.label;
    repeated.expect_as_first(result);
  }
}

TESSERA_TYPED_TEST(IndependentInstances, ASolveDoesNotWaitForAnotherOnesKernel) {
  if constexpr (kernels::is_host_space<Space>) {
    GTEST_SKIP() << "a host's kernel is over when its call returns: nothing is left to wait for";
  } else {
    const auto instances = Kokkos::Experimental::partition_space(exec, 1, 1);
    for (const Method& method : methods) {
      SCOPED_TRACE(method);
      solve_beside_a_long_kernel(instances[0], instances[1], method);
    }
  }
}

}  // namespace tessera::test::independent_instances_test
