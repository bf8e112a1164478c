// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Levels relaxed by a factorised approximate inverse, and that inverse by itself.
#include "amg/level_solves.hpp"
#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

namespace tessera::test::fsai_levels_test {

SolveParameters relaxed(SmootherType type) {
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  p.precision = Precision::same;
  p.solver.name = SolverName::cg;
  p.solver.tolerance = 1e-8;
  p.amg.smoother.type = type;
  return p;
}

/// One level, relaxed once: no multigrid at all.
SolveParameters alone(SmootherType type) {
  SolveParameters p = relaxed(type);
  p.amg.max_levels = 1;
  p.amg.coarse_sweeps = 1;
  return p;
}

template <class Param>
class FsaiLevels : public LevelSolves<typename Param::Space> {
 public:
  TESSERA_TEST_TYPES(Param);
};
TYPED_TEST_SUITE(FsaiLevels, Spaces, TypeNames);

TYPED_TEST(FsaiLevels, TakeFewerIterationsThanByL1Jacobi) {
  for (const auto kind :
       {ProblemKind::poisson2d, ProblemKind::anisotropic2d, ProblemKind::elasticity2d}) {
    const auto p = gallery_problem(this->exec, kind, 50);
    const int by_sums = this->iterations(p, relaxed(SmootherType::l1_jacobi));
    const int by_fsai = this->iterations(p, relaxed(SmootherType::fsai));
    EXPECT_LT(by_fsai, by_sums) << to_string(kind);
  }
}

TYPED_TEST(FsaiLevels, OneLevelIsAPreconditionerByItself) {
  const auto p = gallery_problem(this->exec, ProblemKind::jump2d, 50);
  const int by_diagonal = this->iterations(p, alone(SmootherType::jacobi));
  const int by_fsai = this->iterations(p, alone(SmootherType::fsai));
  auto square = alone(SmootherType::fsai);
  square.amg.smoother.fsai.pattern_power = 2;
  EXPECT_LT(by_fsai, 0.75 * by_diagonal);
  EXPECT_LT(this->iterations(p, square), 0.75 * by_fsai);
}

TYPED_TEST(FsaiLevels, NotesSayWhereTheMatrixIsNotDefinite) {
  const auto p = gallery_problem(this->exec, ProblemKind::poisson2d, 30);
  auto definite = set_up(this->exec, p, relaxed(SmootherType::fsai));
  EXPECT_FALSE(noted(definite.hierarchy(), "fsai"));
  const auto A = with_diagonal(poisson<double>(30, 30), [](Ordinal i, double& value) {
    if (i == 100) value = 0.1;
  });
  SolveParameters parameters = relaxed(SmootherType::fsai);
  parameters.solver.name = SolverName::gmres;
  parameters.equilibration = Equilibration::none;
  parameters.amg.reuse = amg::Reuse::symbolic;
  const auto device = make_csr(this->exec, A);
  auto solver = set_up(this->exec, device, parameters);
  EXPECT_TRUE(noted(solver.hierarchy(), "smoother of level 0: fsai takes the diagonal alone in"));
  // And no longer, once it is.
  Kokkos::deep_copy(this->exec, device.values,
                    to_device(this->exec, poisson<double>(30, 30).values));
  this->exec.fence("tessera::test: new values");
  solver.update_values(this->exec);
  EXPECT_FALSE(noted(solver.hierarchy(), "fsai"));
}

TYPED_TEST(FsaiLevels, NotesSayWhereTheMatrixIsNotSymmetric) {
  const auto p = gallery_problem(this->exec, ProblemKind::convdiff2d, 30);
  auto solver = set_up(this->exec, p, [] {
    SolveParameters parameters = relaxed(SmootherType::fsai);
    parameters.solver.name = SolverName::gmres;
    return parameters;
  }());
  EXPECT_TRUE(noted(solver.hierarchy(), "fsai reads the lower triangle alone"));
}

}  // namespace tessera::test::fsai_levels_test
