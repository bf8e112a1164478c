// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Levels whose matrices are stored in fp8, which nothing picks.
#include "fixture.hpp"

#include "support/error_of.hpp"

namespace tessera::test::fp8_levels_test {

template <class Param>
class Fp8Levels : public PrecisionTest<Param> {
 public:
  /// Matrices in fp8 from level `first` on.
  static SolveParameters fp8_from(std::size_t first) {
    SolveParameters p = PrecisionTest<Param>::uniform();
    p.amg.levels.assign(first + 1, amg::uniform_choice(p.amg));
    auto& level = p.amg.levels[first];
    level.A.scalar = level.P.scalar = level.R.scalar = StorageScalar::fp8;
    return p;
  }
};
TYPED_TEST_SUITE(Fp8Levels, Spaces, TypeNames);

TYPED_TEST(Fp8Levels, AreOffByDefault) {
  const auto p = this->problem(ProblemKind::poisson2d, 60);
  for (const auto scalar : {StorageScalar::same, StorageScalar::automatic, StorageScalar::half}) {
    SolveParameters parameters = this->uniform();
    parameters.amg.storage.scalar = scalar;
    EXPECT_FALSE(any_stored_in(this->solve(p, parameters).info, "fp8_e4m3"));
  }
}

#if TESSERA_ALL_STORAGE_SCALARS

TYPED_TEST(Fp8Levels, StillPrecondition) {
  for (const auto& [kind, n] :
       {std::pair(ProblemKind::poisson2d, 80), std::pair(ProblemKind::poisson3d, 24)}) {
    const auto p = this->problem(kind, n);
    const auto plain = this->solve(p, this->uniform());
    SolveParameters jacobi = this->uniform();
    jacobi.preconditioner = PreconditionerKind::jacobi;
    const int without_levels = this->solve(p, jacobi).iterations();
    for (const std::size_t first : {0, 1}) {
      const auto narrow = this->solve(p, this->fp8_from(first));
      EXPECT_TRUE(narrow.result.converged());
      EXPECT_LE(narrow.iterations(), 2 * plain.iterations()) << first;
      EXPECT_LT(3 * narrow.iterations(), 2 * without_levels) << first;
      ASSERT_GE(narrow.info.levels.size(), 3U);
      for (std::size_t i = 0; i + 1 < narrow.info.levels.size(); ++i) {
        const auto& level = narrow.info.levels[i];
        const std::string expected = i < first ? "double" : "fp8_e4m3";
        EXPECT_EQ(level.A.storage, expected) << i;
        // On coarser levels rows of P may lie below fp8's range.
        if (i <= first) {
          EXPECT_EQ(level.P.storage, expected) << i;
          EXPECT_EQ(level.R.storage, expected) << i;
        }
        EXPECT_EQ(level.precision, "double") << "vectors keep theirs";
      }
      EXPECT_LT(narrow.info.bytes, plain.info.bytes);
    }
  }
}

TYPED_TEST(Fp8Levels, GiveWayWhereTheirRangeDoesNotHoldAMatrix) {
  const auto large =
      times(to_host(this->problem(ProblemKind::poisson2d, 60).A), 1000);  // above 448
  const auto A = make_csr(this->exec, large);
  SolveParameters parameters = this->fp8_from(0);
  parameters.equilibration = Equilibration::none;
  parameters.amg.scale_restriction = false;
  const auto outcome = this->solve(A, parameters);
  EXPECT_EQ(outcome.info.levels[0].A.storage, "half");
  EXPECT_EQ(outcome.info.levels[0].P.storage, "fp8_e4m3") << "its entries are below 1";
  EXPECT_TRUE(noted(outcome.info, "A of level 0 stored in half: fp8 does not hold its entries"));
}

#else

TYPED_TEST(Fp8Levels, AreAnErrorWhereTheLibraryLacksThem) {
  const auto p = this->problem(ProblemKind::poisson2d, 60);
  expect_error(error_of([&] { this->solve(p, this->fp8_from(1)); }), ErrorKind::configuration,
               {"TESSERA_ALL_STORAGE_SCALARS=OFF"});
}

#endif

}  // namespace tessera::test::fp8_levels_test
