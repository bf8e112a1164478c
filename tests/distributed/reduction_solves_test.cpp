// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves with a reduction over processes are those of one process.
#include "distributed/reduction_cases.hpp"

namespace tessera::test::reduction_solves_test {

using namespace reduction_cases;

/// Levels and iterations are those of one process, where levels are gathered early or late.
void expect_iterations_of_one(const GalleryParameters& gallery, Parameters p) {
  SCOPED_TRACE(name_of(gallery));
  const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
  ASSERT_TRUE(alone.result.converged()) << to_string(alone.result.status);
  ::testing::Test::RecordProperty(name_of(gallery), alone.result.iterations);
  p.gather_rows = 1000000;
  const Solved whole = solved_by(distributed::alone(), gallery, odd_share, p);
  p.gather_rows = 30;
  EXPECT_EQ(whole.result.iterations, alone.result.iterations);
  expect_residuals(whole, alone);
  const auto rows = level_rows_of(alone.hierarchy);
  const auto whole_rows = level_rows_of(whole.hierarchy);
  EXPECT_GE(rows.size(), 3U);
  for (std::size_t l = 0; l < std::min(rows.size(), whole_rows.size()); ++l)
    EXPECT_EQ(rows[l], whole_rows[l]) << l;
  for (const ShareOf share : all_shares)
    expect_equal(solved_by(all_processes(), gallery, share, p), alone);
}

TEST(DistributedReduction, GivesTheIterationsOfOneProcessOnFlows) {
  for (const GalleryParameters& gallery : flows())
    expect_iterations_of_one(gallery, reducing());
}

TEST(DistributedReduction, GivesTheIterationsOfOneProcess) {
  for (const GalleryParameters& gallery : gallery_problems())
    if (gallery.problem != ProblemKind::convdiff2d) expect_iterations_of_one(gallery, reducing());
}

/// A flow that closes on itself, for several right-hand sides.
TEST(DistributedReduction, SolvesAVortex) {
  for (const double peclet : {1e2, 1e4, 1e8}) {
    SCOPED_TRACE(peclet);
    const WholeRows whole = vortex(32, peclet);
    const Parameters p = reducing();
    const Solved alone = solved_rows(distributed::alone(), whole, odd_share, p, 3);
    ASSERT_TRUE(alone.result.converged()) << to_string(alone.result.status);
    EXPECT_LE(alone.result.iterations, 12);
    for (const ShareOf share : all_shares) {
      const Solved together = solved_rows(all_processes(), whole, share, p, 3);
      ASSERT_TRUE(together.result.converged()) << to_string(together.result.status);
      ASSERT_EQ(together.result.columns.size(), 3U);
      for (std::size_t j = 0; j < 3; ++j)
        EXPECT_EQ(together.result.columns[j].iterations, alone.result.columns[j].iterations) << j;
      EXPECT_EQ(level_rows_of(together.hierarchy), level_rows_of(alone.hierarchy));
    }
  }
}

/// Its parameters, each in turn.
TEST(DistributedReduction, TakesItsParameters) {
  using R = amg::ReductionParameters;
  const std::vector<void (*)(R&)> changes = {
      [](R& r) { r.polynomial_sparsity = 2; },  [](R& r) { r.polynomial_sparsity = 3; },
      [](R& r) { r.relax_coarse = true; },      [](R& r) { r.lump_dropped = true; },
      [](R& r) { r.polynomial_order = 0; },     [](R& r) { r.polynomial_order = 1; },
      [](R& r) { r.converted_share = 0; },      [](R& r) { r.converted_share = 0.5; },
      [](R& r) { r.strength_threshold = 0.1; }, [](R& r) { r.operator_drop = 0; },
      [](R& r) { r.operator_drop = 0.01; },     [](R& r) { r.fine_sweeps = 3; },
      [](R& r) { r.coupling_drop = 0.05; }};
  const GalleryParameters gallery{.problem = ProblemKind::convdiff2d, .n = 30, .peclet = 1e3};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    SCOPED_TRACE(i);
    Parameters p = reducing();
    changes[i](p.solve.amg.reduction);
    expect_iterations_of_one(gallery, p);
  }
}

/// W-cycles, levels that go to fewer processes, and cycles in float.
TEST(DistributedReduction, TakesOtherCycles) {
  const GalleryParameters gallery{.problem = ProblemKind::convdiff2d, .n = 60, .peclet = 1e4};
  Parameters p = reducing();
  p.solve.amg.cycle = amg::CycleType::w;
  expect_equal(solved_by(all_processes(), gallery, odd_share, p),
               solved_by(distributed::alone(), gallery, odd_share, p));
  p.solve.amg.cycle = amg::CycleType::v;
  p.rows_per_process = 300;
  expect_equal(solved_by(all_processes(), gallery, odd_share, p),
               solved_by(distributed::alone(), gallery, odd_share, p));
  p.solve.precision = Precision::single;
  expect_equal(solved_by(all_processes(), gallery, odd_share, p),
               solved_by(distributed::alone(), gallery, odd_share, p));
}

/// Values that float does not hold, of which levels are scaled.
TEST(DistributedReduction, ScalesLevelsInFloat) {
  WholeRows whole = vortex(30, 1e4);
  for (Row& row : whole.rows)
    for (auto& [column, value] : row)
      value *= 1e-42;
  Parameters p = reducing();
  p.solve.amg.reduction.relax_coarse = true;
  const int usual = solved_rows(all_processes(), whole, odd_share, p).result.iterations;
  p.solve.precision = Precision::single;
  const Solved made = solved_rows(all_processes(), whole, odd_share, p);
  EXPECT_TRUE(made.result.converged()) << to_string(made.result.status);
  EXPECT_LE(made.result.iterations, usual + 1);
}

/// What relaxes is in the table of levels, and GMRES is picked for a symmetric matrix, too.
TEST(DistributedReduction, IsNotSymmetric) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 30};
  const Solved made = solved_by(all_processes(), gallery, odd_share, reducing());
  EXPECT_TRUE(made.result.converged());
  EXPECT_EQ(made.hierarchy.levels.front().smoother, "polynomial on fine points");
  Parameters p = reducing();
  p.gather_rows = 100000;
  EXPECT_TRUE(solved_by(all_processes(), gallery, odd_share, p).result.converged());
}

/// With `reproducible` iterates have the bits of one process.
TEST(DistributedReduction, HasTheBitsOfOneProcess) {
  const GalleryParameters gallery{.problem = ProblemKind::convdiff2d, .n = 30, .peclet = 1e3};
  for (const bool lumps : {false, true}) {
    Parameters p = reducing();
    p.reproducible = true;
    p.solve.amg.reduction.lump_dropped = lumps;
    for (const auto reuse : {amg::Reuse::none, amg::Reuse::symbolic}) {
      p.solve.amg.reuse = reuse;
      const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
      for (const ShareOf share : all_shares) {
        const Solved together = solved_by(all_processes(), gallery, share, p);
        EXPECT_EQ(together.result.residual_history, alone.result.residual_history);
        EXPECT_EQ(distance(together.x, together.first, on_host(alone.x)), 0.0);
      }
    }
  }
}

}  // namespace tessera::test::reduction_solves_test
