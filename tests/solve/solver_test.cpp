// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What `Solver` picks, and that the picks work.
#include "tessera/solve.hpp"

#include "solve/unsuited_matrices.hpp"
#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solve/inspect.hpp"

#include <cmath>

namespace tessera::test::solver_test {

template <class Param>
class SolverTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  Problem<Scalar, Space> problem(ProblemKind kind, int n) {
    return make_problem<Scalar, Space>(exec, {.problem = kind, .n = n});
  }
};
TYPED_TEST_SUITE(SolverTest, Spaces, TypeNames);

TYPED_TEST(SolverTest, PicksCgAndAFloatPreconditionerForPoisson) {
  const auto p = this->problem(ProblemKind::poisson3d, 20);
  auto solver = set_up(this->exec, p.A);
  EXPECT_EQ(solver.parameters().solver.name, SolverName::cg);
  EXPECT_EQ(solver.parameters().precision, Precision::single);
  EXPECT_EQ(solver.hierarchy().levels.front().precision, "float");
  EXPECT_TRUE(noted(solver.hierarchy(), "solver cg"));
  const auto x = zeros<double>(this->exec, p.A.num_rows);
  const auto result = solver.solve(this->exec, p.b, x);
  EXPECT_TRUE(result.converged());
  EXPECT_LE(result.true_relative_residual, 1e-8);
}

TYPED_TEST(SolverTest, PicksGmresAndArnoldiForANonsymmetricMatrix) {
  const auto p = this->problem(ProblemKind::convdiff2d, 50);
  auto solver = set_up(this->exec, p.A, {}, {}, 2);
  const bool on_host = kernels::is_host_space<typename TypeParam::Space>;
  EXPECT_EQ(solver.parameters().amg.smoother.type,
            on_host ? SmootherType::ilu : SmootherType::jacobi)
      << "blocks of two";
  solver.setup(this->exec, p.A);
  EXPECT_EQ(solver.parameters().solver.name, SolverName::fgmres) << "multigrid is in float";
  EXPECT_EQ(solver.parameters().amg.spectral_radius, amg::SpectralRadiusMethod::arnoldi);
  EXPECT_TRUE(solver.solve(this->exec, p.b, zeros<double>(this->exec, p.A.num_rows)).converged());
}

TYPED_TEST(SolverTest, ProjectsTheConstantOutOfANeumannProblem) {
  for (const auto kind : {ProblemKind::neumann2d, ProblemKind::neumann3d}) {
    const auto p = this->problem(kind, kind == ProblemKind::neumann2d ? 60 : 16);
    auto solver = set_up(this->exec, p.A);
    EXPECT_EQ(solver.parameters().solver.nullspace, NullspaceKind::constant);
    const auto x = zeros<double>(this->exec, p.A.num_rows);
    const auto result = solver.solve(this->exec, p.b, x);
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    EXPECT_LT(result.iterations, 40);
    double mean = 0;
    for (const double value : to_host(x))
      mean += value;
    EXPECT_NEAR(mean / p.A.num_rows, 0.0, 1e-8);
  }
}

TYPED_TEST(SolverTest, ScalesOrKeepsDoubleWhereValuesLeaveFloatsRange) {
  const auto p = this->problem(ProblemKind::poisson2d, 50);
  const auto A = make_csr(this->exec, times(to_host(p.A), 1e30));
  for (const auto equilibration : {Equilibration::automatic, Equilibration::none}) {
    SolveParameters parameters;
    parameters.equilibration = equilibration;
    auto solver = set_up(this->exec, A, parameters);
    const bool scales = equilibration == Equilibration::automatic;
    EXPECT_EQ(solver.parameters().precision, scales ? Precision::single : Precision::same);
    EXPECT_EQ(solver.parameters().equilibration,
              scales ? Equilibration::powers_of_two : Equilibration::none);
    EXPECT_TRUE(solver.solve(this->exec, p.b, zeros<double>(this->exec, p.A.num_rows)).converged());
  }
}

TYPED_TEST(SolverTest, OverflowInFloatGivesDoubleAndOverflowThereJacobi) {
  using Space = typename TypeParam::Space;
  const int n = 2500;
  const auto ones = to_multivector(this->exec, std::vector<double>(n, 1.0), n, 1);
  for (const double coupling : {1e39, 1e200}) {
    SolveParameters parameters;
    parameters.preconditioner = PreconditionerKind::amg;
    parameters.solver.max_iterations = 50;
    auto solver = set_up(this->exec, make_csr(this->exec, bidiagonal(n, coupling)), parameters);
    EXPECT_EQ(solver.parameters().precision, Precision::same);
    EXPECT_TRUE(noted(solver.hierarchy(), "preconditioner in double: float's range"));
    const bool jacobi = coupling > 1e100;
    EXPECT_EQ(solver.parameters().preconditioner,
              jacobi ? PreconditionerKind::jacobi : PreconditionerKind::amg);
    EXPECT_EQ(noted(solver.hierarchy(), "preconditioner jacobi"), jacobi);
    EXPECT_EQ(solver.hierarchy().levels.empty(), jacobi);
    const auto x = zeros<double>(this->exec, n);
    const auto result = solver.solve(this->exec, ones, x);
    EXPECT_LE(result.true_relative_residual, 1) << "a result, whatever it is";
  }
  // The user's own NaN is another matter.
  Solver<double, Space> solver;
  expect_error(error_of([&] {
                 solver.setup(this->exec, make_csr(this->exec, bidiagonal(n, std::nan(""))));
               }),
               ErrorKind::bad_input, {});
}

/// That of the fallback, or null.
TYPED_TEST(SolverTest, ThePreconditionerIsWhatWasTakenInTheEnd) {
  const int n = 2500;
  const auto applied = [&](double coupling, PreconditionerKind kind, Precision precision) {
    SolveParameters parameters;
    parameters.preconditioner = kind;
    parameters.precision = precision;
    parameters.amg.smoother.type = SmootherType::jacobi;  // factors would amplify beyond any range
    auto solver = set_up(this->exec, make_csr(this->exec, bidiagonal(n, coupling)), parameters);
    if (solver.preconditioner() == nullptr) return std::vector<double>();
    return preconditioned_waves(this->exec, solver, n);
  };
  const auto amg = PreconditionerKind::amg;
  const auto in_double = applied(1e39, amg, Precision::same);
  EXPECT_EQ(applied(1e39, amg, Precision::automatic), in_double);
  const auto by_diagonal = applied(0, PreconditionerKind::jacobi, Precision::same);
  EXPECT_NE(in_double, by_diagonal);
  EXPECT_EQ(applied(1e200, amg, Precision::automatic), by_diagonal) << "the diagonal's inverse";
  EXPECT_TRUE(applied(0.5, PreconditionerKind::none, Precision::automatic).empty());
}

TYPED_TEST(SolverTest, KeepsDoubleWhereCoefficientsJumpTooFarForFloat) {
  GalleryParameters gallery{.problem = ProblemKind::jump3d, .n = 20};
  for (const double contrast : {1e3, 1e7, 1e8}) {
    gallery.contrast = contrast;
    const auto p = make_problem<double, typename TypeParam::Space>(this->exec, gallery);
    auto solver = set_up(this->exec, p.A);
    EXPECT_EQ(solver.parameters().precision, contrast < 1e6 ? Precision::single : Precision::same);
    const auto result = solver.solve(this->exec, p.b, zeros<double>(this->exec, p.A.num_rows));
    EXPECT_NE(result.status, SolveStatus::breakdown) << contrast;
    EXPECT_LT(result.true_relative_residual, 1e-6) << contrast;
  }
}

TYPED_TEST(SolverTest, LeavesFloatWhereItsCoarsestLevelIsNotDefinite) {
  // One length or another ends in a level that is not definite.
  const std::string note = "in float the coarsest level is not positive definite";
  int num_noted = 0;
  for (Ordinal n = 3000; n <= 10000; n += 500) {
    SCOPED_TRACE(n);
    const auto A = clamped_beam(n);
    SolveParameters parameters;
    parameters.preconditioner = PreconditionerKind::amg;
    auto solver = set_up(this->exec, make_csr(this->exec, A), parameters);
    const bool is_noted = noted(solver.hierarchy(), note);
    num_noted += is_noted;
    EXPECT_EQ(solver.parameters().precision, is_noted ? Precision::same : Precision::single);
    EXPECT_EQ(solver.parameters().solver.name, SolverName::cg);
    EXPECT_EQ(solver.parameters().solver.cg.flexible, !is_noted);
    EXPECT_EQ(solver.hierarchy().levels.front().precision, is_noted ? "double" : "float");
    EXPECT_EQ(solver.hierarchy().levels.back().aggregation, "dense cholesky");
    parameters.precision = Precision::single;
    auto asked = set_up(this->exec, make_csr(this->exec, A), parameters);
    EXPECT_FALSE(noted(asked.hierarchy(), note)) << "the user's choice stays";
    EXPECT_EQ(asked.hierarchy().levels.front().precision, "float");
  }
  EXPECT_GT(num_noted, 0);
  const auto p = this->problem(ProblemKind::poisson2d, 50);
  auto definite = set_up(this->exec, p.A, SolveParameters{});
  EXPECT_EQ(definite.hierarchy().levels.front().precision, "float");
}

TYPED_TEST(SolverTest, TheCoarsestInverseLeavesTheNullspaceOut) {
  for (const auto& [kind, n] :
       {std::pair{ProblemKind::neumann3d, 24}, std::pair{ProblemKind::neumann3d, 40},
        std::pair{ProblemKind::neumann2d, 200}}) {
    const auto p = this->problem(kind, n);
    for (const auto precision : {Precision::single, Precision::same}) {
      SolveParameters parameters;
      parameters.precision = precision;
      auto solver = set_up(this->exec, p.A, parameters);
      const auto& coarsest = solver.hierarchy().levels.back();
      EXPECT_EQ(coarsest.aggregation, "dense pseudo-inverse, rank " +
                                          std::to_string(coarsest.rows - 1) + " of " +
                                          std::to_string(coarsest.rows));
      EXPECT_TRUE(
          solver.solve(this->exec, p.b, zeros<double>(this->exec, p.A.num_rows)).converged());
    }
  }
}

TYPED_TEST(SolverTest, FindsWhichGivenVectorsAreInTheNullspace) {
  using Space = typename TypeParam::Space;
  const auto p = this->problem(ProblemKind::neumann2d, 60);
  const std::size_t n = p.A.num_rows;
  // One that is not, and one that is.
  std::vector<double> vectors(2 * n, 3.0);
  for (std::size_t i = 0; i < n; ++i)
    vectors[i] = static_cast<double>(i);
  const auto near_nullspace = to_multivector(this->exec, vectors, n, 2);
  const CrsMatrix<double, Space> A(this->exec, p.A);
  EXPECT_EQ(nullspace_columns(this->exec, A.view(), A.plan(),
                              ConstMultiVectorView<double, Space>(near_nullspace)),
            std::vector<int>{1});
  auto solver = set_up(this->exec, p.A, {}, near_nullspace);
  const auto& coarsest = solver.hierarchy().levels.back();
  EXPECT_NE(coarsest.aggregation.find("rank " + std::to_string(coarsest.rows - 1)),
            std::string::npos)
      << coarsest.aggregation;
  EXPECT_TRUE(solver.solve(this->exec, p.b, zeros<double>(this->exec, p.A.num_rows)).converged());
}

TYPED_TEST(SolverTest, WorksWithoutMultigridToo) {
  const auto p = this->problem(ProblemKind::poisson2d, 30);
  for (const auto kind : {PreconditionerKind::none, PreconditionerKind::jacobi}) {
    SolveParameters parameters;
    parameters.preconditioner = kind;
    auto solver = set_up(this->exec, p.A, parameters);
    EXPECT_TRUE(solver.hierarchy().levels.empty());
    EXPECT_TRUE(solver.solve(this->exec, p.b, zeros<double>(this->exec, p.A.num_rows)).converged());
  }
}

TYPED_TEST(SolverTest, SetupMayBeRepeatedAndSolveNeedsIt) {
  using Space = typename TypeParam::Space;
  Solver<double, Space> solver;
  const auto first = this->problem(ProblemKind::poisson2d, 20);
  EXPECT_THROW(solver.solve(this->exec, first.b, zeros<double>(this->exec, first.A.num_rows)),
               Error);
  solver.setup(this->exec, first.A);
  EXPECT_TRUE(
      solver.solve(this->exec, first.b, zeros<double>(this->exec, first.A.num_rows)).converged());
  const auto second = this->problem(ProblemKind::poisson3d, 15);
  solver.setup(this->exec, second.A);
  EXPECT_TRUE(
      solver.solve(this->exec, second.b, zeros<double>(this->exec, second.A.num_rows)).converged());
}

TYPED_TEST(SolverTest, AllocatesNothingInASecondSolve) {
  // `prepare` has made room in the first; Kokkos Tools see what is asked for afterwards.
  const auto p = this->problem(ProblemKind::poisson3d, 20);
  auto solver = set_up(this->exec, p.A);
  const auto x = zeros<double>(this->exec, p.A.num_rows);
  solver.solve(this->exec, p.b, x);
  Kokkos::deep_copy(this->exec, x, 0.0);
  static std::uint64_t bytes;
  bytes = 0;
  Kokkos::Tools::Experimental::set_allocate_data_callback(
      [](Kokkos::Profiling::SpaceHandle, const char*, const void*, std::uint64_t size) {
        bytes += size;
      });
  const auto result = solver.solve(this->exec, p.b, x);
  Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(bytes, 0U);
}

}  // namespace tessera::test::solver_test
