// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Devices that refuse the launch of a solve in one kernel, as one does that others have a part of.
#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/notes.hpp"
#include "support/random_matrix.hpp"
#include "support/tools_observer.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/persistent/detail/run_solve.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solve.hpp"
#include "tessera/solve/solve_attempts.hpp"

#include <string_view>

namespace tessera::test::refused_launch_test {

/// While it lives, no solve by CG in one kernel starts. It stands where profiling tools
/// are called for a launch, on a host and on a device just before it is made.
class Refusal : public ToolsObserver<Refusal> {
 public:
  Refusal() { Kokkos::Tools::Experimental::set_begin_parallel_for_callback(refuse); }

  /// Launches that were refused.
  int count() const { return m_count; }

 private:
  static void refuse(const char* name, std::uint32_t, std::uint64_t*) {
    if (!std::string_view(name).starts_with("tessera::persistent::cg")) return;
    ++current().m_count;
    throw Error(ErrorKind::device, std::string(name) + ": too many blocks in cooperative launch");
  }
  int m_count = 0;
};

template <class Param>
class RefusedLaunch : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  static constexpr int width = 20;
  static constexpr std::size_t n = width * width;
  Space exec;
  kernels::Csr<double, Space, Offset> A = make_csr<Offset>(exec, poisson<double>(width, width));
  MultiVector<double, Space> b = to_multivector(exec, random_vector<double>(n), n);

  MultiVector<double, Space> zero() const {
    return to_multivector(exec, std::vector<double>(n, 0.0), n);
  }
  static SolveParameters parameters(PreconditionerKind kind) {
    SolveParameters p;
    p.solver.name = SolverName::cg;
    p.preconditioner = kind;
    p.solver.single_kernel = SingleKernel::on;
    return p;
  }
};
TYPED_TEST_SUITE(RefusedLaunch, Spaces, TypeNames);

constexpr PreconditionerKind all_kinds[] = {PreconditionerKind::none, PreconditionerKind::jacobi,
                                            PreconditionerKind::block_jacobi,
                                            PreconditionerKind::ilu, PreconditionerKind::amg};

TYPED_TEST(RefusedLaunch, IsAnErrorThatSaysWhatToDoWhereOneKernelIsAskedFor) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const auto kind : all_kinds) {
    Solver<double, Space, std::int32_t> solver(this->parameters(kind));
    solver.setup(this->exec, this->A);
    const auto x = this->zero();
    {
      const Refusal refusal;
      expect_error(error_of([&] { solver.solve(this->exec, this->b, x); }), ErrorKind::device,
                   {"too many blocks in cooperative launch", "solver.single_kernel=auto"});
      EXPECT_EQ(refusal.count(), 1);
    }
    // Nothing of it stays.
    const auto result = solver.solve(this->exec, this->b, x);
    EXPECT_TRUE(result.converged());
    EXPECT_TRUE(result.in_one_kernel);
  }
}

TYPED_TEST(RefusedLaunch, GoesOnByLaunchesWhereOneKernelWasPicked) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto& exec = this->exec;
  const Logger logger;
  for (const auto kind : all_kinds) {
    detail::SolverState<double, Space, std::int32_t> state(this->parameters(kind));
    state.choose_and_build(exec, this->A, {}, 0);
    state.set_ready(true);
    ASSERT_NE(state.single_kernel(), nullptr);
    // On a host nobody picks it.
    SolveParameters effective = state.effective();
    effective.solver.single_kernel = SingleKernel::automatic;
    ASSERT_TRUE(state.take_parameters(exec, effective));
    detail::SolveAttempts<double, Space, std::int32_t> attempts(state, logger, LogTiming::live);
    const Refusal refusal;
    for (int solve = 0; solve < 2; ++solve) {
      const auto x = this->zero();
      const auto result = attempts.solve(exec, this->b, x);
      EXPECT_TRUE(result.converged());
      EXPECT_FALSE(result.in_one_kernel);
      EXPECT_EQ(result.residual_history.size(), static_cast<std::size_t>(result.iterations) + 1);
      EXPECT_EQ(refusal.count(), 1) << "it is not tried again";
    }
    EXPECT_EQ(state.single_kernel(), nullptr);
    EXPECT_TRUE(noted(state.info(), "no single kernel: tessera::persistent::cg: too many"));
  }
}

/// A device that has no cooperative launches is sure of no worker beside another.
TEST(WorkersAtOnce, AreAnErrorWhereTheyCannotMeet) {
  using kernels::detail::workers_at_once;
  EXPECT_EQ(workers_at_once(0, 8), 1u);
  EXPECT_EQ(workers_at_once(5, 8), 5u);
  EXPECT_EQ(workers_at_once(500, 8), 8u);
  EXPECT_EQ(workers_at_once(1, 0), 1u);
  expect_error(error_of([] { workers_at_once(2, 0); }), ErrorKind::device,
               {"no cooperative launches"});
}

}  // namespace tessera::test::refused_launch_test
