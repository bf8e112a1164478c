// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Multigrid in float gives way to double where the coarsest matrix is too ill-conditioned for it.
#include "fixture.hpp"

#include "amg/systems.hpp"

namespace tessera::test {
namespace {

template <class Param>
class CoarseCondition : public PrecisionTest<Param> {
 public:
  /// `pairs` of vertices, each tied by a weight of about `strong`, in a chain of weights of about 1,
  /// which ends at the ground: one dense level.
  static HostMatrix<double> chain(int pairs, double strong) {
    Network network(2 * pairs);
    for (int i = 0; i < pairs; ++i) {
      network.tie(2 * i, 2 * i + 1, strong * (1 + 0.3 * std::sin(i)));
      if (i > 0) network.tie(2 * i - 1, 2 * i, 1 + 0.1 * std::cos(i));
    }
    network.ground(0, 1);
    return network.matrix();
  }

  static SolveParameters open() {
    SolveParameters p;
    p.preconditioner = PreconditionerKind::amg;
    return p;
  }
};
TYPED_TEST_SUITE(CoarseCondition, Spaces, TypeNames);

TYPED_TEST(CoarseCondition, TooLargeForFloatIsADouble) {
  const auto A = make_csr(this->exec, this->chain(60, 1e4));
  SolveParameters asked = this->open();
  asked.precision = Precision::single;
  const auto in_float = this->solve(A, asked);
  EXPECT_EQ(in_float.effective.precision, Precision::single) << "asked for by name";
  EXPECT_FALSE(has_note(in_float.info, "does not suit float"));
  const auto outcome = this->solve(A, this->open());
  EXPECT_EQ(outcome.effective.precision, Precision::same);
  EXPECT_FALSE(outcome.effective.solver.flexible);
  EXPECT_EQ(outcome.info.levels[0].precision, "double");
  EXPECT_TRUE(has_note(outcome.info, "preconditioner in double: the coarsest matrix, of condition"));
  EXPECT_LE(outcome.iterations(), 2) << "the inverse itself";
  EXPECT_GT(in_float.iterations(), outcome.iterations());
}

TYPED_TEST(CoarseCondition, OtherwiseItStaysInFloat) {
  const auto outcome = this->solve(make_csr(this->exec, this->chain(60, 1)), this->open());
  EXPECT_EQ(outcome.effective.precision, Precision::single);
  for (const auto kind : {ProblemKind::poisson2d, ProblemKind::jump2d, ProblemKind::elasticity2d})
    EXPECT_EQ(this->solve(this->problem(kind, 40), this->open()).effective.precision,
              Precision::single);
}

TYPED_TEST(CoarseCondition, IsThatOfSkeel) {
  TESSERA_TEST_TYPES(TypeParam);
  // |A^-1| |A| of [[2, -1], [-1, 2]] is [[5, 4], [4, 5]] / 3.
  const auto A = from_rows<double>(2, {{{0, 2.0}, {1, -1.0}}, {{0, -1.0}, {1, 2.0}}});
  amg::CoarseSolver<double, Space> solver;
  EXPECT_EQ(solver.condition(), 0);
  solver.setup(this->exec, make_csr(this->exec, A).view());
  EXPECT_NEAR(solver.condition(), 3, 1e-14);
  auto scaled = A;
  scaled.values[0] = 2e9;
  scaled.values[1] = -1e9;
  solver.setup(this->exec, make_csr(this->exec, scaled).view());
  EXPECT_NEAR(solver.condition(), 3, 1e-14) << "whatever the rows are scaled by";
}

}  // namespace
}  // namespace tessera::test
