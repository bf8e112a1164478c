// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows in two parts are joined step by step, as on a device, to what a host makes row by row. Each
/// is compared with rows that were given whole, so that a device, which has the former alone, is
/// tested, too.
#include "tessera/distributed/joined_rows.hpp"
#include "distributed/shares_in_parts.hpp"
#include "tessera/distributed/limited_setup.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/distributed/numbered_parts.hpp"
#include "tessera/distributed/solver_state.hpp"

#include <functional>
#include <string>

namespace tessera::test::joined_rows_test {

using distributed::JoinedRows;
using distributed::Joining;
using distributed::Numbered;
using distributed::SplitRows;

constexpr Joining ways[] = {Joining::row_by_row, Joining::step_by_step};
constexpr int rows_of_each = 160;

std::int64_t first_row() { return std::int64_t{rows_of_each} * process(); }

/// The place in the parts, as `JoinedRows` counts it, of each entry of rows that ascend.
std::vector<std::int64_t> expected_places(const PartsOfShare& parts) {
  std::vector<std::int64_t> places;
  const auto num_own = static_cast<std::int64_t>(parts.own.columns.size());
  for (std::size_t i = 0; i < static_cast<std::size_t>(parts.num_rows); ++i) {
    std::vector<std::pair<Ordinal, std::int64_t>> row;
    for (auto e = parts.own.offsets[i]; e < parts.own.offsets[i + 1]; ++e)
      row.emplace_back(parts.own.columns[static_cast<std::size_t>(e)], e);
    for (auto e = parts.ghost.offsets[i]; e < parts.ghost.offsets[i + 1]; ++e)
      row.emplace_back(parts.num_rows + parts.ghost.columns[static_cast<std::size_t>(e)],
                       num_own + e);
    std::ranges::sort(row);
    for (const auto& entry : row)
      places.push_back(entry.second);
  }
  return places;
}

TEST(JoinedRows, AreThoseOfTheWholeEitherWay) {
  const HostShare host = drawn_rows(rows_of_each);
  const Space exec;
  const auto whole = distributed::numbered(exec, all_processes(), Share(host).rows()).matrix.rows;
  for (const auto order : row_orders) {
    const PartsOfShare given(host, first_row(), order);
    const SharedParts shared(given);
    const auto split =
        *distributed::numbered_parts(exec, all_processes(), shared.rows, true).matrix.parts;
    for (const auto way : ways) {
      SCOPED_TRACE(std::to_string(static_cast<int>(order)) + " " +
                   std::to_string(static_cast<int>(way)));
      const JoinedRows<Space> made = distributed::joined_rows(exec, split, true, way);
      EXPECT_EQ(made.outside, distributed::nowhere);
      EXPECT_EQ(made.twice, distributed::nowhere);
      EXPECT_EQ(made.rows.num_rows, whole.num_rows);
      EXPECT_EQ(made.rows.num_cols, whole.num_cols);
      EXPECT_EQ(host_list(made.rows.offsets), host_list(whole.offsets));
      EXPECT_EQ(host_list(made.rows.columns), host_list(whole.columns));
      EXPECT_EQ(host_list(made.rows.values), host_list(whole.values));
      EXPECT_EQ(host_list(made.place), expected_places(given));
    }
  }
}

/// Own rows that ascend, with nothing from others, are lent either way.
TEST(JoinedRows, MayBeTheOwnPartItself) {
  const auto own = make_problem<double, HostSpace, std::int64_t>(
      HostSpace(), {.problem = ProblemKind::poisson2d, .n = 10});
  HostShare host;
  for (Ordinal i = 0; i < own.A.num_rows; ++i) {
    for (auto e = own.A.offsets(i); e < own.A.offsets(i + 1); ++e)
      host.push(own.A.columns(e), own.A.values(e));
    host.end_row();
  }
  const Space exec;
  const SharedParts shared(host, 0, RowOrder::ascending);
  const auto split =
      *distributed::numbered_parts(exec, distributed::alone(), shared.rows, false).matrix.parts;
  for (const auto way : ways) {
    for (const bool copies : {false, true}) {
      const auto made = distributed::joined_rows(exec, split, copies, way);
      EXPECT_EQ(made.rows.columns.data() == shared.own.columns.data(), !copies);
      EXPECT_EQ(made.place.extent(0), copies ? host.columns.size() : 0);
    }
  }
}

/// What both find wrong with the last process's parts, and all throw.
TEST(JoinedRows, SayWhatIsWrongEitherWay) {
  const auto error_with = [](const std::function<void(PartsOfShare&)>& change, Joining way) {
    const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 20});
    PartsOfShare parts(problem.host, problem.first, RowOrder::diagonal_first);
    if (process() == num_processes() - 1) change(parts);
    const SharedParts shared(parts);
    return message_of(ErrorKind::precondition, [&] {
      distributed::numbered_parts(Space(), all_processes(), shared.rows, true, way);
    });
  };
  const auto expect = [&](const std::function<void(PartsOfShare&)>& change, const char* says) {
    SCOPED_TRACE(says);
    for (const auto way : ways)
      EXPECT_NE(error_with(change, way).find(says), std::string::npos);
    EXPECT_EQ(error_with(change, ways[0]), error_with(change, ways[1]));
  };
  expect([](PartsOfShare& p) { p.own.columns.back() = p.num_rows; }, "a column of the own part is");
  // The first of several.
  expect([](PartsOfShare& p) { p.own.columns.back() = p.own.columns[1] = -7; }, "own part is -7");
  expect(
      [](PartsOfShare& p) {
        p.own.columns.back() = -3;
        p.own.columns[1] = -2;
      },
      "own part is -2");
  expect([](PartsOfShare& p) { p.own.columns[1] = p.own.columns[0]; }, "twice");
  if (num_processes() == 1) return;
  expect([](PartsOfShare& p) { p.ghost.columns.back() = -1; }, "a column of the ghost part is -1");
  expect([](PartsOfShare& p) { p.ghost.columns[0] = 400; }, "a column of the ghost part is 400");
}

struct Solved {
  SolveResult result;
  std::vector<double> x;
};

/// As `Solver` does it, from rows that `take` makes.
Solved solved_with(
    const SharedProblem& problem, const distributed::Parameters& parameters,
    const std::function<Numbered<Space>(const std::shared_ptr<const distributed::Communicator>&)>&
        take) {
  const Space exec;
  distributed::SolverState<Space> state;
  state.processes = std::make_shared<const distributed::CountingCommunicator>(
      all_processes(), parameters.reproducible);
  state.asked = parameters;
  state.give(parameters.solve);
  state.parameters = state.given;
  const Vectors vectors = problem.near_nullspace();
  distributed::set_up<Space>(exec, state, [&] { return take(state.processes); }, vectors);
  const Vectors x = zeros(problem.num_rows());
  auto result =
      state.method->solve(exec, state.system(), waves(problem.first, problem.num_rows()), x);
  return {std::move(result), on_host(x)};
}

/// The bits of each other; and the iterations of rows that were given whole.
TEST(JoinedRows, SolveAlikeEitherWay) {
  for (const GalleryParameters& gallery :
       {GalleryParameters{.problem = ProblemKind::poisson2d, .n = 40},
        GalleryParameters{.problem = ProblemKind::unstructured3d, .n = 10},
        GalleryParameters{.problem = ProblemKind::convdiff2d, .n = 40},
        GalleryParameters{.problem = ProblemKind::elasticity3d, .n = 5}}) {
    SCOPED_TRACE(to_string(gallery.problem));
    const SharedProblem problem(gallery, num_processes(), process(), share_of_pairs);
    const auto parameters = accurate_solve(gallery);
    const Share share(problem.host);
    const Solved whole = solved_with(problem, parameters, [&](const auto& processes) {
      return distributed::numbered(Space(), processes, share.rows());
    });
    EXPECT_TRUE(whole.result.converged());
    for (const auto order : row_orders) {
      const SharedParts parts(problem.host, problem.first, order);
      const auto with = [&](Joining way) {
        return solved_with(problem, parameters, [&](const auto& processes) {
          return distributed::numbered_parts(Space(), processes, parts.rows, false, way);
        });
      };
      const Solved by_rows = with(Joining::row_by_row), by_steps = with(Joining::step_by_step);
      EXPECT_TRUE(by_steps.result.converged());
      EXPECT_EQ(by_steps.result.iterations, whole.result.iterations);
      EXPECT_EQ(by_steps.result.residual_history, by_rows.result.residual_history);
      EXPECT_EQ(by_steps.x, by_rows.x);
    }
  }
}

}  // namespace tessera::test::joined_rows_test
