// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The nullspaces of a nonsymmetric matrix and of its transpose, given to `Solver`.
#include "solve/given_nullspaces.hpp"
#include "support/error_of.hpp"

namespace tessera::test::left_nullspace_test {

using namespace given_nullspaces;

/// The beam with its rows in other units: it takes the same vectors to zero, and its transpose
/// those over the units.
struct ObliqueBeam {
  explicit ObliqueBeam(Ordinal n) : A(free_beam(n)), right(linear_functions(n, 1, 0, 0, 1)) {
    left = right;
    for_each_entry(A, [this](std::int32_t i, std::int32_t, double& value) { value *= unit(i); });
    for (std::size_t k = 0; k < left.size(); ++k)
      left[k] /= unit(static_cast<Ordinal>(k % n));
  }
  static double unit(Ordinal i) { return 1 + 0.25 * (i % 3); }

  HostMatrix<double> A;
  Vector right, left;
};

template <class Param>
class LeftNullspace : public GivenNullspaceFixture<Param> {};
TYPED_TEST_SUITE(LeftNullspace, Spaces, TypeNames);

TYPED_TEST(LeftNullspace, XHasNoPartInThatOfTheMatrix) {
  constexpr Ordinal n = 40;
  const ObliqueBeam beam(n);
  const Vector b = image_of_some(beam.A);
  for (const bool knows_left : {false, true}) {
    for (const SolveParameters& p : {SolveParameters(), this->by_gmres()}) {
      Solver<double, typename TypeParam::Space> solver(p);
      solver.set_nullspace(this->exec, this->columns_of(n, beam.right),
                           this->columns_of(n, knows_left ? beam.left : Vector()));
      solver.setup(this->exec, make_csr(this->exec, beam.A));
      const auto x = this->columns_of(n, random_vector<double>(n, 2));
      const auto result = solver.solve(this->exec, this->columns_of(n, b), x);
      EXPECT_TRUE(result.converged()) << to_string(result.status) << " " << knows_left;
      this->expect_orthogonal(to_host(x), beam.right);
    }
  }
}

TYPED_TEST(LeftNullspace, IsLeftOutOfTheResidual) {
  constexpr Ordinal n = 40;
  const ObliqueBeam beam(n);
  Vector b = image_of_some(beam.A);
  const double size = std::sqrt(dot(b.data(), b.data(), n));
  const double length = std::sqrt(dot(beam.left.data(), beam.left.data(), n));
  for (Ordinal i = 0; i < n; ++i)
    b[i] += size / length * beam.left[i];  // what no x reduces, as long as the rest
  const auto solve = [&](const Vector& left) {
    Solver<double, typename TypeParam::Space> solver(this->by_gmres());
    solver.set_nullspace(this->exec, this->columns_of(n, beam.right), this->columns_of(n, left));
    solver.setup(this->exec, make_csr(this->exec, beam.A));
    return solver.solve(this->exec, this->columns_of(n, b), zeros<double>(this->exec, n));
  };
  const auto known = solve(beam.left);
  EXPECT_EQ(to_string(known.status), "least_squares");
  EXPECT_NEAR(known.outside_range, std::sqrt(0.5), 0.02);
  EXPECT_FALSE(solve({}).converged())
      << "b is not in the range, and nothing says what of it is not";
}

TYPED_TEST(LeftNullspace, IsChecked) {
  constexpr Ordinal n = 20;
  const ObliqueBeam beam(n);
  const auto error = [&](const Vector& right, const Vector& left) {
    return error_of([&] {
      Solver<double, typename TypeParam::Space> solver;
      solver.set_nullspace(this->exec, this->columns_of(n, right), this->columns_of(n, left));
      solver.setup(this->exec, make_csr(this->exec, beam.A));
      // New values, of which the same must hold.
      auto other = beam.A;
      for_each_entry(other, [](std::int32_t i, std::int32_t, double& value) { value *= 1 + i; });
      solver.update_values(this->exec, make_csr(this->exec, other));
    });
  };
  expect_error(error(beam.right, beam.right), ErrorKind::configuration, {"of the transpose"});
  expect_error(error(beam.left, beam.left), ErrorKind::configuration, {"the nullspace given"});
  expect_error(error({}, beam.left), ErrorKind::precondition, {"none of the matrix itself"});
  expect_error(error(beam.right, beam.left), ErrorKind::configuration, {"of the transpose"});
  EXPECT_FALSE(error(beam.right, {}));
}

}  // namespace tessera::test::left_nullspace_test
