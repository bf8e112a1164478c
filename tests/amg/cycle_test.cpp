// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// V-, W-, F- and K-cycles: as solvers and as preconditioners, and what they are against their
/// definitions.
#include "support/columns.hpp"
#include "support/host_values.hpp"
#include "support/random_matrix.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/cycle/cycle.hpp"
#include "tessera/amg/multigrid.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

#include <map>
#include <numeric>

namespace tessera::test::cycle_test {

using amg::CycleType;

const std::vector<CycleType> all_cycles{CycleType::v, CycleType::w, CycleType::f, CycleType::k};

template <class Param>
class CycleTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  Problem<double, Space> problem(ProblemKind kind, int n) { return gallery_problem(exec, kind, n); }

  SolveResult solve(const Problem<double, Space>& p, CycleType cycle, SolverName name,
                    double omega = 4.0 / 3.0) {
    SolveParameters parameters;
    parameters.amg.cycle = cycle;
    parameters.amg.smoothed_aggregation.prolongator_omega = omega;
    parameters.solver.name = name;
    parameters.solver.max_iterations = 500;
    auto solver = set_up(exec, p.A, parameters);
    const std::size_t n = p.A.num_rows;
    const auto x = zeros<double>(exec, n);
    return solver.solve(exec, to_multivector(exec, random_vector<double>(n), n), x);
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
  auto solver = set_up(this->exec, p.A, parameters);
  EXPECT_EQ(solver.parameters().solver.name, SolverName::fgmres);
  EXPECT_TRUE(this->solve(p, CycleType::k, SolverName::automatic).converged());
  const auto poisson = this->problem(ProblemKind::poisson2d, 80);
  solver.setup(this->exec, poisson.A);
  EXPECT_EQ(solver.parameters().solver.name, SolverName::cg);
  EXPECT_TRUE(solver.parameters().solver.cg.flexible);
}

/// The cycle by its definition, on the operators of a hierarchy: literature's recursion, in which a
/// coarse problem is iterated from its last iterate or, in K-cycles, solved for by two steps of a
/// Krylov method.
template <class Space>
class Definition {
 public:
  using Vectors = MultiVector<double, Space>;

  /// `symmetric`: the operators are, and the Krylov method is conjugate gradients, not GCR.
  Definition(const Space& exec, const amg::Hierarchy<double, Space>& hierarchy, bool symmetric)
      : m_exec(exec), m_hierarchy(hierarchy), m_symmetric(symmetric) {}

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
    level.P->apply(m_exec, 1, correction(type, depth + 1, b_coarse), 1, u);
    level.smoother->smooth(m_exec, b, u, x);
    return x;
  }

 private:
  Vectors fresh(std::size_t n) {
    return allocate_multivector<double>(m_exec, "tessera::test", n, 1);
  }

  Vectors correction(CycleType type, std::size_t depth, const Vectors& b) {
    const bool once = type == CycleType::v || depth + 1 == m_hierarchy.levels.size();
    if (once) return visit(type, depth, b);
    if (type == CycleType::k) return two_steps(depth, b);
    const Vectors x = visit(type, depth, b);
    const Vectors r = fresh(b.extent(0));
    m_hierarchy.levels[depth].A->residual(m_exec, b, x, r);
    const Vectors e = visit(type == CycleType::f ? CycleType::v : type, depth, r);
    kernels::axpby<double, Space>(m_exec, 1.0, e, 1.0, x);
    return x;
  }

  /// What two steps of flexible CG or GCR end with, by what they minimise and not by their
  /// recurrences: over the combinations of c, the visit's answer to b, the A-norm of the error or
  /// the norm of the residual; then over those of c and of the visit's answer to what c has left.
  Vectors two_steps(std::size_t depth, const Vectors& b) {
    const auto& A = *m_hierarchy.levels[depth].A;
    const Vectors c = visit(CycleType::k, depth, b);
    const Vectors Ac = product(A, c);
    const Vectors left_c = m_symmetric ? c : Ac;
    const Vectors x = combined(dot(left_c, b) / dot(left_c, Ac), c, 0, c);
    const Vectors r = fresh(b.extent(0));
    A.residual(m_exec, b, x, r);
    const Vectors d = visit(CycleType::k, depth, r);
    const Vectors Ad = product(A, d);
    const Vectors left_d = m_symmetric ? d : Ad;
    const long double cc = dot(left_c, Ac);
    const long double cd = dot(left_c, Ad);
    const long double dc = dot(left_d, Ac);
    const long double dd = dot(left_d, Ad);
    const long double cb = dot(left_c, b);
    const long double db = dot(left_d, b);
    const long double determinant = cc * dd - cd * dc;
    return combined((cb * dd - cd * db) / determinant, c, (cc * db - dc * cb) / determinant, d);
  }

  Vectors product(const SparseOperator<double, Space>& A, const Vectors& x) {
    const Vectors y = fresh(x.extent(0));
    A.apply(m_exec, 1, x, 0, y);
    return y;
  }
  long double dot(const Vectors& u, const Vectors& v) {
    const auto on_host = to_host(u);
    return std::inner_product(on_host.begin(), on_host.end(), to_host(v).begin(), 0.0L);
  }
  Vectors combined(long double on_c, const Vectors& c, long double on_d, const Vectors& d) {
    auto x = to_host(c);
    const auto other = to_host(d);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = static_cast<double>(on_c * x[i] + on_d * other[i]);
    return to_multivector(m_exec, x, x.size(), 1);
  }

  Space m_exec;
  const amg::Hierarchy<double, Space>& m_hierarchy;
  bool m_symmetric;
};

/// A multigrid of at least four levels.
template <class Space>
amg::Multigrid<double, Space> deep_multigrid(const Space& exec, const Problem<double, Space>& p,
                                             CycleType cycle) {
  amg::Parameters parameters;
  parameters.cycle = cycle;
  parameters.coarse_size = 30;
  amg::Multigrid<double, Space> grid(parameters);
  grid.setup(exec, p.A);
  EXPECT_GE(grid.levels().size(), 4u);
  return grid;
}

template <class Space>
void expect_as_defined(const Space& exec, const Problem<double, Space>& p, CycleType cycle,
                       bool symmetric, const std::vector<double>& right, double tolerance) {
  SCOPED_TRACE(static_cast<int>(cycle));
  auto grid = deep_multigrid(exec, p, cycle);
  const std::size_t n = right.size();
  const auto b = to_multivector(exec, right, n, 1);
  const auto z = allocate_multivector<double>(exec, "tessera::test", n, 1);
  grid.apply(exec, b, z);
  const auto expected =
      to_host(Definition<Space>(exec, grid.hierarchy(), symmetric).visit(cycle, 0, b));
  EXPECT_LE(relative_difference(to_host(z), expected), tolerance);
}

TYPED_TEST(CycleTest, VWAndFAreTheirDefinitions) {
  const auto p = this->problem(ProblemKind::jump2d, 90);
  for (const CycleType cycle : {CycleType::v, CycleType::w, CycleType::f})
    expect_as_defined(this->exec, p, cycle, true, random_vector<double>(p.A.num_rows), 1e-13);
}

TYPED_TEST(CycleTest, KIsItsDefinition) {
  for (const auto kind : {ProblemKind::jump2d, ProblemKind::convdiff2d}) {
    SCOPED_TRACE(to_string(kind));
    const auto p = this->problem(kind, 90);
    expect_as_defined(this->exec, p, CycleType::k, kind == ProblemKind::jump2d,
                      random_vector<double>(p.A.num_rows), 1e-10);
  }
}

/// <u, B v> beside <v, B u>: what CG has to tolerate, and what it need not.
TYPED_TEST(CycleTest, VAndWAreSymmetricAndFIsNot) {
  const auto p = this->problem(ProblemKind::jump2d, 90);
  const std::size_t n = p.A.num_rows;
  const auto values = random_vector<double>(2 * n);
  const std::vector<double> u(values.begin(), values.begin() + n);
  const std::vector<double> v(values.begin() + n, values.end());
  for (const CycleType cycle : {CycleType::v, CycleType::w, CycleType::f}) {
    auto grid = deep_multigrid(this->exec, p, cycle);
    const auto form = [&](const std::vector<double>& left, const std::vector<double>& right) {
      const auto z = allocate_multivector<double>(this->exec, "tessera::test", n, 1);
      grid.apply(this->exec, to_multivector(this->exec, right, n, 1), z);
      return std::inner_product(left.begin(), left.end(), to_host(z).begin(), 0.0);
    };
    const double scale = std::sqrt(form(u, u) * form(v, v));
    const double difference = std::abs(form(u, v) - form(v, u)) / scale;
    if (cycle == CycleType::f) {
      EXPECT_GT(difference, 1e-8);
    } else {
      EXPECT_LT(difference, 1e-12) << static_cast<int>(cycle);
    }
    SolveParameters parameters;
    parameters.precision = Precision::same;
    parameters.amg.cycle = cycle;
    auto solver = set_up(this->exec, p.A, parameters);
    EXPECT_EQ(solver.parameters().solver.name, SolverName::cg);
    EXPECT_EQ(solver.parameters().solver.cg.flexible, cycle == CycleType::f);
  }
}

TYPED_TEST(CycleTest, SeveralColumnsAreThoseAlone) {
  using Space = typename TypeParam::Space;
  const auto p = this->problem(ProblemKind::poisson2d, 60);
  const std::size_t n = p.A.num_rows;
  auto values = random_vector<double>(3 * n);
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

}  // namespace tessera::test::cycle_test
