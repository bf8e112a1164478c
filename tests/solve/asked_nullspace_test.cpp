// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A nullspace that the parameters name, or that was found, is the matrix's.
#include "solve/singular_systems.hpp"
#include "support/error_of.hpp"

#include "tessera/kernels/execution/error.hpp"

namespace tessera::test::asked_nullspace_test {

using namespace singular_systems;

template <class Param>
class AskedNullspace : public SingularFixture<Param> {};
TYPED_TEST_SUITE(AskedNullspace, Spaces, TypeNames);

TYPED_TEST(AskedNullspace, RefusesANullspaceThatIsNone) {
  const auto A = grid_network(20, 20, 1, unit_weight).matrix();
  for (const auto kind : {NullspaceKind::constant, NullspaceKind::components}) {
    // Squares of the outer two are infinite and zero.
    for (const double magnitude : {1e200, 1.0, 1e-200}) {
      SCOPED_TRACE(magnitude);
      SolveParameters asked;
      asked.solver.nullspace = kind;
      expect_error(error_of([&] { this->set_up(times(A, magnitude), asked); }),
                   ErrorKind::configuration, {"solver.nullspace="});
    }
  }
}

TYPED_TEST(AskedNullspace, TakesTheConstantOfAMatrixOfAnyMagnitude) {
  const auto A = floating_grid(20, 20);
  for (const double magnitude : {1e160, 1e-170}) {
    SCOPED_TRACE(magnitude);
    SolveParameters asked;
    asked.solver.nullspace = NullspaceKind::constant;
    this->set_up(times(A, magnitude), asked);
    Vector b(400, 0.0);
    b[0] = 1, b[399] = -1;
    EXPECT_TRUE(this->solve(b).converged());
  }
}

TYPED_TEST(AskedNullspace, NewValuesMayHaveNoNullspace) {
  const auto grid = floating_grid(12, 12);
  const auto two = side_by_side({grid, grid});
  SolveParameters asked;
  asked.preconditioner = PreconditionerKind::amg;
  asked.amg.reuse = amg::Reuse::symbolic;
  const std::string why = "A does not annihilate the nullspace";
  for (const auto& A : {grid, two.A}) {
    Vector b(A.num_rows, 0.0);
    b[0] = 1;
    this->set_up(A, asked);
    this->expect(SolveStatus::least_squares, b);
    this->update(times(A, 3));
    EXPECT_FALSE(this->noted(why));
    this->expect(SolveStatus::least_squares, b);
    this->update(with_diagonal(A, [](Ordinal, double& value) { value += 1; }));
    EXPECT_TRUE(this->noted(why));
    this->expect(SolveStatus::converged, b);
    EXPECT_EQ(this->nullspace(), NullspaceKind::none);
  }
}

}  // namespace tessera::test::asked_nullspace_test
