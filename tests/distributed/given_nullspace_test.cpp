// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A nullspace that the program gives to a solver over several processes.
#include "distributed/shared_matrix.hpp"
#include "solve/given_nullspaces.hpp"

#include <limits>

namespace tessera::test::distributed_given_nullspace_test {

using distributed::Parameters;
using given_nullspaces::free_beam;
using given_nullspaces::image_of_some;
using given_nullspaces::linear_functions;
using namespace shared_matrix;

Parameters by_gmres() {
  Parameters p;
  p.solve.preconditioner = PreconditionerKind::jacobi;
  p.solve.solver.name = SolverName::fgmres;
  p.solve.solver.gmres.restart = 60;
  return p;
}

DistributedSolver solver_of(const Shared& shared, const Vector& basis, const Parameters& p,
                            const Vector& left = {}) {
  DistributedSolver solver(shared.processes, p);
  solver.set_nullspace(Space(), shared.vectors(basis), shared.vectors(left));
  solver.setup(Space(), Share(shared.rows()).rows());
  return solver;
}

double length(const Vector& v, Ordinal n, int column) {
  double sum = 0;
  for (Ordinal i = 0; i < n; ++i)
    sum += std::pow(v[static_cast<std::size_t>(column) * n + i], 2);
  return std::sqrt(sum);
}

/// The part of each column of x in each of two vectors, over what all of it would be.
void expect_orthogonal(const Shared& shared, const Vectors& x, const Vector& basis) {
  const Ordinal n = shared.A.num_rows;
  const auto own = on_host(x);
  double squares = 0;
  for (const double value : own)
    squares += value * value;
  const double size = std::sqrt(shared.processes->sum_of(squares));
  for (int j = 0; j < static_cast<int>(x.extent(1)); ++j)
    for (int t = 0; t < 2; ++t)
      EXPECT_LE(std::abs(shared.dot(x, j, basis, t)), 1e-10 * size * length(basis, n, t));
}

/// The beam with its rows in other units: its transpose takes the same vectors over the units to
/// zero.
struct ObliqueBeam {
  explicit ObliqueBeam(Ordinal n) : A(free_beam(n)), right(linear_functions(n, 1, 0, 0, 1)) {
    left = right;
    for_each_entry(A, [](std::int32_t i, std::int32_t, double& value) { value *= unit(i); });
    for (std::size_t k = 0; k < left.size(); ++k)
      left[k] /= unit(static_cast<Ordinal>(k % n));
  }
  static double unit(Ordinal i) { return 1 + 0.25 * (i % 3); }

  HostMatrix<double> A;
  Vector right, left;
};

TEST(DistributedGivenNullspace, SolvesAsOneProcessWhateverTheBasis) {
  constexpr Ordinal n = 40;
  const auto A = free_beam(n);
  const Vector ones_and_rows = linear_functions(n, 1, 0, 0, 1);
  Vector b = image_of_some(A);
  for (Ordinal i = 0; i < n; ++i)
    b.push_back(-2 * b[n - 1 - i]);
  for (const Vector& basis : {ones_and_rows, linear_functions(n, 1, 2, -3, 0.5),
                              linear_functions(n, 1e200, 0, 0, 1e-200)}) {
    SolveParameters of_one = by_gmres().solve;
    Solver<double, Space> one(of_one);
    one.set_nullspace(Space(), rows_of(basis, n, {0, n}));
    one.setup(Space(), make_csr(Space(), A));
    const Vectors x = zeros(n, 2);
    const SolveResult expected = one.solve(Space(), rows_of(b, n, {0, n}), x);
    for (const auto share : {odd_share, share_of_pairs, growing_share}) {
      const Shared shared(A, all_processes(), share);
      DistributedSolver solver = solver_of(shared, basis, by_gmres());
      EXPECT_EQ(solver.parameters().solve.solver.nullspace, NullspaceKind::given);
      const SharedSolve made = solved(solver, shared, b);
      EXPECT_TRUE(made.result.converged()) << to_string(made.result.status);
      EXPECT_EQ(made.result.iterations, expected.iterations);
      expect_orthogonal(shared, made.x, ones_and_rows);
    }
  }
}

TEST(DistributedGivenNullspace, TakesItOutOfTheGuess) {
  constexpr Ordinal n = 40;
  const auto A = free_beam(n);
  const Vector basis = linear_functions(n, 1, 0, 0, 1);
  const Shared shared(A);
  DistributedSolver solver = solver_of(shared, basis, by_gmres());
  const Vectors x = shared.vectors(linear_functions(n, 3, 1, 0.5, 2));
  Vector b = image_of_some(A);
  b.insert(b.end(), b.begin(), b.begin() + n);
  EXPECT_TRUE(solver.solve(Space(), shared.vectors(b), x).converged());
  expect_orthogonal(shared, x, basis);
}

TEST(DistributedGivenNullspace, LeavesWhatNoSolutionReduces) {
  constexpr Ordinal n = 40;
  const ObliqueBeam beam(n);
  const auto A = free_beam(n);
  // What is half outside the range of each.
  const auto outside = [](const HostMatrix<double>& matrix, const Vector& left) {
    Vector b = image_of_some(matrix);
    const double times = length(b, matrix.num_rows, 0) / length(left, matrix.num_rows, 0);
    for (Ordinal i = 0; i < matrix.num_rows; ++i)
      b[i] += times * left[i];
    return b;
  };
  const auto solve = [](const HostMatrix<double>& matrix, const Vector& right, const Vector& left,
                        const Vector& b) {
    const Shared shared(matrix);
    DistributedSolver solver = solver_of(shared, right, by_gmres(), left);
    return solved(solver, shared, b).result;
  };
  const auto of_symmetric = solve(A, beam.right, {}, outside(A, beam.right));
  EXPECT_EQ(to_string(of_symmetric.status), "least_squares");
  EXPECT_NEAR(of_symmetric.outside_range, std::sqrt(0.5), 1e-6);
  const auto known = solve(beam.A, beam.right, beam.left, outside(beam.A, beam.left));
  EXPECT_EQ(to_string(known.status), "least_squares");
  EXPECT_NEAR(known.outside_range, std::sqrt(0.5), 0.02);
  EXPECT_FALSE(solve(beam.A, beam.right, {}, outside(beam.A, beam.left)).converged())
      << "b is not in the range, and nothing says what of it is not";
}

TEST(DistributedGivenNullspace, HasTheBitsOfOneProcess) {
  constexpr Ordinal n = 50;
  const auto A = free_beam(n);
  const Vector basis = linear_functions(n, 1, 2, -3, 0.5);
  Vector b = image_of_some(A);
  for (Ordinal i = 0; i < n; ++i)
    b.push_back(std::sin(1.0 + i));
  Parameters p = by_gmres();
  p.reproducible = true;
  const Shared whole(A, distributed::alone());
  DistributedSolver one = solver_of(whole, basis, p);
  const SharedSolve alone = solved(one, whole, b);
  EXPECT_EQ(to_string(alone.result.columns[1].status), "least_squares");
  for (const auto share : {odd_share, share_of_pairs}) {
    const Shared shared(A, all_processes(), share);
    DistributedSolver solver = solver_of(shared, basis, p);
    EXPECT_EQ(num_different(solved(solver, shared, b), alone), 0);
  }
}

TEST(DistributedGivenNullspace, MultigridIsMadeOfTheSameVectors) {
  const GalleryParameters gallery{.problem = ProblemKind::neumann2d, .n = 40};
  const auto solve = [&](const Communicator& processes) {
    const SharedProblem problem(gallery, processes->size(), processes->rank());
    const Vectors ones("ones", problem.num_rows(), 1);
    Kokkos::deep_copy(ones, 2.0);
    Parameters p;
    p.gather_rows = 100;
    DistributedSolver solver(processes, p);
    solver.set_nullspace(Space(), ones);
    solver.setup(Space(), Share(problem.host).rows(), ones);
    const Vectors x = zeros(problem.num_rows(), 3);
    return solver.solve(Space(), waves(problem.first, problem.num_rows(), 3), x);
  };
  const SolveResult alone = solve(distributed::alone());
  const SolveResult together = solve(all_processes());
  EXPECT_EQ(to_string(together.status), "least_squares");
  EXPECT_EQ(together.iterations, alone.iterations);
  EXPECT_LE(together.iterations, 30);
}

TEST(DistributedGivenNullspace, FollowsNewValues) {
  constexpr Ordinal n = 30;
  auto A = free_beam(n);
  const Shared shared(A);
  DistributedSolver solver = solver_of(shared, linear_functions(n, 1, 0, 0, 1), by_gmres());
  for (double& value : A.values)
    value *= 3;
  solver.update_values(Space(), on_device(shared.rows().values));
  EXPECT_TRUE(solved(solver, shared, image_of_some(A)).result.converged());
  for_each_entry(A, [](std::int32_t i, std::int32_t j, double& value) { value += i == j ? 1 : 0; });
  expect_error(error_of([&] { solver.update_values(Space(), on_device(shared.rows().values)); }),
               ErrorKind::configuration, {"the nullspace given"});
  solver.set_nullspace(Space(), {});
  solver.setup(Space(), Share(shared.rows()).rows());
  EXPECT_EQ(solver.parameters().solve.solver.nullspace, NullspaceKind::none);
  EXPECT_TRUE(solved(solver, shared, image_of_some(A)).result.converged());
}

TEST(DistributedGivenNullspace, TakesMatricesOfOneRowAndOfNone) {
  HostMatrix<double> zero;
  zero.num_rows = zero.num_cols = 1;
  zero.push(0, 0);
  zero.end_row();
  const Shared shared(zero, all_processes(), growing_share);
  DistributedSolver solver = solver_of(shared, {7}, {});
  EXPECT_EQ(to_string(solved(solver, shared, {0}).result.status), "converged");
  EXPECT_EQ(to_string(solved(solver, shared, {2}).result.status), "least_squares");
  const HostMatrix<double> nothing;
  const Shared of_nothing(nothing);
  DistributedSolver none(all_processes());
  none.set_nullspace(Space(), zeros(0, 2));
  none.setup(Space(), Share(of_nothing.rows()).rows());
  EXPECT_TRUE(none.solve(Space(), zeros(0), zeros(0)).converged());
}

/// Where one process is wrong, all hear of it.
TEST(DistributedGivenNullspace, IsCheckedOnAllProcesses) {
  constexpr Ordinal n = 20;
  const auto A = free_beam(n);
  const Shared shared(A);
  const Vector basis = linear_functions(n, 1, 0, 0, 1);
  const auto error = [&](const Vector& vectors, const Parameters& p = {}) {
    return error_of([&] { solver_of(shared, vectors, p); });
  };
  EXPECT_FALSE(error(basis));
  Vector wrong = basis;
  wrong[n + 3] += 1;
  expect_error(error(wrong), ErrorKind::configuration, {"the nullspace given"});
  Parameters p;
  for (const auto kind :
       {NullspaceKind::none, NullspaceKind::constant, NullspaceKind::components}) {
    p.solve.solver.nullspace = kind;
    expect_error(error(basis, p), ErrorKind::configuration, {"solver.nullspace"});
  }
  p.solve.solver.nullspace = NullspaceKind::given;
  EXPECT_FALSE(error(basis, p));
  expect_error(error({}, p), ErrorKind::configuration, {"solver.nullspace=given", "set_nullspace"});
  expect_error(error_of([&] { solver_of(shared, {}, {}, basis); }), ErrorKind::precondition,
               {"left nullspace"});
  DistributedSolver solver(all_processes());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, std::numeric_limits<double>::infinity(), 0.0}) {
    Vector vectors(n, bad == 0 ? 0.0 : 1.0);
    vectors[2] = bad;
    expect_error(error_of([&] { solver.set_nullspace(Space(), shared.vectors(vectors)); }),
                 ErrorKind::bad_input, {"vector 0 of the nullspace"});
  }
  const bool is_last = process() == num_processes() - 1;
  const Vectors longer("longer", shared.range.count + (is_last ? 1 : 0), 1);
  Kokkos::deep_copy(longer, 1.0);
  solver.set_nullspace(Space(), longer);
  expect_error(error_of([&] { solver.setup(Space(), Share(shared.rows()).rows()); }),
               ErrorKind::precondition, {"the nullspace given has", "rows on this process"});
  if (num_processes() == 1) return;
  const Vectors more("more", shared.range.count, is_last ? 2 : 1);
  Kokkos::deep_copy(more, 1.0);
  expect_error(error_of([&] { solver.set_nullspace(Space(), more); }), ErrorKind::precondition,
               {"vectors of the nullspace on this process, and another number on another"});
}

}  // namespace tessera::test::distributed_given_nullspace_test
