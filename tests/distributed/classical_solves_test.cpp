// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves with classical coarsening over processes are those of one process.
#include "distributed/classical_cases.hpp"

#include <string>

namespace tessera::test::classical_solves_test {

using namespace classical_cases;

/// Column j, as vectors of one column.
Vectors column_of(const Vectors& v, int j) {
  const Vectors column = zeros(static_cast<int>(v.extent(0)));
  Kokkos::deep_copy(Kokkos::subview(column, Kokkos::ALL, 0), Kokkos::subview(v, Kokkos::ALL, j));
  return column;
}

/// Levels and iterations are the same as without gathering, and solutions but for rounding.
TEST(DistributedClassical, GivesTheIterationsOfOneProcess) {
  for (const GalleryParameters& gallery : gallery_problems()) {
    SCOPED_TRACE(to_string(gallery.problem));
    expect_iterations_of_one(gallery, classical(gallery), std::string(to_string(gallery.problem)));
  }
}

/// Levels that go to fewer processes, and cycles in float.
TEST(DistributedClassical, MovesLevels) {
  const GalleryParameters gallery{.problem = ProblemKind::unstructured3d, .n = 14};
  Parameters p = classical();
  const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
  p.rows_per_process = 300;
  const Solved moved = solved_by(all_processes(), gallery, odd_share, p);
  EXPECT_EQ(moved.result.iterations, alone.result.iterations);
  EXPECT_EQ(level_rows_of(moved.hierarchy), level_rows_of(alone.hierarchy));
  p.solve.precision = Precision::single;
  p.solve.solver.name = SolverName::fgmres;
  EXPECT_TRUE(solved_by(all_processes(), gallery, odd_share, p).result.converged());
}

/// Column after column of several right-hand sides is that of one process.
TEST(DistributedClassical, SolvesSeveralRightHandSides) {
  constexpr int num_columns = 3;
  for (const ProblemKind kind : {ProblemKind::poisson3d, ProblemKind::unstructured2d}) {
    SCOPED_TRACE(to_string(kind));
    const GalleryParameters gallery{.problem = kind, .n = kind == ProblemKind::poisson3d ? 10 : 25};
    const Parameters p = classical(gallery);
    const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p, num_columns);
    const auto expected = on_host(alone.x);
    const auto rows = static_cast<std::ptrdiff_t>(expected.size() / num_columns);
    for (const ShareOf share : all_shares) {
      const Solved together = solved_by(all_processes(), gallery, share, p, num_columns);
      ASSERT_TRUE(together.result.converged()) << to_string(together.result.status);
      ASSERT_EQ(together.result.columns.size(), std::size_t(num_columns));
      expect_common_levels(together, alone);
      for (int j = 0; j < num_columns; ++j) {
        SCOPED_TRACE(j);
        EXPECT_GT(together.result.columns[j].iterations, 3);
        EXPECT_EQ(together.result.columns[j].iterations, alone.result.columns[j].iterations);
        const auto begin = expected.begin() + j * rows;
        EXPECT_LT(distance(column_of(together.x, j), together.first, {begin, begin + rows}), 1e-7);
      }
    }
  }
}

/// New values by each kind of reuse.
TEST(DistributedClassical, TakesNewValues) {
  for (const ProblemKind kind : {ProblemKind::unstructured3d, ProblemKind::convdiff2d}) {
    const GalleryParameters gallery{.problem = kind,
                                    .n = kind == ProblemKind::convdiff2d ? 40 : 12};
    SCOPED_TRACE(to_string(kind));
    expect_a_third_by_new_values(
        gallery, classical(gallery),
        {amg::Reuse::symbolic, amg::Reuse::interpolation, amg::Reuse::hierarchy});
  }
}

/// With `reproducible` iterates have the bits of one process.
TEST(DistributedClassical, HasTheBitsOfOneProcess) {
  for (const ProblemKind kind : {ProblemKind::poisson3d, ProblemKind::unstructured3d}) {
    SCOPED_TRACE(to_string(kind));
    const GalleryParameters gallery{.problem = kind, .n = 12};
    Parameters p = classical();
    p.reproducible = true;
    for (const auto reuse : {amg::Reuse::none, amg::Reuse::symbolic}) {
      p.solve.amg.reuse = reuse;
      expect_bits_of_one_process(gallery, p);
    }
  }
}

/// One row, and fewer rows than processes.
TEST(DistributedClassical, TakesFewRows) {
  for (const int n : {1, 2, 3, 5}) {
    SCOPED_TRACE(n);
    const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = n};
    Parameters p = classical();
    p.gather_rows = 1;
    for (const ShareOf share : all_shares)
      EXPECT_TRUE(solved_by(all_processes(), gallery, share, p).result.converged());
  }
}

/// Rows of a matrix solved by all processes.
SolveResult solved_rows(const WholeRows& whole, const Parameters& p, HierarchyInfo& hierarchy) {
  const auto n = static_cast<int>(whole.rows.size());
  const RowRange range = odd_share(n, num_processes(), process());
  const Share share(whole.share(range));
  DistributedSolver solver(all_processes(), p);
  const Space exec;
  solver.setup(exec, share.rows());
  hierarchy = solver.hierarchy();
  return solver.solve(exec, waves(range.first, range.count), zeros(range.count));
}

/// Nothing that is coarse: no rows at all, or none that depends on another.
TEST(DistributedClassical, EndsWhereNothingIsCoarse) {
  HierarchyInfo hierarchy;
  EXPECT_TRUE(solved_rows({}, classical(), hierarchy).converged());
  WholeRows diagonal;
  for (int i = 0; i < 300; ++i)
    diagonal.rows.push_back({{i, 1.0 + i % 7}});
  EXPECT_TRUE(solved_rows(diagonal, classical(), hierarchy).converged());
  EXPECT_EQ(hierarchy.levels.front().rows, 300);
}

/// A row that couples to all others is not read, and stays.
TEST(DistributedClassical, LeavesADenseRow) {
  WholeRows whole = rows_of({.problem = ProblemKind::poisson2d, .n = 60});
  const std::int64_t last = 3599;
  for (std::int64_t j = 0; j < last; ++j) {
    whole.rows[last][j] -= 1e-3;
    whole.rows[j][last] -= 1e-3;
    whole.rows[j][j] += 1e-3;
  }
  whole.rows[last][last] += 4;
  HierarchyInfo hierarchy;
  Parameters p = classical();
  const auto together = solved_rows(whole, p, hierarchy);
  EXPECT_TRUE(together.converged()) << to_string(together.status);
  EXPECT_LT(hierarchy.operator_complexity, 3);
  EXPECT_LE(together.iterations, 25);
}

/// A limit that the second level would pass leaves the finest alone, with a note.
TEST(DistributedClassical, KeepsToTheOperatorComplexity) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson3d, .n = 9};
  Parameters p = classical();
  for (const double most : {1.1, 1.8, 2.1}) {
    SCOPED_TRACE(most);
    p.solve.amg.max_operator_complexity = most;
    const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
    const Solved made = solved_by(all_processes(), gallery, odd_share, p);
    EXPECT_LE(made.hierarchy.operator_complexity, most);
    EXPECT_EQ(level_rows_of(made.hierarchy), level_rows_of(alone.hierarchy));
    EXPECT_TRUE(made.result.converged()) << to_string(made.result.status);
    if (process() == 0) {
      EXPECT_TRUE(std::ranges::any_of(made.hierarchy.notes, [](const std::string& note) {
        return note.find("max_operator_complexity") != std::string::npos;
      }));
    }
  }
}

}  // namespace tessera::test::classical_solves_test
