// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What `Solver` picks, and that the picks work.
#include "tessera/solve.hpp"

#include "support/device.hpp"
#include "support/typed_tests.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/error.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::test {
namespace {

template <class Param>
class SolverTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  Problem<Scalar, Space> problem(ProblemKind kind, int n) {
    GalleryParameters gallery;
    gallery.problem = kind;
    gallery.n = n;
    return make_problem<Scalar, Space>(exec, gallery);
  }

  MultiVector<Scalar, Space> zeros(const Problem<Scalar, Space>& p) {
    const auto x = allocate_multivector<Scalar>(exec, "tessera::test", p.A.num_rows, 1);
    Kokkos::deep_copy(exec, x, Scalar(0));
    return x;
  }

  static bool noted(const HierarchyInfo& info, const std::string& text) {
    return std::any_of(info.notes.begin(), info.notes.end(), [&](const std::string& note) {
      return note.find(text) != std::string::npos;
    });
  }
};
TYPED_TEST_SUITE(SolverTest, Spaces, TypeNames);

TYPED_TEST(SolverTest, PicksCgAndAFloatPreconditionerForPoisson) {
  const auto p = this->problem(ProblemKind::poisson3d, 20);
  Solver<double, typename TypeParam::Space> solver;
  solver.setup(this->exec, p.A);
  EXPECT_EQ(solver.parameters().solver.name, SolverName::cg);
  EXPECT_EQ(solver.parameters().precision, Precision::single);
  EXPECT_EQ(solver.hierarchy().levels.front().precision, "float");
  EXPECT_TRUE(this->noted(solver.hierarchy(), "solver cg"));
  const auto x = this->zeros(p);
  const auto result = solver.solve(this->exec, p.b, x);
  EXPECT_TRUE(result.converged());
  EXPECT_LE(result.true_relative_residual, 1e-8);
}

TYPED_TEST(SolverTest, PicksGmresForANonsymmetricMatrix) {
  const auto p = this->problem(ProblemKind::convdiff2d, 40);
  Solver<double, typename TypeParam::Space> solver;
  solver.setup(this->exec, p.A);
  EXPECT_EQ(solver.parameters().solver.name, SolverName::gmres);
  EXPECT_TRUE(solver.solve(this->exec, p.b, this->zeros(p)).converged());
}

TYPED_TEST(SolverTest, ProjectsTheConstantOutOfANeumannProblem) {
  for (const auto kind : {ProblemKind::neumann2d, ProblemKind::neumann3d}) {
    const auto p = this->problem(kind, kind == ProblemKind::neumann2d ? 60 : 16);
    Solver<double, typename TypeParam::Space> solver;
    solver.setup(this->exec, p.A);
    EXPECT_EQ(solver.parameters().solver.nullspace, NullspaceKind::constant);
    const auto x = this->zeros(p);
    const auto result = solver.solve(this->exec, p.b, x);
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    EXPECT_LT(result.iterations, 40);
    double mean = 0;
    for (const double value : to_host(x))
      mean += value;
    EXPECT_NEAR(mean / p.A.num_rows, 0.0, 1e-8);
  }
}

TYPED_TEST(SolverTest, KeepsDoubleWhereValuesLeaveFloatsRange) {
  auto p = this->problem(ProblemKind::poisson2d, 30);
  const auto values = p.A.values;
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  for (std::size_t i = 0; i < host.extent(0); ++i)
    host(i) *= 1e30;
  Kokkos::deep_copy(values, host);
  Solver<double, typename TypeParam::Space> solver;
  solver.setup(this->exec, p.A);
  EXPECT_EQ(solver.parameters().precision, Precision::same);
  EXPECT_TRUE(solver.solve(this->exec, p.b, this->zeros(p)).converged());
}

TYPED_TEST(SolverTest, WorksWithoutMultigridToo) {
  const auto p = this->problem(ProblemKind::poisson2d, 30);
  for (const auto kind : {PreconditionerKind::none, PreconditionerKind::jacobi}) {
    SolveParameters parameters;
    parameters.preconditioner = kind;
    Solver<double, typename TypeParam::Space> solver(parameters);
    solver.setup(this->exec, p.A);
    EXPECT_TRUE(solver.hierarchy().levels.empty());
    EXPECT_TRUE(solver.solve(this->exec, p.b, this->zeros(p)).converged());
  }
}

TYPED_TEST(SolverTest, SetupMayBeRepeatedAndSolveNeedsIt) {
  using Space = typename TypeParam::Space;
  Solver<double, Space> solver;
  const auto first = this->problem(ProblemKind::poisson2d, 20);
  EXPECT_THROW(solver.solve(this->exec, first.b, this->zeros(first)), Error);
  solver.setup(this->exec, first.A);
  EXPECT_TRUE(solver.solve(this->exec, first.b, this->zeros(first)).converged());
  const auto second = this->problem(ProblemKind::poisson3d, 15);
  solver.setup(this->exec, second.A);
  EXPECT_TRUE(solver.solve(this->exec, second.b, this->zeros(second)).converged());
}

TYPED_TEST(SolverTest, AllocatesNothingInASecondSolve) {
  // `prepare` has made room in the first; Kokkos Tools see what is asked for afterwards.
  const auto p = this->problem(ProblemKind::poisson3d, 20);
  Solver<double, typename TypeParam::Space> solver;
  solver.setup(this->exec, p.A);
  const auto x = this->zeros(p);
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

}  // namespace
}  // namespace tessera::test
