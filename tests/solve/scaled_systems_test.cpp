// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Discretisations whose equations and unknowns have units of their own, by default settings.
#include "contract/tools_recorder.hpp"
#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solve/inspect.hpp"

#include <algorithm>
#include <array>

namespace tessera::test::scaled_systems_test {

using amg::Reuse;

/// D A E, D from its rows' units and E from its unknowns'; in the symmetric one E is D.
enum class Units { of_both_alike, of_rows, of_columns, of_both };
constexpr std::array all_units{Units::of_both_alike, Units::of_rows, Units::of_columns,
                               Units::of_both};

template <class Scalar>
HostMatrix<Scalar> in_units(const HostMatrix<Scalar>& A, Units units, double digits,
                            unsigned seed = 11) {
  const std::size_t n = A.num_rows;
  const std::vector<double> ones(n, 1.0);
  const auto d = spread(n, digits, seed);
  const auto e = units == Units::of_both_alike ? d : spread(n, digits, seed + 1);
  return scaled(A, units == Units::of_columns ? ones : d, units == Units::of_rows ? ones : e);
}

/// A x for hashed x in (-1, 1), times 10^-column.
template <class Scalar>
std::vector<Scalar> rhs(const HostMatrix<Scalar>& A, int columns) {
  std::vector<Scalar> b;
  for (int column = 0; column < columns; ++column) {
    std::vector<double> image(A.num_rows, 0.0);
    for_each_entry(A, [&](std::int32_t i, std::int32_t j, const Scalar& value) {
      const auto key = static_cast<std::uint32_t>(j + 7 * column);
      image[i] += static_cast<double>(value) * (0x1p-31 * kernels::hash32(key) - 1.0);
    });
    for (const double value : image)
      b.push_back(static_cast<Scalar>(value * std::pow(10.0, -column)));
  }
  return b;
}

/// The largest ||b - A x|| / ||b|| of the columns, in the system's own terms.
template <class Scalar>
double true_residual(const HostMatrix<Scalar>& A, const std::vector<Scalar>& x,
                     const std::vector<Scalar>& b) {
  double worst = 0;
  for (std::size_t first = 0; first < b.size(); first += A.num_rows) {
    std::vector<long double> r(b.begin() + first, b.begin() + first + A.num_rows);
    for_each_entry(A, [&](std::int32_t i, std::int32_t j, const Scalar& value) {
      r[i] -= static_cast<long double>(value) * x[first + j];
    });
    long double of_r = 0;
    long double of_b = 0;
    for (Ordinal i = 0; i < A.num_rows; ++i) {
      of_r += r[i] * r[i];
      of_b += static_cast<long double>(b[first + i]) * b[first + i];
    }
    worst = std::max(worst, static_cast<double>(std::sqrt(of_r / of_b)));
  }
  return worst;
}

template <class Param>
class ScaledSystemsTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  template <class S>
  HostMatrix<S> grid(ProblemKind kind, int n, double contrast = 1000) {
    return to_host(make_problem<S, Space>(exec, {.problem = kind, .n = n, .contrast = contrast}).A);
  }

  /// Solves for `columns` right-hand sides; the true residual is what the solver says it is.
  template <class S>
  SolveResult solve(Solver<S, Space>& solver, const HostMatrix<S>& A, int columns = 1) {
    const auto b = rhs(A, columns);
    const auto x = zeros<S>(exec, A.num_rows, columns);
    const auto result = solver.solve(exec, to_multivector(exec, b, A.num_rows, columns), x);
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    EXPECT_LE(true_residual(A, to_host(x), b), 1.01 * solver.parameters().solver.tolerance);
    return result;
  }

  template <class S>
  void expect_few_iterations(const HostMatrix<S>& A, int columns = 1,
                             const SolveParameters& parameters = {}) {
    auto solver = set_up(exec, make_csr(exec, A), parameters);
    const auto result = solve(solver, A, columns);
    EXPECT_LE(result.iterations, 20);
    EXPECT_EQ(solver.parameters().preconditioner, PreconditionerKind::amg);
    EXPECT_EQ(solver.parameters().equilibration, Equilibration::unit_diagonal);
    EXPECT_TRUE(noted(solver.hierarchy(), "scaled to a diagonal of ones inside the precond"));
  }
};
TYPED_TEST_SUITE(ScaledSystemsTest, Spaces, TypeNames);

TYPED_TEST(ScaledSystemsTest, TakeFewIterationsByDefault) {
  for (const auto& A : {this->template grid<double>(ProblemKind::poisson2d, 100),
                        this->template grid<double>(ProblemKind::poisson3d, 24)}) {
    for (const auto units : all_units) {
      for (const double digits : {1.0, 3.0, 8.0}) {
        SCOPED_TRACE(::testing::Message() << A.num_rows << " " << int(units) << " " << digits);
        this->expect_few_iterations(in_units(A, units, digits));
      }
    }
  }
}

TYPED_TEST(ScaledSystemsTest, InFloatAndOfSeveralRightHandSides) {
  const auto A = this->template grid<double>(ProblemKind::poisson2d, 60);
  SolveParameters parameters;
  parameters.solver.tolerance = 1e-4;
  for (const auto units : all_units) {
    SCOPED_TRACE(int(units));
    this->expect_few_iterations(in_units(A, units, 8), 3);
    this->expect_few_iterations(converted<float>(in_units(A, units, 3)), 1, parameters);
  }
}

/// What no scaling makes a discretisation of, or what is one as it is, stays as it is.
TYPED_TEST(ScaledSystemsTest, OthersAreNotScaled) {
  using Kind = ProblemKind;
  std::vector<HostMatrix<double>> matrices;
  for (const auto kind : {Kind::jump2d, Kind::jump3d, Kind::anisotropic2d, Kind::convdiff2d,
                          Kind::neumann2d, Kind::unstructured3d, Kind::graph})
    matrices.push_back(this->template grid<double>(kind, kind == Kind::jump3d ? 24 : 60, 1e6));
  // Rows of Dirichlet values, by a penalty; equations alone in units that a region has.
  matrices.push_back(with_diagonal(matrices[4], [](Ordinal i, double& value) {
    if (i < 60) value += 1e30;
  }));
  for (const auto& A : matrices) {
    const auto solver = set_up(this->exec, make_csr(this->exec, A));
    EXPECT_NE(solver.parameters().equilibration, Equilibration::unit_diagonal) << &A - &matrices[0];
  }
}

/// How many passes looked for a scaling.
template <class Space>
long passes_for_scaling(const Space& exec, const HostMatrix<double>& A) {
  const auto on_device = make_csr(exec, A);
  const ToolsRecorder recorder;
  (void)set_up(exec, on_device);
  return std::count_if(recorder.kernels.begin(), recorder.kernels.end(), [](const auto& kernel) {
    return kernel.label == "tessera::amg::remainders";
  });
}

/// The first look at a symmetric matrix has its rows' sums, and columns sum to the same.
TYPED_TEST(ScaledSystemsTest, SymmetricRowsThatSumToAlmostZeroAreNotLookedAtAgain) {
  const auto jumps = this->template grid<double>(ProblemKind::jump2d, 60, 1e6);
  const auto facts = [&](const HostMatrix<double>& A) {
    const CrsMatrix<double, typename TypeParam::Space> stored(this->exec, make_csr(this->exec, A));
    return inspect(this->exec, stored.view(), stored.plan());
  };
  EXPECT_GT(facts(jumps).largest_diagonal, 1e5 * facts(jumps).smallest_diagonal);
  EXPECT_LT(facts(jumps).row_remainder, 0.1);
  EXPECT_EQ(passes_for_scaling(this->exec, jumps), 0);
  const auto A = this->template grid<double>(ProblemKind::poisson2d, 60);
  const auto scaled = in_units(A, Units::of_both_alike, 3);
  EXPECT_GT(facts(scaled).row_remainder, 0.1);
  EXPECT_GT(passes_for_scaling(this->exec, scaled), 0);
  // A row at a side of the grid has 4 and three times -1, one at a corner 4 and twice -1.
  const double of_grid = (4 * 58 / 7.0 + 4 * 2 / 6.0) / 3600;
  EXPECT_NEAR(facts(A).row_remainder, of_grid, 1e-5);
}

TYPED_TEST(ScaledSystemsTest, NewValuesAreScaledAnewWhereTheyAsk) {
  const auto A = this->template grid<double>(ProblemKind::poisson2d, 60);
  for (const auto units : all_units) {
    SCOPED_TRACE(int(units));
    SolveParameters parameters;
    parameters.amg.reuse = Reuse::symbolic;
    const auto first = in_units(A, units, 4);
    auto solver = set_up(this->exec, make_csr(this->exec, first), parameters);
    EXPECT_LE(this->solve(solver, first).iterations, 20);
    for (const bool same_units : {true, false}) {
      const auto next = same_units ? times(first, 3) : in_units(A, units, 4, 77);
      solver.update_values(this->exec, make_csr(this->exec, next));
      EXPECT_NE(noted(solver.hierarchy(), "or is of a matrix in other units"), same_units);
      EXPECT_LE(this->solve(solver, next).iterations, 20);
    }
  }
}

}  // namespace tessera::test::scaled_systems_test
