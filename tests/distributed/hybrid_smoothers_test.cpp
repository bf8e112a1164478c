// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothers that each process has for its own rows.
#include "distributed/shares.hpp"
#include "support/own_smoother.hpp"
#include "tessera/distributed/hybrid_smoother.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/smoother/smoother_needs.hpp"

#include <numeric>
#include <span>
#include <string>
#include <tuple>

namespace tessera::test::hybrid_smoothers_test {

constexpr SmootherType hybrids[] = {SmootherType::ilu, SmootherType::block_jacobi,
                                    SmootherType::gauss_seidel,
                                    SmootherType::two_stage_gauss_seidel, SmootherType::fsai};

distributed::Parameters with_smoother(SmootherType type, int sweeps = 1) {
  distributed::Parameters p;
  p.gather_rows = 100;
  p.solve.amg.smoother.type = type;
  p.solve.amg.smoother.sweeps = sweeps;
  return p;
}

/// A solver that is set up for a share of a problem.
struct Made {
  SharedProblem problem;
  DistributedSolver solver;

  Made(const std::shared_ptr<const distributed::Communicator>& processes,
       const GalleryParameters& gallery, const distributed::Parameters& p,
       RowRange (*share)(int, int, int) = odd_share)
      : problem(gallery, processes->size(), processes->rank(), share), solver(processes, p) {
    solver.setup(Space(), Share(problem.host).rows(), problem.near_nullspace());
  }

  SolveResult solve() {
    const Vectors x = zeros(problem.num_rows());
    return solver.solve(Space(), waves(problem.first, problem.num_rows()), x);
  }
};

/// In about as many iterations: elasticity has 1,029 rows, which are few for eight processes.
TEST(HybridSmoothers, SolveAlmostAsOnOneProcess) {
  for (const auto& [kind, n] :
       {std::tuple(ProblemKind::poisson2d, 70), std::tuple(ProblemKind::convdiff2d, 60),
        std::tuple(ProblemKind::elasticity3d, 7)}) {
    const GalleryParameters gallery{.problem = kind, .n = n, .peclet = 1000};
    for (const auto type : hybrids) {
      // FSAI is for symmetric matrices; inner Jacobi diverges on elasticity, on one process as
      // well.
      if (type == SmootherType::fsai && kind == ProblemKind::convdiff2d) continue;
      if (type == SmootherType::two_stage_gauss_seidel && kind == ProblemKind::elasticity3d)
        continue;
      SCOPED_TRACE(std::string(to_string(kind)) + ' ' + std::string(smoother_name(type)));
      const auto p = with_smoother(type);
      const SolveResult alone = Made(distributed::alone(), gallery, p).solve();
      Made together(all_processes(), gallery, p);
      const SolveResult result = together.solve();
      ASSERT_TRUE(alone.converged());
      ASSERT_TRUE(result.converged()) << to_string(result.status);
      EXPECT_LE(result.iterations, 3 * alone.iterations);
      EXPECT_TRUE(num_processes() > 1 || result.iterations == alone.iterations);
      EXPECT_EQ(together.solver.hierarchy().levels[0].smoother,
                (num_processes() > 1 ? "hybrid " : "") + std::string(smoother_name(type)));
    }
  }
}

/// Nodes, which no border cuts, and four rows, of which a border leaves some.
TEST(HybridSmoothers, BlocksAreThoseOfNodesAndOfRows) {
  const GalleryParameters gallery{.problem = ProblemKind::elasticity3d, .n = 7};
  for (const BlockJacobiParameters& blocks :
       {BlockJacobiParameters{.blocks = RelaxationBlocks::nodes},
        BlockJacobiParameters{.block_rows = 4}}) {
    SCOPED_TRACE(blocks.block_rows);
    auto p = with_smoother(SmootherType::block_jacobi);
    p.solve.amg.smoother.block_jacobi = blocks;
    const SolveResult alone = Made(distributed::alone(), gallery, p).solve();
    ASSERT_TRUE(alone.converged());
    for (const auto share : {odd_share, share_of_pairs}) {
      Made together(all_processes(), gallery, p, share);
      const SolveResult result = together.solve();
      ASSERT_TRUE(result.converged()) << to_string(result.status);
      EXPECT_LE(result.iterations, 2 * alone.iterations);
      EXPECT_TRUE(num_processes() > 1 || result.iterations == alone.iterations);
    }
  }
}

/// Six rows per process, in full blocks of four and of two that are coupled to nothing else: rows
/// are counted from a process's first one, and its last block is cut off.
TEST(HybridSmoothers, BlocksAreOfTheRowsOfAProcess) {
  constexpr int rows = 6, block_rows = 4;
  const std::int64_t first = process() * rows;
  HostShare host;
  for (int i = 0; i < rows; ++i) {
    const int start = i / block_rows * block_rows;
    for (int j = start; j < std::min(start + block_rows, rows); ++j)
      host.push(first + j, j == i ? 8.0 : 1.0);
    host.end_row();
  }
  const Space exec;
  const Share share(host);
  const auto A = distributed::numbered(exec, all_processes(), share.rows());
  const auto op = distributed::make_operator<double>(exec, A.matrix, StorageParameters{});
  SmootherParameters p{.type = SmootherType::block_jacobi};
  p.block_jacobi.block_rows = block_rows;
  const auto smoother = distributed::make_hybrid_smoother<double>(exec, p, op, A.matrix, 1);
  const Vectors b = waves(first, rows);
  const Vectors x = zeros(rows), r = zeros(rows);
  smoother->apply(exec, b, x);
  op->apply(exec, 1, x, 0, r);
  const auto solved = on_host(r), given = on_host(b);
  // B^-1 A is the identity, and omega 2 / 2.25.
  for (int i = 0; i < rows; ++i)
    EXPECT_NEAR(solved[i], given[i] / 1.125, 1e-12);
}

/// Other processes hear of what one refuses.
TEST(HybridSmoothers, RefuseBlocksThatContradictEachOther) {
  auto p = with_smoother(SmootherType::block_jacobi);
  p.solve.amg.smoother.block_jacobi = {.blocks = RelaxationBlocks::nodes, .block_rows = 4};
  const GalleryParameters gallery{.problem = ProblemKind::elasticity3d, .n = 7};
  expect_error(error_of([&] { Made(all_processes(), gallery, p); }), ErrorKind::configuration,
               {"block_rows = 4", "blocks = nodes"});
}

/// As on one process of a host: less than half as many iterations as by Jacobi, however rows are
/// shared out.
TEST(HybridSmoothers, ArePickedForFlows) {
  if (!kernels::is_host_space<Space>) GTEST_SKIP() << "Jacobi smooths a flow on a device";
  for (const auto kind : {ProblemKind::convdiff2d, ProblemKind::convdiff3d}) {
    const GalleryParameters gallery{
        .problem = kind, .n = kind == ProblemKind::convdiff2d ? 80 : 20, .peclet = 10000};
    const int by_jacobi =
        Made(distributed::alone(), gallery, with_smoother(SmootherType::jacobi)).solve().iterations;
    for (const auto share : {odd_share, share_of_pairs, growing_share}) {
      Made made(all_processes(), gallery, with_smoother(SmootherType::automatic), share);
      const SolveResult result = made.solve();
      EXPECT_TRUE(result.converged());
      EXPECT_LE(result.iterations, by_jacobi / 2) << to_string(kind);
      const HierarchyInfo info = made.solver.hierarchy();
      EXPECT_TRUE(info.levels[0].smoother.ends_with("ilu")) << info.levels[0].smoother;
      EXPECT_TRUE(std::ranges::any_of(
          info.notes, [](const std::string& note) { return note.starts_with("smoother ilu"); }));
    }
  }
}

/// Blocks of unknowns whose factors grow elevenfold from row to row, beyond what a double holds:
/// what was picked is left for Jacobi on all processes, and what was asked for is an error of all.
TEST(HybridSmoothers, AreLeftWhereFactorsOverflow) {
  if (!kernels::is_host_space<Space>) GTEST_SKIP() << "Jacobi smooths a flow on a device";
  constexpr int length = 330;
  HostShare host;
  const std::int64_t first = static_cast<std::int64_t>(process()) * 2 * length;
  for (int row = 0; row < 2 * length; ++row) {
    const int start = row / length * length, last = start + length - 1;
    for (int j = start; j < row; ++j)
      host.push(first + j, -10);
    host.push(first + row, 1);
    if (row < last) host.push(first + last, 1);
    host.end_row();
  }
  const Share share(host);
  auto p = with_smoother(SmootherType::automatic);
  p.solve.preconditioner = PreconditionerKind::amg;
  // Points would be picked, which leave nothing to a second level here.
  p.solve.amg.coarsening = amg::CoarseningKind::smoothed_aggregation;
  DistributedSolver solver(all_processes(), p);
  solver.setup(Space(), share.rows());
  const HierarchyInfo info = solver.hierarchy();
  EXPECT_EQ(info.levels[0].smoother, "jacobi");
  EXPECT_TRUE(std::ranges::any_of(info.notes, [](const std::string& note) {
    return note == "smoother jacobi: incomplete factors hold no finite numbers";
  }));
  for (auto asked : {with_smoother(SmootherType::ilu), distributed::Parameters{}}) {
    if (asked.solve.amg.smoother.type != SmootherType::ilu)
      asked.solve.preconditioner = PreconditionerKind::ilu;
    DistributedSolver other(all_processes(), asked);
    expect_error(error_of([&] { other.setup(Space(), share.rows()); }), ErrorKind::bad_input,
                 {"finite numbers"});
  }
}

/// <M u, v> = <u, M v>, with sweeps one way before the correction and the other way after it.
TEST(HybridSmoothers, AreSymmetricForASymmetricMatrix) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 40};
  for (const auto type : hybrids) {
    for (const int sweeps : {1, 2}) {
      SCOPED_TRACE(std::string(smoother_name(type)) + ' ' + std::to_string(sweeps));
      auto p = with_smoother(type, sweeps);
      if (sweeps == 2) p.solve.amg.smoother.block_jacobi.block_rows = 3;
      Made made(all_processes(), gallery, p);
      const int n = made.problem.num_rows();
      const Vectors u = waves(made.problem.first, n, 2);
      const Vectors M_u = zeros(n, 2);
      made.solver.apply_preconditioner(Space(), u, M_u);
      const auto given = on_host(u);
      const auto applied = on_host(M_u);
      const auto half = [&](const std::vector<double>& v, int j) {
        return std::span<const double>(v).subspan(static_cast<std::size_t>(j) * n, n);
      };
      const auto dot = [&](int i, int j) {
        const auto a = half(applied, i), b = half(given, j);
        return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
      };
      double sums[] = {dot(0, 1), dot(1, 0), dot(0, 0)};
      all_processes()->sum(std::span<double>(sums));
      EXPECT_GT(sums[2], 0);
      EXPECT_NEAR(sums[0], sums[1], 1e-12 * sums[2]);
    }
  }
}

/// One row per process, coupled to all others by 0.9 of its diagonal: sweeps of the plain blocks
/// would amplify the constant from three processes on.
TEST(HybridSmoothers, ReduceTheErrorHoweverTheMatrixIsCut) {
  HostShare host;
  for (int j = 0; j < num_processes(); ++j)
    host.push(j, j == process() ? 1.0 : 0.9);
  host.end_row();
  const Space exec;
  const Share share(host);
  const auto A = distributed::numbered(exec, all_processes(), share.rows());
  const auto op = distributed::make_operator<double>(exec, A.matrix, StorageParameters{});
  for (const auto type : {SmootherType::gauss_seidel, SmootherType::ilu}) {
    const auto smoother = distributed::make_hybrid_smoother<double>(
        exec, with_smoother(type, 30).solve.amg.smoother, op, A.matrix, 1);
    const Vectors x("x", 1, 1);
    Kokkos::deep_copy(x, 1.0);
    smoother->smooth(exec, zeros(1), x, x);
    EXPECT_LT(std::abs(on_host(x)[0]), 1e-3) << smoother_name(type);
  }
}

/// Every second process has no rows, or the first ones have a few.
TEST(HybridSmoothers, TakeEmptyAndSmallShares) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 30};
  for (const auto share : {share_of_pairs, growing_share}) {
    for (const auto type : hybrids) {
      SCOPED_TRACE(smoother_name(type));
      EXPECT_TRUE(Made(all_processes(), gallery, with_smoother(type), share).solve().converged());
    }
  }
}

/// What a program registers is made for square blocks if its needs say so, and for whole rows if
/// not.
TEST(HybridSmoothers, MayBeRegistered) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 40};
  for (const auto type : {own_local(), own_l1_jacobi()}) {
    Made made(all_processes(), gallery, with_smoother(type));
    EXPECT_TRUE(made.solve().converged());
    EXPECT_EQ(made.solver.hierarchy().levels[0].smoother.starts_with("hybrid "),
              type == own_local() && num_processes() > 1);
  }
}

}  // namespace tessera::test::hybrid_smoothers_test
