// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Pairwise aggregates over processes are those of one process.
#include "distributed/reduction_cases.hpp"
#include "tessera/distributed/level_rows.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/distributed/pairwise_aggregates.hpp"
#include "tessera/distributed/transposition.hpp"

#include <random>
#include <span>

namespace tessera::test::distributed_pairwise_test {

using namespace reduction_cases;
using kernels::PairwiseOptions;

/// By row of all the number of its aggregate, on every process, and how many there are.
struct Whole {
  std::vector<double> aggregate_of;
  std::int64_t count = 0;
};

distributed::Matrix<Space> matrix_of(const Communicator& processes, const HostShare& host) {
  const Share rows(host);
  return distributed::numbered(Space(), processes, rows.rows()).matrix;
}

Whole aggregates(const Communicator& processes, const HostShare& host, std::int64_t first,
                 const PairwiseOptions& options) {
  const Space exec;
  const auto A = matrix_of(processes, host);
  auto fine = distributed::level_rows(A, 1);
  distributed::Transposition<Space> transpose;
  fine.transposed = std::make_shared<distributed::LevelTranspose<Space>>(
      distributed::level_transpose(exec, A, transpose.make(exec, A), 1));
  const auto made = distributed::aggregate_pairwise(exec, fine, options);
  Whole whole;
  whole.aggregate_of.assign(static_cast<std::size_t>(A.row_shares->size()), 0.0);
  const auto own = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), made.aggregate_of);
  for (std::size_t i = 0; i < own.extent(0); ++i)
    whole.aggregate_of[static_cast<std::size_t>(first) + i] = static_cast<double>(own(i));
  processes->sum(std::span<double>(whole.aggregate_of));
  whole.count = processes->sum_of(static_cast<std::int64_t>(made.num_own));
  return whole;
}

Whole aggregates_of(const Communicator& processes, const WholeRows& whole, ShareOf share,
                    const PairwiseOptions& options) {
  const RowRange range =
      share(static_cast<int>(whole.rows.size()), processes->size(), processes->rank());
  return aggregates(processes, whole.share(range), range.first, options);
}

/// By the kernel of one process, of the whole matrix.
Whole aggregates_of_kernel(const WholeRows& whole, const PairwiseOptions& options) {
  const Space exec;
  const RowRange all{0, static_cast<int>(whole.rows.size())};
  const auto A = matrix_of(distributed::alone(), whole.share(all)).rows;
  const auto made = kernels::aggregate_pairwise(exec, A.view(), options);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), made.aggregate_of);
  return {{host.data(), host.data() + host.extent(0)}, made.num_aggregates};
}

void expect_aggregates_of_one(const WholeRows& whole, const PairwiseOptions& options) {
  SCOPED_TRACE(options.passes);
  const Whole alone = aggregates_of_kernel(whole, options);
  EXPECT_GT(alone.count, 1);
  EXPECT_EQ(aggregates_of(distributed::alone(), whole, odd_share, options).aggregate_of,
            alone.aggregate_of);
  for (const ShareOf share : all_shares) {
    const Whole together = aggregates_of(all_processes(), whole, share, options);
    EXPECT_EQ(together.count, alone.count);
    EXPECT_EQ(together.aggregate_of, alone.aggregate_of);
  }
}

TEST(DistributedPairwise, HasTheAggregatesOfOneProcess) {
  for (const GalleryParameters& gallery : gallery_problems()) {
    SCOPED_TRACE(name_of(gallery));
    const WholeRows whole = rows_of(gallery);
    for (const int passes : {1, 2, 3})
      expect_aggregates_of_one(whole, {.passes = passes});
    expect_aggregates_of_one(whole, {.passes = 2, .unmatched_share = 0, .weak_share = 0});
    expect_aggregates_of_one(whole, {.passes = 3, .max_rounds = 2, .rounded = true, .seed = 3});
  }
}

/// Random couplings, most of them in one direction alone, some zeros, and a diagonal that may be 0.
WholeRows random_rows(unsigned seed, int n) {
  std::mt19937 random(seed);
  const auto below = [&](int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
  };
  WholeRows made;
  for (int i = 0; i < n; ++i) {
    Row& row = made.rows.emplace_back();
    const int entries = i % 50 == 0 ? 0 : 3;
    for (int e = 0; e < entries; ++e)
      row[below(n)] = i % 11 == 0 ? 0.0 : 0.1 * (below(200) - 100);
    row[i] = i % 7 == 0 ? 0.0 : 1.0 + below(5);
  }
  return made;
}

TEST(DistributedPairwise, HasTheAggregatesOfOneProcessOfAnyRows) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    const WholeRows whole = random_rows(seed, 700);
    for (const int passes : {1, 2, 3})
      for (const bool zeros : {false, true})
        expect_aggregates_of_one(whole, {.passes = passes, .zeros = zeros});
  }
}

/// The sets of rows that are together, each by its first row.
std::vector<double> first_rows_of(const Whole& whole) {
  std::map<double, double> first;
  std::vector<double> made;
  for (std::size_t i = 0; i < whole.aggregate_of.size(); ++i) {
    const double aggregate = whole.aggregate_of[i];
    made.push_back(
        aggregate < 0 ? -1.0 : first.try_emplace(aggregate, static_cast<double>(i)).first->second);
  }
  return made;
}

/// A hub is an aggregate by itself, numbered among the others, and nobody follows its row.
TEST(DistributedPairwise, LeavesHubsAlone) {
  WholeRows whole = random_rows(9, 600);
  for (int j = 0; j < 500; ++j)
    whole.rows[300][j] = whole.rows[static_cast<std::size_t>(j)][300] = -50.0;
  for (const int passes : {1, 2, 3}) {
    SCOPED_TRACE(passes);
    const PairwiseOptions options{.passes = passes, .longest_row = 400};
    Whole alone = aggregates_of(distributed::alone(), whole, odd_share, options);
    for (const ShareOf share : all_shares) {
      const Whole together = aggregates_of(all_processes(), whole, share, options);
      EXPECT_EQ(together.aggregate_of, alone.aggregate_of);
    }
    EXPECT_EQ(std::ranges::count(alone.aggregate_of, alone.aggregate_of[300]), 1);
    alone.aggregate_of[300] = -1;
    if (passes > 1) continue;  // ties are decided by numbers, among which the hub has one
    EXPECT_EQ(first_rows_of(alone), first_rows_of(aggregates_of_kernel(whole, options)));
  }
}

TEST(DistributedPairwise, TakesOptionsInTheirRangesAlone) {
  const WholeRows whole = rows_of({.problem = ProblemKind::poisson2d, .n = 5});
  expect_error(error_of([&] { aggregates_of(all_processes(), whole, odd_share, {.passes = 0}); }),
               ErrorKind::precondition, {"passes = 0"});
}

}  // namespace tessera::test::distributed_pairwise_test
