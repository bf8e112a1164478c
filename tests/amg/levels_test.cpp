// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Choices by level: what is asked for is what each level gets and what the tables say, and it
/// costs no iterations where it should not.
#include "support/error_of.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/multigrid.hpp"
#include "tessera/smoother/chebyshev.hpp"
#include "tessera/smoother/jacobi.hpp"

#include <cstdlib>

namespace tessera::test::levels_test {

using amg::LevelFacts;
using amg::LevelParameters;

template <class Param>
class LevelsTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  Problem<double, Space> problem(ProblemKind kind, int n) { return gallery_problem(exec, kind, n); }

  /// Multigrid in double, of at least three levels for the sizes here.
  static SolveParameters uniform() {
    SolveParameters p;
    p.preconditioner = PreconditionerKind::amg;
    p.precision = Precision::same;
    p.amg.coarse_size = 30;
    return p;
  }

  struct Outcome {
    int iterations;
    HierarchyInfo info;
    SolveParameters effective;
  };

  Outcome solve(const Problem<double, Space>& p, const SolveParameters& parameters,
                bool with_vectors = true) {
    auto solver = with_vectors ? set_up(exec, p, parameters) : set_up(exec, p.A, parameters);
    const auto result = solve_waves(exec, solver, p.A.num_rows);
    EXPECT_TRUE(result.converged());
    return {result.iterations, solver.hierarchy(), solver.parameters()};
  }
};
TYPED_TEST_SUITE(LevelsTest, Spaces, TypeNames);

void store_all(LevelParameters& level, StorageScalar scalar) {
  level.A.scalar = level.P.scalar = level.R.scalar = scalar;
}

void expect_stored(const LevelInfo& level, const std::string& storage) {
  EXPECT_EQ(level.A.storage, storage);
  EXPECT_EQ(level.P.storage, storage);
  EXPECT_EQ(level.R.storage, storage);
}

TYPED_TEST(LevelsTest, HalfOnAllLevelsButTheFirst) {
  for (const auto& [kind, n] :
       {std::pair(ProblemKind::poisson2d, 100), std::pair(ProblemKind::poisson3d, 24),
        std::pair(ProblemKind::jump2d, 80), std::pair(ProblemKind::elasticity3d, 8)}) {
    SCOPED_TRACE(to_string(kind));
    const auto p = this->problem(kind, n);
    SolveParameters parameters = this->uniform();
    const auto plain = this->solve(p, parameters);
    parameters.amg.levels.assign(2, amg::uniform_choice(parameters.amg));
    store_all(parameters.amg.levels[1], StorageScalar::half);
    const auto mixed = this->solve(p, parameters);
    EXPECT_LE(std::abs(mixed.iterations - plain.iterations), 2)
        << mixed.iterations << " for " << plain.iterations;

    const auto& levels = mixed.info.levels;
    ASSERT_GE(levels.size(), 3U);
    expect_stored(levels[0], "double");
    for (std::size_t i = 1; i + 1 < levels.size(); ++i) {
      SCOPED_TRACE(i);
      expect_stored(levels[i], "half");
      EXPECT_EQ(levels[i].precision, "double") << "vectors keep theirs";
    }
    EXPECT_EQ(levels.back().A.storage, "double") << "it is inverted, not multiplied";
    EXPECT_LT(mixed.info.bytes, plain.info.bytes);
  }
}

TYPED_TEST(LevelsTest, DoubleSingleHalf) {
  const auto p = this->problem(ProblemKind::poisson3d, 30);
  SolveParameters parameters = this->uniform();
  parameters.amg.coarse_size = 5;
  const auto plain = this->solve(p, parameters);
  parameters.amg.levels.assign(3, amg::uniform_choice(parameters.amg));
  store_all(parameters.amg.levels[1], StorageScalar::float32);
  store_all(parameters.amg.levels[2], StorageScalar::half);
  const auto mixed = this->solve(p, parameters);
  EXPECT_LE(std::abs(mixed.iterations - plain.iterations), 2);
  ASSERT_GE(mixed.info.levels.size(), 4U);
  EXPECT_EQ(mixed.info.levels[0].A.storage, "double");
  EXPECT_EQ(mixed.info.levels[1].A.storage, "float");
  EXPECT_EQ(mixed.info.levels[2].A.storage, "half");
}

TYPED_TEST(LevelsTest, ChebyshevBelowJacobi) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto p = this->problem(ProblemKind::poisson2d, 100);
  SolveParameters parameters = this->uniform();
  parameters.amg.smoother.type = SmootherType::jacobi;
  const auto plain = this->solve(p, parameters);
  EXPECT_EQ(plain.info.levels[1].smoother, "jacobi");
  parameters.amg.levels.assign(2, amg::uniform_choice(parameters.amg));
  parameters.amg.levels[1].smoother.type = SmootherType::chebyshev;
  parameters.amg.levels[1].smoother.chebyshev.degree = 3;
  const auto mixed = this->solve(p, parameters);
  EXPECT_LE(mixed.iterations, plain.iterations + 2);
  EXPECT_EQ(mixed.info.levels[0].smoother, "jacobi");
  EXPECT_EQ(mixed.info.levels[1].smoother, "chebyshev of degree 3");
  EXPECT_EQ(mixed.info.levels.back().smoother, "") << "solved directly";

  amg::Multigrid<double, Space> grid(parameters.amg);
  grid.setup(this->exec, p.A);
  const auto& levels = grid.levels();
  ASSERT_GE(levels.size(), 3U);
  using Jacobi = JacobiSmoother<double, Space>;
  using Chebyshev = ChebyshevSmoother<double, Space>;
  EXPECT_NE(dynamic_cast<const Jacobi*>(levels[0].smoother.get()), nullptr);
  for (std::size_t i = 1; i + 1 < levels.size(); ++i)
    EXPECT_NE(dynamic_cast<const Chebyshev*>(levels[i].smoother.get()), nullptr) << i;
}

TYPED_TEST(LevelsTest, FormatsByLevel) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto p = this->problem(ProblemKind::poisson2d, 100);
  SolveParameters parameters = this->uniform();
  const auto plain = this->solve(p, parameters);
  parameters.amg.levels.assign(2, amg::uniform_choice(parameters.amg));
  parameters.amg.levels[0].A.format = StorageFormat::mbsr;
  const auto mixed = this->solve(p, parameters);
  EXPECT_LE(std::abs(mixed.iterations - plain.iterations), 2);
  EXPECT_EQ(mixed.info.levels[0].A.format, "mbsr packed");
  EXPECT_EQ(mixed.info.levels[0].P.format, "csr");
  EXPECT_EQ(mixed.info.levels[1].A.format, "csr");

  amg::Multigrid<double, Space> grid(parameters.amg);
  grid.setup(this->exec, p.A);
  EXPECT_EQ(grid.levels()[0].A->info().format, "mbsr packed");
  EXPECT_EQ(grid.levels()[1].A->info().format, "csr");
}

TYPED_TEST(LevelsTest, ACallbackSeesTheFactsAndItsAnswerIsTaken) {
  const auto p = this->problem(ProblemKind::poisson2d, 100);
  SolveParameters parameters = this->uniform();
  const auto plain = this->solve(p, parameters);
  parameters.amg.levels.assign(2, amg::uniform_choice(parameters.amg));
  parameters.amg.levels[1].smoother.sweeps = 2;
  std::vector<LevelFacts> seen;
  std::vector<LevelParameters> offered;
  parameters.amg.choose_level = [&](const LevelFacts& facts, const LevelParameters& chosen) {
    seen.push_back(facts);
    offered.push_back(chosen);
    LevelParameters answer = chosen;
    answer.smoother.sweeps = 1;
    if (facts.rows < 5000) store_all(answer, StorageScalar::float32);
    return answer;
  };
  const auto chosen = this->solve(p, parameters);
  EXPECT_LE(std::abs(chosen.iterations - plain.iterations), 2);
  const auto& levels = chosen.info.levels;
  ASSERT_EQ(seen.size(), levels.size() - 1) << "each level but the one that is solved directly";
  ASSERT_GE(seen.size(), 2U);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].number, static_cast<int>(i));
    EXPECT_EQ(seen[i].rows, levels[i].rows);
    EXPECT_EQ(seen[i].entries, levels[i].entries);
    EXPECT_EQ(seen[i].unknowns_per_node, 1);
    EXPECT_EQ(seen[i].spectral_radius, levels[i].spectral_radius);
    EXPECT_GT(seen[i].spectral_radius, 1);
    EXPECT_TRUE(seen[i].symmetric);
    if (i > 0) {
      EXPECT_LT(seen[i].rows, seen[i - 1].rows);
      EXPECT_LT(seen[i].entries, seen[i - 1].entries);
    }
    EXPECT_EQ(offered[i].smoother.sweeps, i == 0 ? 1 : 2) << "what the list says";
    EXPECT_EQ(offered[i].smoother.type, SmootherType::jacobi) << "as it was picked";
    EXPECT_EQ(levels[i].A.storage, seen[i].rows < 5000 ? "float" : "double");
  }
}

TYPED_TEST(LevelsTest, GmresIsFlexibleWhereACallbackRoundsVectors) {
  const auto p = this->problem(ProblemKind::convdiff2d, 60);
  SolveParameters parameters = this->uniform();
  for (const bool rounds : {false, true}) {
    for (const auto name : {SolverName::automatic, SolverName::gmres}) {
      parameters.solver.name = name;
      parameters.amg.choose_level = [&](const LevelFacts& facts, LevelParameters chosen) {
        if (rounds && facts.number > 0) chosen.vectors = amg::VectorScalar::float32;
        chosen.P.scalar = StorageScalar::float32;  // linear, whatever it rounds
        return chosen;
      };
      const auto chosen = this->solve(p, parameters);
      const bool changes = rounds && name == SolverName::automatic;
      EXPECT_EQ(chosen.effective.solver.name, changes ? SolverName::fgmres : SolverName::gmres);
      EXPECT_EQ(chosen.info.levels[1].precision, rounds ? "float" : "double");
      const auto& notes = chosen.info.notes;
      EXPECT_EQ(std::count(notes.begin(), notes.end(),
                           "solver fgmres: a cycle in less than double is linear to its round-off "
                           "alone"),
                changes ? 1 : 0);
    }
  }
}

/// `precision=auto` picks float for the finest level before the callback is asked.
TYPED_TEST(LevelsTest, ACallbackThatWantsDoubleWhereFloatWasPickedIsToldWhatToSet) {
  const auto p = this->problem(ProblemKind::poisson2d, 60);
  SolveParameters parameters = this->uniform();
  parameters.precision = Precision::automatic;
  parameters.amg.choose_level = [](const LevelFacts& facts, LevelParameters chosen) {
    chosen.vectors = facts.number == 0 ? amg::VectorScalar::float64 : amg::VectorScalar::float32;
    return chosen;
  };
  expect_error(error_of([&] { this->solve(p, parameters); }), ErrorKind::configuration,
               {"amg.choose_level of level 0: vectors = double", "precision = same"});
  parameters.precision = Precision::same;
  const auto chosen = this->solve(p, parameters);
  EXPECT_EQ(chosen.info.levels[0].precision, "double");
  EXPECT_EQ(chosen.info.levels[1].precision, "float");
}

TYPED_TEST(LevelsTest, ACallbackThatAnswersNonsenseIsAnError) {
  const auto p = this->problem(ProblemKind::poisson2d, 40);
  SolveParameters parameters = this->uniform();
  parameters.amg.choose_level = [](const LevelFacts&, LevelParameters chosen) {
    chosen.smoother.jacobi.omega = -1;
    return chosen;
  };
  expect_error(error_of([&] { this->solve(p, parameters); }), ErrorKind::configuration,
               {"amg.choose_level of level 0: smoother.jacobi.omega = -1 is out of range"});
}

TYPED_TEST(LevelsTest, AnElementOutOfRangeIsAnError) {
  SolveParameters parameters;
  parameters.amg.levels.resize(3);
  parameters.amg.levels[2].smoother.jacobi.omega = 3;
  using Space = typename TypeParam::Space;
  expect_error(error_of([&] { Solver<double, Space>{parameters}; }), ErrorKind::configuration,
               {"amg.levels.2.smoother.jacobi.omega = 3 is out of range"});
  expect_error(error_of([&] { amg::Multigrid<double, Space>{parameters.amg}; }),
               ErrorKind::configuration,
               {"amg.levels.2.smoother.jacobi.omega = 3 is out of range"});
}

TYPED_TEST(LevelsTest, MoreElementsThanLevelsAndNone) {
  const auto p = this->problem(ProblemKind::poisson2d, 60);
  SolveParameters parameters = this->uniform();
  parameters.amg.storage.scalar = StorageScalar::float32;
  const auto plain = this->solve(p, parameters);
  for (const auto& level : plain.info.levels)
    if (&level != &plain.info.levels.back()) {
      EXPECT_EQ(level.A.storage, "float") << "an empty list leaves all to storage";
    }
  parameters.amg.levels.assign(40, amg::uniform_choice(parameters.amg));
  const auto many = this->solve(p, parameters);
  EXPECT_EQ(many.iterations, plain.iterations);
  EXPECT_EQ(many.info.bytes, plain.info.bytes);
  EXPECT_EQ(many.effective.amg.levels.size(), 40U);
}

TYPED_TEST(LevelsTest, OpenSmoothersArePickedAsTheOneForAll) {
  // Coupled unknowns without vectors: a longer polynomial than multigrid alone would take.
  const auto p = this->problem(ProblemKind::elasticity3d, 8);
  SolveParameters parameters = this->uniform();
  const auto plain = this->solve(p, parameters, false);
  parameters.amg.levels.assign(2, amg::uniform_choice(parameters.amg));
  const auto by_level = this->solve(p, parameters, false);
  EXPECT_EQ(plain.effective.amg.smoother.chebyshev.degree, 4);
  for (const auto& level : by_level.effective.amg.levels) {
    EXPECT_EQ(level.smoother.type, SmootherType::chebyshev);
    EXPECT_EQ(level.smoother.chebyshev.degree, 4);
  }
  EXPECT_EQ(by_level.iterations, plain.iterations);
  EXPECT_EQ(by_level.info.levels[0].smoother, plain.info.levels[0].smoother);
}

TYPED_TEST(LevelsTest, NewValuesGetTheSameChoices) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto p = this->problem(ProblemKind::poisson2d, 60);
  amg::Parameters parameters = this->uniform().amg;
  parameters.reuse = amg::Reuse::symbolic;
  parameters.levels.assign(2, amg::uniform_choice(parameters));
  store_all(parameters.levels[1], StorageScalar::half);
  parameters.levels[1].smoother.type = SmootherType::chebyshev;
  amg::Multigrid<double, Space> grid(parameters);
  grid.setup(this->exec, p.A);
  const HierarchyInfo before = grid.info();
  ASSERT_TRUE(grid.try_update(this->exec));
  const auto& after = grid.info().levels;
  ASSERT_EQ(after.size(), before.levels.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    EXPECT_EQ(after[i].A.storage, before.levels[i].A.storage);
    EXPECT_EQ(after[i].P.storage, before.levels[i].P.storage);
    EXPECT_EQ(after[i].smoother, before.levels[i].smoother);
  }
}

}  // namespace tessera::test::levels_test
