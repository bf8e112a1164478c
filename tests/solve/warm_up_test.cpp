// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/warm_up.hpp"

#include "support/device.hpp"
#include "support/solves.hpp"
#include "support/typed_tests.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/error.hpp"

namespace tessera::test::warm_up_test {

template <class Param>
class WarmUpTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  std::vector<Scalar> solution() {
    const auto problem =
        make_problem<Scalar, Space, Offset>(exec, {.problem = ProblemKind::poisson3d, .n = 20});
    const auto x = zeros<Scalar>(exec, problem.A.num_rows);
    auto solver = set_up(exec, problem);
    EXPECT_EQ(solver.solve(exec, problem.b, x).status, SolveStatus::converged);
    return to_host(x);
  }
};
TYPED_TEST_SUITE(WarmUpTest, Spaces, TypeNames);

TYPED_TEST(WarmUpTest, LeavesResultsTheSameHoweverOftenItIsCalled) {
  const auto before = this->solution();
  warm_up(this->exec);
  EXPECT_EQ(this->solution(), before);
  WarmUpOptions options;
  options.float_matrices = true;
  options.wide_offsets = true;
  options.bytes = 1 << 20;
  warm_up(this->exec, options);
  EXPECT_EQ(this->solution(), before);
}

TYPED_TEST(WarmUpTest, TakesTheParametersOfSolvesToCome) {
  WarmUpOptions options;
  options.parameters.solver.name = SolverName::gmres;
  options.parameters.amg.cycle = amg::CycleType::w;
  EXPECT_NO_THROW(warm_up(this->exec, options));
  options.parameters.amg.max_levels = 0;
  EXPECT_THROW(warm_up(this->exec, options), Error);
}

}  // namespace tessera::test::warm_up_test
