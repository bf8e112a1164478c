// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Aggregates, tentative prolongators and iterations do not depend on the number of processes.
#include "distributed/shares.hpp"
#include "tessera/distributed/level_rows.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/distributed/smoothed_aggregation.hpp"
#include "tessera/distributed/transposition.hpp"
#include "tessera/kernels/graph/hubs.hpp"
#include "tessera/kernels/graph/strength.hpp"
#include "tessera/kernels/graph/structured.hpp"

#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace tessera::test::aggregation_test {

using ShareOf = RowRange (*)(int, int, int);
using Communicator = std::shared_ptr<const distributed::Communicator>;

constexpr double theta = 0.25;

struct Case {
  GalleryParameters gallery;
  bool symmetric = true;
};

std::vector<Case> cases() {
  using enum ProblemKind;
  return {{{.problem = poisson2d, .n = 31}},
          {{.problem = poisson2d9, .n = 25}},
          {{.problem = poisson3d, .n = 9}},
          {{.problem = poisson3d27, .n = 10}},
          {{.problem = anisotropic2d, .n = 30}},
          {{.problem = anisotropic3d, .n = 10}},
          {{.problem = jump2d, .n = 32}},
          {{.problem = jump3d, .n = 11}},
          {{.problem = convdiff2d, .n = 30}, false},
          {{.problem = convdiff3d, .n = 10}, false},
          {{.problem = elasticity2d, .n = 14}},
          {{.problem = elasticity3d, .n = 6}},
          {{.problem = lshape, .order = 2, .refine = 3}},
          {{.problem = beam, .order = 2, .refine = 1}},
          {{.problem = unstructured2d, .n = 30}},
          {{.problem = unstructured_elasticity3d, .n = 6}},
          {{.problem = graph, .n = 30}}};
}

/// Of all rows, on every process.
struct Whole {
  std::vector<double> aggregate_of;  ///< of each row; -1 for none
  std::vector<double> tentative;  ///< the first entry of each row
  std::int64_t count = 0;
};

Whole whole_of(const Communicator& processes, const distributed::SharedTentative<Space>& made,
               std::int64_t first, std::int64_t num_rows, Ordinal m) {
  Whole whole;
  whole.aggregate_of.assign(static_cast<std::size_t>(num_rows), 0.0);
  whole.tentative.assign(static_cast<std::size_t>(num_rows), 0.0);
  const auto host = [](const auto& view) {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  };
  const auto offsets = host(made.T.offsets);
  const auto columns = host(made.T.columns);
  const auto values = host(made.T.values);
  for (Ordinal i = 0; i < made.T.num_rows; ++i) {
    const auto row = static_cast<std::size_t>(first + i);
    const bool has_some = offsets(i) < offsets(i + 1);
    EXPECT_EQ(offsets(i + 1) - offsets(i), has_some ? m : 0);
    whole.aggregate_of[row] =
        has_some ? static_cast<double>(made.columns.global(Space(), columns(offsets(i))) / m)
                 : -1.0;
    whole.tentative[row] = has_some ? values(offsets(i)) : 0.0;
  }
  processes->sum(std::span<double>(whole.aggregate_of));
  processes->sum(std::span<double>(whole.tentative));
  whole.count = processes->sum_of(static_cast<std::int64_t>(made.columns.num_own() / m));
  return whole;
}

/// What is coarsened, a share of it on this process.
struct Fine {
  HostShare rows;
  Vectors vectors;
  std::int64_t first = 0;
  int block_size = 1;
  bool symmetric = true;
};

Whole coarsened(const Communicator& processes, const Fine& given, amg::Aggregation how,
                double threshold = theta) {
  const Space exec;
  const Share rows(given.rows);
  const auto A = distributed::numbered(exec, processes, rows.rows()).matrix;
  auto fine = distributed::level_rows(A, given.block_size);
  distributed::Transposition<Space> transpose;
  if (!given.symmetric)
    fine.transposed = std::make_shared<distributed::LevelTranspose<Space>>(
        distributed::level_transpose(exec, A, transpose.make(exec, A), fine.block_size));
  amg::SmoothedAggregationParameters p;
  p.aggregation = how;
  p.strength_threshold = threshold;
  p.strength_scaling = 1;
  distributed::SmoothedAggregation<Space> coarsening(p, given.symmetric, 0);
  Vectors vectors = given.vectors;
  const auto m = static_cast<Ordinal>(vectors.extent(1));
  std::optional<kernels::Box> box;
  coarsening.choose(exec, *processes, fine, vectors, box);
  return whole_of(processes, coarsening.tentative(), given.first, A.row_shares->size(), m);
}

Fine share_of(const Case& c, const Communicator& processes, ShareOf share) {
  const SharedProblem problem(c.gallery, processes->size(), processes->rank(), share);
  return {problem.host, problem.near_nullspace(), problem.first, problem.own.block_size,
          c.symmetric};
}

/// Blocks of random rows, not symmetric; with a hub that is coupled to nearly all others.
struct RandomBlocks {
  int block_size;
  bool has_hub;
  std::vector<std::map<std::int64_t, double>> rows;

  RandomBlocks(unsigned seed, int nodes, int block, bool hub) : block_size(block), has_hub(hub) {
    std::mt19937 random(seed);
    const auto below = [&](int count) {
      return static_cast<int>(random() % static_cast<unsigned>(count));
    };
    const int n = nodes * block;
    rows.resize(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      auto& row = rows[static_cast<std::size_t>(i)];
      for (int e = 0; e < 5; ++e)
        row[below(n)] = -0.01 * (1 + below(100));
      row[i] = 4;
      if (hub && i == n / 2)
        for (int j = 0; j < n - n / 8; ++j)
          if (j != i) row[j] = -0.001;
    }
  }

  Fine share(const Communicator& processes, ShareOf share) const {
    const RowRange nodes =
        share(static_cast<int>(rows.size()) / block_size, processes->size(), processes->rank());
    Fine fine;
    fine.first = static_cast<std::int64_t>(nodes.first) * block_size;
    fine.block_size = block_size;
    fine.symmetric = false;
    const int count = nodes.count * block_size;
    for (int i = 0; i < count; ++i) {
      for (const auto& [column, value] : rows[static_cast<std::size_t>(fine.first) + i])
        fine.rows.push(column, value);
      fine.rows.end_row();
    }
    fine.vectors = waves(fine.first, count, block_size);
    return fine;
  }
};

constexpr ShareOf all_shares[] = {odd_share, share_of_pairs, growing_share};

/// By the kernels of one process, of the whole matrix.
std::vector<double> aggregates_of_kernels(const Case& c, amg::Aggregation how) {
  const Space exec;
  const SharedProblem problem(c.gallery, 1, 0);
  const Share rows(problem.host);
  const auto A = distributed::numbered(exec, distributed::alone(), rows.rows()).matrix.rows;
  const int b = problem.own.block_size;
  const auto scale =
      kernels::coupling_scale(exec, A.view(), StrengthMeasure::largest, b,
                              kernels::longest_ordinary_row(A.num_rows, A.num_entries()));
  const auto graph = kernels::strength_of_connection(exec, A.view(),
                                                     theta * distributed::above_rounding, scale, b);
  kernels::Aggregates<Space> made;
  const auto boxes =
      how == amg::Aggregation::mis2 ? std::nullopt : kernels::aggregate_structured(exec, graph);
  made = boxes ? boxes->aggregates : kernels::aggregate_mis2(exec, graph);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), made.aggregate_of);
  std::vector<double> rows_of;
  for (Ordinal i = 0; i < A.num_rows; ++i)
    rows_of.push_back(host(i / b));
  return rows_of;
}

TEST(DistributedAggregation, IsThatOfOneProcess) {
  for (const Case& c : cases()) {
    for (const auto how : {amg::Aggregation::automatic, amg::Aggregation::mis2}) {
      SCOPED_TRACE(std::string(to_string(c.gallery.problem)) + ' ' +
                   std::to_string(static_cast<int>(how)));
      const Whole alone =
          coarsened(distributed::alone(), share_of(c, distributed::alone(), odd_share), how);
      EXPECT_GT(alone.count, 1);
      if (c.symmetric) {
        EXPECT_EQ(alone.aggregate_of, aggregates_of_kernels(c, how));
      }
      for (const ShareOf share : all_shares) {
        const Whole together = coarsened(all_processes(), share_of(c, all_processes(), share), how);
        EXPECT_EQ(together.count, alone.count);
        EXPECT_EQ(together.aggregate_of, alone.aggregate_of);
        EXPECT_EQ(together.tentative, alone.tentative);
      }
    }
  }
}

/// Nodes whose rows reach different unknowns of others, hubs, and every nonzero strong.
TEST(DistributedAggregation, IsThatOfOneProcessOfAnyRows) {
  unsigned seed = 0;
  for (const int block_size : {1, 2, 3}) {
    for (const double threshold : {0.0, theta}) {
      for (const bool hub : {false, true}) {
        SCOPED_TRACE(::testing::Message() << block_size << ' ' << threshold << ' ' << hub);
        const RandomBlocks matrix(++seed, 2600 / block_size, block_size, hub);
        const Communicator one = distributed::alone();
        const auto how = amg::Aggregation::automatic;
        const Whole alone = coarsened(one, matrix.share(one, odd_share), how, threshold);
        EXPECT_GT(alone.count, 1);
        for (const ShareOf share : all_shares) {
          const Whole together =
              coarsened(all_processes(), matrix.share(all_processes(), share), how, threshold);
          EXPECT_EQ(together.count, alone.count);
          EXPECT_EQ(together.aggregate_of, alone.aggregate_of);
          EXPECT_EQ(together.tentative, alone.tentative);
        }
      }
    }
  }
}

struct Solved {
  SolveResult result;
  HierarchyInfo hierarchy;
  Vectors x;
  std::int64_t first = 0;
};

Solved solved_by(const Communicator& processes, const GalleryParameters& gallery, ShareOf share) {
  const SharedProblem problem(gallery, processes->size(), processes->rank(), share);
  const Share rows(problem.host);
  distributed::Parameters p;
  p.gather_rows = 30;
  p.solve.solver.tolerance = 1e-12;
  p.block_size = problem.own.block_size;
  relax_all_rows(p, gallery);
  DistributedSolver solver(processes, p);
  const Space exec;
  solver.setup(exec, rows.rows(), problem.near_nullspace());
  const Vectors x = zeros(problem.num_rows());
  auto result = solver.solve(exec, waves(problem.first, problem.num_rows()), x);
  return {std::move(result), solver.hierarchy(), x, problem.first};
}

/// Levels, entries and iterations are the same, and solutions but for rounding.
TEST(DistributedAggregation, GivesTheIterationsOfOneProcess) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(to_string(c.gallery.problem));
    const Solved alone = solved_by(distributed::alone(), c.gallery, odd_share);
    ASSERT_TRUE(alone.result.converged()) << to_string(alone.result.status);
    RecordProperty(std::string(to_string(c.gallery.problem)), alone.result.iterations);
    for (const ShareOf share : all_shares) {
      const Solved together = solved_by(all_processes(), c.gallery, share);
      ASSERT_TRUE(together.result.converged()) << to_string(together.result.status);
      EXPECT_EQ(together.result.iterations, alone.result.iterations);
      EXPECT_LT(distance(together.x, together.first, on_host(alone.x)), 1e-10);
      ASSERT_EQ(together.hierarchy.levels.size(), alone.hierarchy.levels.size());
      for (std::size_t l = 0; l < alone.hierarchy.levels.size(); ++l)
        EXPECT_EQ(together.hierarchy.levels[l].rows, alone.hierarchy.levels[l].rows) << l;
    }
  }
}

/// One row, and fewer rows than processes.
TEST(DistributedAggregation, TakesFewRows) {
  for (const int n : {1, 2, 3, 5}) {
    SCOPED_TRACE(n);
    const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = n};
    distributed::Parameters p;
    p.gather_rows = 1;
    for (const ShareOf share : all_shares) {
      const SharedProblem problem(gallery, num_processes(), process(), share);
      const Share rows(problem.host);
      DistributedSolver solver(all_processes(), p);
      const Space exec;
      solver.setup(exec, rows.rows());
      const Vectors x = zeros(problem.num_rows());
      EXPECT_TRUE(solver.solve(exec, waves(problem.first, problem.num_rows()), x).converged());
    }
  }
}

}  // namespace tessera::test::aggregation_test
