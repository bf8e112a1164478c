// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Classical coarsening over processes is that of one process.
#include "distributed/shares.hpp"
#include "tessera/amg/coarsening/point_interpolation.hpp"
#include "tessera/distributed/classical_coarsening.hpp"
#include "tessera/distributed/level_rows.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/kernels/graph/hubs.hpp"

#include <limits>
#include <map>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tessera::test::classical_test {

using ShareOf = RowRange (*)(int, int, int);
using Communicator = std::shared_ptr<const distributed::Communicator>;
using distributed::Parameters;
using Row = std::map<std::int64_t, double>;

constexpr ShareOf all_shares[] = {odd_share, share_of_pairs, growing_share};

std::vector<GalleryParameters> gallery_problems() {
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

WholeRows rows_of(const GalleryParameters& gallery) {
  const SharedProblem problem(gallery, 1, 0);
  WholeRows made;
  for (int i = 0; i < problem.num_rows(); ++i) {
    Row& row = made.rows.emplace_back();
    for (auto e = problem.host.offsets[i]; e < problem.host.offsets[i + 1]; ++e)
      row[problem.host.columns[e]] = problem.host.values[e];
  }
  return made;
}

/// Not symmetric, with couplings of both signs, rows without a diagonal, rows that nothing couples
/// to another, and a hub.
WholeRows random_rows(unsigned seed, int n) {
  std::mt19937 random(seed);
  const auto below = [&](int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
  };
  WholeRows made;
  made.rows.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    Row& row = made.rows[static_cast<std::size_t>(i)];
    if (i % 17 != 3)
      for (int e = 0; e < 6; ++e)
        row[below(n)] = 0.01 * (below(100) - 85);
    row.erase(i);
    double sum = 0;
    for (const auto& [column, value] : row)
      sum += std::abs(value);
    if (i % 23 != 5) row[i] = (i % 29 == 7 ? -1 : 1) * (sum + 0.05);
    if (i == n / 2)
      for (int j = 0; j < n - n / 8; ++j)
        if (j != i) row[j] = -0.001;
  }
  return made;
}

/// P by rows, with global numbers of coarse points.
struct Interpolated {
  std::vector<Row> rows;
  std::vector<char> is_coarse;
  std::int64_t num_coarse = 0;
};

/// By the kernels of one process, of the whole matrix.
Interpolated by_one_process(const WholeRows& whole, const amg::ClassicalParameters& p) {
  const Space exec;
  const Share share(whole.share({0, static_cast<int>(whole.rows.size())}));
  const auto A = distributed::numbered(exec, distributed::alone(), share.rows()).matrix.rows;
  auto found =
      kernels::strong_dependences(exec, A.view(),
                                  {p.strength_threshold * distributed::above_rounding,
                                   p.max_row_sum * distributed::above_rounding,
                                   p.strong_couplings == amg::StrongCouplings::by_sign,
                                   kernels::longest_ordinary_row(A.num_rows, A.num_entries())});
  const auto split = amg::split_points(exec, found, p.splitting);
  amg::OneStageInterpolation<double, Space, std::int64_t> interpolation(p, split);
  amg::PhaseTimer<Space> timer(exec, false);
  const auto P = interpolation.make(exec, A.view(), found.strong, timer);
  timer.stop(exec);
  const auto host = [](const auto& view) {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  };
  const auto offsets = host(P.offsets);
  const auto columns = host(P.columns);
  const auto values = host(P.values);
  const auto number = host(split.coarse_number);
  Interpolated made;
  made.num_coarse = split.num_coarse;
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    Row& row = made.rows.emplace_back();
    for (auto e = offsets(i); e < offsets(i + 1); ++e)
      row[columns(e)] = values(e);
    made.is_coarse.push_back(number(i) >= 0 ? 1 : 0);
  }
  return made;
}

/// The same level with others' columns in descending order: front ends have orders of their own.
distributed::LevelRows<Space> with_reversed_ghosts(distributed::LevelRows<Space> fine) {
  std::ranges::reverse(fine.ghosts);
  std::vector<Ordinal> number(static_cast<std::size_t>(fine.A.num_cols));
  std::iota(number.begin(), number.end(), 0);
  std::reverse(number.begin() + fine.A.num_rows, number.end());
  fine.A = distributed::renumbered_columns(Space(), fine.A, number, fine.A.num_cols);
  return fine;
}

/// This process's rows of P have to be those of `expected`, its points coarse or fine as there.
void expect_same(const WholeRows& whole, const amg::ClassicalParameters& p, ShareOf share,
                 const Interpolated& expected, bool reverses = false) {
  const Space exec;
  const Communicator processes = all_processes();
  const auto n = static_cast<int>(whole.rows.size());
  const RowRange range = share(n, processes->size(), processes->rank());
  const Share own(whole.share(range));
  const auto A = distributed::numbered(exec, processes, own.rows()).matrix;
  auto fine = distributed::level_rows(A, 1);
  if (reverses) fine = with_reversed_ghosts(fine);
  distributed::ClassicalCoarsening<Space> coarsening(p);
  Vectors vectors = waves(range.first, range.count);
  std::optional<kernels::Box> box;
  const Ordinal num_coarse = coarsening.choose(exec, *processes, fine, vectors, box);
  EXPECT_EQ(static_cast<Ordinal>(vectors.extent(0)), num_coarse);
  EXPECT_EQ(processes->sum_of(static_cast<std::int64_t>(num_coarse)), expected.num_coarse);
  const auto host = [](const auto& view) {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  };
  const auto is_coarse = host(coarsening.is_coarse());
  const auto& P = coarsening.make_prolongator(exec, *processes, fine, {});
  const auto offsets = host(P.offsets);
  const auto columns = host(P.columns);
  const auto values = host(P.values);
  for (int i = 0; i < range.count; ++i) {
    const auto row = static_cast<std::size_t>(range.first + i);
    ASSERT_EQ(is_coarse(i), expected.is_coarse[row]) << row;
    Row found;
    for (auto e = offsets(i); e < offsets(i + 1); ++e)
      found[coarsening.columns().global(columns(e))] = values(e);
    ASSERT_EQ(found.size(), expected.rows[row].size()) << row;
    for (const auto& [column, value] : expected.rows[row]) {
      ASSERT_EQ(found.count(column), 1U) << row;
      ASSERT_NEAR(found[column], value, 1e-13 * std::abs(value)) << row;
    }
  }
}

TEST(DistributedClassical, InterpolatesAsOneProcess) {
  for (const GalleryParameters& gallery : gallery_problems()) {
    SCOPED_TRACE(to_string(gallery.problem));
    const WholeRows whole = rows_of(gallery);
    const amg::ClassicalParameters p;
    const Interpolated expected = by_one_process(whole, p);
    EXPECT_GT(expected.num_coarse, 1);
    for (const ShareOf share : all_shares)
      expect_same(whole, p, share, expected);
    expect_same(whole, p, odd_share, expected, true);
  }
}

TEST(DistributedClassical, InterpolatesAnyRowsAsOneProcess) {
  using enum amg::Interpolation;
  unsigned seed = 0;
  for (const auto interpolation : {extended_i, extended_e, direct}) {
    for (const int entries : {0, 2}) {
      for (const auto strong :
           {amg::StrongCouplings::by_sign, amg::StrongCouplings::by_magnitude}) {
        SCOPED_TRACE(++seed);
        const WholeRows whole = random_rows(seed, 1600);
        const amg::ClassicalParameters p{.strong_couplings = strong,
                                         .max_row_sum = 0.99,
                                         .interpolation = interpolation,
                                         .truncation_factor = entries == 0 ? 0.1 : 0,
                                         .max_row_entries = entries};
        const Interpolated expected = by_one_process(whole, p);
        EXPECT_GT(expected.num_coarse, 1);
        for (const ShareOf share : all_shares)
          expect_same(whole, p, share, expected);
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

Parameters classical(const GalleryParameters& gallery = {}) {
  Parameters p;
  p.gather_rows = 30;
  p.block_size = 1;
  p.solve.solver.tolerance = 1e-10;
  p.solve.preconditioner = PreconditionerKind::amg;
  p.solve.amg.coarsening = amg::CoarseningKind::classical;
  relax_all_rows(p, gallery);
  return p;
}

Solved solved_by(const Communicator& processes, const GalleryParameters& gallery, ShareOf share,
                 const Parameters& p) {
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
  const Vectors x = zeros(problem.num_rows());
  auto result = solver.solve(exec, waves(problem.first, problem.num_rows()), x);
  return {std::move(result), solver.hierarchy(), x, problem.first};
}

std::vector<std::int64_t> level_rows_of(const HierarchyInfo& hierarchy) {
  std::vector<std::int64_t> rows;
  for (const LevelInfo& level : hierarchy.levels)
    rows.push_back(level.rows);
  return rows;
}

/// Levels and iterations are the same as without gathering, and solutions but for rounding.
TEST(DistributedClassical, GivesTheIterationsOfOneProcess) {
  for (const GalleryParameters& gallery : gallery_problems()) {
    SCOPED_TRACE(to_string(gallery.problem));
    Parameters p = classical(gallery);
    p.gather_rows = 1000000;
    const Solved whole = solved_by(distributed::alone(), gallery, odd_share, p);
    p.gather_rows = 30;
    const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
    ASSERT_TRUE(alone.result.converged()) << to_string(alone.result.status);
    RecordProperty(std::string(to_string(gallery.problem)), alone.result.iterations);
    EXPECT_GE(alone.hierarchy.levels.size(), 2U);
    const auto whole_rows = level_rows_of(whole.hierarchy);
    const auto rows = level_rows_of(alone.hierarchy);
    for (std::size_t l = 0; l < std::min(rows.size(), whole_rows.size()); ++l)
      EXPECT_EQ(rows[l], whole_rows[l]) << l;
    for (const ShareOf share : all_shares) {
      const Solved together = solved_by(all_processes(), gallery, share, p);
      ASSERT_TRUE(together.result.converged()) << to_string(together.result.status);
      EXPECT_EQ(together.result.iterations, alone.result.iterations);
      EXPECT_LT(distance(together.x, together.first, on_host(alone.x)), 1e-7);
      EXPECT_EQ(level_rows_of(together.hierarchy), rows);
    }
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

/// New values by each kind of reuse.
TEST(DistributedClassical, TakesNewValues) {
  for (const ProblemKind kind : {ProblemKind::unstructured3d, ProblemKind::convdiff2d}) {
    const GalleryParameters gallery{.problem = kind,
                                    .n = kind == ProblemKind::convdiff2d ? 40 : 12};
    Parameters p = classical(gallery);
    const Solved plain = solved_by(distributed::alone(), gallery, odd_share, p);
    auto third = on_host(plain.x);
    for (double& entry : third)
      entry /= 3;
    for (const auto reuse :
         {amg::Reuse::symbolic, amg::Reuse::interpolation, amg::Reuse::hierarchy}) {
      SCOPED_TRACE(static_cast<int>(reuse));
      p.solve.amg.reuse = reuse;
      const Solved made = solved_by(all_processes(), gallery, odd_share, p);
      ASSERT_TRUE(made.result.converged()) << to_string(made.result.status);
      EXPECT_EQ(made.result.iterations, plain.result.iterations);
      EXPECT_LT(distance(made.x, made.first, third), 1e-7);
    }
  }
}

/// Values that are no multiple of the old ones: P is made again of them.
TEST(DistributedClassical, InterpolatesNewValues) {
  const Space exec;
  const Communicator processes = all_processes();
  const WholeRows before = rows_of({.problem = ProblemKind::unstructured2d, .n = 30});
  WholeRows after = before;
  for (std::size_t i = 0; i < after.rows.size(); ++i)
    for (auto& [column, value] : after.rows[i])
      value *= 1 + 0.3 * std::sin(static_cast<double>(i + 7 * static_cast<std::size_t>(column)));
  const amg::ClassicalParameters p{.max_row_sum = 1, .max_row_entries = 0};
  const auto n = static_cast<int>(before.rows.size());
  const auto rows_of_P = [&](const Communicator& who, bool twice) {
    const RowRange range = odd_share(n, who->size(), who->rank());
    const Share old_rows(before.share(range));
    const Share new_rows(after.share(range));
    distributed::ClassicalCoarsening<Space> coarsening(p);
    auto fine =
        distributed::level_rows(distributed::numbered(exec, who, old_rows.rows()).matrix, 1);
    Vectors vectors = waves(range.first, range.count);
    std::optional<kernels::Box> box;
    coarsening.choose(exec, *who, fine, vectors, box);
    coarsening.make_prolongator(exec, *who, fine, {});
    fine.A = distributed::numbered(exec, who, new_rows.rows()).matrix.rows;
    if (twice) coarsening.remake_transfers(exec, *who, fine, {});
    std::vector<double> sums(static_cast<std::size_t>(n), 0.0);
    const auto offsets =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), coarsening.prolongator().offsets);
    const auto values =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), coarsening.prolongator().values);
    const auto columns =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), coarsening.prolongator().columns);
    for (int i = 0; i < range.count; ++i)
      for (auto e = offsets(i); e < offsets(i + 1); ++e)
        sums[static_cast<std::size_t>(range.first + i)] +=
            values(e) * std::cos(static_cast<double>(coarsening.columns().global(columns(e))));
    who->sum(std::span<double>(sums));
    return sums;
  };
  const auto expected = rows_of_P(distributed::alone(), true);
  const auto found = rows_of_P(processes, true);
  const auto old = rows_of_P(processes, false);
  double moved = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], 1e-12) << i;
    moved = std::max(moved, std::abs(old[i] - expected[i]));
  }
  EXPECT_GT(moved, 0.01);
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
      const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
      for (const ShareOf share : all_shares) {
        const Solved together = solved_by(all_processes(), gallery, share, p);
        EXPECT_EQ(together.result.residual_history, alone.result.residual_history);
        EXPECT_EQ(distance(together.x, together.first, on_host(alone.x)), 0.0);
      }
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

/// What there is on one process alone is refused, and says what there is.
TEST(DistributedClassical, RefusesWhatItHasNot) {
  Parameters p = classical();
  p.solve.amg.classical.splitting = amg::PointSplitting::advancing_front;
  expect_error(error_of([&] { DistributedSolver(all_processes(), p); }), ErrorKind::configuration,
               {"amg.classical.splitting", "pmis"});
  p = classical();
  p.solve.amg.classical.aggressive_levels = 1;
  expect_error(error_of([&] { DistributedSolver(all_processes(), p); }), ErrorKind::configuration,
               {"amg.classical.aggressive_levels", "smoothed_aggregation"});
  p = classical();
  p.solve.amg.coarsening = amg::CoarseningKind::reduction;
  expect_error(error_of([&] { DistributedSolver(all_processes(), p); }), ErrorKind::configuration,
               {"smoothed_aggregation or classical", "reduction"});
  p = classical();
  p.block_size = 3;
  const SharedProblem problem({.problem = ProblemKind::elasticity3d, .n = 4});
  const Share rows(problem.host);
  DistributedSolver solver(all_processes(), p);
  expect_error(error_of([&] { solver.setup(Space(), rows.rows()); }), ErrorKind::configuration,
               {"block_size=1", "smoothed_aggregation"});
}

/// A NaN on one process is an error on all of them.
TEST(DistributedClassical, FailsOnAllProcesses) {
  SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 30});
  const Share good(problem.host);
  if (process() == num_processes() - 1)
    problem.host.values.back() = std::numeric_limits<double>::quiet_NaN();
  Parameters p = classical();
  p.solve.amg.reuse = amg::Reuse::symbolic;
  DistributedSolver solver(all_processes(), p);
  const Space exec;
  EXPECT_TRUE(error_of([&] { solver.setup(exec, Share(problem.host).rows()); }).has_value());
  solver.setup(exec, good.rows());
  EXPECT_TRUE(
      error_of([&] { solver.update_values(exec, on_device(problem.host.values)); }).has_value());
  const Vectors b = waves(problem.first, problem.num_rows());
  EXPECT_TRUE(error_of([&] { solver.solve(exec, b, zeros(problem.num_rows())); }).has_value());
  solver.update_values(exec, good.values);
  EXPECT_TRUE(solver.solve(exec, b, zeros(problem.num_rows())).converged());
}

}  // namespace tessera::test::classical_test
