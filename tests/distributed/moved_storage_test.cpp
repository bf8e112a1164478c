// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How levels are stored, as processes say that have none of their rows.
#include "distributed/shares.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera::test::moved_storage_test {

using distributed::Parameters;

/// What this process says of its levels above the coarsest one that it knows.
struct Report {
  std::vector<std::string> words;  ///< of A, P and R of each
  std::vector<bool> is_here;  ///< whether it has any of that matrix
  std::int64_t num_without_rows = 0;
};

Report report_of(const std::shared_ptr<const distributed::Communicator>& processes,
                 const Parameters& p, RowRange (*shares)(int, int, int)) {
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 60}, processes->size(),
                              processes->rank(), shares);
  const Share share(problem.host);
  DistributedSolver solver(processes, p);
  solver.setup(Space(), share.rows());
  Report made;
  const HierarchyInfo info = solver.hierarchy();
  for (std::size_t l = 0; l + 1 < info.levels.size(); ++l) {
    const LevelInfo& level = info.levels[l];
    made.num_without_rows += level.A.bytes == 0 ? 1 : 0;
    for (const StorageInfo* matrix : {&level.A, &level.P, &level.R}) {
      EXPECT_FALSE(matrix->kernel.empty()) << "level " << l;
      made.words.push_back(matrix->format + ", " + matrix->storage);
      made.is_here.push_back(matrix->bytes > 0);
    }
  }
  return made;
}

/// A scalar of each matrix's own, so that none is taken for another.
Parameters stored() {
  Parameters p;
  p.gather_rows = 20;
  p.solve.preconditioner = PreconditionerKind::amg;
  p.solve.amg.coarse_size = 20;
  p.solve.amg.levels.assign(2, amg::uniform_choice(p.solve.amg));
  p.solve.amg.levels[0].A.scalar = StorageScalar::float32;
  p.solve.amg.levels[0].R.scalar = StorageScalar::half;
  p.solve.amg.levels[1].A.scalar = StorageScalar::half;
  p.solve.amg.levels[1].P.scalar = StorageScalar::float32;
  for (amg::LevelParameters& level : p.solve.amg.levels)
    for (StorageParameters* storage : {&level.A, &level.P, &level.R})
      storage->format = StorageFormat::csr;
  return p;
}

/// Process 0 knows all levels.
void expect_that_of_others(RowRange (*shares)(int, int, int)) {
  const Report alone = report_of(distributed::alone(), stored(), odd_share);
  EXPECT_EQ(alone.num_without_rows, 0);
  std::int64_t num_without_rows = 0;
  for (const int rows : {1, 1000}) {
    SCOPED_TRACE("rows per process: " + std::to_string(rows));
    Parameters p = stored();
    p.rows_per_process = rows;
    const Report together = report_of(all_processes(), p, shares);
    num_without_rows += together.num_without_rows;
    ASSERT_LE(together.words.size(), alone.words.size());
    EXPECT_TRUE(process() > 0 || together.words.size() == alone.words.size());
    for (std::size_t i = 0; i < together.words.size(); ++i)
      EXPECT_TRUE(together.is_here[i] || together.words[i] == alone.words[i])
          << i << ": " << together.words[i] << ", not " << alone.words[i];
  }
  EXPECT_TRUE(num_processes() == 1 || all_processes()->sum_of(num_without_rows) > 0);
}

TEST(MovedStorage, IsThatOfTheProcessesWithRows) { expect_that_of_others(odd_share); }

TEST(MovedStorage, IsThatOfOthersFromTheFinestLevelOn) { expect_that_of_others(share_of_pairs); }

TEST(MovedStorage, IsThatOfTheProcessWithMostRows) { expect_that_of_others(growing_share); }

}  // namespace tessera::test::moved_storage_test
