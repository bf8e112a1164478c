// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Storage by a level's range: restrictions scaled into it, and scalars that are picked without a
/// price in iterations.
#include "fixture.hpp"

#include "tessera/matrix/magnitudes.hpp"

namespace tessera::test::storage_by_range_test {

template <class Param>
using StorageByRange = PrecisionTest<Param>;
TYPED_TEST_SUITE(StorageByRange, Spaces, TypeNames);

TEST(Magnitudes, ExponentsIntoTheRangeOfHalf) {
  EXPECT_EQ(exponent_into_range<Half>({1, 1}), 0);
  EXPECT_EQ(exponent_into_range<Half>({0, 1}), 0);
  EXPECT_EQ(exponent_into_range<Half>({65536, 1}), -2);
  EXPECT_EQ(exponent_into_range<Half>({1, 0x1p-15}), 2) << "even";
  EXPECT_EQ(exponent_into_range<Half>({0x1p18, 1}), -4);
  EXPECT_EQ(exponent_into_range<Half>({1e-9, 0x1p-40}), 26);
  EXPECT_EQ(exponent_into_range<Half>({1e9, 1e-9}), 0) << "no power of two helps";
  EXPECT_EQ(exponent_into_range<Half>({std::nan(""), 1}), 0);
  EXPECT_EQ(exponent_into_range<Half>({std::numeric_limits<double>::infinity(), 1}), 0);
}

TYPED_TEST(StorageByRange, AScaledRestrictionKeepsCoarseLevelsInHalf) {
  const auto small =
      times(to_host(this->problem(ProblemKind::poisson3d, 40).A),
            0x1p-16);  // 6 x 2^-16 is in half's range, what Galerkin products make of it is not
  const auto A = make_csr(this->exec, small);
  SolveParameters parameters = this->uniform();
  parameters.equilibration = Equilibration::none;
  const auto in_double = this->solve(A, parameters);
  parameters.amg.storage.scalar = StorageScalar::half;
  const auto mended = this->solve(A, parameters);
  parameters.amg.scale_restriction = false;
  const auto plain = this->solve(A, parameters);
  const auto& levels = mended.info.levels;
  ASSERT_GE(levels.size(), 3U);
  for (std::size_t i = 0; i + 1 < levels.size(); ++i)
    EXPECT_EQ(levels[i].A.storage, "half") << i;
  EXPECT_EQ(plain.info.levels[1].A.storage, wider_than_half);
  EXPECT_TRUE(noted(mended.info, "restriction to level 1 scaled by 2^"));
  EXPECT_FALSE(noted(plain.info, "scaled by"));
  EXPECT_LE(mended.iterations(), 1.05 * in_double.iterations());
}

TYPED_TEST(StorageByRange, AutomaticStorageIsHalfOrFloat) {
  const auto p = this->problem(ProblemKind::poisson2d, 60);
  SolveParameters parameters = this->uniform();
  parameters.equilibration = Equilibration::none;
  parameters.amg.storage.scalar = StorageScalar::automatic;
  const auto narrow = this->solve(p, parameters);
  for (std::size_t i = 0; i + 1 < narrow.info.levels.size(); ++i) {
    EXPECT_EQ(narrow.info.levels[i].A.storage, "half");
    EXPECT_EQ(narrow.info.levels[i].P.storage, "half");
    EXPECT_EQ(narrow.info.levels[i].R.storage, "half");
  }
  const auto large = times(to_host(p.A), 1e6);
  const auto wide = this->solve(make_csr(this->exec, large), parameters);
  EXPECT_EQ(wide.info.levels[0].A.storage, "float");
  EXPECT_EQ(wide.info.levels[0].P.storage, "half");
  EXPECT_FALSE(any_stored_in(wide.info, "bfloat16"));
}

struct Sample {
  ProblemKind kind;
  int n;
  double contrast = 1000;
};

TYPED_TEST(StorageByRange, WhatIsPickedTakesNoMoreIterationsThanDouble) {
  for (const Sample& sample : {Sample{ProblemKind::poisson2d, 150},
                               {ProblemKind::poisson3d, 30},
                               {ProblemKind::poisson3d27, 24},
                               {ProblemKind::anisotropic2d, 120},
                               {ProblemKind::anisotropic3d, 24},
                               {ProblemKind::jump2d, 120},
                               {ProblemKind::jump3d, 24},
                               {ProblemKind::jump2d, 120, 1e5},
                               {ProblemKind::jump2d, 120, 1e9},
                               {ProblemKind::jump3d, 24, 1e-9},
                               {ProblemKind::convdiff2d, 100},
                               {ProblemKind::elasticity2d, 40},
                               {ProblemKind::elasticity3d, 8},
                               {ProblemKind::beam, 0},
                               {ProblemKind::lshape, 0},
                               {ProblemKind::unstructured2d, 100},
                               {ProblemKind::graph, 100}}) {
    SCOPED_TRACE(std::string(to_string(sample.kind)) + " " + std::to_string(sample.n));
    const auto p = this->problem(sample.kind, std::max(sample.n, 1), sample.contrast);
    SolveParameters in_double;
    in_double.precision = Precision::same;
    const auto reference = this->solve(p, in_double);
    EXPECT_TRUE(reference.result.converged());
    const double most = 1.05 * reference.iterations();
    const SolveParameters open;
    SolveParameters narrow;
    narrow.amg.storage.scalar = StorageScalar::automatic;
    SolveParameters matrices_alone = in_double;
    matrices_alone.amg.storage.scalar = StorageScalar::automatic;
    int which = 0;
    for (const auto& parameters : {open, narrow, matrices_alone}) {
      const auto outcome = this->solve(p, parameters);
      EXPECT_TRUE(outcome.result.converged());
      // Of few iterations 5 % is less than one.
      EXPECT_LE(outcome.iterations(), std::max(most, reference.iterations() + 1.0)) << which;
      ++which;
    }
  }
}

}  // namespace tessera::test::storage_by_range_test
