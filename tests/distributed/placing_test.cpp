// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Hosts, devices and messages' costs, found out and made up, and where levels are by them.
#include "distributed/known_processes.hpp"
#include "distributed/shares.hpp"
#include "tessera/distributed/message_cost.hpp"
#include "tessera/distributed/surroundings.hpp"

#include <cmath>
#include <string>
#include <utility>

namespace tessera::test::placing_test {

using distributed::Communicator;
using distributed::MessageCost;
using distributed::MessageCosts;
using distributed::Parameters;
using distributed::Places;

TEST(Places, AreNumberedInOrder) {
  const Places places =
      distributed::numbered_places({7, 3, 7, 3, 0}, {{1, 2}, {1, 3}, {0, 0}, {1, 2}, {2, 2}});
  EXPECT_EQ(places.hosts, std::vector<int>({0, 1, 0, 1, 2}));
  EXPECT_EQ(places.devices, std::vector<int>({0, 1, -1, 0, 2}));
}

/// Tests run on one host.
TEST(Places, AreFoundOnce) {
  const KnownProcesses processes;
  const Space exec;
  const Places found = distributed::places(exec, processes);
  EXPECT_EQ(found.hosts, std::vector<int>(static_cast<std::size_t>(num_processes()), 0));
  ASSERT_EQ(found.devices.size(), found.hosts.size());
  for (const int device : found.devices)
    EXPECT_EQ(device < 0, kernels::is_host_space<Space>);
  EXPECT_EQ(processes.first_on_host(), 0);
  const auto before = processes.counted();
  EXPECT_GT(before.reductions, 0);
  EXPECT_EQ(distributed::places(exec, processes), found);
  EXPECT_EQ(processes.counted().reductions, before.reductions);

  const auto alone = distributed::alone();
  EXPECT_EQ(distributed::places(exec, *alone).hosts, std::vector<int>({0}));
}

TEST(MessageCost, IsMeasuredOnceAndTheSameOnAll) {
  const KnownProcesses processes;
  const Space exec;
  const MessageCost cost = distributed::message_cost(exec, processes);
  EXPECT_EQ(cost.latency_s > 0, num_processes() > 1);
  EXPECT_GE(cost.seconds_per_byte, 0);
  EXPECT_LT(cost.latency_s, 10);
  for (const double number : {cost.latency_s, cost.seconds_per_byte})
    EXPECT_EQ(all_processes()->minimum_of(number), all_processes()->maximum_of(number));
  const auto before = processes.counted();
  EXPECT_EQ(before.messages, num_processes() > 1 ? 20 : 0);
  EXPECT_EQ(distributed::message_cost(exec, processes).latency_s, cost.latency_s);
  EXPECT_EQ(processes.counted().messages, before.messages);
  EXPECT_EQ(distributed::message_cost(exec, *distributed::alone()).latency_s, 0);
}

/// A level of a grid in space on 8 processes, with a number of rows for each.
distributed::LevelLoad level_of(double rows_each) {
  return {8 * rows_each, 8 * 27 * rows_each, 8, 7, 3 * std::pow(rows_each, 2.0 / 3.0)};
}

TEST(MessageCost, DecidesHowManyProcessesALevelIsWorth) {
  const auto worth = [](double rows_each, const MessageCost& cost, std::int64_t workers = 8) {
    return distributed::processes_worth(level_of(rows_each), cost, workers,
                                        distributed::bytes_per_second_of_host);
  };
  EXPECT_EQ(worth(1000, {}), 8);
  EXPECT_EQ(worth(1000, {1, 0}), 1);
  // Bytes that cost nothing else keep a level where it is: it would have to be sent.
  EXPECT_EQ(worth(1000, {0, 1}), 8);
  // 2 us and 10 GB/s.
  const MessageCost usual{2e-6, 1e-10};
  EXPECT_EQ(worth(100000, usual), 8);
  EXPECT_EQ(worth(10, usual), 1);
  std::int64_t before = 1;
  for (double rows = 10; rows < 1e6; rows *= 2) {
    const auto now = worth(rows, usual);
    EXPECT_GE(now, before) << rows;
    before = now;
  }
  // On one device further processes have nothing to add.
  EXPECT_EQ(worth(3000, usual), 8);
  EXPECT_EQ(worth(3000, usual, 1), 1);
}

struct Solved {
  int iterations = 0;
  std::vector<double> x;
  HierarchyInfo hierarchy;
};

Solved solved_by(const std::shared_ptr<const Communicator>& processes, const SharedProblem& problem,
                 Parameters p) {
  p.gather_rows = 20;
  p.solve.solver.tolerance = 1e-10;
  const Share share(problem.host);
  const Space exec;
  DistributedSolver solver(processes, p);
  solver.setup(exec, share.rows(), problem.near_nullspace());
  const Vectors x = zeros(problem.num_rows());
  Solved made;
  const auto result = solver.solve(exec, waves(problem.first, problem.num_rows()), x);
  EXPECT_TRUE(result.converged()) << to_string(result.status);
  made.iterations = result.iterations;
  made.x = on_host(x);
  made.hierarchy = solver.hierarchy();
  return made;
}

/// Hosts and devices that have ranks in blocks, in turns, and anyhow: levels move elsewhere, and
/// that is all.
TEST(PlacedLevels, HaveTheSameRowsAnywhere) {
  std::vector<Places> all;
  const auto nowhere = by_rank([](int) { return -1; });
  for (int (*const host)(int) : std::initializer_list<int (*)(int)>{
           [](int) { return 0; }, [](int p) { return p % 2; }, [](int p) { return p / 2; },
           [](int p) { return p == 0 ? 0 : 1; }, [](int p) { return p; }})
    all.push_back({by_rank(host), nowhere});
  all.push_back({by_rank([](int) { return 0; }), by_rank([](int p) { return p % 2; })});
  for (const auto& [kind, n] :
       {std::pair(ProblemKind::poisson3d, 10), std::pair(ProblemKind::unstructured3d, 8)}) {
    SCOPED_TRACE(to_string(kind));
    const GalleryParameters gallery{.problem = kind, .n = n};
    for (const auto share : {odd_share, growing_share}) {
      const SharedProblem problem(gallery, num_processes(), process(), share);
      const SharedProblem whole(gallery, 1, 0);
      for (const bool reproducible : {false, true}) {
        Parameters p;
        p.reproducible = reproducible;
        p.rows_per_process = 1;
        const Solved alone = solved_by(distributed::alone(), whole, p);
        for (const Places& places : all) {
          const auto processes =
              std::make_shared<KnownProcesses>(distributed::Surroundings{places, {}});
          for (const int rows : {30, 100000}) {
            p.rows_per_process = rows;
            const Solved made = solved_by(processes, problem, p);
            EXPECT_EQ(made.iterations, alone.iterations);
            double most = 0;
            for (std::size_t i = 0; i < made.x.size(); ++i)
              most = std::max(
                  most, std::abs(made.x[i] - alone.x[static_cast<std::size_t>(problem.first) + i]));
            if (reproducible) {
              EXPECT_EQ(most, 0);
            } else {
              EXPECT_LT(most, 1e-7);
            }
            if (process() != 0) continue;
            ASSERT_EQ(made.hierarchy.levels.size(), alone.hierarchy.levels.size());
            for (std::size_t l = 0; l < made.hierarchy.levels.size(); ++l)
              EXPECT_EQ(made.hierarchy.levels[l].rows, alone.hierarchy.levels[l].rows);
          }
        }
      }
    }
  }
}

bool has_note(const HierarchyInfo& hierarchy, const std::string& begin, const std::string& what) {
  return std::ranges::any_of(hierarchy.notes, [&](const std::string& note) {
    return note.starts_with(begin) && note.find(what) != std::string::npos;
  });
}

TEST(PlacedLevels, AreSaidToBe) {
  if (num_processes() < 2) GTEST_SKIP() << "one process has all levels";
  const SharedProblem problem({.problem = ProblemKind::poisson3d, .n = 12});
  const std::string all = " of " + std::to_string(num_processes()) + " processes";
  // On GPUs each process has one, or further processes would have nothing to add.
  Places hosts{by_rank([](int p) { return p % 2; }),
               by_rank([](int p) { return kernels::is_host_space<Space> ? -1 : p; })};
  const auto made = [&](const MessageCost& cost, int rows, MessageCosts costs) {
    Parameters p;
    p.rows_per_process = rows;
    p.message_costs = costs;
    return solved_by(std::make_shared<KnownProcesses>(distributed::Surroundings{hosts, cost}),
                     problem, p)
        .hierarchy;
  };
  const auto by_rows = made({}, 100000, MessageCosts::assumed);
  EXPECT_TRUE(
      has_note(by_rows, "level 1 on 1" + all + ", 1 of 2 hosts", "by 100000 rows per process"));
  // Messages that take a second, and those that take no time.
  const auto dear = made({1, 0}, 0, MessageCosts::measured);
  EXPECT_TRUE(has_note(dear, "level 1 on 1" + all, "by messages of 1e+06 us and 0 ns per byte"));
  EXPECT_EQ(dear.levels[1].processes, 1);
  const auto free = made({}, 0, MessageCosts::measured);
  EXPECT_TRUE(
      has_note(free, "level 1 on " + std::to_string(num_processes()) + all, "by messages of"));
  // A number of rows is a number of rows.
  const auto given = made({1, 0}, 1, MessageCosts::measured);
  EXPECT_FALSE(has_note(given, "level 1", ""));
}

/// Whatever this machine's messages cost.
TEST(PlacedLevels, AreWhereMeasuredMessagesSay) {
  const GalleryParameters gallery{.problem = ProblemKind::unstructured3d, .n = 12};
  const SharedProblem problem(gallery);
  Parameters p;
  p.message_costs = MessageCosts::measured;
  const Solved alone = solved_by(distributed::alone(), SharedProblem(gallery, 1, 0), p);
  const Solved made = solved_by(std::make_shared<KnownProcesses>(), problem, p);
  EXPECT_EQ(made.iterations, alone.iterations);
  EXPECT_TRUE(num_processes() == 1 || has_note(made.hierarchy, "level 1 on ", "ns per byte"));
}

}  // namespace tessera::test::placing_test
