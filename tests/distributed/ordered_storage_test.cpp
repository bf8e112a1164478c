// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How levels are stored whose bits are the same for any number of processes: in compressed rows of
/// the vectors' scalar, and what is not that is refused.
#include "distributed/shares.hpp"

#include <algorithm>
#include <string>

namespace tessera::test::ordered_storage_test {

using distributed::Parameters;
using enum StorageScalar;

/// The finest level is over processes, all others are gathered.
Parameters reproducible() {
  Parameters p;
  p.reproducible = true;
  p.gather_rows = 700;
  p.solve.preconditioner = PreconditionerKind::amg;
  p.solve.precision = Precision::same;
  p.solve.equilibration = Equilibration::none;
  p.solve.amg.coarse_size = 30;
  return p;
}

Parameters with_levels(int count) {
  Parameters p = reproducible();
  p.solve.amg.levels.assign(static_cast<std::size_t>(count), amg::uniform_choice(p.solve.amg));
  return p;
}

struct Refusal {
  void (*ask)(Parameters&);
  const char* answer;
};

const Refusal refusals[] = {
    {[](Parameters& p) { p.solve.amg.levels[0].A.scalar = half; },
     "'reproducible' is for rows in the scalar of the vectors: 'amg.levels.0.A.scalar' of level 0 "
     "is same or double, not half"},
    {[](Parameters& p) { p.solve.amg.levels[0].P.scalar = float32; },
     "'amg.levels.0.P.scalar' of level 0 is same or double, not float"},
    {[](Parameters& p) { p.solve.amg.levels[0].R.scalar = automatic; },
     "'amg.levels.0.R.scalar' of level 0 is same or double, not auto"},
    {[](Parameters& p) { p.solve.amg.levels[0].R.format = StorageFormat::ell; },
     "'reproducible' is for compressed rows: 'amg.levels.0.R.format' of level 0 is auto or csr, "
     "not ell"},
    {[](Parameters& p) {
       p.solve.precision = Precision::single;
       p.solve.amg.levels[0].A.scalar = float64;
     },
     "'amg.levels.0.A.scalar' of level 0 is same or float, not double"},
    {[](Parameters& p) {
       p.solve.amg.levels.clear();
       p.solve.amg.choose_level = [](const amg::LevelFacts&, const amg::LevelParameters& listed) {
         amg::LevelParameters chosen = listed;
         chosen.P.scalar = half;
         return chosen;
       };
     },
     "'amg.choose_level: P.scalar' of level 0 is same or double, not half"}};

const GalleryParameters grid{.problem = ProblemKind::poisson2d, .n = 60};

TEST(OrderedStorage, IsRefusedWhereLevelsAskForAnother) {
  for (const auto& processes : {all_processes(), distributed::alone()}) {
    const SharedProblem problem(grid, processes->size(), processes->rank());
    const Share share(problem.host);
    for (const Refusal& refusal : refusals) {
      SCOPED_TRACE(refusal.answer);
      Parameters p = with_levels(1);
      refusal.ask(p);
      DistributedSolver solver(processes, p);
      const auto words =
          message_of(ErrorKind::configuration, [&] { solver.setup(Space(), share.rows()); });
      EXPECT_NE(words.find(refusal.answer), std::string::npos) << words;
    }
  }
}

/// What the report says of this process's levels, and whether the solve comes to an end.
HierarchyInfo solved_with(const Parameters& p) {
  const SharedProblem problem(grid);
  const Share share(problem.host);
  DistributedSolver solver(all_processes(), p);
  solver.setup(Space(), share.rows());
  const Vectors x = zeros(problem.num_rows());
  const SolveResult result = solver.solve(Space(), waves(problem.first, problem.num_rows()), x);
  EXPECT_TRUE(result.converged()) << to_string(result.status);
  return solver.hierarchy();
}

void expect_finest(const HierarchyInfo& info, const std::string& scalar) {
  ASSERT_FALSE(info.levels.empty());
  const LevelInfo& finest = info.levels.front();
  for (const StorageInfo* matrix : {&finest.A, &finest.P, &finest.R}) {
    EXPECT_EQ(matrix->format, "csr");
    EXPECT_EQ(matrix->storage, scalar);
  }
}

TEST(OrderedStorage, IsWhatTheVectorsAreIn) {
  expect_finest(solved_with(reproducible()), "double");
  Parameters p = reproducible();
  p.solve.amg.storage = {StorageFormat::csr, float64};
  expect_finest(solved_with(p), "double");
  p.solve.precision = Precision::single;
  p.solve.amg.storage = {StorageFormat::csr, float32};
  p.solve.solver.tolerance = 1e-8;
  expect_finest(solved_with(p), "float");
  p = with_levels(1);
  p.solve.amg.levels[0].vectors = amg::VectorScalar::float32;
  p.solve.amg.levels[0].A.scalar = float32;
  expect_finest(solved_with(p), "float");
}

/// Process 0 has those to itself.
TEST(OrderedStorage, IsOpenOnGatheredLevels) {
  Parameters p = with_levels(2);
  p.solve.amg.levels[1].A.scalar = half;
  const HierarchyInfo info = solved_with(p);
  expect_finest(info, "double");
  if (process() > 0) return;
  ASSERT_GE(info.levels.size(), 3U);
  EXPECT_EQ(info.levels[1].A.storage, "half");
}

}  // namespace tessera::test::ordered_storage_test
