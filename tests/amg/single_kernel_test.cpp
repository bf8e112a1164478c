// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// When `Solver` takes one launch for a whole solve, and that it is the same solve.
#include "support/device.hpp"
#include "support/typed_tests.hpp"

#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/host_space.hpp"
#include "tessera/solve.hpp"
#include "tessera/solver/single_kernel.hpp"

#include <algorithm>

namespace tessera::test {
namespace {

template <class Param>
class SingleKernelTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;
  Problem<double, Space> problem;

  void SetUp() override { problem = make(ProblemKind::poisson2d, 30); }
  Problem<double, Space> make(ProblemKind kind, int n) const {
    GalleryParameters gallery;
    gallery.problem = kind;
    gallery.n = n;
    return make_problem<double, Space>(exec, gallery);
  }

  struct Outcome {
    SolveResult result;
    std::vector<double> x;
    bool noted;  ///< that one kernel solves
    bool refused;  ///< that none does
  };
  Outcome run(SolveParameters parameters, int k = 1, Logger logger = {}) const {
    Solver<double, Space> solver(parameters);
    solver.setup(exec, problem.A);
    solver.set_logger(std::move(logger));
    const auto n = static_cast<std::size_t>(problem.A.num_rows);
    const auto b = allocate_multivector<double>(exec, "tessera::test", n, k);
    Kokkos::deep_copy(exec, b, 1.0);
    const auto x = allocate_multivector<double>(exec, "tessera::test", n, k);
    Kokkos::deep_copy(exec, x, 0.0);
    Outcome outcome;
    outcome.result = solver.solve(exec, b, x);
    outcome.x = to_host(x);
    const auto says = [&](const std::string& text) {
      const auto& notes = solver.hierarchy().notes;
      return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
        return note.find(text) != std::string::npos;
      });
    };
    outcome.noted = says("one kernel for a solve");
    outcome.refused = says("no single kernel");
    return outcome;
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
    for (const auto preconditioner : {PreconditionerKind::none, PreconditionerKind::jacobi}) {
      const auto one = this->run(this->parameters(name, preconditioner, SingleKernel::on));
      const auto many = this->run(this->parameters(name, preconditioner, SingleKernel::off));
      EXPECT_TRUE(one.noted);
      EXPECT_FALSE(many.noted);
      EXPECT_TRUE(one.result.converged());
      EXPECT_LE(one.result.true_relative_residual, 1e-8);
      EXPECT_NEAR(one.result.iterations, many.result.iterations, 3);
      ASSERT_EQ(one.result.columns.size(), 1);
      EXPECT_NEAR(one.result.columns[0].reference_norm, 30, 1e-12);
      for (std::size_t i = 0; i < one.x.size(); ++i)
        ASSERT_NEAR(one.x[i], many.x[i], 1e-5 * many.x[many.x.size() / 2]);
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
  const auto with_multigrid =
      this->run(this->parameters(SolverName::cg, PreconditionerKind::amg, SingleKernel::on));
  EXPECT_TRUE(with_multigrid.refused);
  EXPECT_TRUE(with_multigrid.result.converged());
  const auto gmres =
      this->run(this->parameters(SolverName::gmres, PreconditionerKind::jacobi, SingleKernel::on));
  EXPECT_TRUE(gmres.refused);
  EXPECT_TRUE(gmres.result.converged());
  const auto p = this->parameters(SolverName::cg, PreconditionerKind::jacobi, SingleKernel::on);
  // Several right-hand sides, and a logger, which sees every iteration.
  EXPECT_EQ(this->run(p, 3).result.columns.size(), 3);
  int seen = 0;
  const auto logged = this->run(p, 1, [&](const IterationInfo&) {
    ++seen;
    return true;
  });
  EXPECT_EQ(seen, logged.result.iterations + 1);
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
  Solver<double, Space> solver(p);
  solver.setup(exec, A);
  const auto b = to_multivector(exec, std::vector<double>{1, -1, 1}, 3);
  const auto x = to_multivector(exec, std::vector<double>{0, 0, 0}, 3);
  const auto result = solver.solve(exec, b, x);
  EXPECT_TRUE(result.converged());
  EXPECT_LE(result.true_relative_residual, 1e-8);
}

TYPED_TEST(SingleKernelTest, SaysWhatStandsInItsWay) {
  using One = SingleKernelSolver<double, typename TypeParam::Space>;
  SolverParameters p;
  p.name = SolverName::gmres;
  EXPECT_THROW(One{p}, Error);
  p.name = SolverName::cg;
  EXPECT_NO_THROW(One{p});
  p.residual = ResidualKind::true_residual;
  EXPECT_THROW(One{p}, Error);
  p.residual = ResidualKind::recurrence;
  p.nullspace = NullspaceKind::constant;
  EXPECT_THROW(One{p}, Error);
  p.nullspace = NullspaceKind::none;
  p.name = SolverName::bicgstab;
  p.side = PreconditioningSide::left;
  EXPECT_THROW(One{p}, Error);
}

}  // namespace
}  // namespace tessera::test
