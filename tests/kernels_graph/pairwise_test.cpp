// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/pairwise.hpp"

#include "kernels_graph/pairwise_matrices.hpp"
#include "kernels_graph/pairwise_reference.hpp"
#include "support/instances.hpp"
#include "support/share.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/error.hpp"

#include <numeric>
#include <set>

namespace tessera::test::pairwise_test {

TESSERA_TEST_SUITE(PairwiseTest, Matrices, TypeNames);

TESSERA_TYPED_TEST(PairwiseTest, FollowsTheAlgorithm) {
  const std::vector<PairwiseOptions> all{{},
                                         {.passes = 2},
                                         {.passes = 3, .unmatched_share = 0},
                                         {.passes = 2, .max_rounds = 1},
                                         {.max_rounds = 2, .unmatched_share = 0},
                                         {.passes = 2, .unmatched_share = 0.4, .seed = 7},
                                         {.passes = 2, .weak_share = 0},
                                         {.weak_share = 1, .longest_row = 30, .seed = 9},
                                         {.weak_share = 0, .zeros = true},
                                         {.passes = 2, .zeros = true, .longest_row = 30}};
  Share share;
  for (const auto& A : sample_matrices<Scalar>()) {
    for (const auto& options : all) {
      if (!share.takes()) continue;
      EXPECT_EQ(pairwise<Offset>(exec, A, options), pairwise_reference(A, options))
          << A.num_rows << " rows, " << A.num_entries() << " entries, passes = " << options.passes
          << ", max_rounds = " << options.max_rounds << ", zeros = " << options.zeros;
    }
  }
}

/// The nodes that each is coupled to.
template <class Scalar>
Neighbours couplings(const HostMatrix<Scalar>& A) {
  Neighbours neighbours(A.num_rows);
  const auto graph = weighted_graph(A, A.num_entries());
  for (Ordinal v = 0; v < A.num_rows; ++v) {
    for (const auto& [w, weight] : graph.weights[v]) {
      if (weight > 0) neighbours[v].push_back(w);
    }
  }
  return neighbours;
}

TESSERA_TYPED_TEST(PairwiseTest, PartitionsIntoConnectedAggregates) {
  for (const auto& A : sample_matrices<Scalar>()) {
    for (const int passes : {1, 2, 3}) {
      const PairwiseOptions options{.passes = passes, .max_rounds = 100, .unmatched_share = 0};
      const auto partition = pairwise<Offset>(exec, A, options);
      expect_partition(couplings(A), partition.aggregate_of, partition.num_aggregates);
    }
  }
}

std::vector<int> sizes(const Partition& partition) {
  std::vector<int> result(partition.num_aggregates, 0);
  for (const Ordinal group : partition.aggregate_of) {
    if (group >= 0) ++result[group];
  }
  return result;
}

/// How many nodes an aggregate has on average.
double mean_size(const Partition& partition) {
  const auto count = sizes(partition);
  return static_cast<double>(std::accumulate(count.begin(), count.end(), 0)) /
         static_cast<double>(count.size());
}

TESSERA_TYPED_TEST(PairwiseTest, CoarsensGridsByTwoFourAndEight) {
  for (const auto& A :
       {poisson<Scalar>(4000), poisson<Scalar>(80, 70), poisson<Scalar>(19, 18, 17)}) {
    for (const int passes : {1, 2, 3}) {
      const auto partition = pairwise<Offset>(exec, A, {.passes = passes});
      const auto count = sizes(partition);
      const int nominal = 1 << passes;
      EXPECT_GE(mean_size(partition), 0.9 * nominal);
      EXPECT_LE(mean_size(partition), 1.2 * nominal);
      EXPECT_LE(*std::max_element(count.begin(), count.end()), 4 * nominal);
      EXPECT_GE(*std::min_element(count.begin(), count.end()), 2);
    }
  }
}

TESSERA_TYPED_TEST(PairwiseTest, PairsAlongStrongCouplings) {
  const Ordinal nx = 40;
  const Ordinal ny = 64;
  for (const int strong : {0, 1}) {
    const auto A = weighted_grid<Scalar>(
        nx, ny, [&](Ordinal, Ordinal, int d) { return d == strong ? 1.0 : 0.01; });
    for (const int passes : {1, 2, 3}) {
      const auto partition = pairwise<Offset>(exec, A, {.passes = passes});
      std::vector<std::set<Ordinal>> lines(partition.num_aggregates);
      for (Ordinal v = 0; v < A.num_rows; ++v)
        lines[partition.aggregate_of[v]].insert(strong == 0 ? v / nx : v % nx);
      for (const auto& line : lines)
        EXPECT_EQ(line.size(), 1u) << "passes = " << passes;
    }
  }
}

/// One pair per round is all that plain rounds would find.
TESSERA_TYPED_TEST(PairwiseTest, CoarsensWhereCouplingsGrowSteadily) {
  const Ordinal n = 300;
  std::vector<std::vector<std::pair<Ordinal, Scalar>>> rows(n);
  for (Ordinal v = 0; v < n; ++v) {
    rows[v].emplace_back(v, Scalar(1));
    if (v > 0) rows[v].emplace_back(v - 1, static_cast<Scalar>(-std::pow(1.1, v - n)));
    if (v + 1 < n) rows[v].emplace_back(v + 1, static_cast<Scalar>(-std::pow(1.1, v + 1 - n)));
  }
  const auto path = pairwise<Offset>(exec, from_rows(n, rows));
  EXPECT_GE(mean_size(path), 1.9);
  EXPECT_LE(mean_size(path), 2.5);
  const auto grid = weighted_grid<Scalar>(100, 20, [](Ordinal x, Ordinal, int d) {
    const double step = std::pow(1.06, x);
    return d == 0 ? 1 / step : step;
  });
  const auto graded = pairwise<Offset>(exec, grid);
  EXPECT_GE(mean_size(graded), 1.9);
  EXPECT_LE(mean_size(graded), 2.5);
}

TESSERA_TYPED_TEST(PairwiseTest, TakesFewNodes) {
  using Entries = std::vector<std::vector<std::pair<Ordinal, Scalar>>>;
  const std::vector<std::pair<Entries, Partition>> cases{
      {{}, {0, {}}},
      {{{}}, {0, {-1}}},
      {{{{0, 2}}}, {0, {-1}}},
      {{{{0, 2}}, {{1, 2}}}, {0, {-1, -1}}},
      {{{{0, 2}, {1, 0}}, {{1, 2}}}, {0, {-1, -1}}},  // a stored zero is no coupling
      {{{{0, 2}, {1, -1}}, {{1, 2}}}, {1, {0, 0}}},
      {{{}, {{0, 5}}}, {1, {0, 0}}},  // no diagonal
      {{{{0, 2}, {1, -1}}, {{1, 2}}, {{2, 1}}}, {1, {0, 0, -1}}}};
  for (const auto& [rows, expected] : cases) {
    const auto A = from_rows(static_cast<Ordinal>(rows.size()), rows);
    for (const int passes : {1, 2, 5})
      EXPECT_EQ(pairwise<Offset>(exec, A, {.passes = passes}), expected);
  }
}

/// As of a Dirichlet problem whose fixed rows and columns were eliminated in place.
TESSERA_TYPED_TEST(PairwiseTest, StoredZerosCoupleWhereAsked) {
  const auto fixed = [](Ordinal v) { return v < 60 || v % 30 == 29; };
  const auto A = with_fixed<Scalar>(poisson<Scalar>(30, 40), fixed);
  for (const int passes : {1, 2}) {
    const auto apart = pairwise<Offset>(exec, A, {.passes = passes});
    const auto joined = pairwise<Offset>(exec, A, {.passes = passes, .zeros = true});
    for (Ordinal v = 0; v < A.num_rows; ++v) {
      EXPECT_EQ(apart.aggregate_of[v] < 0, fixed(v)) << v;
      EXPECT_GE(joined.aggregate_of[v], 0) << v;
    }
    EXPECT_GE(mean_size(joined), 0.9 * (1 << passes));
  }
  // A fixed node whose neighbours have all paired joins one of them.
  const auto path = with_fixed<Scalar>(poisson<Scalar>(5), [](Ordinal v) { return v == 0; });
  EXPECT_EQ(pairwise<Offset>(exec, path, {}).aggregate_of[0], -1);
  EXPECT_EQ(pairwise<Offset>(exec, path, {.zeros = true}).aggregate_of[0],
            pairwise<Offset>(exec, path, {.zeros = true}).aggregate_of[1]);
  // Without a stored entry there is nothing to join along.
  const auto diagonal = from_rows<Scalar>(2, {{{0, Scalar(2)}}, {{1, Scalar(2)}}});
  EXPECT_EQ(pairwise<Offset>(exec, diagonal, {.zeros = true}).num_aggregates, 0);
}

/// Weights are those of (|A| + |A^T|) / 2.
TESSERA_TYPED_TEST(PairwiseTest, TakesDirectedGraphs) {
  for (const auto& A : {poisson<Scalar>(31, 23), random_spd_matrix<Scalar>(300, 0.02, 8)}) {
    auto directed = upper(A);
    for_each_entry(directed,
                   [](Ordinal i, Ordinal j, auto& value) { value *= Scalar(i == j ? 1 : 2); });
    for (const int passes : {1, 2})
      EXPECT_EQ(pairwise<Offset>(exec, directed, {.passes = passes}),
                pairwise<Offset>(exec, A, {.passes = passes}));
  }
}

TESSERA_TYPED_TEST(PairwiseTest, LeavesHubsAloneWhereAsked) {
  const auto wheel = star<Scalar>(3000, 17);
  const auto all = pairwise<Offset>(exec, wheel, {.passes = 2});
  EXPECT_EQ(all.num_aggregates, 1);
  EXPECT_EQ(all.aggregate_of, std::vector<Ordinal>(3001, 0));
  const auto none = pairwise<Offset>(exec, wheel, {.passes = 2, .longest_row = 100});
  EXPECT_EQ(none.num_aggregates, 0);
  EXPECT_EQ(none.aggregate_of, std::vector<Ordinal>(3001, -1));

  // A hub more does not change what becomes of the others.
  const auto grid = poisson<Scalar>(40, 30);
  auto with_hub = grid;
  with_hub.num_rows = with_hub.num_cols = grid.num_rows + 1;
  for (Ordinal v = 0; v <= grid.num_rows; ++v)
    with_hub.push(v, Scalar(-50));
  with_hub.end_row();
  auto expected = pairwise<Offset>(exec, grid, {.passes = 2});
  expected.aggregate_of.push_back(-1);
  EXPECT_EQ(pairwise<Offset>(exec, with_hub, {.passes = 2, .longest_row = 100}), expected);
}

TESSERA_TYPED_TEST(PairwiseTest, NanIsNoCoupling) {
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  const auto A = random_spd_matrix<Scalar>(300, 0.02, 11);
  auto some_nan = A;
  auto some_zero = A;
  Random random(12);
  for (std::size_t e = 0; e < A.num_entries(); ++e) {
    if (random.uniform() >= 0.3) continue;
    some_nan.values[e] = nan;
    some_zero.values[e] = 0;
  }
  for (const int passes : {1, 2, 3}) {
    const PairwiseOptions options{.passes = passes};
    EXPECT_EQ(pairwise<Offset>(exec, some_nan, options),
              pairwise<Offset>(exec, some_zero, options));
    const auto nothing = map_values<Scalar>(A, [&](Scalar) { return nan; });
    EXPECT_EQ(pairwise<Offset>(exec, nothing, options).aggregate_of,
              std::vector<Ordinal>(A.num_rows, -1));
    // Nothing is promised of infinities but an end.
    const auto infinite = map_values<Scalar>(
        some_nan, [](Scalar a) { return a > 0.5 ? std::numeric_limits<Scalar>::infinity() : a; });
    EXPECT_LE(pairwise<Offset>(exec, infinite, options).num_aggregates, A.num_rows / 2);
  }
}

TESSERA_TYPED_TEST(PairwiseTest, DoesNotDependOnTheScale) {
  // Powers of 2 are exact for values of any kind, powers of 10 for a stencil's.
  const std::vector<std::pair<HostMatrix<Scalar>, std::vector<double>>> cases{
      {poisson<Scalar>(30, 29), {1e-20, 1e20, -1}},
      {random_spd_matrix<Scalar>(300, 0.02, 13), {0x1p-66, 0x1p66, -1, -0x1p-66}}};
  for (const auto& [A, factors] : cases) {
    for (const int passes : {1, 2, 3}) {
      const auto expected = pairwise<Offset>(exec, A, {.passes = passes});
      for (const double factor : factors) {
        const auto scaled =
            map_values<Scalar>(A, [f = static_cast<Scalar>(factor)](Scalar a) { return f * a; });
        EXPECT_EQ(pairwise<Offset>(exec, scaled, {.passes = passes}), expected) << factor;
      }
    }
  }
}

/// Also where the sums of weights round, and for any order of the entries of a row.
TESSERA_TYPED_TEST(PairwiseTest, IsTheSameOnEverySpace) {
  for (const bool symmetric : {false, true}) {
    const auto A = symmetric ? random_spd_matrix<Scalar>(900, 0.01, 14)
                             : random_matrix<Scalar>({.num_rows = 900,
                                                      .num_cols = 900,
                                                      .density = 0.01,
                                                      .dense_row = 5,
                                                      .unsorted = true,
                                                      .seed = 14});
    for (const int passes : {1, 2, 3}) {
      const PairwiseOptions options{.passes = passes};
      const auto expected = pairwise<Offset>(HostSpace(), A, options);
      for (const auto& exec : instances<Space>())
        EXPECT_EQ(pairwise<Offset>(exec, A, options), expected) << exec.concurrency();
      if (Space().concurrency() < 2) continue;  // one thread has no parts
      const Space part = Kokkos::Experimental::partition_space(Space(), 1, 1)[0];
      EXPECT_EQ(pairwise<Offset>(part, A, options), expected);
    }
  }
  const auto grid = poisson<Scalar>(20, 20);
  EXPECT_NE(pairwise<Offset>(Space(), grid, {.seed = 1}),
            pairwise<Offset>(Space(), grid, {.seed = 2}));
}

/// With `rounded`: ties, couplings at the weak share and those that nearly cancel.
TESSERA_TYPED_TEST(PairwiseTest, RoundingDecidesNothingWhereAsked) {
  // Values in float have no bits to spare.
  const double size = std::is_same_v<Scalar, float> ? 0 : 1e-13;
  const auto quarters = weighted_grid<Scalar>(
      30, 20, [](Ordinal x, Ordinal y, int d) { return (x + y + d) % 2 == 0 ? 0.25 : 1.0; });
  for (const auto& A : {poisson<Scalar>(40, 31), poisson<Scalar>(12, 11, 10), quarters}) {
    for (const int passes : {1, 2, 3}) {
      int differ = 0;
      for (const unsigned seed : {1u, 2u, 3u}) {
        Random random(seed);
        const auto nearby = map_values<Scalar>(A, [&](Scalar a) {
          return static_cast<Scalar>(a * (1 + size * (random.uniform() - 0.5)));
        });
        const PairwiseOptions options{.passes = passes, .rounded = true};
        EXPECT_EQ(pairwise<Offset>(exec, nearby, options), pairwise<Offset>(exec, A, options));
        differ += pairwise<Offset>(exec, nearby, {.passes = passes}) !=
                          pairwise<Offset>(exec, A, {.passes = passes})
                      ? 1
                      : 0;
      }
      EXPECT_EQ(differ > 0, size > 0);
    }
  }
  // A path whose every third coupling is nothing but rounding.
  const auto path = [](double rest) {
    return weighted_grid<Scalar>(300, 1,
                                 [&](Ordinal x, Ordinal, int) { return x % 3 == 2 ? rest : 1.0; });
  };
  const PairwiseOptions options{.weak_share = 0, .rounded = true};
  const auto expected = pairwise<Offset>(exec, path(0), options);
  for (const double rest : {1e-17, 1e-13})
    EXPECT_EQ(pairwise<Offset>(exec, path(rest), options), expected) << rest;
}

TESSERA_TYPED_TEST(PairwiseTest, RefusesBadArguments) {
  const auto A = poisson<Scalar>(4);
  const auto wide = random_matrix<Scalar>({.num_rows = 4, .num_cols = 5});
  EXPECT_THROW(pairwise<Offset>(exec, wide), Error);
  EXPECT_THROW(pairwise<Offset>(exec, A, {.passes = 0}), Error);
  EXPECT_THROW(pairwise<Offset>(exec, A, {.max_rounds = 0}), Error);
  EXPECT_THROW(pairwise<Offset>(exec, A, {.weak_share = -0.1}), Error);
  EXPECT_THROW(pairwise<Offset>(exec, A, {.weak_share = 1.1}), Error);
  EXPECT_THROW(pairwise<Offset>(exec, A, {.unmatched_share = 1}), Error);
  EXPECT_THROW(pairwise<Offset>(exec, A, {.unmatched_share = -0.1}), Error);
  EXPECT_THROW(pairwise<Offset>(exec, A, {.unmatched_share = std::nan("")}), Error);
}

}  // namespace tessera::test::pairwise_test
