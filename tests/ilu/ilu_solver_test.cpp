// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Incomplete factors as Solver uses them: by name under each method, for new values, and where
/// there are none.
#include "ilu/ilu_fixture.hpp"
#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/solves.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/solve.hpp"

#include <limits>

namespace tessera::test::ilu_solver_test {

template <class Param>
class IluSolverTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;
  Solver<Scalar, Space, Offset> solver;
  std::size_t n = 0;
  kernels::Csr<Scalar, Space, Offset> matrix;

  static SolveParameters with(PreconditionerKind kind, SolverName name = SolverName::automatic) {
    SolveParameters p;
    p.preconditioner = kind;
    p.solver.name = name;
    p.solver.tolerance = sizeof(Scalar) == 8 ? 1e-9 : 1e-4;
    return p;
  }
  void set_up(const HostMatrix<Scalar>& A, const SolveParameters& p) {
    n = A.num_rows;
    matrix = test::make_csr<Offset>(exec, A);
    solver = Solver<Scalar, Space, Offset>(p);
    solver.setup(exec, matrix);
  }
  SolveResult solve(int k = 1) {
    const auto b = to_multivector(exec, random_vector<Scalar>(n * k, 3), n, k);
    return solver.solve(exec, b, zeros<Scalar>(exec, n, k));
  }
  HostMatrix<Scalar> gallery(ProblemKind kind, int size) {
    return to_host(
        make_problem<Scalar, Space, Offset>(exec, {.problem = kind, .n = size, .peclet = 1000}).A);
  }
};
TYPED_TEST_SUITE(IluSolverTest, Matrices, TypeNames);

TYPED_TEST(IluSolverTest, InOneKernelWhereThatIsAskedFor) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto poisson = this->gallery(ProblemKind::poisson2d, 40);
  const auto convection = this->gallery(ProblemKind::convdiff2d, 40);
  for (const auto& [A, name] :
       {std::pair{poisson, SolverName::cg}, std::pair{convection, SolverName::bicgstab}}) {
    auto p = this->with(PreconditionerKind::ilu, name);
    p.solver.single_kernel = SingleKernel::off;
    this->set_up(A, p);
    const auto ordinary = this->solve();
    p.solver.single_kernel = SingleKernel::automatic;
    this->set_up(A, p);
    // 79 levels each; on a device alone.
    EXPECT_EQ(noted(this->solver.hierarchy(), "one kernel for a solve"),
              !kernels::is_host_space<Space>);
    p.solver.single_kernel = SingleKernel::on;
    p.amg.reuse = amg::Reuse::symbolic;
    this->set_up(A, p);
    EXPECT_TRUE(noted(this->solver.hierarchy(), "one kernel for a solve"));
    const auto inside = this->solve();
    EXPECT_TRUE(inside.converged());
    EXPECT_NEAR(inside.iterations, ordinary.iterations, name == SolverName::cg ? 1 : 5);
    // Other values in the same pattern: factors of the old ones would take more iterations.
    const auto other = with_diagonal(A, [](Ordinal, Scalar& value) { value *= Scalar(3); });
    const auto changed = test::make_csr<Offset>(this->exec, other);
    this->solver.update_values(this->exec, changed);
    const auto after = this->solve();
    EXPECT_TRUE(after.converged());
    EXPECT_LT(after.iterations, inside.iterations);
    this->set_up(other, p);
    EXPECT_EQ(after.iterations, this->solve().iterations);
    // Tiles have no such preconditioner: one kernel does without them.
    p.solver.tiles = TilePrecision::fixed;
    this->set_up(A, p);
    EXPECT_TRUE(noted(this->solver.hierarchy(), "one kernel for a solve"));
    EXPECT_TRUE(noted(this->solver.hierarchy(), "no tiles in mixed precision: solver.tiles takes"));
    const auto without_tiles = this->solve();
    EXPECT_TRUE(without_tiles.converged());
    EXPECT_TRUE(without_tiles.in_one_kernel);
  }
}

TYPED_TEST(IluSolverTest, ManyLevelsAreLeftToLaunches) {
  for (const SolverName name : {SolverName::cg, SolverName::bicgstab}) {
    this->set_up(this->gallery(ProblemKind::poisson2d, 60),
                 this->with(PreconditionerKind::ilu, name));
    EXPECT_FALSE(noted(this->solver.hierarchy(), "one kernel for a solve")) << "119 levels each";
  }
}

TYPED_TEST(IluSolverTest, TakesFewerIterationsThanJacobi) {
  const auto poisson = this->gallery(ProblemKind::poisson2d, 60);
  const auto convection = this->gallery(ProblemKind::convdiff2d, 60);
  for (const auto& [A, name] :
       {std::pair{poisson, SolverName::cg}, std::pair{poisson, SolverName::gmres},
        std::pair{convection, SolverName::bicgstab}, std::pair{convection, SolverName::gmres}}) {
    this->set_up(A, this->with(PreconditionerKind::jacobi, name));
    const auto jacobi = this->solve();
    EXPECT_TRUE(jacobi.converged());
    for (const auto algorithm : {SptrsvAlgorithm::automatic, SptrsvAlgorithm::levels,
                                 SptrsvAlgorithm::counters, SptrsvAlgorithm::recursive}) {
      auto p = this->with(PreconditionerKind::ilu, name);
      p.ilu.solve = algorithm;
      this->set_up(A, p);
      EXPECT_TRUE(noted(this->solver.hierarchy(), "ilu: L by "));
      for (const int k : {1, 3}) {
        const auto ilu = this->solve(k);
        EXPECT_TRUE(ilu.converged());
        EXPECT_LT(2 * ilu.iterations, jacobi.iterations + 10);
      }
    }
  }
}

TYPED_TEST(IluSolverTest, SweepsDoNearlyAsWell) {
  const auto A = this->gallery(ProblemKind::poisson2d, 50);
  this->set_up(A, this->with(PreconditionerKind::ilu));
  EXPECT_EQ(this->solver.parameters().solver.name, SolverName::cg);
  const int exact = this->solve().iterations;
  auto p = this->with(PreconditionerKind::ilu);
  p.ilu.method = IluMethod::fixed_point;
  this->set_up(A, p);
  const auto result = this->solve();
  EXPECT_TRUE(result.converged());
  EXPECT_LE(result.iterations, exact + exact / 2);
}

TYPED_TEST(IluSolverTest, NewValues) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto A = this->gallery(ProblemKind::convdiff2d, 40);
  const auto B = times(A, 7);
  auto p = this->with(PreconditionerKind::ilu, SolverName::bicgstab);
  p.amg.reuse = amg::Reuse::symbolic;
  this->set_up(A, p);
  const auto before = this->solve();
  this->solver.update_values(this->exec, test::make_csr<Offset>(this->exec, B));
  const auto after = this->solve();
  EXPECT_TRUE(after.converged());
  EXPECT_NEAR(after.iterations, before.iterations, 2);
  EXPECT_EQ(this->solver.parameters().preconditioner, PreconditionerKind::ilu);
}

TYPED_TEST(IluSolverTest, CgMeetsNegativePivots) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto A = kershaw<Scalar>();
  // <b, M b> is 1 / u_33 = -1 / 5.
  const std::vector<Scalar> rhs{0, 0, 0, 1};
  const auto solve = [&] {
    const auto b = to_multivector(this->exec, rhs, 4);
    return this->solver.solve(this->exec, b, zeros<Scalar>(this->exec, 4));
  };
  auto p = this->with(PreconditionerKind::ilu, SolverName::cg);
  p.amg.reuse = amg::Reuse::symbolic;
  p.ilu.negative_pivots = NegativePivots::keep;
  this->set_up(A, p);
  EXPECT_EQ(solve().status, SolveStatus::breakdown);
  p.ilu.negative_pivots = NegativePivots::automatic;
  const std::string note = "1 negative pivots made positive, the first in row 3 from -5";
  for (const SingleKernel single : {SingleKernel::off, SingleKernel::on}) {
    for (const IluMethod method : {IluMethod::exact, IluMethod::fixed_point}) {
      p.solver.single_kernel = single;
      p.ilu.method = method;
      this->set_up(A, p);
      EXPECT_EQ(this->solver.parameters().ilu.negative_pivots, NegativePivots::absolute);
      EXPECT_TRUE(noted(this->solver.hierarchy(), note));
      const auto result = solve();
      EXPECT_TRUE(result.converged()) << to_string(result.status);
      EXPECT_LE(result.iterations, 5);
      // By new values, and none of it is left with others.
      this->set_up(dominant(A), p);
      EXPECT_FALSE(noted(this->solver.hierarchy(), "made positive"));
      const auto changed = test::make_csr<Offset>(this->exec, A);
      this->solver.update_values(this->exec, changed);
      EXPECT_TRUE(noted(this->solver.hierarchy(), note));
      EXPECT_TRUE(solve().converged());
    }
  }
  // Methods that take any M get the factors as they come out.
  this->set_up(A, this->with(PreconditionerKind::ilu, SolverName::gmres));
  EXPECT_EQ(this->solver.parameters().ilu.negative_pivots, NegativePivots::keep);
  EXPECT_FALSE(noted(this->solver.hierarchy(), "made positive"));
  EXPECT_TRUE(solve().converged());
}

TYPED_TEST(IluSolverTest, EmptyMatricesAndThoseOfOneRow) {
  TESSERA_TEST_TYPES(TypeParam);
  this->set_up(HostMatrix<Scalar>{}, this->with(PreconditionerKind::ilu));
  EXPECT_TRUE(this->solve().converged());
  this->set_up(HostMatrix<Scalar>{1, 1, {0, 1}, {0}, {Scalar(-3)}},
               this->with(PreconditionerKind::ilu));
  EXPECT_TRUE(this->solve().converged());
}

TYPED_TEST(IluSolverTest, BadPivots) {
  TESSERA_TEST_TYPES(TypeParam);
  auto A = poisson<Scalar>(10, 10);
  A.values[0] = 0;
  this->set_up(A, this->with(PreconditionerKind::ilu, SolverName::gmres));
  EXPECT_TRUE(noted(this->solver.hierarchy(), "1 small pivots shifted, the first in row 0"));
  auto p = this->with(PreconditionerKind::ilu, SolverName::gmres);
  p.ilu.shift = 0;
  expect_error(error_of([&] { this->set_up(A, p); }), ErrorKind::bad_input, {"pivot of row 0"});
  A.values[0] = std::numeric_limits<Scalar>::quiet_NaN();
  expect_error(error_of([&] { this->set_up(A, this->with(PreconditionerKind::ilu)); }),
               ErrorKind::bad_input, {"row 0"});
}

TYPED_TEST(IluSolverTest, FactorsThatOverflowAreJacobis) {
  TESSERA_TEST_TYPES(TypeParam);
  const Scalar large = std::numeric_limits<Scalar>::max() / 4;
  const auto A = from_rows<Scalar>(2, {{{0, Scalar(1)}, {1, large}}, {{0, large}, {1, Scalar(1)}}});
  auto p = this->with(PreconditionerKind::ilu, SolverName::gmres);
  p.ilu.shift = 1e-300;
  this->set_up(A, p);
  EXPECT_EQ(this->solver.parameters().preconditioner, PreconditionerKind::jacobi);
  EXPECT_TRUE(noted(this->solver.hierarchy(), "no incomplete factors of finite numbers"));
}

TYPED_TEST(IluSolverTest, SmoothsTheLevelsOfMultigrid) {
  auto p = this->with(PreconditionerKind::amg);
  p.amg.coarse_size = 20;
  const auto A = this->gallery(ProblemKind::poisson2d, 40);
  this->set_up(A, p);
  const int jacobi = this->solve().iterations;
  p.amg.smoother.type = SmootherType::ilu;
  this->set_up(A, p);
  EXPECT_EQ(this->solver.hierarchy().levels.front().smoother, "ilu");
  const auto ilu = this->solve(2);
  EXPECT_TRUE(ilu.converged());
  EXPECT_LT(ilu.iterations, jacobi);
}

}  // namespace tessera::test::ilu_solver_test
