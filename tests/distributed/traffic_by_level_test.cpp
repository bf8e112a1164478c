// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which level sends what of a cycle's messages.
#include "distributed/shares.hpp"
#include "tessera/distributed/counting_communicator.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace tessera::test::traffic_by_level_test {

using distributed::CountingCommunicator;
using distributed::Parameters;
using distributed::Traffic;
using ByLevel = std::vector<Traffic>;

constexpr int one_keeps_all = 100000000;

Parameters parameters_of(int gather_rows, int rows_per_process = 1) {
  Parameters p;
  p.gather_rows = gather_rows;
  p.rows_per_process = rows_per_process;
  p.solve.amg.reuse = amg::Reuse::symbolic;
  return p;
}

Traffic sum_of(const ByLevel& levels) {
  return std::accumulate(levels.begin(), levels.end(), Traffic(),
                         [](Traffic sum, const Traffic& level) { return sum += level; });
}

/// What has gone through all processes' communicators; reductions are counted once.
Traffic sent_by_all(const Traffic& own) {
  return {all_processes()->sum_of(own.messages), all_processes()->sum_of(own.bytes),
          own.reductions};
}

/// Whether all processes have the same numbers.
void expect_the_same_everywhere(const ByLevel& levels) {
  std::vector<double> numbers(60, 0.0);
  ASSERT_LE(3 * levels.size(), numbers.size());
  for (std::size_t l = 0; l < levels.size(); ++l) {
    numbers[3 * l] = static_cast<double>(levels[l].messages);
    numbers[3 * l + 1] = static_cast<double>(levels[l].bytes);
    numbers[3 * l + 2] = static_cast<double>(levels[l].reductions);
  }
  auto largest = numbers;
  all_processes()->minimum(numbers);
  all_processes()->maximum(largest);
  EXPECT_EQ(numbers, largest);
}

/// By level, after it was compared with what goes through the communicator in one application.
ByLevel counted(DistributedSolver& solver, const CountingCommunicator& processes, int num_rows) {
  const Space exec;
  const ByLevel levels = solver.cycle_traffic_by_level(exec);
  expect_the_same_everywhere(levels);
  EXPECT_EQ(sum_of(levels), solver.cycle_traffic(exec));
  const Vectors r = zeros(num_rows);
  const Vectors z = zeros(num_rows);
  const Traffic before = processes.counted();
  solver.apply_preconditioner(exec, r, z);
  Traffic own = processes.counted();
  own -= before;
  EXPECT_EQ(sum_of(levels), sent_by_all(own));
  if (num_processes() == 1) {
    for (const Traffic& level : levels) {
      EXPECT_EQ(level.messages, 0);
      EXPECT_EQ(level.bytes, 0);
    }
  }
  return levels;
}

/// The same after a setup, and once more with new values.
ByLevel counted(const SharedProblem& problem, const Parameters& parameters) {
  const auto processes = std::make_shared<const CountingCommunicator>(all_processes());
  const Share share(problem.host);
  const Space exec;
  DistributedSolver solver(processes, parameters);
  expect_error(error_of([&] { solver.cycle_traffic_by_level(exec); }), ErrorKind::precondition, {});
  solver.setup(exec, share.rows(), problem.near_nullspace());
  const ByLevel levels = counted(solver, *processes, problem.num_rows());
  std::vector<double> values = problem.host.values;
  for (double& value : values)
    value *= 3;
  solver.update_values(exec, on_device(values));
  EXPECT_EQ(counted(solver, *processes, problem.num_rows()), levels);
  return levels;
}

TEST(TrafficByLevel, SumsToThatOfTheCycle) {
  struct Case {
    std::string name;
    std::function<void(Parameters&)> change;
  };
  const SharedProblem problem({.problem = ProblemKind::poisson3d, .n = 14});
  for (const Case& c : {
           Case{"as it is", [](Parameters&) {}},
           Case{"aggregation",
                [](Parameters& p) {
                  p.solve.amg.coarsening = amg::CoarseningKind::smoothed_aggregation;
                  p.solve.amg.smoothed_aggregation.aggregation = amg::Aggregation::mis2;
                }},
           Case{"classical",
                [](Parameters& p) { p.solve.amg.coarsening = amg::CoarseningKind::classical; }},
           Case{"reduction",
                [](Parameters& p) { p.solve.amg.coarsening = amg::CoarseningKind::reduction; }},
           Case{"reproducible", [](Parameters& p) { p.reproducible = true; }},
           Case{"single", [](Parameters& p) { p.solve.precision = Precision::single; }},
           Case{"W-cycle", [](Parameters& p) { p.solve.amg.cycle = amg::CycleType::w; }},
           Case{"hybrid", [](Parameters& p) { p.solve.amg.smoother.type = SmootherType::ilu; }},
           Case{"kept interpolation",
                [](Parameters& p) { p.solve.amg.reuse = amg::Reuse::interpolation; }},
           Case{"nothing kept", [](Parameters& p) { p.solve.amg.reuse = amg::Reuse::none; }},
       }) {
    SCOPED_TRACE(c.name);
    for (const int rows : {1, 60, one_keeps_all}) {
      SCOPED_TRACE(rows);
      Parameters p = parameters_of(20, rows);
      c.change(p);
      const ByLevel levels = counted(problem, p);
      EXPECT_GE(levels.size(), 3U);
      if (num_processes() > 1) {
        EXPECT_GT(levels[0].messages, 0);
        EXPECT_GT(levels[1].messages, 0);
      }
      for (std::size_t l = 1; l < levels.size(); ++l)
        EXPECT_EQ(levels[l].reductions, 0) << l;
    }
  }
}

TEST(TrafficByLevel, HasOneLevelWhereThereIsOne) {
  const SharedProblem problem({.problem = ProblemKind::elasticity3d, .n = 5});
  const ByLevel gathered = counted(problem, Parameters());
  ASSERT_EQ(gathered.size(), 1U);
  EXPECT_EQ(gathered[0].messages, 2 * (num_processes() - 1));
  Parameters p;
  for (const auto kind :
       {PreconditionerKind::jacobi, PreconditionerKind::ilu, PreconditionerKind::none}) {
    p.solve.preconditioner = kind;
    EXPECT_EQ(counted(problem, p), ByLevel(1));
  }
}

/// Each process has rows of the first coarse level, too.
RowRange equal_share(int nodes, int processes, int rank) {
  const auto begin = [&](int p) {
    return static_cast<int>(p * static_cast<std::int64_t>(nodes) / processes);
  };
  return {begin(rank), begin(rank + 1) - begin(rank)};
}

/// What the finest level sends does not depend on where the next one goes; a level that moves to
/// one process sends what it sends where it is gathered, and those below it nothing.
TEST(TrafficByLevel, ToWhichLevelMessagesBelong) {
  for (const bool reproducible : {false, true}) {
    for (const auto kind : {ProblemKind::poisson2d, ProblemKind::convdiff2d}) {
      SCOPED_TRACE(to_string(kind));
      const SharedProblem problem({.problem = kind, .n = 60}, num_processes(), process(),
                                  equal_share);
      const auto by_level = [&](int gather_rows, int rows_per_process) {
        Parameters p = parameters_of(gather_rows, rows_per_process);
        p.reproducible = reproducible;
        return counted(problem, p);
      };
      const ByLevel gathered = by_level(1000, 1);
      const ByLevel moved = by_level(20, one_keeps_all);
      const ByLevel stays = by_level(20, 1);
      ASSERT_EQ(gathered.size(), 2U);
      ASSERT_GE(moved.size(), 3U);
      ASSERT_EQ(stays.size(), moved.size());
      EXPECT_EQ(moved[0], gathered[0]);
      EXPECT_EQ(stays[0], gathered[0]);
      EXPECT_EQ(gathered[1].messages, 2 * (num_processes() - 1));
      EXPECT_EQ(moved[1], gathered[1]);
      for (std::size_t l = 2; l < moved.size(); ++l)
        EXPECT_EQ(moved[l], Traffic()) << l;
      if (num_processes() > 1) {
        EXPECT_GT(stays[1].messages, moved[1].messages);
      }
      // The coarsest goes to the first process, and comes back.
      EXPECT_LE(stays.back().messages, 2 * (num_processes() - 1));
      EXPECT_EQ(stays.back().messages > 0, num_processes() > 1);
    }
  }
}

}  // namespace tessera::test::traffic_by_level_test
