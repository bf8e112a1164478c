// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The same bits by several processes as by one, and by more threads of each.
#include "distributed/shares.hpp"

#include <bit>
#include <cstdint>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace tessera::test::reproducible_test {

using distributed::Parameters;
using Communicator = std::shared_ptr<const distributed::Communicator>;

struct Solved {
  SolveResult result;
  std::vector<double> x;  ///< this process's rows
  std::int64_t first = 0;
  HierarchyInfo hierarchy;
};

Solved solved_by(const Communicator& processes, const GalleryParameters& gallery,
                 const Parameters& parameters, int columns,
                 RowRange (*shares)(int, int, int) = odd_share) {
  const SharedProblem problem(gallery, processes->size(), processes->rank(), shares);
  const Share share(problem.host);
  const Space exec;
  DistributedSolver solver(processes, parameters);
  solver.setup(exec, share.rows(), problem.near_nullspace());
  if (parameters.solve.amg.reuse != amg::Reuse::none) {
    auto values = problem.host.values;
    for (std::size_t e = 0; e < values.size(); ++e)
      values[e] *= 1.25;
    solver.update_values(exec, on_device(values));
  }
  const Vectors x = zeros(problem.num_rows(), columns);
  const Vectors b =
      problem.own.singular ? problem.b() : waves(problem.first, problem.num_rows(), columns);
  auto result = solver.solve(exec, b, x);
  return {std::move(result), on_host(x), problem.first, solver.hierarchy()};
}

/// Entries of x, and of the history, that have other bits than those of one process; of all.
std::int64_t num_different(const GalleryParameters& gallery, const Parameters& parameters,
                           int columns = 1, RowRange (*shares)(int, int, int) = odd_share) {
  const Solved alone = solved_by(distributed::alone(), gallery, parameters, columns);
  const Solved together = solved_by(all_processes(), gallery, parameters, columns, shares);
  EXPECT_TRUE(together.result.converged()) << to_string(together.result.status);
  EXPECT_EQ(together.result.iterations, alone.result.iterations);
  const std::size_t n = alone.x.size() / static_cast<std::size_t>(columns);
  const std::size_t own = together.x.size() / static_cast<std::size_t>(columns);
  std::int64_t differ = 0;
  const auto compare = [&](double a, double b) {
    if (std::bit_cast<std::uint64_t>(a) != std::bit_cast<std::uint64_t>(b)) ++differ;
  };
  for (std::size_t j = 0; j < static_cast<std::size_t>(columns); ++j)
    for (std::size_t i = 0; i < own; ++i)
      compare(together.x[j * own + i],
              alone.x[j * n + static_cast<std::size_t>(together.first) + i]);
  const auto& history = alone.result.residual_history;
  EXPECT_EQ(together.result.residual_history.size(), history.size());
  for (std::size_t i = 0; i < history.size(); ++i)
    compare(together.result.residual_history[i], history[i]);
  for (std::size_t l = 0;
       l + 1 < std::min(alone.hierarchy.levels.size(), together.hierarchy.levels.size()); ++l)
    compare(together.hierarchy.levels[l].spectral_radius,
            alone.hierarchy.levels[l].spectral_radius);
  return all_processes()->sum_of(differ);
}

Parameters reproducible(const GalleryParameters& gallery, int gather_rows = 200) {
  Parameters p;
  p.reproducible = true;
  p.gather_rows = gather_rows;
  p.solve.solver.tolerance = 1e-10;
  if (gallery.problem == ProblemKind::elasticity3d) p.block_size = 3;
  return p;
}

/// FNV-1a of the numbers' bits, as part of `hash`.
std::uint64_t hash_of(const std::vector<double>& numbers, std::uint64_t hash) {
  for (const double number : numbers)
    for (int shift = 0; shift < 64; shift += 8)
      hash = (hash ^ (std::bit_cast<std::uint64_t>(number) >> shift & 0xff)) * 1099511628211U;
  return hash;
}

/// Prints the threads of each process, and for each the bits of its rows and of the history, so
/// that runs with other threads can be compared.
void print_bits(const std::string& name, const Solved& solved) {
  std::vector<std::int64_t> threads(static_cast<std::size_t>(num_processes()));
  std::vector<std::int64_t> hashes(threads.size());
  const std::uint64_t hash =
      hash_of(solved.result.residual_history, hash_of(solved.x, 14695981039346656037U));
  all_processes()->all_gather(Space().concurrency(), threads);
  all_processes()->all_gather(std::bit_cast<std::int64_t>(hash), hashes);
  if (process() > 0) return;
  std::cout << "reproducible: threads";
  for (const auto number : threads)
    std::cout << ' ' << number;
  std::cout << ": " << name << std::hex;
  for (const auto number : hashes)
    std::cout << ' ' << std::bit_cast<std::uint64_t>(number);
  std::cout << std::dec << std::endl;
}

class Reproducible : public ::testing::TestWithParam<GalleryParameters> {};

TEST_P(Reproducible, BitsOfOneProcess) {
  const GalleryParameters gallery = GetParam();
  EXPECT_EQ(num_different(gallery, reproducible(gallery)), 0);
  EXPECT_EQ(num_different(gallery, reproducible(gallery), 3, share_of_pairs), 0);
  EXPECT_EQ(num_different(gallery, reproducible(gallery, 50), 1, growing_share), 0);
  Parameters p = reproducible(gallery);
  p.rows_per_process = 100;
  p.solve.amg.smoother.type = SmootherType::chebyshev;
  EXPECT_EQ(num_different(gallery, p), 0);
  p.solve.amg.reuse = amg::Reuse::symbolic;
  EXPECT_EQ(num_different(gallery, p), 0);
  p.solve.amg.smoother.type = SmootherType::l1_jacobi;
  p.solve.solver.name = SolverName::fgmres;
  p.solve.precision = Precision::single;
  p.solve.solver.tolerance = 1e-8;
  EXPECT_EQ(num_different(gallery, p), 0);
}

/// What tests/dev/reproducible_threads_test.sh compares.
TEST_P(Reproducible, PrintsItsBits) {
  const GalleryParameters gallery = GetParam();
  const auto print = [&](const std::string& variant, const Parameters& p) {
    const Solved solved = solved_by(all_processes(), gallery, p, 1);
    EXPECT_TRUE(solved.result.converged()) << to_string(solved.result.status);
    print_bits(std::string(to_string(gallery.problem)) + variant, solved);
  };
  Parameters p = reproducible(gallery);
  print("", p);
  p.solve.amg.reuse = amg::Reuse::symbolic;
  p.solve.amg.smoother.type = SmootherType::chebyshev;
  p.solve.solver.name = SolverName::fgmres;
  p.solve.precision = Precision::single;
  p.solve.solver.tolerance = 1e-8;
  print(" in float", p);
}

INSTANTIATE_TEST_SUITE_P(
    Gallery, Reproducible,
    ::testing::Values(GalleryParameters{.problem = ProblemKind::poisson3d, .n = 16},
                      GalleryParameters{.problem = ProblemKind::unstructured3d, .n = 14},
                      GalleryParameters{.problem = ProblemKind::elasticity3d, .n = 7},
                      GalleryParameters{.problem = ProblemKind::anisotropic2d, .n = 40},
                      GalleryParameters{
                          .problem = ProblemKind::convdiff2d, .n = 40, .peclet = 1000},
                      GalleryParameters{.problem = ProblemKind::graph, .n = 40}));

TEST(ReproducibleSolver, WithoutMultigrid) {
  const GalleryParameters gallery{.problem = ProblemKind::unstructured3d, .n = 12};
  Parameters p = reproducible(gallery);
  for (const auto method : {SolverName::cg, SolverName::bicgstab, SolverName::fgmres}) {
    p.solve.solver.name = method;
    p.solve.preconditioner = PreconditionerKind::jacobi;
    EXPECT_EQ(num_different(gallery, p, 2), 0);
  }
}

TEST(ReproducibleSolver, VariantsOfMethods) {
  const GalleryParameters gallery{.problem = ProblemKind::unstructured3d, .n = 12};
  const auto different = [&](PreconditionerKind kind, const auto& ask) {
    Parameters p = reproducible(gallery);
    p.solve.preconditioner = kind;
    ask(p.solve.solver);
    return num_different(gallery, p, 2);
  };
  EXPECT_EQ(different(PreconditionerKind::amg,
                      [](SolverParameters& p) { p.name = SolverName::richardson; }),
            0);
  for (const auto residual : {ResidualKind::recurrence, ResidualKind::true_residual})
    EXPECT_EQ(different(PreconditionerKind::amg,
                        [residual](SolverParameters& p) {
                          p.name = SolverName::cg;
                          p.cg.flexible = true;
                          p.residual = residual;
                        }),
              0);
  EXPECT_EQ(different(PreconditionerKind::jacobi,
                      [](SolverParameters& p) {
                        p.name = SolverName::bicgstab;
                        p.residual = ResidualKind::true_residual;
                      }),
            0);
  for (const auto name : {SolverName::bicgstab, SolverName::gmres})
    EXPECT_EQ(different(PreconditionerKind::jacobi,
                        [name](SolverParameters& p) {
                          p.name = name;
                          p.side = PreconditioningSide::left;
                        }),
              0);
}

/// Without it there are bits that differ, or the tests above would say nothing.
TEST(ReproducibleSolver, IsNotWhatThereIsAnyway) {
  if (num_processes() == 1) GTEST_SKIP() << "there is one process";
  const GalleryParameters gallery{.problem = ProblemKind::unstructured3d, .n = 14};
  Parameters p = reproducible(gallery);
  p.reproducible = false;
  EXPECT_GT(num_different(gallery, p), 0);
}

TEST(ReproducibleSolver, RefusesWhatDependsOnShares) {
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 30});
  Parameters p;
  p.reproducible = true;
  p.gather_rows = 100;
  p.solve.amg.smoother.type = SmootherType::gauss_seidel;
  DistributedSolver solver(all_processes(), p);
  expect_error(error_of([&] { solver.setup(Space(), Share(problem.host).rows()); }),
               ErrorKind::configuration, {"reproducible", "gauss_seidel", "l1_jacobi"});
  p.solve.preconditioner = PreconditionerKind::ilu;
  expect_error(error_of([&] { DistributedSolver(all_processes(), p); }), ErrorKind::configuration,
               {"reproducible", "incomplete factors"});
}

TEST(ReproducibleSolver, IsForCompressedRows) {
  Parameters p;
  p.reproducible = true;
  p.solve.amg.storage.format = StorageFormat::mbsr;
  expect_error(error_of([&] { DistributedSolver(all_processes(), p); }), ErrorKind::configuration,
               {"reproducible", "amg.storage.format"});
}

}  // namespace tessera::test::reproducible_test
