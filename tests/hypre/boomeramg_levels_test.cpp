// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Levels and iterations of classical coarsening beside those of hypre's BoomerAMG with the same
/// choices: PMIS, extended+i with 4 entries per row, strength 0.25, rows of a sum above 0.9 of the
/// diagonal left out, one sweep of l1-Jacobi, at most 100 rows on a level that is solved directly,
/// CG to 1e-8.
///
/// Random numbers of PMIS differ, and so do hypre's two ways to interpolate, by products of
/// matrices and row by row: a figure is as far off as it is from the nearer of their two, 0 between
/// them. The right-hand side is A r with r at random, for some of these matrices are singular.
#include "hypre/whole_system.hpp"

#include "tessera/solve.hpp"

#include <_hypre_parcsr_ls.h>

#include <algorithm>
#include <iostream>
#include <vector>

namespace tessera::test {
namespace hypre_test {
namespace {

constexpr int coarse_size = 100;
constexpr int max_iterations = 500;
constexpr int by_products = 17;  ///< hypre's number
constexpr int row_by_row = 6;

/// What a hierarchy is, and what it does.
struct Levels {
  std::vector<std::int64_t> rows;
  double complexity = 0;  ///< entries of all operators over those of the finest
  int iterations = 0;
  bool converged = false;

  std::int64_t count() const { return static_cast<std::int64_t>(rows.size()); }
  friend std::ostream& operator<<(std::ostream& out, const Levels& l) {
    for (const auto count : l.rows)
      out << count << ' ';
    return out << "| " << l.complexity << " | " << l.iterations << (l.converged ? "" : ", none");
  }
};

/// `coarse_sweeps`: of the smoother on the coarsest level; 0: it is solved directly.
Levels of_tessera(const Space& exec, const kernels::Csr<double, Space>& A,
                  const std::vector<double>& b, int coarse_sweeps) {
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  p.precision = Precision::same;
  p.solver.name = SolverName::cg;
  p.solver.tolerance = 1e-8;
  p.solver.max_iterations = max_iterations;
  p.amg.coarsening = amg::CoarseningKind::classical;
  p.amg.coarse_size = coarse_size;
  p.amg.coarse_sweeps = coarse_sweeps;
  p.amg.max_coarsening_ratio = 1;
  p.amg.max_operator_complexity = 100;
  p.amg.smoother.type = SmootherType::l1_jacobi;
  Solver<double, Space> solver(p);
  solver.setup(exec, A, {}, 1);
  const auto n = static_cast<std::size_t>(A.num_rows);
  const auto result = solver.solve(exec, to_multivector(exec, b, n),
                                   to_multivector(exec, std::vector<double>(n, 0), n));
  Levels levels;
  for (const auto& level : solver.hierarchy().levels)
    levels.rows.push_back(level.rows);
  levels.complexity = solver.hierarchy().operator_complexity;
  levels.iterations = result.iterations;
  levels.converged = result.converged();
  return levels;
}

/// hypre's, with what it sets by itself on GPUs.
class BoomerAmg {
 public:
  explicit BoomerAmg(int interpolation) {
    HYPRE_BoomerAMGCreate(&m_solver);
    HYPRE_BoomerAMGSetCoarsenType(m_solver, 8);
    HYPRE_BoomerAMGSetInterpType(m_solver, interpolation);
    HYPRE_BoomerAMGSetPMaxElmts(m_solver, 4);
    HYPRE_BoomerAMGSetStrongThreshold(m_solver, 0.25);
    HYPRE_BoomerAMGSetMaxRowSum(m_solver, 0.9);
    HYPRE_BoomerAMGSetRelaxType(m_solver, 18);
    HYPRE_BoomerAMGSetNumSweeps(m_solver, 1);
    HYPRE_BoomerAMGSetMaxCoarseSize(m_solver, coarse_size);
    HYPRE_BoomerAMGSetMaxLevels(m_solver, 20);
    HYPRE_BoomerAMGSetTol(m_solver, 0);
    HYPRE_BoomerAMGSetMaxIter(m_solver, 1);
  }
  ~BoomerAmg() { HYPRE_BoomerAMGDestroy(m_solver); }
  BoomerAmg(const BoomerAmg&) = delete;
  BoomerAmg& operator=(const BoomerAmg&) = delete;

  Levels solve(const HypreMatrix& A, const std::vector<double>& b) const {
    const HypreVector right(0, b);
    const HypreVector x(0, std::vector<double>(b.size()));
    HYPRE_Solver pcg = nullptr;
    HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &pcg);
    HYPRE_PCGSetTol(pcg, 1e-8);
    HYPRE_PCGSetTwoNorm(pcg, 1);
    HYPRE_PCGSetMaxIter(pcg, max_iterations);
    HYPRE_PCGSetPrecond(pcg, reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSolve),
                        reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSetup), m_solver);
    HYPRE_ParCSRPCGSetup(pcg, A.get(), right.get(), x.get());
    HYPRE_ParCSRPCGSolve(pcg, A.get(), right.get(), x.get());
    HYPRE_Int iterations = 0;
    HYPRE_Int converged = 0;
    HYPRE_PCGGetNumIterations(pcg, &iterations);
    HYPRE_PCGGetConverged(pcg, &converged);
    HYPRE_ParCSRPCGDestroy(pcg);
    Levels levels = hierarchy();
    levels.iterations = static_cast<int>(iterations);
    levels.converged = converged != 0;
    return levels;
  }

 private:
  Levels hierarchy() const {
    Levels levels;
    auto* const data = reinterpret_cast<hypre_ParAMGData*>(m_solver);
    for (HYPRE_Int l = 0; l < hypre_ParAMGDataNumLevels(data); ++l) {
      const hypre_CSRMatrix* const A = hypre_ParCSRMatrixDiag(hypre_ParAMGDataAArray(data)[l]);
      levels.rows.push_back(hypre_CSRMatrixNumRows(A));
      levels.complexity += static_cast<double>(hypre_CSRMatrixNumNonzeros(A));
    }
    levels.complexity /= static_cast<double>(
        hypre_CSRMatrixNumNonzeros(hypre_ParCSRMatrixDiag(hypre_ParAMGDataAArray(data)[0])));
    return levels;
  }
  HYPRE_Solver m_solver = nullptr;
};

/// How far a figure is from the nearer one, relative to that, where as much as `few` is nothing; 0
/// between the two.
double deviation(double ours, double one, double other, double few = 0) {
  const auto [low, high] = std::minmax(one, other);
  const double above = (ours - few - high) / high;
  const double below = (low - few - ours) / low;
  return std::max({above, below, 0.0});
}

/// The largest of any level that both have.
double deviation_of_rows(const Levels& ours, const Levels& one, const Levels& other) {
  constexpr int few_rows = 8;
  double largest = 0;
  for (std::size_t l = 0; l < ours.rows.size(); ++l) {
    std::vector<double> theirs;
    for (const Levels* levels : {&one, &other}) {
      if (l < levels->rows.size()) theirs.push_back(static_cast<double>(levels->rows[l]));
    }
    if (!theirs.empty())
      largest = std::max(largest, deviation(static_cast<double>(ours.rows[l]), theirs.front(),
                                            theirs.back(), few_rows));
  }
  return largest;
}

/// A system, and what is allowed where that is more than a tenth.
struct Case {
  Source source;
  double rows = 0.1;
  double complexity = 0.1;
  double iterations = 0.1;

  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.source; }
};

class BoomerAmgLevels : public Hypre, public ::testing::WithParamInterface<Case> {};

TEST_P(BoomerAmgLevels, AreThoseOfClassicalCoarsening) {
  const Case& c = GetParam();
  if (const auto why = why_missing(c.source); !why.empty()) GTEST_SKIP() << why;
  const Space exec;
  const auto A = read(exec, c.source);
  const auto host = to_host(A);
  const auto b = vector_in_range(host);
  const HypreMatrix peer(0, share_of(host));
  const Levels products = BoomerAmg(by_products).solve(peer, b);
  const Levels rows = BoomerAmg(row_by_row).solve(peer, b);
  // A finest level that is not coarsened is relaxed by hypre, whatever its size.
  const Levels ours = of_tessera(exec, A, b, products.count() == 1 ? 1 : 0);

  const double of_rows = deviation_of_rows(ours, products, rows);
  const double of_complexity = deviation(ours.complexity, products.complexity, rows.complexity);
  const double of_iterations = deviation(ours.iterations, products.iterations, rows.iterations, 1);
  std::cout << c << ": off by " << of_rows << " in rows, " << of_complexity << " in complexity, "
            << of_iterations << " in iterations\n  Tessera " << ours << "\n  by products "
            << products << "\n  row by row " << rows << '\n';
  EXPECT_GE(ours.count(), std::min(products.count(), rows.count()) - 1);
  EXPECT_LE(ours.count(), std::max(products.count(), rows.count()) + 1);
  EXPECT_LE(of_rows, c.rows);
  EXPECT_LE(of_complexity, c.complexity);
  EXPECT_LE(of_iterations, c.iterations);
  EXPECT_EQ(ours.converged, products.converged || rows.converged);
}

std::vector<Case> gallery_cases() {
  using enum ProblemKind;
  const GalleryParameters along_an_axis{.problem = anisotropic2d, .n = 60, .theta = 0};
  return {
      {of_gallery("poisson2d", {.problem = poisson2d, .n = 60})},
      {of_gallery("poisson2d9", {.problem = poisson2d9, .n = 60})},
      {of_gallery("poisson3d", {.problem = poisson3d, .n = 16})},
      {of_gallery("poisson3d27", {.problem = poisson3d27, .n = 16})},
      {of_gallery("anisotropic2d", {.problem = anisotropic2d, .n = 60})},
      {of_gallery("anisotropic2d along an axis", along_an_axis)},
      {of_gallery("anisotropic3d", {.problem = anisotropic3d, .n = 14})},
      {of_gallery("jump2d", {.problem = jump2d, .n = 64, .contrast = 1e6})},
      {of_gallery("jump3d", {.problem = jump3d, .n = 16, .contrast = 1e6})},
      {of_gallery("lshape", {.problem = lshape, .order = 1, .refine = 5})},
      {of_gallery("lshape of order 2", {.problem = lshape, .order = 2, .refine = 4})},
      {of_gallery("beam", {.problem = beam, .order = 1, .refine = 3})},
      {of_gallery("unstructured2d", {.problem = unstructured2d, .n = 60})},
      {of_gallery("unstructured2d, epsilon 1", {.problem = unstructured2d, .n = 60, .epsilon = 1})},
      {of_gallery("unstructured3d", {.problem = unstructured3d, .n = 14})},
      {of_gallery("unstructured3d, epsilon 1", {.problem = unstructured3d, .n = 14, .epsilon = 1})},
      {of_gallery("graph", {.problem = graph, .n = 60})},
      {of_gallery("elasticity2d", {.problem = elasticity2d, .n = 30})},
      {of_gallery("elasticity3d", {.problem = elasticity3d, .n = 12})},
      // 394 coarse points by hypre's random numbers and 444 by Tessera's; 414 on average in
      // Tessera and 417 in hypre, give or take 12 (boomeramg_splitting_test.cpp).
      {.source = of_gallery("elasticity3d, small", {.problem = elasticity3d, .n = 8}),
       .rows = 0.12}};
}

std::vector<Case> real_cases() {
  std::vector<Case> cases;
  for (const char* name :
       {"bcsstk32_lap", "jnlbrng1", "Dubcova1", "rss_laplace_A0", "ani5_crop", "bcsstk18",
        "rocker_arm_surface", "anisotropic3d7816", "ginkgo_A_multigrid", "EVSL_A", "s3rmt3m3",
        "bcsstk16", "nasa4704", "bcsstk28", "poisson4009", "bcsstk15", "bcsstk21", "bcsstk24",
        "ex9", "ani4", "vem2", "ex13", "bcsstk13", "bcsstk26", "plat1919", "bcsstk14", "ex33",
        "bcsstk11", "bcsstm12", "msc01440", "plbuckle", "bcsstk27", "1138_bus", "bcsstk10",
        "bcsstk09", "bcsstk08", "msc01050", "nos3", "nos2", "gr_30_30", "bcsstk19", "685_bus",
        "662_bus", "bcsstk34", "494_bus", "nos5", "bcsstm07",
        // PMIS leaves these without a coarse point.
        "rail_20209_E", "EVSL_B", "crystm01", "EVSL_NM1B", "mhd3200b", "wathen_30_30", "Chem97ZtZ",
        "Trefethen_2000"})
    cases.push_back({.source = {name}});
  // 154 iterations, and 171 and more than 500 by hypre's two ways. With rows in seven other orders
  // Tessera takes 175 to 195, and hypre by products 157 to 194.
  cases.push_back({.source = {"ex3"}, .iterations = 0.15});
  // A row of 10,001 entries, which depends on nothing. hypre leaves it to relaxation on the finest
  // level; here it is a hub, which stays on all: twice as many entries as there are coarse points,
  // a fifth of A's in all. hypre's two ways take 249 iterations and more than 500, Tessera 215.
  cases.push_back({.source = {"bloweybq"}, .complexity = 0.14, .iterations = 0.15});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Gallery, BoomerAmgLevels, ::testing::ValuesIn(gallery_cases()));
INSTANTIATE_TEST_SUITE_P(Real, BoomerAmgLevels, ::testing::ValuesIn(real_cases()));

}  // namespace
}  // namespace hypre_test
}  // namespace tessera::test
