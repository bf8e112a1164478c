// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves within a limit of memory that turn from multigrid to sparse factors where there is room
/// for them, and stay with multigrid where there is none. All processes decide alike.
#include "distributed/factors_cases.hpp"
#include "distributed/shares_in_parts.hpp"
#include "support/notes.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"

#include <algorithm>
#include <functional>
#include <string>

namespace tessera::test::factors_turn_test {

using namespace factors_cases;

constexpr const char* turned = "preconditioner direct: after ";
constexpr const char* refused = "no sparse factors: there is no room for them: ";

double mebibytes(double bytes) { return bytes / 0x1p20; }

Parameters by_levels() {
  Parameters p = slow();
  p.solve.preconditioner = PreconditionerKind::amg;
  return p;
}

/// What a setup and a solve take at once on this process, in MiB.
double peak_of(const Shared& rows, const Parameters& p) { return mebibytes(measure(rows, p).peak); }

double largest(double own) { return all_processes()->maximum_of(own); }

/// What process 0 gathers of `biharmonic(n)`, and the factors, in MiB.
struct NeedOfFactors {
  double gathered = 0;
  double factors = 0;
};

NeedOfFactors need_of_factors(int n) {
  const Shared whole = biharmonic(n, distributed::alone());
  const auto rows = static_cast<double>(whole.host.num_rows());
  const auto entries = static_cast<double>(whole.host.values.size());
  const Share share(whole.host);
  const auto forecast =
      DistributedSolver(distributed::alone(), asked_for()).forecast_memory(Space(), share.rows());
  const double gathered = 36 * entries + 20 * rows;
  // Beside these a solver by factors keeps its copy of the rows.
  return {mebibytes(gathered),
          mebibytes(static_cast<double>(forecast.kept_bytes) - gathered - 12 * entries - 8 * rows)};
}

/// The same words on all processes, and whether there are any.
bool noted_by_all(const HierarchyInfo& info, const std::string& text) {
  std::string note;
  for (const std::string& each : info.notes)
    if (each.find(text) != std::string::npos) note = each;
  const double hash = static_cast<double>(std::hash<std::string>()(note) >> 12);
  EXPECT_EQ(largest(hash), -largest(-hash)) << note;
  return !note.empty();
}

/// A solver that has turned goes on by factors, for as many right-hand sides as there is room for.
void expect_of_use(DistributedSolver& solver, const Shared& rows) {
  const int n = rows.range.count;
  const auto again = solver.solve(Space(), waves(rows.range.first, n), zeros(n));
  EXPECT_TRUE(again.converged());
  EXPECT_LE(again.iterations, 3);
  constexpr int columns = 200;
  expect_error(error_of([&] {
                 solver.solve(Space(), waves(rows.range.first, n, columns), zeros(n, columns));
               }),
               ErrorKind::out_of_memory, {"solve: max_memory_mb is", "200 right-hand sides need"});
}

TEST(DistributedFactorsTurn, IsMadeWhereALimitHasRoom) {
  if (!may_be_picked()) GTEST_SKIP() << "not picked here";
  for (const auto share_of : {odd_share, share_of_pairs, growing_share}) {
    const Shared rows = biharmonic(100, all_processes(), share_of);
    const Solved without = solved(all_processes(), rows, slow());
    ASSERT_TRUE(noted(without.hierarchy, turned));
    // Which has them beside multigrid, and no more than the vectors of a solve besides.
    const double vectors = 8.0 * (14.0 * rows.range.count + (process() == 0 ? 4e4 : 0));
    const Parameters p =
        within(1.02 * largest(peak_of(rows, slow())) + largest(mebibytes(vectors)), slow());
    const Share share(rows.host);
    const Vectors x = zeros(rows.range.count);
    const Vectors b = waves(rows.range.first, rows.range.count);
    const MemoryTracker memory(Space::memory_space::name(), true);
    DistributedSolver solver(all_processes(), p);
    solver.setup(Space(), share.rows());
    EXPECT_FALSE(noted(solver.hierarchy(), "gives up"));
    const auto result = solver.solve(Space(), b, x);
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    EXPECT_EQ(result.iterations, without.result.iterations);
    expect_alike(result);
    EXPECT_LE(mebibytes(static_cast<double>(memory.peak_bytes())), p.solve.max_memory_mb);
    const HierarchyInfo info = solver.hierarchy();
    EXPECT_TRUE(noted_by_all(info, turned));
    EXPECT_TRUE(info.levels.empty());
    EXPECT_LE(mebibytes(static_cast<double>(info.peak_forecast_bytes)), p.solve.max_memory_mb);
    EXPECT_EQ(solver.parameters().solve.preconditioner, PreconditionerKind::direct);
    expect_of_use(solver, rows);
  }
}

/// With multigrid, as if factors were no choice, and with a note that holds `why`.
void expect_multigrid(const Shared& rows, const Parameters& p, const char* why) {
  SCOPED_TRACE(why);
  const Solved by_multigrid = solved(all_processes(), rows, by_levels());
  const Share share(rows.host);
  const Vectors x = zeros(rows.range.count);
  const Vectors b = waves(rows.range.first, rows.range.count);
  const MemoryTracker memory(Space::memory_space::name(), true);
  DistributedSolver solver(all_processes(), p);
  solver.setup(Space(), share.rows());
  for (int turn = 0; turn < 2; ++turn) {
    Kokkos::deep_copy(x, 0.0);
    const auto result = solver.solve(Space(), b, x);
    EXPECT_EQ(to_string(result.status), to_string(by_multigrid.result.status));
    EXPECT_EQ(result.iterations, by_multigrid.result.iterations);
    expect_alike(result);
    const HierarchyInfo info = solver.hierarchy();
    EXPECT_TRUE(noted_by_all(info, refused));
    EXPECT_TRUE(noted_by_all(info, why)) << info.notes.back();
    EXPECT_FALSE(noted(info, "preconditioner direct"));
    EXPECT_GT(info.levels.size(), 1U);
  }
  // What is between two agreements is found at the next.
  EXPECT_LE(mebibytes(static_cast<double>(memory.peak_bytes())), 1.1 * p.solve.max_memory_mb);
  solver.setup(Space(), share.rows());
  EXPECT_FALSE(noted(solver.hierarchy(), refused)) << "they may be a choice again";
}

TEST(DistributedFactorsTurn, IsLeftOutWhereALimitHasNoRoom) {
  if (!may_be_picked()) GTEST_SKIP() << "not picked here";
  const NeedOfFactors need = need_of_factors(100);
  for (const auto share_of : {odd_share, share_of_pairs, growing_share}) {
    const Shared rows = biharmonic(100, all_processes(), share_of);
    const double own = peak_of(rows, by_levels());
    const double least = 1.1 * largest(own);
    expect_multigrid(rows, within(least, slow()), refused);
    // Process 0 has room for the rows of all and not for all of their factors.
    const double of_first = largest(process() == 0 ? own : 0.0);
    expect_multigrid(
        rows, within(std::max(least, of_first + 1.6 * need.gathered + 0.4 * need.factors), slow()),
        "they take ");
  }
}

/// The others have enough, and end as the one that has not.
TEST(DistributedFactorsTurn, IsLeftOutWhereOneProcessHasNoRoom) {
  if (!may_be_picked() || num_processes() == 1) GTEST_SKIP() << "not picked, or one process";
  const Shared rows = biharmonic(100, all_processes());
  const double own = peak_of(rows, by_levels());
  const double enough = 2 * largest(peak_of(rows, slow()));
  expect_multigrid(rows, within(process() == 0 ? 1.1 * own : enough, slow()), "on process 0 of ");
}

TEST(DistributedFactorsTurn, IsMadeOfParts) {
  if (!may_be_picked()) GTEST_SKIP() << "not picked here";
  const Shared rows = biharmonic(100, all_processes());
  for (const auto reuse : {amg::Reuse::none, amg::Reuse::symbolic}) {
    for (const bool has_room : {true, false}) {
      Parameters p = has_room ? slow() : by_levels();
      p.solve.amg.reuse = reuse;
      const double peak = largest(peak_of(rows, p));
      p.solve.preconditioner = PreconditionerKind::automatic;
      p.solve.max_memory_mb = (has_room ? 1.6 : 1.3) * peak;
      const SharedParts parts(rows.host, rows.range.first, RowOrder::diagonal_first);
      DistributedSolver solver(all_processes(), p);
      solver.setup_parts(Space(), parts.rows);
      const Vectors b = waves(rows.range.first, rows.range.count);
      const Vectors x = zeros(rows.range.count);
      const auto result = solver.solve(Space(), b, x);
      EXPECT_TRUE(result.converged()) << to_string(result.status);
      EXPECT_EQ(noted_by_all(solver.hierarchy(), turned), has_room);
      EXPECT_EQ(noted_by_all(solver.hierarchy(), refused), !has_room);
      for (int turn = 0; turn < 3; ++turn) {
        parts.scale(2);
        solver.update_parts(Space(), parts.rows);
        Kokkos::deep_copy(x, 0.0);
        const auto again = solver.solve(Space(), b, x);
        EXPECT_TRUE(again.converged()) << to_string(again.status);
        EXPECT_EQ(again.iterations <= 3, has_room);
      }
    }
  }
}

}  // namespace tessera::test::factors_turn_test
