// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// When `Solver` takes one launch for a whole solve, and that it is the same solve.
#include "support/device.hpp"
#include "support/notes.hpp"
#include "support/solves.hpp"
#include "support/typed_tests.hpp"

#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/solve.hpp"
#include "tessera/solver/single_kernel.hpp"

namespace tessera::test::single_kernel_test {

template <class Param>
class SingleKernelTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;
  Problem<double, Space> problem;

  void SetUp() override { problem = make(ProblemKind::poisson2d, 30); }
  Problem<double, Space> make(ProblemKind kind, int n) const {
    return make_problem<double, Space>(exec, {.problem = kind, .n = n});
  }

  struct Outcome {
    SolveResult result;
    std::vector<double> x;
    bool noted;  ///< that one kernel solves
    bool refused;  ///< that none does
  };
  Outcome run(SolveParameters parameters, int k = 1, Logger logger = {},
              LogTiming timing = LogTiming::live) const {
    auto solver = set_up(exec, problem.A, parameters);
    solver.set_logger(std::move(logger), timing);
    const auto n = static_cast<std::size_t>(problem.A.num_rows);
    const auto b = allocate_multivector<double>(exec, "tessera::test", n, k);
    Kokkos::deep_copy(exec, b, 1.0);
    const auto x = zeros<double>(exec, n, k);
    Outcome outcome;
    outcome.result = solver.solve(exec, b, x);
    outcome.x = to_host(x);
    outcome.noted = test::noted(solver.hierarchy(), "one kernel for a solve");
    outcome.refused = test::noted(solver.hierarchy(), "no single kernel");
    return outcome;
  }
  static void expect_same_solution(const Outcome& one, const Outcome& many) {
    EXPECT_TRUE(one.noted);
    EXPECT_TRUE(one.result.converged());
    EXPECT_LE(one.result.true_relative_residual, 1e-8);
    for (std::size_t i = 0; i < one.x.size(); ++i)
      ASSERT_NEAR(one.x[i], many.x[i], 1e-5 * many.x[many.x.size() / 2]);
  }
  static SolveParameters parameters(SolverName name, PreconditionerKind preconditioner,
                                    SingleKernel single_kernel) {
    SolveParameters p;
    p.preconditioner = preconditioner;
    p.solver.name = name;
    p.solver.single_kernel = single_kernel;
    return p;
  }
};
TYPED_TEST_SUITE(SingleKernelTest, Spaces, TypeNames);

TYPED_TEST(SingleKernelTest, IsTheSameSolve) {
  for (const auto name : {SolverName::cg, SolverName::bicgstab}) {
    for (const auto preconditioner :
         {PreconditionerKind::none, PreconditionerKind::jacobi, PreconditionerKind::block_jacobi}) {
      const auto one = this->run(this->parameters(name, preconditioner, SingleKernel::on));
      const auto many = this->run(this->parameters(name, preconditioner, SingleKernel::off));
      this->expect_same_solution(one, many);
      EXPECT_TRUE(one.result.in_one_kernel);
      EXPECT_FALSE(many.noted);
      EXPECT_FALSE(many.result.in_one_kernel);
      EXPECT_NEAR(one.result.iterations, many.result.iterations, 3);
      ASSERT_EQ(one.result.columns.size(), 1);
      EXPECT_NEAR(one.result.columns[0].reference_norm, 30, 1e-12);
    }
  }
}

TYPED_TEST(SingleKernelTest, IsPickedOnADeviceAlone) {
  const auto outcome = this->run(
      this->parameters(SolverName::cg, PreconditionerKind::jacobi, SingleKernel::automatic));
  EXPECT_EQ(outcome.noted, !kernels::is_host_space<typename TypeParam::Space>);
  EXPECT_TRUE(outcome.result.converged());
}

TYPED_TEST(SingleKernelTest, IsLeftWhereItCannotBe) {
  auto k_cycle = this->parameters(SolverName::cg, PreconditionerKind::amg, SingleKernel::on);
  k_cycle.amg.cycle = amg::CycleType::k;
  const auto with_k_cycle = this->run(k_cycle);
  EXPECT_TRUE(with_k_cycle.refused);
  EXPECT_TRUE(with_k_cycle.result.converged());
  EXPECT_FALSE(with_k_cycle.result.in_one_kernel);
  const auto gmres =
      this->run(this->parameters(SolverName::gmres, PreconditionerKind::jacobi, SingleKernel::on));
  EXPECT_TRUE(gmres.refused);
  EXPECT_TRUE(gmres.result.converged());
  const auto p = this->parameters(SolverName::cg, PreconditionerKind::jacobi, SingleKernel::on);
  // Several right-hand sides, and a logger, which sees every iteration.
  const auto several = this->run(p, 3).result;
  EXPECT_EQ(several.columns.size(), 3);
  EXPECT_FALSE(several.in_one_kernel);
  int seen = 0;
  const auto logged = this->run(p, 1, [&](const IterationInfo&) {
    ++seen;
    return true;
  });
  EXPECT_EQ(seen, logged.result.iterations + 1);
  EXPECT_FALSE(logged.result.in_one_kernel);
}

/// With multigrid inside: levels enough, smoothers, cycles, precisions and scalings.
TYPED_TEST(SingleKernelTest, HoldsMultigrid) {
  for (const auto name : {SolverName::cg, SolverName::bicgstab}) {
    for (const auto precision : {Precision::same, Precision::single}) {
      for (const auto smoother :
           {SmootherType::jacobi, SmootherType::l1_jacobi, SmootherType::chebyshev}) {
        for (const auto cycle : {amg::CycleType::v, amg::CycleType::w}) {
          for (const auto scaling : {Equilibration::none, Equilibration::powers_of_two}) {
            auto p = this->parameters(name, PreconditionerKind::amg, SingleKernel::on);
            p.precision = precision;
            p.equilibration = scaling;
            p.amg.smoother.type = smoother;
            p.amg.cycle = cycle;
            p.amg.coarse_size = 10;
            const auto one = this->run(p);
            p.solver.single_kernel = SingleKernel::off;
            const auto many = this->run(p);
            SCOPED_TRACE(std::to_string(static_cast<int>(smoother)) + " cycle " +
                         std::to_string(static_cast<int>(cycle)));
            this->expect_same_solution(one, many);
            EXPECT_LT(one.result.iterations, 20);
            EXPECT_NEAR(one.result.iterations, many.result.iterations, 2);
          }
        }
      }
    }
  }
}

TYPED_TEST(SingleKernelTest, HoldsMultigridOfAMatrixThatIsScaledAndGetsNewValues) {
  auto problem = this->make(ProblemKind::jump2d, 40);
  for (const auto precision : {Precision::same, Precision::single}) {
    auto p = this->parameters(SolverName::cg, PreconditionerKind::amg, SingleKernel::on);
    p.precision = precision;
    p.equilibration = Equilibration::powers_of_two;
    p.amg.reuse = amg::Reuse::interpolation;
    Solver<double, typename TypeParam::Space> solver(p);
    const auto& exec = this->exec;
    solver.setup(exec, problem.A);
    const std::size_t n = problem.A.num_rows;
    const auto b = allocate_multivector<double>(exec, "tessera::test", n);
    const auto x = allocate_multivector<double>(exec, "tessera::test", n);
    Kokkos::deep_copy(exec, b, 1.0);
    int before = 0;
    for (int round = 0; round < 3; ++round) {
      Kokkos::deep_copy(exec, x, 0.0);
      const auto result = solver.solve(exec, b, x);
      EXPECT_TRUE(result.converged());
      if (round == 0) before = result.iterations;
      EXPECT_NEAR(result.iterations, before, 2) << round;
      const MultiVectorView<double, typename TypeParam::Space> values =
          as_multivector(problem.A.values);
      kernels::scale(exec, 1000.0, values);
      solver.update_values(exec);
    }
  }
}

/// What the blocks are, by default and where there are nodes.
TYPED_TEST(SingleKernelTest, BlocksAreNodesWhereThereAreSome) {
  auto p = this->parameters(SolverName::cg, PreconditionerKind::block_jacobi, SingleKernel::off);
  p.solver.max_iterations = 5000;
  auto scalar = set_up(this->exec, this->problem.A, p);
  EXPECT_EQ(scalar.parameters().block_rows, 8);
  const auto elasticity = this->make(ProblemKind::elasticity3d, 5);
  auto nodes = set_up(this->exec, elasticity.A, p, {}, 3);
  EXPECT_EQ(nodes.parameters().block_rows, 3);
  p.block_rows = 6;
  auto asked = set_up(this->exec, elasticity.A, p, {}, 3);
  EXPECT_EQ(asked.parameters().block_rows, 6);
  for (auto* const solver : {&nodes, &asked}) {
    const auto x = zeros<double>(this->exec, elasticity.A.num_rows);
    EXPECT_TRUE(solver->solve(this->exec, elasticity.b, x).converged());
  }
}

TYPED_TEST(SingleKernelTest, ALoggerThatMayBeLateHearsOfEverything) {
  const auto p = this->parameters(SolverName::cg, PreconditionerKind::jacobi, SingleKernel::on);
  const auto without = this->run(p);
  std::vector<IterationInfo> heard;
  const auto logged = this->run(
      p, 1,
      [&](const IterationInfo& now) {
        heard.push_back(now);
        return true;
      },
      LogTiming::may_be_late);
  // The same bits: it was one kernel.
  EXPECT_EQ(logged.x, without.x);
  ASSERT_EQ(heard.size(), logged.result.residual_history.size());
  for (std::size_t i = 0; i < heard.size(); ++i) {
    EXPECT_EQ(heard[i].iteration, static_cast<int>(i));
    EXPECT_EQ(heard[i].relative_residual, logged.result.residual_history[i]);
    if (i > 0) {
      EXPECT_GE(heard[i].elapsed_ms, heard[i - 1].elapsed_ms);
    }
  }
  // What has converged stays so; what has not was interrupted.
  const auto stops = [](const IterationInfo& now) { return now.iteration < 5; };
  EXPECT_TRUE(this->run(p, 1, stops, LogTiming::may_be_late).result.converged());
  auto limited = p;
  limited.solver.max_iterations = 10;
  EXPECT_EQ(this->run(limited, 1, stops, LogTiming::may_be_late).result.status,
            SolveStatus::interrupted);
  // One that is to hear at once can stop it at once.
  const auto live = this->run(p, 1, stops);
  EXPECT_EQ(live.result.status, SolveStatus::interrupted);
  EXPECT_EQ(live.result.iterations, 5);
}

TYPED_TEST(SingleKernelTest, ABreakdownGoesOnWithGmresWhereTheMethodWasPicked) {
  using Space = typename TypeParam::Space;
  const Space exec;
  // Indefinite, with a positive diagonal: CG is picked by `auto`, and breaks down.
  const std::vector<std::int64_t> offsets{0, 2, 4, 5};
  const auto A = make_csr<std::int32_t>(exec, 3, 3, offsets, {0, 1, 0, 1, 2},
                                        std::vector<double>{1, 3, 3, 1, 1});
  SolveParameters p;
  p.preconditioner = PreconditionerKind::jacobi;
  p.solver.single_kernel = SingleKernel::on;
  auto solver = set_up(exec, A, p);
  const auto b = to_multivector(exec, std::vector<double>{1, -1, 1}, 3);
  const auto x = to_multivector(exec, std::vector<double>{0, 0, 0}, 3);
  const auto result = solver.solve(exec, b, x);
  EXPECT_TRUE(result.converged());
  EXPECT_FALSE(result.in_one_kernel);  // it began so
  EXPECT_LE(result.true_relative_residual, 1e-8);
}

TYPED_TEST(SingleKernelTest, SaysWhatStandsInItsWay) {
  using One = SingleKernelSolver<double, typename TypeParam::Space>;
  EXPECT_NO_THROW(One{SolverParameters{.name = SolverName::cg}});
  for (const SolverParameters& p :
       {SolverParameters{.name = SolverName::gmres},
        SolverParameters{.name = SolverName::cg, .residual = ResidualKind::true_residual},
        SolverParameters{.name = SolverName::cg, .nullspace = NullspaceKind::constant},
        SolverParameters{.name = SolverName::bicgstab, .side = PreconditioningSide::left}})
    EXPECT_THROW(One{p}, Error);
}

}  // namespace tessera::test::single_kernel_test
