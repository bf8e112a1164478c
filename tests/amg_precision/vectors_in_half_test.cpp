// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Levels whose vectors are stored in half: the uniform levels of the Ginkgo thesis (section 6.3),
/// how they fail, and what mends them.
#include "fixture.hpp"

#include "support/columns.hpp"
#include "support/error_of.hpp"
#include "tessera/amg/half_cycle.hpp"

namespace tessera::test {
namespace {

using amg::CycleType;
using amg::LevelFacts;
using amg::LevelParameters;
using amg::Reuse;
using amg::VectorScalar;

template <class Param>
class VectorsInHalf : public PrecisionTest<Param> {
 public:
  /// Vectors in double on the finest level, in `scalars` below; the matrices of a level are stored
  /// in `matrices`, or in its vectors' scalar.
  static SolveParameters below(const std::vector<VectorScalar>& scalars,
                               StorageScalar matrices = StorageScalar::automatic) {
    SolveParameters p = PrecisionTest<Param>::uniform();
    p.amg.levels.assign(scalars.size() + 1, amg::uniform_choice(p.amg));
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      LevelParameters& level = p.amg.levels[i + 1];
      level.vectors = scalars[i];
      StorageScalar storage = matrices;
      if (matrices == StorageScalar::automatic)
        storage = scalars[i] == VectorScalar::half ? StorageScalar::half : StorageScalar::same;
      level.A.scalar = level.P.scalar = level.R.scalar = storage;
    }
    return p;
  }
};
TYPED_TEST_SUITE(VectorsInHalf, Spaces, TypeNames);

TYPED_TEST(VectorsInHalf, ToAFewDigitsTheyDo) {
  for (const auto kind :
       {ProblemKind::poisson2d, ProblemKind::poisson3d, ProblemKind::convdiff2d}) {
    const auto p = this->problem(kind, kind == ProblemKind::poisson3d ? 24 : 90);
    SolveParameters plain = this->uniform();
    SolveParameters half = this->below({VectorScalar::float32, VectorScalar::half});
    plain.solver.tolerance = half.solver.tolerance = 1e-4;
    const auto in_double = this->solve(p, plain);
    const auto mixed = this->solve(p, half);
    EXPECT_TRUE(mixed.result.converged());
    EXPECT_LE(mixed.iterations(), in_double.iterations() + 1);
    ASSERT_GE(mixed.info.levels.size(), 3U);
    EXPECT_EQ(mixed.info.levels[0].precision, "double");
    EXPECT_EQ(mixed.info.levels[1].precision, "float");
    EXPECT_EQ(mixed.info.levels[2].precision, "half");
    EXPECT_EQ(mixed.info.levels.back().precision, "half") << "all below, too";
    EXPECT_EQ(mixed.info.levels[1].A.storage, "float");
    const bool is_coarsest = mixed.info.levels.size() == 3;
    EXPECT_EQ(mixed.info.levels[2].A.storage, is_coarsest ? "float" : "half");
    EXPECT_EQ(mixed.effective.solver.name,
              kind == ProblemKind::convdiff2d ? SolverName::fgmres : SolverName::cg);
    EXPECT_EQ(mixed.effective.solver.flexible, kind != ProblemKind::convdiff2d);
  }
}

TYPED_TEST(VectorsInHalf, SmallResidualsVanishInThem) {
  // (DP-HP, DP-HP) of the thesis at its tolerance: what is restricted falls below 6e-8.
  const auto p = this->problem(ProblemKind::poisson2d, 100);
  SolveParameters plain = this->uniform();
  plain.solver.tolerance = 1e-12;
  const auto in_double = this->solve(p, plain);
  SolveParameters half = this->below({VectorScalar::half});
  half.solver.tolerance = 1e-12;
  const auto uniform = this->solve(p, half);
  EXPECT_GE(uniform.iterations(), 3 * in_double.iterations() / 2);

  // Working precision above storage: (DP-SP, DP-HP).
  SolveParameters above = this->below({VectorScalar::float32}, StorageScalar::half);
  above.solver.tolerance = 1e-12;
  const auto mended = this->solve(p, above);
  EXPECT_TRUE(mended.result.converged());
  EXPECT_LE(mended.iterations(), in_double.iterations() + 1);
  EXPECT_EQ(mended.info.levels[1].A.storage, "half");
  EXPECT_EQ(mended.info.levels[1].precision, "float");
}

TYPED_TEST(VectorsInHalf, EquilibrationBringsThemIntoRange) {
  auto tiny = to_host(this->problem(ProblemKind::poisson2d, 60).A);
  for (auto& value : tiny.values)
    value *= 0x1p-20;  // what corrects b of about 1 on coarse levels leaves half's range
  const auto A = make_csr<typename TypeParam::Offset>(this->exec, tiny);
  SolveParameters plain = this->uniform();
  plain.solver.tolerance = 1e-4;
  const auto in_double = this->solve(A, plain);
  SolveParameters half = this->below({VectorScalar::half}, StorageScalar::same);
  half.solver.tolerance = 1e-4;
  half.solver.max_iterations = 100;
  half.equilibration = Equilibration::none;
  const auto failed = this->solve(A, half);
  EXPECT_FALSE(failed.result.converged());
  half.equilibration = Equilibration::automatic;
  const auto mended = this->solve(A, half);
  EXPECT_EQ(mended.effective.equilibration, Equilibration::powers_of_two);
  EXPECT_TRUE(mended.result.converged());
  EXPECT_LE(mended.iterations(), in_double.iterations() + 1);
}

TYPED_TEST(VectorsInHalf, InEveryLinearCycleAndWithPolynomials) {
  const auto p = this->problem(ProblemKind::poisson2d, 120);
  for (const auto cycle : {CycleType::v, CycleType::w, CycleType::f}) {
    for (const auto type : {SmootherType::jacobi, SmootherType::chebyshev}) {
      for (const int sweeps : {1, 2}) {
        for (const int coarse_sweeps : {0, 4}) {
          const auto with = [&](SolveParameters parameters) {
            parameters.solver.tolerance = 1e-4;
            parameters.amg.cycle = cycle;
            parameters.amg.coarse_sweeps = coarse_sweeps;
            parameters.amg.smoother.type = type;
            parameters.amg.smoother.sweeps = sweeps;
            for (auto& level : parameters.amg.levels)
              level.smoother = parameters.amg.smoother;
            return this->solve(p, parameters);
          };
          const auto plain = with(this->uniform());
          const auto half = with(this->below({VectorScalar::half}));
          EXPECT_TRUE(half.result.converged());
          EXPECT_EQ(half.info.levels[1].precision, "half");
          EXPECT_LE(half.iterations(), plain.iterations() + 1)
              << static_cast<int>(cycle) << " " << sweeps << " " << coarse_sweeps;
        }
      }
    }
  }
}

TYPED_TEST(VectorsInHalf, ACycleRoundsByHalfsRoundOff) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto p = this->problem(ProblemKind::poisson2d, 80);
  const std::size_t n = p.A.num_rows;
  const auto b = to_multivector(this->exec, this->waves(n), n, 1);
  const auto applied = [&](const SolveParameters& parameters) {
    amg::Multigrid<double, Space> grid(parameters.amg);
    grid.setup(this->exec, p.A);
    const auto z = allocate_multivector<double>(this->exec, "tessera::test", n, 1);
    grid.apply(this->exec, b, z);
    return to_host(z);
  };
  const auto exact = applied(this->uniform());
  const auto half = applied(this->below({VectorScalar::half}, StorageScalar::same));
  double largest = 0;
  double difference = 0;
  for (std::size_t i = 0; i < n; ++i) {
    largest = std::max(largest, std::abs(exact[i]));
    difference = std::max(difference, std::abs(exact[i] - half[i]));
  }
  EXPECT_LE(difference, 0x1p-7 * largest);
  EXPECT_GE(difference, 0x1p-20 * largest) << "stored in float?";
}

TYPED_TEST(VectorsInHalf, OnTheFinestLevelToo) {
  const auto p = this->problem(ProblemKind::poisson2d, 80);
  SolveParameters parameters = this->uniform();
  parameters.solver.tolerance = 1e-4;
  const auto plain = this->solve(p, parameters);
  parameters.amg.levels.assign(1, amg::uniform_choice(parameters.amg));
  parameters.amg.levels[0].vectors = VectorScalar::half;
  const auto half = this->solve(p, parameters);
  for (const auto& level : half.info.levels)
    EXPECT_EQ(level.precision, "half");
  EXPECT_LE(half.iterations(), plain.iterations() + 2);
}

TYPED_TEST(VectorsInHalf, SeveralColumnsAreThoseAlone) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto p = this->problem(ProblemKind::poisson2d, 60);
  const std::size_t n = p.A.num_rows;
  const auto values = this->waves(5 * n);
  amg::Multigrid<double, Space> grid(this->below({VectorScalar::half}).amg);
  grid.setup(this->exec, p.A);
  EXPECT_TRUE(amg::has_half(grid.hierarchy()));
  expect_columns_as_alone(this->exec, grid, values, n, 2e-3);
}

TYPED_TEST(VectorsInHalf, NewValuesReachThem) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto before = to_host(this->problem(ProblemKind::jump2d, 60, 10).A);
  auto after = before;
  for (auto& value : after.values)
    value *= 16;
  for (const auto reuse : {Reuse::symbolic, Reuse::interpolation}) {
    SolveParameters parameters = this->below({VectorScalar::half});
    parameters.solver.tolerance = 1e-4;
    parameters.amg.reuse = reuse;
    Solver<double, Space, Offset> solver(parameters);
    solver.setup(this->exec, make_csr<Offset>(this->exec, before));
    const auto first = this->solve(solver, before.num_rows);
    solver.update_values(this->exec, make_csr<Offset>(this->exec, after));
    const auto second = this->solve(solver, before.num_rows);
    EXPECT_TRUE(second.result.converged());
    EXPECT_LE(second.iterations(), first.iterations() + 1);
    ASSERT_EQ(second.info.levels.size(), first.info.levels.size());
    for (std::size_t i = 1; i < second.info.levels.size(); ++i)
      EXPECT_EQ(second.info.levels[i].precision, "half");
  }
}

TYPED_TEST(VectorsInHalf, WhereTheyCannotBeTheyAreInFloat) {
  const auto p = this->problem(ProblemKind::poisson2d, 80);
  SolveParameters tiles = this->below({VectorScalar::half});
  tiles.amg.levels[1].A.format = StorageFormat::mbsr;
  SolveParameters ilu = this->below({VectorScalar::half});
  ilu.amg.levels[1].smoother.type = SmootherType::ilu;
  SolveParameters flexible = this->below({VectorScalar::half});
  flexible.amg.cycle = CycleType::k;
  // Two levels, so that only the first of them is of tiles.
  SolveParameters partly = this->below({VectorScalar::half, VectorScalar::half});
  partly.amg.levels[1].A.format = StorageFormat::mbsr;
  const struct {
    SolveParameters parameters;
    const char* why;
    bool all;
  } cases[] = {{tiles, "its matrices are not all in compressed rows", false},
               {ilu, "it is not smoothed by Jacobi or Chebyshev", false},
               {flexible, "the K-cycle takes inner products", true},
               {partly, "its matrices are not all in compressed rows", false}};
  for (const auto& [parameters, why, all] : cases) {
    SCOPED_TRACE(why);
    const auto outcome = this->solve(p, parameters);
    EXPECT_TRUE(has_note(outcome.info, why));
    EXPECT_TRUE(has_note(outcome.info, "in float, not in half"));
    EXPECT_EQ(outcome.info.levels[1].precision, "float");
    EXPECT_EQ(outcome.info.levels.back().precision, all ? "float" : "half");
    EXPECT_TRUE(outcome.result.converged());
  }
}

TYPED_TEST(VectorsInHalf, WiderOnesBelowAreAnError) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const auto& [below, name] :
       {std::pair(VectorScalar::float32, "float"), std::pair(VectorScalar::float64, "double")}) {
    SolveParameters parameters = this->below({VectorScalar::half, below});
    expect_error(error_of([&] { Solver<double, Space, Offset>{parameters}; }),
                 ErrorKind::configuration,
                 {"amg.levels.2.vectors = ", name, " below vectors in half"});
  }
  const auto p = this->problem(ProblemKind::poisson2d, 80);
  SolveParameters parameters = this->uniform();
  parameters.amg.choose_level = [](const LevelFacts& facts, LevelParameters chosen) {
    chosen.vectors = facts.number == 0 ? VectorScalar::half : VectorScalar::float32;
    return chosen;
  };
  expect_error(error_of([&] { this->solve(p, parameters); }), ErrorKind::configuration,
               {"amg.choose_level of level 1: vectors = float below vectors in half"});
}

}  // namespace
}  // namespace tessera::test
