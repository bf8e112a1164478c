// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves with rows in two parts beside those with whole rows.
#include "distributed/shares_in_parts.hpp"
#include "tessera/distributed/communication_plan.hpp"
#include "tessera/distributed/to_host.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"

#include <type_traits>

namespace tessera::test::rows_in_parts_test {

using distributed::Parameters;

struct Solved {
  SolveResult result;
  std::vector<double> x;
  HierarchyInfo hierarchy;
};

template <class Rows>
Solved solved_with(const Rows& rows, const SharedProblem& problem, const Parameters& parameters) {
  const Space exec;
  DistributedSolver solver(all_processes(), parameters);
  if constexpr (std::is_same_v<Rows, distributed::RowsInParts<Space>>)
    solver.setup_parts(exec, rows, problem.near_nullspace());
  else
    solver.setup(exec, rows, problem.near_nullspace());
  const Vectors x = zeros(problem.num_rows());
  auto result = solver.solve(exec, waves(problem.first, problem.num_rows()), x);
  return {std::move(result), on_host(x), solver.hierarchy()};
}

void expect_same_levels(const HierarchyInfo& a, const HierarchyInfo& b) {
  ASSERT_EQ(a.levels.size(), b.levels.size());
  for (std::size_t l = 0; l < a.levels.size(); ++l) {
    EXPECT_EQ(a.levels[l].rows, b.levels[l].rows);
    EXPECT_EQ(a.levels[l].entries, b.levels[l].entries);
  }
}

/// Levels and iterations are those of whole rows in any order of a row's entries; bits are where
/// rows ascend, as sums run in the same order then.
TEST(RowsInParts, SolveAsWholeRows) {
  for (const GalleryParameters& gallery :
       {GalleryParameters{.problem = ProblemKind::poisson2d, .n = 40},
        GalleryParameters{.problem = ProblemKind::convdiff2d, .n = 40},
        GalleryParameters{.problem = ProblemKind::elasticity3d, .n = 5}}) {
    for (const auto shares : {odd_share, share_of_pairs}) {
      SCOPED_TRACE(to_string(gallery.problem));
      const SharedProblem problem(gallery, num_processes(), process(), shares);
      const Parameters p = accurate_solve(gallery);
      const Solved whole = solved_with(Share(problem.host).rows(), problem, p);
      ASSERT_TRUE(whole.result.converged());
      for (const RowOrder order : row_orders) {
        SCOPED_TRACE(static_cast<int>(order));
        const SharedParts parts(problem.host, problem.first, order);
        const Solved made = solved_with(parts.rows, problem, p);
        EXPECT_EQ(made.result.iterations, whole.result.iterations);
        expect_same_levels(made.hierarchy, whole.hierarchy);
        if (order == RowOrder::ascending)
          EXPECT_EQ(made.x, whole.x);
        else
          expect_close(made.x, whole.x);
      }
    }
  }
}

/// Where rows are summed in the order of all columns, whatever theirs is.
TEST(RowsInParts, HaveTheBitsOfWholeRowsWhereSumsAreInAFixedOrder) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 40};
  const SharedProblem problem(gallery);
  Parameters p = accurate_solve(gallery);
  p.reproducible = true;
  const Solved whole = solved_with(Share(problem.host).rows(), problem, p);
  for (const RowOrder order : row_orders)
    EXPECT_EQ(solved_with(SharedParts(problem.host, problem.first, order).rows, problem, p).x,
              whole.x)
        << static_cast<int>(order);
}

/// Other preconditioners, formats and scalars than multigrid in double on compressed rows.
TEST(RowsInParts, TakeWhatElseThereIs) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 40};
  const SharedProblem problem(gallery);
  const SharedParts parts(problem.host, problem.first, RowOrder::diagonal_first);
  const auto expect = [&](const char* what, const auto& change) {
    SCOPED_TRACE(what);
    Parameters p;
    p.gather_rows = 200;
    change(p.solve);
    const Solved whole = solved_with(Share(problem.host).rows(), problem, p);
    const Solved made = solved_with(parts.rows, problem, p);
    EXPECT_TRUE(made.result.converged());
    EXPECT_NEAR(made.result.iterations, whole.result.iterations, 1);
  };
  expect("jacobi", [](SolveParameters& p) { p.preconditioner = PreconditionerKind::jacobi; });
  expect("ilu", [](SolveParameters& p) { p.preconditioner = PreconditionerKind::ilu; });
  expect("none", [](SolveParameters& p) { p.preconditioner = PreconditionerKind::none; });
  expect("float", [](SolveParameters& p) { p.precision = Precision::single; });
  expect("mbsr", [](SolveParameters& p) { p.amg.storage.format = StorageFormat::mbsr; });
  expect("hyb", [](SolveParameters& p) { p.amg.storage.format = StorageFormat::hyb; });
  expect("half", [](SolveParameters& p) { p.amg.storage.scalar = StorageScalar::half; });
  expect("gauss_seidel",
         [](SolveParameters& p) { p.amg.smoother.type = SmootherType::gauss_seidel; });
  expect("classical",
         [](SolveParameters& p) { p.amg.coarsening = amg::CoarseningKind::classical; });
  expect("reduction",
         [](SolveParameters& p) { p.amg.coarsening = amg::CoarseningKind::reduction; });
}

/// What a setup leaves in memory of rows in two parts, beside what it leaves of whole rows.
TEST(RowsInParts, AreNotCopied) {
  const SharedProblem problem({.problem = ProblemKind::poisson3d, .n = 24});
  const Share share(problem.host);
  const Space exec;
  const auto entries = static_cast<double>(problem.host.values.size());
  const auto held_with = [&](const auto& rows, amg::Reuse reuse) {
    Parameters p;
    p.gather_rows = 200;
    p.solve.amg.reuse = reuse;
    p.solve.amg.storage.format = StorageFormat::csr;
    DistributedSolver solver(all_processes(), p);
    const MemoryTracker memory(Space::memory_space::name(), true);
    if constexpr (std::is_same_v<std::decay_t<decltype(rows)>, distributed::RowsInParts<Space>>)
      solver.setup_parts(exec, rows);
    else
      solver.setup(exec, rows);
    return static_cast<double>(memory.live_bytes());
  };
  for (const RowOrder order : row_orders) {
    const SharedParts parts(problem.host, problem.first, order);
    // Columns, values and places of whole rows are gone, and so are two copies for products.
    const double saved =
        held_with(share.rows(), amg::Reuse::none) - held_with(parts.rows, amg::Reuse::none);
    const double copies = num_processes() > 1 ? 20 + 2 * 12 : 20;
    EXPECT_GE(saved, 0.95 * copies * entries) << static_cast<int>(order);
    // Updates need the places of rows that were put together, whose values levels keep. A device's
    // pool keeps a little that steps left idle.
    const double idle = kernels::is_host_space<Space> ? 1 : 1.01;
    EXPECT_LE(held_with(parts.rows, amg::Reuse::symbolic) +
                  0.95 * (num_processes() > 1 ? 2 * 12 : 0) * entries,
              idle * held_with(share.rows(), amg::Reuse::symbolic));
  }
}

/// The lists that somebody has already: the same plan. Where one process has none, all make it.
TEST(RowsInParts, TakeListsOver) {
  const SharedProblem problem({.problem = ProblemKind::unstructured3d, .n = 10});
  Parameters p;
  p.gather_rows = 200;
  PartsOfShare parts(problem.host, problem.first, RowOrder::diagonal_first);
  const Solved worked_out = solved_with(SharedParts(parts).rows, problem, p);
  const distributed::Partition shares(*all_processes(), problem.num_rows());
  const auto plan = distributed::halo_plan(Space(), all_processes(), shares, parts.ghosts);
  parts.halo = HostLists(plan);
  EXPECT_EQ(solved_with(SharedParts(parts).rows, problem, p).x, worked_out.x);
  if (process() == 0) parts.halo.reset();
  EXPECT_EQ(solved_with(SharedParts(parts).rows, problem, p).x, worked_out.x);
}

/// Arrays that are gone by the next update, with lists that all have by then or not, and other
/// values: the same as a setup.
TEST(RowsInParts, NothingOfBeforeIsReadByAnUpdate) {
  const SharedProblem problem({.problem = ProblemKind::unstructured3d, .n = 10});
  const distributed::Partition shares(*all_processes(), problem.num_rows());
  const Space exec;
  const PartsOfShare parts(problem.host, problem.first, RowOrder::diagonal_first);
  const auto plan = distributed::halo_plan(exec, all_processes(), shares, parts.ghosts);
  struct Given {
    PartsOfShare parts;
    SharedParts shared;
    explicit Given(const PartsOfShare& those)
        : parts(those), shared(parts, SharedParts::Lists::lent) {}
    void spoil() {
      std::ranges::fill(parts.ghosts, -1);
      if (parts.halo) std::ranges::fill(parts.halo->exports, 1 << 30);
      Kokkos::deep_copy(shared.own.columns, 1 << 30);
      Kokkos::deep_copy(shared.ghost.columns, 1 << 30);
      shared.scale(1e300);
    }
  };
  PartsOfShare with_lists = parts;
  with_lists.halo = HostLists(plan);
  for (const auto reuse :
       {amg::Reuse::none, amg::Reuse::symbolic, amg::Reuse::interpolation, amg::Reuse::hierarchy})
    for (const bool before : {true, false})
      for (const bool after : {true, false}) {
        SCOPED_TRACE(std::to_string(static_cast<int>(reuse)) + (before ? ", lists" : ", none") +
                     (after ? " and lists" : " and none"));
        Parameters p;
        p.gather_rows = 200;
        p.solve.amg.reuse = reuse;
        Given first(before ? with_lists : parts), second(after ? with_lists : parts);
        DistributedSolver solver(all_processes(), p);
        solver.setup_parts(exec, first.shared.rows);
        first.spoil();
        EXPECT_TRUE(solver.has_pattern(exec, second.shared.rows));
        for (int update = 0; update < 2; ++update) {
          solver.update_parts(exec, second.shared.rows);
          const auto b = waves(problem.first, problem.num_rows());
          const Vectors x = zeros(problem.num_rows());
          EXPECT_TRUE(solver.solve(exec, b, x).converged());
          EXPECT_EQ(on_host(x), solved_with(SharedParts(parts).rows, problem, p).x);
        }
        if (parts.ghosts.empty()) continue;
        second.parts.ghosts.back() += 1;
        EXPECT_FALSE(solver.has_pattern(exec, second.shared.rows));
      }
}

/// One row in all, on the last process; the others have none, and no arrays.
TEST(RowsInParts, MayBeOneRow) {
  const bool has_it = process() == num_processes() - 1;
  HostShare host;
  if (has_it) {
    host.push(0, 4.0);
    host.end_row();
  }
  const SharedParts parts(host, 0, RowOrder::ascending);
  DistributedSolver solver(all_processes());
  const Space exec;
  if (has_it)
    solver.setup_parts(exec, parts.rows);
  else
    solver.setup_parts(exec, distributed::RowsInParts<Space>{});
  const Vectors x = zeros(has_it ? 1 : 0);
  const Vectors b = zeros(has_it ? 1 : 0);
  Kokkos::deep_copy(b, 2.0);
  EXPECT_TRUE(solver.solve(exec, b, x).converged());
  if (has_it) {
    EXPECT_DOUBLE_EQ(on_host(x)[0], 0.5);
  }
  solver.update_parts(exec, has_it ? parts.rows : distributed::RowsInParts<Space>{});
  EXPECT_TRUE(solver.solve(exec, b, x).converged());
}

/// Nothing couples the processes; then a ghost is named that no entry has.
TEST(RowsInParts, MayHaveNoEntriesOfGhosts) {
  const Problem<double, HostSpace, std::int64_t> own =
      make_problem<double, HostSpace, std::int64_t>(HostSpace(),
                                                    {.problem = ProblemKind::poisson2d, .n = 20});
  HostShare host;
  const std::int64_t first = std::int64_t{400} * process();
  for (Ordinal i = 0; i < own.A.num_rows; ++i) {
    for (auto e = own.A.offsets(i); e < own.A.offsets(i + 1); ++e)
      host.push(first + own.A.columns(e), own.A.values(e));
    host.end_row();
  }
  const Space exec;
  const auto b = waves(first, 400);
  std::vector<double> expected;
  for (const bool has_ghost : {false, true}) {
    PartsOfShare parts(host, first, RowOrder::ascending);
    if (has_ghost && num_processes() > 1)
      parts.ghosts = {first > 0 ? first - 1 : std::int64_t{400}};
    const SharedParts shared(parts);
    Parameters p;
    p.gather_rows = 100;
    DistributedSolver solver(all_processes(), p);
    solver.setup_parts(exec, shared.rows);
    EXPECT_EQ(solver.num_ghost_rows(), static_cast<std::int64_t>(parts.ghosts.size()));
    const Vectors x = zeros(400);
    EXPECT_TRUE(solver.solve(exec, b, x).converged());
    if (!has_ghost) expected = on_host(x);
    expect_close(on_host(x), expected);
  }
}

}  // namespace tessera::test::rows_in_parts_test
