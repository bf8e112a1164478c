// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Nullspaces beyond constants of components: near-nullspace vectors, what solves find, and the
/// constant of a matrix that is not symmetric.
#include "solve/singular_fixture.hpp"
#include "support/error_of.hpp"

#include "tessera/kernels/execution/error.hpp"

#include <map>
#include <tuple>

namespace tessera::test::nullspace_vectors_test {

using namespace singular;

/// A truss in the plane that nothing holds: nodes of a grid, with springs along its edges and both
/// diagonals. Two unknowns per node.
HostMatrix<double> floating_truss(Ordinal nx, Ordinal ny) {
  std::vector<std::map<Ordinal, double>> entries(2 * nx * ny);
  const auto spring = [&](Ordinal v, Ordinal w, double x, double y) {
    const double along[] = {x / std::hypot(x, y), y / std::hypot(x, y)};
    for (const auto& [p, q, sign] :
         {std::tuple{v, v, 1.0}, {w, w, 1.0}, {v, w, -1.0}, {w, v, -1.0}})
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          entries[2 * p + i][2 * q + j] += sign * along[i] * along[j];
  };
  for (Ordinal y = 0; y < ny; ++y) {
    for (Ordinal x = 0; x < nx; ++x) {
      const Ordinal v = y * nx + x;
      if (x + 1 < nx) spring(v, v + 1, 1, 0);
      if (y + 1 < ny) spring(v, v + nx, 0, 1);
      if (x + 1 < nx && y + 1 < ny) spring(v, v + nx + 1, 1, 1);
      if (x > 0 && y + 1 < ny) spring(v, v + nx - 1, -1, 1);
    }
  }
  std::vector<std::vector<std::pair<Ordinal, double>>> rows;
  for (const auto& row : entries)
    rows.emplace_back(row.begin(), row.end());
  return from_rows(2 * nx * ny, rows);
}

/// Translations and the rotation of that, column after column.
Vector plane_motions(Ordinal nx, Ordinal ny) {
  const Ordinal n = 2 * nx * ny;
  Vector modes(3 * n, 0.0);
  for (Ordinal v = 0; v < nx * ny; ++v) {
    modes[2 * v] = modes[n + 2 * v + 1] = 1;
    modes[2 * n + 2 * v] = -(v / nx - 0.5 * (ny - 1));
    modes[2 * n + 2 * v + 1] = v % nx - 0.5 * (nx - 1);
  }
  return modes;
}

/// Diffusion and a flow through a square whose sides meet: rows and columns sum to zero.
/// `is_closed`: between walls, so that columns alone do.
HostMatrix<double> flow(Ordinal n, bool is_closed) {
  std::vector<std::map<Ordinal, double>> entries(n * n);
  for (Ordinal v = 0; v < n * n; ++v) {
    const Ordinal x = v % n, y = v / n;
    const std::tuple<Ordinal, Ordinal, double> ways[] = {
        {x + 1, y, 1.0}, {x - 1, y, 6.0}, {x, y + 1, 1.0}, {x, y - 1, 3.0}};
    for (const auto& [to_x, to_y, share] : ways) {
      const bool leaves = std::min(to_x, to_y) < 0 || std::max(to_x, to_y) == n;
      if (leaves && is_closed) continue;
      const Ordinal w = (to_y + n) % n * n + (to_x + n) % n;
      entries[w][v] -= share;
      entries[v][v] += share;
    }
  }
  std::vector<std::vector<std::pair<Ordinal, double>>> rows;
  for (const auto& row : entries)
    rows.emplace_back(row.begin(), row.end());
  return from_rows(n * n, rows);
}

template <class Param>
using NullspaceVectors = SingularSolver<Param>;
TYPED_TEST_SUITE(NullspaceVectors, Spaces, TypeNames);

TYPED_TEST(NullspaceVectors, ARankOfOne) {
  for (const Ordinal n : {6, 60, 300}) {
    SCOPED_TRACE(n);
    const auto A = by_rows<double>(n, n, [&](auto& rows, Ordinal i) {
      for (Ordinal j = 0; j < n; ++j)
        rows.push(j, (i % 7 + 1.0) * (j % 7 + 1.0));
    });
    this->set_up(A);
    this->expect(SolveStatus::converged, product(A, random_vector<double>(n, 3)));
    this->expect(SolveStatus::least_squares, random_vector<double>(n, 4));
    this->expect(SolveStatus::converged, product(A, random_vector<double>(n, 5)));
  }
}

/// Where the scaling's signs differ, couplings are positive, and no component is looked for.
TYPED_TEST(NullspaceVectors, ConstantsThatSignsHaveScaled) {
  const auto L = floating_grid(40, 40);
  Vector d = random_vector<double>(L.num_rows, 5);
  for (double& value : d)
    value = std::copysign(std::pow(10.0, std::abs(value)), value);
  const auto A = scaled(L, d);
  this->set_up(A);
  this->expect(SolveStatus::converged, product(A, random_vector<double>(L.num_rows, 3)));
  this->expect(SolveStatus::least_squares, random_vector<double>(L.num_rows, 4));
  EXPECT_EQ(this->nullspace(), NullspaceKind::vectors);
  EXPECT_TRUE(this->noted("A annihilates 1 vector"));
  this->expect(SolveStatus::least_squares, random_vector<double>(L.num_rows, 5));
}

TYPED_TEST(NullspaceVectors, ABodyThatNothingHolds) {
  for (const bool has_modes : {true, false}) {
    SCOPED_TRACE(has_modes);
    for (const auto kind : {PreconditionerKind::automatic, PreconditionerKind::amg}) {
      SolveParameters parameters;
      parameters.preconditioner = kind;
      const auto A = floating_truss(24, 20);
      this->set_up(A, parameters, has_modes ? plane_motions(24, 20) : Vector());
      EXPECT_EQ(this->nullspace(), NullspaceKind::vectors);
      const Vector outside = random_vector<double>(A.num_rows, 4);
      this->expect(SolveStatus::converged, product(A, random_vector<double>(A.num_rows, 3)));
      this->expect(SolveStatus::least_squares, outside);
      // The shortest x, with no part of any motion.
      const Vector motions = plane_motions(24, 20);
      for (int t = 0; t < 3; ++t) {
        const auto first = motions.begin() + t * A.num_rows;
        const double part = std::inner_product(this->x.begin(), this->x.end(), first, 0.0);
        EXPECT_NEAR(part / norm(Vector(first, first + A.num_rows)) / norm(this->x), 0, 1e-8) << t;
      }
      EXPECT_EQ(this->noted("beside those known before"), !has_modes);
      this->expect(SolveStatus::least_squares, random_vector<double>(A.num_rows, 5));
    }
  }
}

TYPED_TEST(NullspaceVectors, VectorsThatNewValuesDoNotAnnihilate) {
  SolveParameters asked;
  asked.preconditioner = PreconditionerKind::amg;
  asked.amg.reuse = amg::Reuse::symbolic;
  const auto A = floating_truss(24, 20);
  const Vector b = random_vector<double>(A.num_rows, 4);
  this->set_up(A, asked, plane_motions(24, 20));
  this->expect(SolveStatus::least_squares, b);
  this->update(times(A, 3));
  this->expect(SolveStatus::least_squares, b);
  EXPECT_EQ(this->nullspace(), NullspaceKind::vectors);
  this->update(with_diagonal(A, [](Ordinal, double& value) { value += 1; }));
  this->expect(SolveStatus::converged, b);
  EXPECT_EQ(this->nullspace(), NullspaceKind::none);
}

TYPED_TEST(NullspaceVectors, AFlowWhoseRowsAndColumnsSumToZero) {
  const auto A = flow(30, false);
  this->set_up(A);
  EXPECT_EQ(this->nullspace(), NullspaceKind::constant);
  this->expect(SolveStatus::converged, product(A, random_vector<double>(A.num_rows, 3)));
  this->expect(SolveStatus::least_squares, random_vector<double>(A.num_rows, 4));
}

TYPED_TEST(NullspaceVectors, RowsOfAFloatingGridThatAreScaled) {
  auto A = floating_grid(40, 40);
  const Vector d = random_vector<double>(A.num_rows, 5);
  for_each_entry(
      A, [&](std::int32_t i, std::int32_t, auto& value) { value *= std::pow(10.0, 3 * d[i]); });
  this->set_up(A);
  EXPECT_EQ(this->nullspace(), NullspaceKind::none);
  this->expect(SolveStatus::converged, product(A, random_vector<double>(A.num_rows, 3)));
}

/// Of a matrix that is not symmetric the constant may be in the range though it is in the
/// nullspace.
TYPED_TEST(NullspaceVectors, RefusesTheConstantOfRowsAlone) {
  const auto A = transpose(flow(30, true));
  this->set_up(A);
  EXPECT_EQ(this->nullspace(), NullspaceKind::none);
  this->expect(SolveStatus::converged, product(A, random_vector<double>(A.num_rows, 3)));
  SolveParameters asked;
  asked.solver.nullspace = NullspaceKind::constant;
  expect_error(error_of([&] { this->set_up(A, asked); }), ErrorKind::configuration,
               {"solver.nullspace=constant", "its columns do not sum to zero"});
}

}  // namespace tessera::test::nullspace_vectors_test
