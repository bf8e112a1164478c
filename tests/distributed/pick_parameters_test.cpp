// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is left open is picked from the facts of all processes: the same for any number of them and
/// any shares, and as on one process.
#include "tessera/distributed/pick_parameters.hpp"
#include "distributed/shares.hpp"
#include "support/notes.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/distributed/row_facts.hpp"
#include "tessera/distributed/skew_share.hpp"
#include "tessera/distributed/spectrum.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/solve/row_samples.hpp"

#include <random>
#include <set>
#include <string>

namespace tessera::test::pick_parameters_test {

using amg::CoarseningKind;
using Communicator = std::shared_ptr<const distributed::Communicator>;

constexpr bool on_host_space = kernels::is_host_space<Space>;
constexpr auto all_shares = {odd_share, share_of_pairs, growing_share};

/// Rows of two further columns each, about half of which are those of the row before, one further.
HostShare rows_that_repeat(unsigned seed, int n, const RowRange& range) {
  std::mt19937 random(seed);
  HostShare host;
  int first = 0, second = 0;
  for (int i = 0; i < n; ++i) {
    const auto drawn = random();
    if (drawn % 2 == 0) {
      first = static_cast<int>(drawn / 2 % static_cast<unsigned>(n));
      second = static_cast<int>(random() % static_cast<unsigned>(n));
    }
    std::set<int> columns{i, first, second};
    first = std::min(first + 1, n - 1);
    second = std::min(second + 1, n - 1);
    if (i < range.first || i >= range.first + range.count) continue;
    for (const int column : columns)
      host.push(column, column == i ? 4 : -1);
    host.end_row();
  }
  return host;
}

MatrixFacts row_facts(const Communicator& processes, const HostShare& host,
                      const Vectors& vectors = {}) {
  const Space exec;
  const Share share(host);
  MatrixFacts facts;
  distributed::add_row_facts(exec, distributed::numbered(exec, processes, share.rows()).matrix,
                             vectors, facts);
  return facts;
}

TEST(DistributedPicks, RowsRepeatEachOtherAsOnOneProcess) {
  if (!on_host_space) GTEST_SKIP() << "looked at on hosts";
  const Space exec;
  for (const int n : {1, 2, 300, 5000}) {
    const Share whole(rows_that_repeat(7, n, {0, n}));
    const auto A = distributed::numbered(exec, distributed::alone(), whole.rows()).matrix.rows;
    const double expected = sampled_repeated_rows(exec, A.view());
    if (n >= 300) {
      EXPECT_NEAR(expected, 0.5, 0.1);
    }
    for (const auto share : all_shares) {
      const RowRange range = share(n, num_processes(), process());
      EXPECT_EQ(row_facts(all_processes(), rows_that_repeat(7, n, range)).repeated_rows, expected)
          << n;
    }
  }
  EXPECT_EQ(row_facts(all_processes(), HostShare()).repeated_rows, 0) << "no rows at all";
}

/// Rows whose couplings go mostly one way in the first half and both ways in the second, where they
/// are three times as large; those of the last row are too many to be looked at.
HostShare rows_that_flow(int n, const RowRange& range) {
  HostShare host;
  for (int i = range.first; i < range.first + range.count; ++i) {
    const double size = i < n / 2 ? 1 : 3;
    const double back = i < n / 2 ? -0.1 * (1 + i % 3) : -size;
    if (i == n - 1) {
      for (int j = 0; j < i; ++j)
        host.push(j, -1);
    } else {
      if (i >= 7) host.push(i - 7, -size);
      if (i >= 1) host.push(i - 1, -size);
    }
    host.push(i, 4 * size);
    if (i + 1 < n) host.push(i + 1, back);
    if (i + 7 < n) host.push(i + 7, back);
    host.end_row();
  }
  return host;
}

TEST(DistributedPicks, WhatFlowsIsThatOfOneProcess) {
  const Space exec;
  for (const int n : {1, 2, 300, 2000}) {
    const Share whole(rows_that_flow(n, {0, n}));
    const auto A = distributed::numbered(exec, distributed::alone(), whole.rows()).matrix;
    const double expected = sampled_skew_share(exec, A.rows.view());
    EXPECT_EQ(distributed::skew_share(exec, A), expected);
    if (n >= 300) {
      EXPECT_GT(expected, 0.2);
      EXPECT_LT(expected, 0.8);
    }
    for (const auto share : all_shares) {
      const RowRange range = share(n, num_processes(), process());
      const Share own(rows_that_flow(n, range));
      const auto of_all = distributed::numbered(exec, all_processes(), own.rows()).matrix;
      EXPECT_NEAR(distributed::skew_share(exec, of_all), expected, 1e-12) << n;
    }
  }
}

TEST(DistributedPicks, OneRowIsAHubForAllProcesses) {
  if (!on_host_space) GTEST_SKIP() << "looked at on hosts";
  for (const bool has_hub : {false, true}) {
    const int n = 3000;
    const RowRange range = growing_share(n, num_processes(), process());
    HostShare host;
    for (int i = range.first; i < range.first + range.count; ++i) {
      host.push(i, 1);
      if (has_hub && i == n - 1)
        for (int j = 0; j < i; ++j)
          host.push(j, -1e-6);
      host.end_row();
    }
    EXPECT_EQ(row_facts(all_processes(), host).has_hubs, has_hub);
  }
}

TEST(DistributedPicks, AConstantOfAllProcessesIsNoVector) {
  if (!on_host_space) GTEST_SKIP() << "looked at on hosts";
  const int n = 50;
  const RowRange range = share_of_pairs(n, num_processes(), process());
  HostShare host;
  for (int i = range.first; i < range.first + range.count; ++i) {
    host.push(i, 1);
    host.end_row();
  }
  const auto with = [&](int columns, double last) {
    const Vectors v("v", range.count, columns);
    Kokkos::deep_copy(v, 3.0);
    if (range.count > 0 && range.first + range.count == n)
      Kokkos::deep_copy(Kokkos::subview(v, range.count - 1, Kokkos::ALL), last);
    return row_facts(all_processes(), host, v).has_vectors;
  };
  EXPECT_FALSE(with(0, 3));
  EXPECT_FALSE(with(1, 3));
  EXPECT_TRUE(with(1, 3.5)) << "in the last row of all";
  EXPECT_TRUE(with(1, std::nan("")));
  EXPECT_TRUE(with(2, 3));
}

struct Case {
  GalleryParameters gallery;
  CoarseningKind expected;
};

distributed::PickedParameters picked_of(const Communicator& processes,
                                        const GalleryParameters& gallery,
                                        RowRange (*share)(int, int, int),
                                        const SolveParameters& asked) {
  const Space exec;
  const SharedProblem problem(gallery, processes->size(), processes->rank(), share);
  const auto A = distributed::numbered(exec, processes, Share(problem.host).rows()).matrix;
  return distributed::pick_parameters(exec, A, Vectors(), asked, 1,
                                      distributed::looks_symmetric(exec, A),
                                      distributed::FactorsOfShares::left_out);
}

TEST(DistributedPicks, TheCoarseningIsThatOfOneProcess) {
  const auto aggregation = CoarseningKind::smoothed_aggregation;
  const auto on_mesh = on_host_space ? CoarseningKind::classical : aggregation;
  for (const Case& c :
       {Case{{.problem = ProblemKind::poisson2d, .n = 60}, aggregation},
        {{.problem = ProblemKind::anisotropic2d, .n = 60, .epsilon = 1e-2}, aggregation},
        {{.problem = ProblemKind::unstructured2d, .n = 60, .epsilon = 1}, aggregation},
        {{.problem = ProblemKind::unstructured2d, .n = 70, .epsilon = 1e-2}, on_mesh},
        {{.problem = ProblemKind::unstructured3d, .n = 14, .epsilon = 1e-2}, aggregation},
        {{.problem = ProblemKind::convdiff2d, .n = 60, .peclet = 1e4}, aggregation}}) {
    SCOPED_TRACE(to_string(c.gallery.problem));
    const auto alone = picked_of(distributed::alone(), c.gallery, odd_share, {});
    EXPECT_EQ(alone.solve.amg.coarsening, c.expected);
    for (const auto share : all_shares) {
      const auto together = picked_of(all_processes(), c.gallery, share, {});
      EXPECT_EQ(together.solve.amg.coarsening, c.expected);
      EXPECT_EQ(together.notes, alone.notes);
    }
  }
}

/// The front door: what `Solver` of one process picks is what levels over processes are made by.
TEST(DistributedPicks, SolvesGoByThem) {
  if (!on_host_space) GTEST_SKIP() << "a GPU stays with aggregation";
  const Space exec;
  const GalleryParameters mesh{.problem = ProblemKind::unstructured2d, .n = 70, .epsilon = 1e-2};
  const SharedProblem problem(mesh);
  const auto on = [&](const Communicator& processes, const SharedProblem& own) {
    distributed::Parameters p;
    p.gather_rows = 100;
    DistributedSolver solver(processes, p);
    solver.setup(exec, Share(own.host).rows(), own.near_nullspace());
    const auto result = solver.solve(exec, waves(own.first, own.num_rows()), zeros(own.num_rows()));
    EXPECT_TRUE(result.converged());
    EXPECT_TRUE(noted(solver.hierarchy(), "coarsening classical, runner-up "));
    return result.iterations;
  };
  EXPECT_EQ(on(all_processes(), problem), on(distributed::alone(), SharedProblem(mesh, 1, 0)));
}

TEST(DistributedPicks, WhatWasSetDecides) {
  const GalleryParameters mesh{.problem = ProblemKind::unstructured2d, .n = 70, .epsilon = 1e-2};
  const auto with = [&](auto change) {
    SolveParameters asked;
    change(asked.amg);
    return picked_of(all_processes(), mesh, odd_share, asked).solve.amg.coarsening;
  };
  const auto aggregation = CoarseningKind::smoothed_aggregation;
  EXPECT_EQ(with([&](amg::Parameters& p) { p.coarsening = aggregation; }), aggregation);
  EXPECT_EQ(with([](amg::Parameters& p) { p.coarsening = CoarseningKind::classical; }),
            CoarseningKind::classical);
  EXPECT_EQ(with([](amg::Parameters& p) { p.smoothed_aggregation.strength_threshold = 0.25; }),
            aggregation)
      << "its parameters";
  // A GPU stays with aggregation.
  const auto open = on_host_space ? CoarseningKind::classical : aggregation;
  EXPECT_EQ(with([](amg::Parameters& p) {
              p.classical.splitting = amg::PointSplitting::advancing_front;
            }),
            open)
      << "fronts are for several";
  EXPECT_EQ(with([](amg::Parameters& p) {
              p.classical.aggressive_levels = 1;
              p.classical.aggressive_interpolation = amg::AggressiveInterpolation::multipass;
            }),
            open)
      << "passes are for several";
}

}  // namespace tessera::test::pick_parameters_test
