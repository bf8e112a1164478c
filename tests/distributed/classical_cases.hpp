// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Classical coarsening over processes: matrices, and solves of them.
#pragma once

#include "distributed/shares.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tessera::test::classical_cases {

using ShareOf = RowRange (*)(int, int, int);
using Communicator = std::shared_ptr<const distributed::Communicator>;
using distributed::Parameters;

/// Values by their columns.
using Row = std::map<std::int64_t, double>;

inline constexpr ShareOf all_shares[] = {odd_share, share_of_pairs, growing_share};

inline std::vector<GalleryParameters> gallery_problems() {
  using enum ProblemKind;
  return {{.problem = poisson2d, .n = 31},      {.problem = poisson2d9, .n = 25},
          {.problem = poisson3d, .n = 10},      {.problem = poisson3d27, .n = 10},
          {.problem = anisotropic2d, .n = 30},  {.problem = anisotropic3d, .n = 10},
          {.problem = jump2d, .n = 32},         {.problem = jump3d, .n = 11},
          {.problem = convdiff2d, .n = 30},     {.problem = lshape, .order = 2, .refine = 3},
          {.problem = unstructured2d, .n = 30}, {.problem = unstructured3d, .n = 11},
          {.problem = graph, .n = 30}};
}

/// Of a matrix all rows, on every process.
struct WholeRows {
  std::vector<Row> rows;

  HostShare share(const RowRange& range) const {
    HostShare host;
    for (int i = range.first; i < range.first + range.count; ++i) {
      for (const auto& [column, value] : rows[static_cast<std::size_t>(i)])
        host.push(column, value);
      host.end_row();
    }
    return host;
  }
};

inline WholeRows rows_of(const GalleryParameters& gallery) {
  const SharedProblem problem(gallery, 1, 0);
  WholeRows made;
  for (int i = 0; i < problem.num_rows(); ++i) {
    Row& row = made.rows.emplace_back();
    for (auto e = problem.host.offsets[i]; e < problem.host.offsets[i + 1]; ++e)
      row[problem.host.columns[e]] = problem.host.values[e];
  }
  return made;
}

struct Solved {
  SolveResult result;
  HierarchyInfo hierarchy;
  Vectors x;
  std::int64_t first = 0;
};

inline Parameters classical(const GalleryParameters& gallery = {}) {
  Parameters p;
  p.gather_rows = 30;
  p.block_size = 1;
  p.solve.solver.tolerance = 1e-10;
  p.solve.preconditioner = PreconditionerKind::amg;
  p.solve.amg.coarsening = amg::CoarseningKind::classical;
  relax_all_rows(p, gallery);
  return p;
}

inline Solved solved_by(const Communicator& processes, const GalleryParameters& gallery,
                        ShareOf share, const Parameters& p, int columns = 1) {
  const SharedProblem problem(gallery, processes->size(), processes->rank(), share);
  const Share rows(problem.host);
  DistributedSolver solver(processes, p);
  const Space exec;
  solver.setup(exec, rows.rows());
  if (p.solve.amg.reuse != amg::Reuse::none) {
    auto values = problem.host.values;
    for (double& value : values)
      value *= 3;
    solver.update_values(exec, on_device(values));
  }
  const Vectors x = zeros(problem.num_rows(), columns);
  auto result = solver.solve(exec, waves(problem.first, problem.num_rows(), columns), x);
  return {std::move(result), solver.hierarchy(), x, problem.first};
}

/// With `p.reproducible`: iterates have the bits of one process.
inline void expect_bits_of_one_process(const GalleryParameters& gallery, const Parameters& p) {
  const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
  for (const ShareOf share : all_shares) {
    const Solved together = solved_by(all_processes(), gallery, share, p);
    EXPECT_EQ(together.result.residual_history, alone.result.residual_history);
    EXPECT_EQ(distance(together.x, together.first, on_host(alone.x)), 0.0);
  }
}

/// Three times the values take the iterations that a setup of one process takes, to a third of its
/// solution.
inline void expect_a_third_by_new_values(const GalleryParameters& gallery, Parameters p,
                                         std::initializer_list<amg::Reuse> reuses) {
  const Solved plain = solved_by(distributed::alone(), gallery, odd_share, p);
  auto third = on_host(plain.x);
  for (double& entry : third)
    entry /= 3;
  for (const auto reuse : reuses) {
    SCOPED_TRACE(static_cast<int>(reuse));
    p.solve.amg.reuse = reuse;
    const Solved made = solved_by(all_processes(), gallery, odd_share, p);
    ASSERT_TRUE(made.result.converged()) << to_string(made.result.status);
    EXPECT_EQ(made.result.iterations, plain.result.iterations);
    EXPECT_LT(distance(made.x, made.first, third), 1e-7);
  }
}

inline std::vector<std::int64_t> level_rows_of(const HierarchyInfo& hierarchy) {
  std::vector<std::int64_t> rows;
  for (const LevelInfo& level : hierarchy.levels)
    rows.push_back(level.rows);
  return rows;
}

/// The levels that both have are the same.
inline void expect_common_levels(const Solved& made, const Solved& expected) {
  auto rows = level_rows_of(made.hierarchy);
  auto expected_rows = level_rows_of(expected.hierarchy);
  const std::size_t both = std::min(rows.size(), expected_rows.size());
  EXPECT_GE(both, 1U);
  rows.resize(both);
  expected_rows.resize(both);
  EXPECT_EQ(rows, expected_rows);
}

/// However rows are shared out, levels, iterations and, but for rounding, solutions are those of
/// `alone`.
inline void expect_iterations_of(const Solved& alone, const GalleryParameters& gallery,
                                 const Parameters& p) {
  for (const ShareOf share : all_shares) {
    const Solved together = solved_by(all_processes(), gallery, share, p);
    ASSERT_TRUE(together.result.converged()) << to_string(together.result.status);
    EXPECT_EQ(together.result.iterations, alone.result.iterations);
    EXPECT_LT(distance(together.x, together.first, on_host(alone.x)), 1e-7);
    expect_common_levels(together, alone);
    // Of several gathered levels process 0 knows.
    if (process() == 0) {
      EXPECT_EQ(together.hierarchy.levels.size(), alone.hierarchy.levels.size());
    }
  }
}

/// The same of one process, whose first levels are those without gathering; its iterations are
/// recorded as `name`. Returns how many more these are without it.
inline int expect_iterations_of_one(const GalleryParameters& gallery, Parameters p,
                                    const std::string& name) {
  const int gather_rows = std::exchange(p.gather_rows, 1000000);
  const Solved whole = solved_by(distributed::alone(), gallery, odd_share, p);
  p.gather_rows = gather_rows;
  const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
  EXPECT_TRUE(alone.result.converged()) << to_string(alone.result.status);
  ::testing::Test::RecordProperty(name, alone.result.iterations);
  EXPECT_GE(alone.hierarchy.levels.size(), 2U);
  expect_common_levels(alone, whole);
  expect_iterations_of(alone, gallery, p);
  return whole.result.iterations - alone.result.iterations;
}

/// Of elasticity in the plane, split in each of the ways.
inline void expect_iterations_of_one_on_nodes(Parameters p) {
  const GalleryParameters gallery{.problem = ProblemKind::elasticity2d, .n = 24};
  p.block_size = 2;
  p.solve.amg.smoother.type = SmootherType::l1_jacobi;
  p.solve.amg.classical.strength_threshold = 0.5;
  for (const auto& systems : amg::system_splitting_names) {
    SCOPED_TRACE(systems.name);
    p.solve.amg.classical.systems = systems.value;
    const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
    ASSERT_TRUE(alone.result.converged()) << to_string(alone.result.status);
    expect_iterations_of(alone, gallery, p);
  }
}

}  // namespace tessera::test::classical_cases
