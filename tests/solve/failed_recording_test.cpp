// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a solver says of iterations that could not be recorded.
#include "support/device.hpp"
#include "support/reference.hpp"
#include "support/solves.hpp"
#include "support/typed_tests.hpp"

#include "tessera/solve.hpp"
#include "tessera/solve/solve_attempts.hpp"

#include <memory>

namespace tessera::test::failed_recording_test {

/// Runs work as it is, and fails to record it from a run on.
template <class Space>
class FailingRunner : public IterationRunner<Space> {
 public:
  using typename IterationRunner<Space>::Key;
  using typename IterationRunner<Space>::Work;

  explicit FailingRunner(int runs_before) : m_runs_before(runs_before) {}

  void run(const Space& exec, const Key&, int, const Work&, const Work& unrecorded) override {
    unrecorded(exec);
    if (++m_runs > m_runs_before) m_failure = "no memory for it";
  }
  void begin_solve() override {}
  void forget() override {}
  std::size_t num_captures() const override { return 0; }
  std::size_t num_launches() const override { return 0; }
  const std::string& failure() const override { return m_failure; }

 private:
  int m_runs_before;
  int m_runs = 0;
  std::string m_failure;
};

TESSERA_TEST_SUITE(FailedRecordingTest, Spaces, TypeNames);

TYPED_TEST(FailedRecordingTest, IsNotedOnce) {
  using Space = typename TypeParam::Space;
  const Space exec;
  const auto A = make_csr<std::int32_t>(exec, poisson<double>(20, 20));
  SolveParameters p;
  p.preconditioner = PreconditionerKind::jacobi;
  p.solver.single_kernel = SingleKernel::off;
  detail::SolverState<double, Space, std::int32_t> state(p);
  state.choose_and_build(exec, A, {}, 0);
  state.set_ready(true);
  state.run_by(std::make_shared<FailingRunner<Space>>(5));
  const auto notes = [&] {
    const std::string note =
        "iterations are launched kernel by kernel: recording them failed (no memory for it)";
    return std::count(state.info().notes.begin(), state.info().notes.end(), note);
  };
  const auto n = static_cast<std::size_t>(A.num_rows);
  const auto b = to_multivector(exec, std::vector<double>(n, 1.0), n, 1);
  state.note_failed_recordings();
  EXPECT_EQ(notes(), 0);
  const Logger logger;
  for (int solve = 0; solve < 2; ++solve) {
    const auto x = zeros<double>(exec, n);
    detail::SolveAttempts<double, Space, std::int32_t> attempts(state, logger, LogTiming::live);
    EXPECT_TRUE(attempts.solve(exec, b, x).converged());
    state.note_failed_recordings();
    EXPECT_EQ(notes(), 1);
  }
}

}  // namespace tessera::test::failed_recording_test
