// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// V-, W-, F- and K-cycles: as solvers and as preconditioners, and what they are against their
/// definitions.
#include "amg/systems.hpp"
#include "support/columns.hpp"
#include "support/device.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/cycle.hpp"
#include "tessera/amg/multigrid.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/solve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace tessera::test {
namespace {

using amg::CycleType;

const std::vector<CycleType> all_cycles{CycleType::v, CycleType::w, CycleType::f, CycleType::k};

template <class Param>
class CycleTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  Problem<double, Space> problem(ProblemKind kind, int n) { return gallery_problem(exec, kind, n); }

  std::vector<double> hashed(std::size_t n) {
    std::vector<double> v(n);
    unsigned state = 7;
    for (auto& value : v) {
      state = state * 1664525U + 1013904223U;
      value = state / 2147483648.0 - 1.0;
    }
    return v;
  }

  SolveResult solve(const Problem<double, Space>& p, CycleType cycle, SolverName name,
                    double omega = 4.0 / 3.0) {
    SolveParameters parameters;
    parameters.amg.cycle = cycle;
    parameters.amg.prolongator_omega = omega;
    parameters.solver.name = name;
    parameters.solver.max_iterations = 500;
    Solver<double, Space> solver(parameters);
    solver.setup(exec, p.A);
    const std::size_t n = p.A.num_rows;
    const auto x = to_multivector(exec, std::vector<double>(n, 0), n, 1);
    return solver.solve(exec, to_multivector(exec, hashed(n), n, 1), x);
  }
};
TYPED_TEST_SUITE(CycleTest, Spaces, TypeNames);

TYPED_TEST(CycleTest, EachSolvesAloneAndUnderCg) {
  const auto p = this->problem(ProblemKind::poisson2d, 150);
  std::map<CycleType, int> alone;
  std::map<CycleType, int> under_cg;
  for (const CycleType cycle : all_cycles) {
    const auto stationary = this->solve(p, cycle, SolverName::richardson);
    const auto preconditioned = this->solve(p, cycle, SolverName::automatic);
    EXPECT_TRUE(stationary.converged()) << static_cast<int>(cycle);
    EXPECT_TRUE(preconditioned.converged()) << static_cast<int>(cycle);
    alone[cycle] = stationary.iterations;
    under_cg[cycle] = preconditioned.iterations;
  }
  EXPECT_LE(alone[CycleType::v], 60);
  EXPECT_LE(under_cg[CycleType::v], 16);
  for (const CycleType stronger : {CycleType::w, CycleType::f, CycleType::k}) {
    EXPECT_LE(alone[stronger], alone[CycleType::v]);
    EXPECT_LE(under_cg[stronger], under_cg[CycleType::v]);
  }
}

TYPED_TEST(CycleTest, WAndKMendUnsmoothedAggregation) {
  // A V-cycle of it deteriorates with each level; two visits or two Krylov steps per level do not.
  const auto p = this->problem(ProblemKind::poisson2d, 200);
  const int v = this->solve(p, CycleType::v, SolverName::automatic, 0).iterations;
  for (const CycleType cycle : {CycleType::w, CycleType::f, CycleType::k}) {
    const auto result = this->solve(p, cycle, SolverName::automatic, 0);
    EXPECT_TRUE(result.converged());
    EXPECT_LT(result.iterations, 0.85 * v) << static_cast<int>(cycle);
  }
}

TYPED_TEST(CycleTest, KIsFlexibleForNonsymmetricMatricesToo) {
  const auto p = this->problem(ProblemKind::convdiff2d, 80);
  SolveParameters parameters;
  parameters.amg.cycle = CycleType::k;
  Solver<double, typename TypeParam::Space> solver(parameters);
  solver.setup(this->exec, p.A);
  EXPECT_EQ(solver.parameters().solver.name, SolverName::fgmres);
  EXPECT_TRUE(this->solve(p, CycleType::k, SolverName::automatic).converged());
  const auto poisson = this->problem(ProblemKind::poisson2d, 80);
  solver.setup(this->exec, poisson.A);
  EXPECT_EQ(solver.parameters().solver.name, SolverName::cg);
  EXPECT_TRUE(solver.parameters().solver.flexible);
}

/// The cycle by its definition, on the operators of a hierarchy: literature's recursion, in which a
/// coarse problem is iterated from its last iterate.
template <class Space>
class Definition {
 public:
  using Vectors = MultiVector<double, Space>;

  Definition(const Space& exec, const amg::Hierarchy<double, Space>& hierarchy)
      : m_exec(exec), m_hierarchy(hierarchy) {}

  Vectors visit(CycleType type, std::size_t depth, const Vectors& b) {
    const auto& level = m_hierarchy.levels[depth];
    const std::size_t n = b.extent(0);
    Vectors x = fresh(n);
    if (depth + 1 == m_hierarchy.levels.size()) {
      m_hierarchy.coarse_solver.apply(m_exec, b, x);
      return x;
    }
    Vectors u = fresh(n);
    level.smoother->prepare(m_exec, 1);
    level.smoother->apply(m_exec, b, u);
    Vectors r = fresh(n);
    level.A->residual(m_exec, b, u, r);
    Vectors b_coarse = fresh(level.R->num_rows());
    level.R->apply(m_exec, 1, r, 0, b_coarse);
    const bool once = type == CycleType::v || depth + 2 == m_hierarchy.levels.size();
    Vectors x_coarse = visit(type, depth + 1, b_coarse);
    if (!once) {
      Vectors r_coarse = fresh(b_coarse.extent(0));
      m_hierarchy.levels[depth + 1].A->residual(m_exec, b_coarse, x_coarse, r_coarse);
      const CycleType second = type == CycleType::f ? CycleType::v : type;
      const Vectors e = visit(second, depth + 1, r_coarse);
      kernels::axpby<double, Space>(m_exec, 1.0, e, 1.0, x_coarse);
    }
    level.P->apply(m_exec, 1, x_coarse, 1, u);
    level.smoother->smooth(m_exec, b, u, x);
    return x;
  }

 private:
  Vectors fresh(std::size_t n) {
    return allocate_multivector<double>(m_exec, "tessera::test", n, 1);
  }

  Space m_exec;
  const amg::Hierarchy<double, Space>& m_hierarchy;
};

TYPED_TEST(CycleTest, VWAndFAreTheirDefinitions) {
  using Space = typename TypeParam::Space;
  const auto p = this->problem(ProblemKind::jump2d, 90);
  for (const CycleType cycle : {CycleType::v, CycleType::w, CycleType::f}) {
    amg::Parameters parameters;
    parameters.cycle = cycle;
    parameters.coarse_size = 30;
    amg::Multigrid<double, Space> grid(parameters);
    grid.setup(this->exec, p.A);
    ASSERT_GE(grid.levels().size(), 4u);
    const std::size_t n = p.A.num_rows;
    const auto b = to_multivector(this->exec, this->hashed(n), n, 1);
    const auto z = allocate_multivector<double>(this->exec, "tessera::test", n, 1);
    grid.apply(this->exec, b, z);
    const auto expected =
        to_host(Definition<Space>(this->exec, grid.hierarchy()).visit(cycle, 0, b));
    const auto actual = to_host(z);
    double scale = 0;
    for (const double value : expected)
      scale = std::max(scale, std::abs(value));
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_NEAR(actual[i], expected[i], 1e-13 * scale) << static_cast<int>(cycle) << " at " << i;
  }
}

TYPED_TEST(CycleTest, SeveralColumnsAreThoseAlone) {
  using Space = typename TypeParam::Space;
  const auto p = this->problem(ProblemKind::poisson2d, 60);
  const std::size_t n = p.A.num_rows;
  auto values = this->hashed(3 * n);
  // A column of zeros has no direction to step along.
  std::fill(values.begin() + n, values.begin() + 2 * n, 0.0);
  for (const CycleType cycle : all_cycles) {
    amg::Parameters parameters;
    parameters.cycle = cycle;
    amg::Multigrid<double, Space> grid(parameters);
    grid.setup(this->exec, p.A);
    SCOPED_TRACE(static_cast<int>(cycle));
    expect_columns_as_alone(this->exec, grid, values, n, 1e-11);
  }
}

}  // namespace
}  // namespace tessera::test
