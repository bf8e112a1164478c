// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices of a scalar of their own on each level over processes: levels and iterations of one
/// process.
#include "distributed/reduction_cases.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::test::stored_by_level_test {

using namespace reduction_cases;
using enum StorageScalar;

/// How the matrices of one level are stored.
struct Scalars {
  StorageScalar A = same;
  StorageScalar P = same;
  StorageScalar R = same;
};

/// Jacobi on all levels; the last element is of all levels below, too.
Parameters stored(const std::vector<Scalars>& levels) {
  Parameters p = reducing();
  p.solve.solver.tolerance = 1e-12;
  p.solve.amg.coarsening = amg::CoarseningKind::smoothed_aggregation;
  p.solve.amg.smoother.type = SmootherType::jacobi;
  p.solve.amg.levels.assign(levels.size(), amg::uniform_choice(p.solve.amg));
  for (std::size_t l = 0; l < levels.size(); ++l) {
    p.solve.amg.levels[l].A.scalar = levels[l].A;
    p.solve.amg.levels[l].P.scalar = levels[l].P;
    p.solve.amg.levels[l].R.scalar = levels[l].R;
  }
  return p;
}

std::string scalar_name(StorageScalar scalar) {
  return scalar == half ? "half" : scalar == float32 ? "float" : "double";
}

/// Some process has the matrix so, and none in another scalar; one without rows stores nothing.
void expect_stored(const distributed::Communicator& processes, const char* matrix,
                   const std::string& found, StorageScalar scalar) {
  SCOPED_TRACE(matrix);
  EXPECT_TRUE(found.empty() || found == scalar_name(scalar))
      << found << ", not " << scalar_name(scalar);
  EXPECT_GT(processes.sum_of(std::int64_t(found == scalar_name(scalar))), 0);
}

/// The levels above the coarsest, and on each process above the last that it knows, say what was
/// asked for.
void expect_stored(const distributed::Communicator& processes, const HierarchyInfo& hierarchy,
                   const std::vector<Scalars>& scalars) {
  double known[] = {static_cast<double>(hierarchy.levels.size())};
  processes.maximum(known);
  for (std::size_t l = 0; l + 1 < static_cast<std::size_t>(known[0]); ++l) {
    SCOPED_TRACE("level " + std::to_string(l));
    const Scalars& asked = scalars[std::min(l, scalars.size() - 1)];
    const bool has_some = l + 1 < hierarchy.levels.size();
    const LevelInfo level = has_some ? hierarchy.levels[l] : LevelInfo{};
    expect_stored(processes, "A", level.A.storage, asked.A);
    expect_stored(processes, "P", level.P.storage, asked.P);
    expect_stored(processes, "R", level.R.storage, asked.R);
  }
}

/// Solves with all matrices in double have other residuals.
void expect_those_of_one(const GalleryParameters& gallery, const std::vector<Scalars>& scalars,
                         Parameters p) {
  const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
  ASSERT_TRUE(alone.result.converged()) << to_string(alone.result.status);
  EXPECT_GE(alone.hierarchy.levels.size(), 3U);
  expect_stored(*distributed::alone(), alone.hierarchy, scalars);
  const Solved together = solved_by(all_processes(), gallery, odd_share, p);
  ASSERT_TRUE(together.result.converged()) << to_string(together.result.status);
  EXPECT_EQ(together.result.iterations, alone.result.iterations);
  EXPECT_LT(distance(together.x, together.first, on_host(alone.x)), 1e-10);
  expect_common_levels(together, alone);
  expect_stored(*all_processes(), together.hierarchy, scalars);
  // Of levels that are gathered process 0 knows.
  if (process() == 0) {
    EXPECT_EQ(level_rows_of(together.hierarchy), level_rows_of(alone.hierarchy));
  }
  p.solve.amg.levels.clear();
  const Solved in_double = solved_by(all_processes(), gallery, odd_share, p);
  EXPECT_EQ(level_rows_of(in_double.hierarchy), level_rows_of(together.hierarchy));
  EXPECT_NE(in_double.result.residual_history, together.result.residual_history);
}

/// Levels that stay, that go to fewer processes, and that are gathered from the second on.
void expect_those_of_one(const std::vector<Scalars>& scalars) {
  for (const GalleryParameters& gallery :
       {GalleryParameters{.problem = ProblemKind::poisson2d, .n = 60},
        GalleryParameters{.problem = ProblemKind::convdiff2d, .n = 50, .peclet = 100}}) {
    SCOPED_TRACE(name_of(gallery));
    Parameters p = stored(scalars);
    for (const int rows : {1, 1000}) {
      SCOPED_TRACE("rows per process: " + std::to_string(rows));
      p.rows_per_process = rows;
      expect_those_of_one(gallery, scalars, p);
    }
    p.gather_rows = 700;
    expect_those_of_one(gallery, scalars, p);
  }
}

TEST(DistributedStoredByLevel, TakesFloatAboveHalf) {
  expect_those_of_one({{.A = float32}, {.A = half}});
}

TEST(DistributedStoredByLevel, TakesTransfersInHalf) {
  expect_those_of_one({{.P = half, .R = half}, {}});
}

TEST(DistributedStoredByLevel, TakesAnotherScalarOfEachMatrix) {
  expect_those_of_one({{.A = float32, .P = half, .R = float32}, {.A = half, .R = half}});
}

/// As the list has it, so may the function.
TEST(DistributedStoredByLevel, TakesWhatTheFunctionReturns) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 60};
  const std::vector<Scalars> scalars{{.A = float32}, {.A = half}};
  const Solved listed = solved_by(all_processes(), gallery, odd_share, stored(scalars));
  Parameters p = stored({});
  p.solve.amg.choose_level = [&](const amg::LevelFacts& level, const amg::LevelParameters& given) {
    amg::LevelParameters chosen = given;
    chosen.A.scalar = level.number == 0 ? float32 : half;
    return chosen;
  };
  const Solved made = solved_by(all_processes(), gallery, odd_share, p);
  ASSERT_TRUE(made.result.converged()) << to_string(made.result.status);
  EXPECT_EQ(made.result.iterations, listed.result.iterations);
  EXPECT_EQ(level_rows_of(made.hierarchy), level_rows_of(listed.hierarchy));
  expect_stored(*all_processes(), made.hierarchy, scalars);
}

}  // namespace tessera::test::stored_by_level_test
