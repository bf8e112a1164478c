// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Full blocks of rows, the cells of discontinuous elements, are those that one process finds,
/// wherever shares cut through them.
#include "tessera/distributed/full_blocks.hpp"
#include "distributed/classical_cases.hpp"
#include "support/flows.hpp"
#include "support/notes.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/distributed/pick_parameters.hpp"
#include "tessera/distributed/spectrum.hpp"
#include "tessera/kernels/graph/full_blocks.hpp"
#include "tessera/kernels/spmv/products.hpp"
#include "tessera/solve/inspect.hpp"

#include <iterator>
#include <set>
#include <vector>

namespace tessera::test::full_blocks_test {

using namespace classical_cases;

const std::vector<ShareOf> every_share(std::begin(all_shares), std::end(all_shares));

WholeRows rows_of(const HostMatrix<double>& A) {
  WholeRows made;
  made.rows.resize(static_cast<std::size_t>(A.num_rows));
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, double value) {
    made.rows[static_cast<std::size_t>(i)][j] = value;
  });
  return made;
}

distributed::Matrix<Space> matrix_on(const Communicator& processes, const WholeRows& whole,
                                     ShareOf share) {
  const auto n = static_cast<int>(whole.rows.size());
  const Share own(whole.share(share(n, processes->size(), processes->rank())));
  return distributed::numbered(Space(), processes, own.rows()).matrix;
}

/// What one process finds, after all have been seen to find it, too.
int blocks_of(const WholeRows& whole, const std::vector<ShareOf>& shares) {
  const Space exec;
  const auto alone = matrix_on(distributed::alone(), whole, odd_share);
  const int expected = kernels::find_full_blocks(exec, alone.rows.view());
  EXPECT_EQ(distributed::find_full_blocks(exec, alone), expected);
  for (const ShareOf share : shares)
    EXPECT_EQ(distributed::find_full_blocks(exec, matrix_on(all_processes(), whole, share)),
              expected);
  return expected;
}

TEST(DistributedFullBlocks, AreThoseOfOneProcess) {
  for (const int order : {1, 2, 3}) {
    SCOPED_TRACE(order);
    EXPECT_EQ(blocks_of(rows_of(discontinuous_squares(7, order, 1e2, 1)), every_share),
              (order + 1) * (order + 1));
  }
  EXPECT_EQ(blocks_of(rows_of(vortex(20, 1e4, Differences::upwind)), every_share), 1);
  EXPECT_EQ(blocks_of({}, every_share), 1) << "no rows at all";
  EXPECT_EQ(blocks_of({{{{0, 1.0}}}}, every_share), 1) << "one row";
}

/// A line of full blocks of four rows. Of those named, a row does not reach the blocks beside it.
WholeRows line_of_blocks(int blocks, const std::vector<int>& broken) {
  const int n = 4 * blocks;
  WholeRows made;
  for (int i = 0; i < n; ++i) {
    Row& row = made.rows.emplace_back();
    for (int j = i / 4 * 4; j < i / 4 * 4 + 4; ++j)
      row[j] = i == j ? 8 : -1;
    if (i >= 4) row[i - 4] = -2;
    if (i + 4 < n) row[i + 4] = -0.5;
  }
  for (const int block : broken) {
    const int i = 4 * block + block % 4;
    made.rows[static_cast<std::size_t>(i)].erase(i - 4);
    made.rows[static_cast<std::size_t>(i)].erase(i + 4);
  }
  return made;
}

constexpr int blocks_of_line = 130;

/// Those that borders of uneven shares cut, or begin, and the ones beside them.
std::set<int> blocks_at_borders() {
  std::set<int> blocks{4, 5, 6};
  for (int p = 1; p < num_processes(); ++p)
    for (const int beside : {-1, 0, 1})
      blocks.insert(odd_share(4 * blocks_of_line, num_processes(), p).first / 4 + beside);
  return blocks;
}

/// One in a hundred may, unless it is a sample, as is every third.
TEST(DistributedFullBlocks, EachThatDoesNotFitCounts) {
  for (const int block : blocks_at_borders()) {
    SCOPED_TRACE(block);
    const int found = blocks_of(line_of_blocks(blocks_of_line, {block}), {odd_share});
    EXPECT_EQ(found == 4, block % 3 != 0);
    EXPECT_NE(blocks_of(line_of_blocks(blocks_of_line, {97, block}), {odd_share}), 4);
  }
  // The first blocks of shares that have fewer rows than a block.
  for (int block = 0; block < 4; ++block)
    EXPECT_EQ(blocks_of(line_of_blocks(blocks_of_line, {block}), every_share) == 4, block % 3 != 0);
}

/// A row of few entries in its own block, which no hash tells.
TEST(DistributedFullBlocks, EachRowFillsItsBlock) {
  for (const int block : blocks_at_borders()) {
    for (int row = 4 * block; row < 4 * block + 4; ++row) {
      WholeRows whole = line_of_blocks(blocks_of_line, {97});
      for (int j = 4 * block; j < 4 * block + 4; ++j)
        if (j != row) whole.rows[static_cast<std::size_t>(row)].erase(j);
      EXPECT_NE(blocks_of(whole, {odd_share}), 4) << row;
    }
  }
}

TEST(DistributedFullBlocks, CouplingsOfTheSameUnknownAreThoseOfAll) {
  const Space exec;
  for (const int order : {1, 2}) {
    const WholeRows whole = rows_of(discontinuous_squares(9, order, 1e2, 1));
    const auto alone = matrix_on(distributed::alone(), whole, odd_share);
    const auto view = alone.rows.view();
    const MatrixFacts facts = inspect(exec, view, kernels::analyse_spmv(exec, view));
    ASSERT_FALSE(facts.symmetric);
    EXPECT_GT(facts.same_unknown_share, 0);
    const int blocks = facts.full_blocks;
    EXPECT_EQ(distributed::share_of_same_unknown(exec, alone, blocks), facts.same_unknown_share);
    for (const ShareOf share : all_shares)
      EXPECT_NEAR(distributed::share_of_same_unknown(exec, matrix_on(all_processes(), whole, share),
                                                     blocks),
                  facts.same_unknown_share, 1e-12);
  }
}

distributed::PickedParameters picked_on(const Communicator& processes, const WholeRows& whole,
                                        ShareOf share, distributed::FactorsOfShares factors) {
  const Space exec;
  const auto A = matrix_on(processes, whole, share);
  return distributed::pick_parameters(exec, A, Vectors(), SolveParameters{}, 1,
                                      distributed::looks_symmetric(exec, A), factors);
}

/// Whether cells are told does not depend on where shares cut.
TEST(DistributedPicks, CellsAreThoseOfOneProcess) {
  const WholeRows whole = rows_of(discontinuous_squares(12, 1, 10, 1));
  for (const auto factors :
       {distributed::FactorsOfShares::allowed, distributed::FactorsOfShares::left_out}) {
    const auto alone = picked_on(distributed::alone(), whole, odd_share, factors);
    EXPECT_EQ(alone.solve.amg.smoothed_aggregation.strength_threshold, 0.55);
    for (const ShareOf share : all_shares) {
      const auto together = picked_on(all_processes(), whole, share, factors);
      EXPECT_EQ(together.notes, alone.notes);
      EXPECT_EQ(together.solve.amg.smoothed_aggregation.strength_threshold, 0.55);
      EXPECT_EQ(together.solve.amg.smoother.type, alone.solve.amg.smoother.type);
    }
  }
}

/// The front door, with shares that no number of a cell's rows divides.
TEST(DistributedPicks, SolvesGoByCells) {
  const WholeRows whole = rows_of(discontinuous_squares(12, 1, 10, 1));
  Parameters p;
  p.gather_rows = 100;
  p.solve.preconditioner = PreconditionerKind::amg;
  p.block_size = 1;
  const auto n = static_cast<int>(whole.rows.size());
  for (const ShareOf share : all_shares) {
    const RowRange range = share(n, num_processes(), process());
    DistributedSolver solver(all_processes(), p);
    const Space exec;
    const Share rows(whole.share(range));
    solver.setup(exec, rows.rows());
    EXPECT_TRUE(
        noted(solver.hierarchy(), "strength threshold 0.55: rows come in full blocks of 4"));
    const auto result = solver.solve(exec, waves(range.first, range.count), zeros(range.count));
    EXPECT_TRUE(result.converged()) << to_string(result.status);
  }
}

}  // namespace tessera::test::full_blocks_test
