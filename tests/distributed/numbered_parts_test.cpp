// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows in two parts as a matrix: whose arrays it has, and what is refused on all processes.
#include "tessera/distributed/numbered_parts.hpp"
#include "distributed/shares_in_parts.hpp"
#include "tessera/distributed/distributed_operator.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/distributed/to_host.hpp"
#include "tessera/matrix/stored_matrix.hpp"

#include <functional>
#include <string>

namespace tessera::test::numbered_parts_test {

using Stored = StoredCsr<double, Space, std::int64_t>;

TEST(NumberedParts, JoinToTheRowsOfTheWhole) {
  const HostShare host = drawn_rows(160);
  const std::int64_t first = std::int64_t{160} * process();
  const Space exec;
  const auto whole = distributed::numbered(exec, all_processes(), Share(host).rows());
  for (const auto order : {RowOrder::ascending, RowOrder::diagonal_first, RowOrder::drawn}) {
    const SharedParts parts(host, first, order);
    for (const bool copies : {false, true}) {
      const auto made = distributed::numbered_parts(exec, all_processes(), parts.rows, copies);
      EXPECT_EQ(host_list(made.matrix.rows.offsets), host_list(whole.matrix.rows.offsets));
      EXPECT_EQ(host_list(made.matrix.rows.columns), host_list(whole.matrix.rows.columns));
      EXPECT_EQ(host_list(made.matrix.rows.values), host_list(whole.matrix.rows.values));
      EXPECT_EQ(distributed::to_host(Space(), made.matrix.ghosts),
                distributed::to_host(Space(), whole.matrix.ghosts));
      // The arrays themselves where they are sorted, and nothing comes from others.
      const bool shares = order == RowOrder::ascending && num_processes() == 1 && !copies;
      EXPECT_EQ(made.matrix.rows.values.data() == parts.own.values.data(), shares);
      EXPECT_EQ(made.matrix.rows.columns.data() == parts.own.columns.data(), shares);
      EXPECT_EQ(made.matrix.rows.offsets.data() == parts.own.offsets.data(), shares);
      // Products by whole rows and by parts.
      const auto x = waves(first, 160);
      const auto y = zeros(160), z = zeros(160);
      distributed::make_operator<double>(exec, whole.matrix, StorageParameters{})
          ->apply(exec, 1, x, 0, y);
      distributed::make_operator<double>(exec, made.matrix, StorageParameters{})
          ->apply(exec, 1, x, 0, z);
      exec.fence();
      const auto expected = on_host(y), found = on_host(z);
      for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_NEAR(found[i], expected[i], 1e-12);
    }
  }
}

/// In any order the products' arrays are those that were given.
TEST(NumberedParts, LendTheirArraysToProducts) {
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 30});
  const Space exec;
  for (const auto order : {RowOrder::ascending, RowOrder::diagonal_first, RowOrder::drawn}) {
    const SharedParts parts(problem.host, problem.first, order);
    const auto made = distributed::numbered_parts(exec, all_processes(), parts.rows, false);
    const auto op = distributed::make_operator<double>(exec, made.matrix, StorageParameters{});
    const auto* const own =
        dynamic_cast<const distributed::DistributedOperator<double, Space>&>(*op).own();
    if (problem.num_rows() == 0) continue;
    const auto& stored = dynamic_cast<const Stored&>(*own).matrix();
    EXPECT_EQ(stored.values.data(), parts.own.values.data());
    EXPECT_EQ(stored.columns.data(), parts.own.columns.data());
    EXPECT_EQ(stored.offsets.data(), parts.own.offsets.data());
  }
}

/// On a host the numbers of ghosts and what is sent are those that were given.
TEST(NumberedParts, LendTheirLists) {
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 30});
  const Space exec;
  PartsOfShare parts(problem.host, problem.first, RowOrder::ascending);
  const distributed::Partition shares(*all_processes(), problem.num_rows());
  const auto plan = distributed::halo_plan(exec, all_processes(), shares, parts.ghosts);
  parts.halo = HostLists(plan);
  const SharedParts shared(parts, SharedParts::Lists::lent);
  const auto expect_lent = [&](const auto& numbered, const PartsOfShare& by) {
    EXPECT_EQ(host_list(numbered.matrix.ghosts), by.ghosts);
    if (!kernels::is_host_space<Space> || plan == nullptr) return;
    if (!by.ghosts.empty()) {
      EXPECT_EQ(numbered.matrix.ghosts.data(), by.ghosts.data());
    }
    if (!by.halo->exports.empty()) {
      EXPECT_EQ(numbered.matrix.halo->exports.data(), by.halo->exports.data());
    }
  };
  const auto made = distributed::numbered_parts(exec, all_processes(), shared.rows, false);
  expect_lent(made, parts);
  const PartsOfShare others = parts;
  const SharedParts shared_others(others, SharedParts::Lists::lent);
  expect_lent(distributed::with_parts(exec, made, shared_others.rows, false, true), others);
  expect_lent(distributed::with_parts(exec, made, shared_others.rows, false, false), parts);
}

TEST(NumberedParts, TellPatternsApart) {
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 20});
  const Space exec;
  DistributedSolver solver(all_processes());
  PartsOfShare parts(problem.host, problem.first, RowOrder::drawn);
  EXPECT_FALSE(solver.has_pattern(exec, SharedParts(parts).rows));
  const SharedParts shared(parts);
  solver.setup_parts(exec, shared.rows);
  EXPECT_TRUE(solver.has_pattern(exec, shared.rows));
  EXPECT_TRUE(solver.has_pattern(exec, SharedParts(parts).rows));
  if (problem.num_rows() < 3) return;
  // Changed where they lie, and in other arrays: two columns of a row change places.
  std::swap(parts.own.columns[0], parts.own.columns[1]);
  EXPECT_FALSE(solver.has_pattern(exec, SharedParts(parts).rows));
  const auto host = Kokkos::create_mirror_view(shared.own.columns);
  Kokkos::deep_copy(host, shared.own.columns);
  std::swap(host(0), host(1));
  Kokkos::deep_copy(shared.own.columns, host);
  EXPECT_FALSE(solver.has_pattern(exec, shared.rows));
  std::swap(parts.own.columns[0], parts.own.columns[1]);
  EXPECT_TRUE(solver.has_pattern(exec, SharedParts(parts).rows));
  ++parts.own.offsets[1];
  EXPECT_FALSE(solver.has_pattern(exec, SharedParts(parts).rows));
}

/// Of the last process's parts alone; all of them throw.
std::optional<Error> error_with(const std::function<void(PartsOfShare&)>& change,
                                const std::function<void(SharedParts&)>& spoil = {}) {
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 20});
  PartsOfShare parts(problem.host, problem.first, RowOrder::diagonal_first);
  const bool is_last = process() == num_processes() - 1;
  if (is_last && change) change(parts);
  SharedParts shared(parts);
  if (is_last && spoil) spoil(shared);
  DistributedSolver solver(all_processes());
  return error_of([&] { solver.setup_parts(Space(), shared.rows); });
}

TEST(NumberedParts, WhatOneFindsWrongAllThrow) {
  const auto refused = [](const std::function<void(PartsOfShare&)>& change, const char* says) {
    SCOPED_TRACE(says);
    expect_error(error_with(change), ErrorKind::precondition, {says});
  };
  refused([](PartsOfShare& p) { p.own.columns[1] = p.num_rows; }, "a column of the own part is");
  refused([](PartsOfShare& p) { p.own.columns[1] = -1; }, "a column of the own part is -1");
  refused([](PartsOfShare& p) { p.own.columns[1] = p.own.columns[0]; }, "twice");
  refused([](PartsOfShare& p) { p.own.values.pop_back(); }, "the own part is wrong: there are");
  refused([](PartsOfShare& p) { p.own.offsets.back() += 1; }, "the last offset");
  refused([](PartsOfShare& p) { std::swap(p.own.offsets[1], p.own.offsets[2]); }, "decrease");
  refused([](PartsOfShare& p) { p.own.offsets.pop_back(); }, "offsets, expected");
  const auto spoiled = [](const std::function<void(SharedParts&)>& spoil, const char* says) {
    SCOPED_TRACE(says);
    expect_error(error_with({}, spoil), ErrorKind::precondition, {says});
  };
  spoiled([](SharedParts& p) { ++p.rows.own.num_cols; }, "the own part is");
  spoiled([](SharedParts& p) { ++p.rows.own.num_entries; }, "is said to have");
  spoiled(
      [](SharedParts& p) {
        auto ghosts = host_list(p.rows.ghosts);
        ghosts.push_back(-1);
        p.rows.ghosts = distributed::host_array(ghosts);
      },
      "the ghost part is");
  if (num_processes() == 1) return;
  spoiled([](SharedParts& p) { --p.rows.ghost.num_rows; }, "the ghost part is");
  refused([](PartsOfShare& p) { p.ghost.columns[0] = 400; }, "a column of the ghost part is 400");
  refused([](PartsOfShare& p) { std::swap(p.ghosts.front(), p.ghosts.back()); },
          "they have to ascend");
  refused([](PartsOfShare& p) { p.ghosts.back() = 400; }, "there are 400 rows in all");
  refused([](PartsOfShare& p) { p.ghosts.back() = 399; }, "this process's own");
}

/// Lists that all have, and one has wrong.
TEST(NumberedParts, ListsHaveToFit) {
  if (num_processes() == 1) return;
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 20});
  const distributed::Partition shares(*all_processes(), problem.num_rows());
  const bool is_last = process() == num_processes() - 1;
  const auto refused = [&](const std::function<void(HostLists&)>& change, const char* says) {
    SCOPED_TRACE(says);
    PartsOfShare parts(problem.host, problem.first, RowOrder::ascending);
    const auto plan = distributed::halo_plan(Space(), all_processes(), shares, parts.ghosts);
    parts.halo = HostLists(plan);
    if (is_last) change(*parts.halo);
    const SharedParts shared(parts);
    DistributedSolver solver(all_processes());
    expect_error(error_of([&] { solver.setup_parts(Space(), shared.rows); }),
                 ErrorKind::precondition, {says});
    parts.halo.reset();
    solver.setup_parts(Space(), SharedParts(parts).rows);
    expect_error(error_of([&] { solver.update_parts(Space(), shared.rows); }),
                 ErrorKind::precondition, {says});
  };
  using Lists = HostLists;
  refused([](Lists& l) { l.exports[0] = -1; }, "the halo sends unknown -1");
  refused([](Lists& l) { l.exports.pop_back(); }, "the list of receivers of the halo is of");
  refused([](Lists& l) { l.senders.pop_back(); }, "the list of senders of the halo is of");
  refused([](Lists& l) { l.receivers[0].process = num_processes(); },
          "the list of receivers of the halo has process");
  refused([](Lists& l) { l.senders[0].first = 1; }, "the list of senders of the halo has");
  refused(
      [](Lists& l) {
        l.exports.pop_back();
        --l.receivers.back().length;
      },
      "do not fit together");
  if (num_processes() > 2) refused([](Lists& l) { l.senders[0].process = 0; }, "sent by process 0");
}

/// An update that is of another pattern, or of whole rows, and one behind whole rows.
TEST(NumberedParts, UpdatesOfAnotherKindAreRefused) {
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 20});
  const Space exec;
  const Share share(problem.host);
  const SharedParts parts(problem.host, problem.first, RowOrder::ascending);
  DistributedSolver solver(all_processes());
  expect_error(error_of([&] { solver.update_parts(exec, parts.rows); }), ErrorKind::precondition,
               {"setup_parts comes before update_parts"});
  solver.setup(exec, share.rows());
  EXPECT_FALSE(solver.has_pattern(exec, parts.rows));
  expect_error(error_of([&] { solver.update_parts(exec, parts.rows); }), ErrorKind::precondition,
               {"setup_parts comes before update_parts"});
  solver.setup_parts(exec, parts.rows);
  expect_error(error_of([&] { solver.update_values(exec, share.values); }), ErrorKind::precondition,
               {"update_parts takes new values"});
  HostShare other = problem.host;
  if (process() == num_processes() - 1) {
    other.columns.pop_back();
    other.values.pop_back();
    --other.offsets.back();
  }
  const SharedParts fewer(other, problem.first, RowOrder::ascending);
  expect_error(error_of([&] { solver.update_parts(exec, fewer.rows); }), ErrorKind::precondition,
               {"the pattern has to be the same"});
  solver.update_parts(exec, parts.rows);
  const Vectors x = zeros(problem.num_rows());
  EXPECT_TRUE(solver.solve(exec, waves(problem.first, problem.num_rows()), x).converged());
}

}  // namespace tessera::test::numbered_parts_test
