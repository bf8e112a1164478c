// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Workers that synchronize within one launch: what they see of each other, and what they add up.
#include "support/device.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/cooperative_group.hpp"

#include <numeric>

namespace {

using namespace tessera;
using kernels::BarrierState;
using kernels::CooperativeShape;

TESSERA_TEST_SUITE(CooperativeGroupTest, tessera::test::Spaces, tessera::test::TypeNames);

/// Each round, each item takes the value of the item `shift` further on, plus one.
template <class Space>
struct Rotate {
  ArrayView<int, Space> from, to;
  int n, shift, rounds;

  template <class Group>
  KOKKOS_FUNCTION void operator()(Group& group) const {
    int* a = from.data();
    int* b = to.data();
    for (int round = 0; round < rounds; ++round) {
      group.for_each(n, [&](std::int64_t i) { b[i] = a[(i + shift) % n] + 1; });
      group.barrier();
      int* const other = a;
      a = b;
      b = other;
    }
  }
};

/// Adds up 1/i by shares, time and again.
template <class Space>
struct Harmonic {
  ArrayView<double, Space> results;  ///< 3 for each round, as one lane of the last share sees them
  int n, rounds;

  template <class Group>
  KOKKOS_FUNCTION void operator()(Group& group) const {
    for (int round = 0; round < rounds; ++round) {
      double sums[3];
      group.template sum<3>(sums, [&](int share, double* part) {
        for (int i = share * group.num_lanes() + group.lane(); i < n;
             i += group.num_shares() * group.num_lanes()) {
          part[0] += 1.0 / (1 + i);
          part[1] += 1;
          part[2] += round;
        }
      });
      // Another one at once, whose words are those of the barrier before the last.
      group.barrier();
      group.for_each_share([&](int share) {
        if (share != group.num_shares() - 1 || group.lane() != 0) return;
        for (int k = 0; k < 3; ++k)
          results(3 * round + k) = sums[k];
      });
    }
  }
};

/// Shares until the time is up.
template <class Space>
struct Endless {
  ArrayView<std::int64_t, Space> rounds;

  template <class Group>
  KOKKOS_FUNCTION void operator()(Group& group) const {
    std::int64_t round = 0;
    while (!group.time_is_up() && !group.has_failed()) {
      group.barrier();
      ++round;
    }
    group.for_each_share([&](int share) {
      if (group.lane() == 0) rounds(share) = round;
    });
  }
};

template <class Work, class Space>
std::vector<CooperativeShape> shapes(const Space& exec) {
  std::vector<CooperativeShape> result{{1, 32, 0}, {1, 1024, 0}, {2, 64, 128}, {7, 128, 4096}};
  const int most = kernels::max_resident_shares<Work>(exec, 256, 0);
  if (most > 7) result.push_back({most, 256, 0});
  const int of_cluster = kernels::max_cluster_shares<Work>(exec, 256, 4096);
  for (const int shares : {2, 5, of_cluster}) {
    if (shares > 1 && shares <= of_cluster) result.push_back({shares, 256, 4096, true});
  }
  return result;
}

TESSERA_TYPED_TEST(CooperativeGroupTest, EveryLaneSeesWhatOthersWroteBeforeTheBarrier) {
  const int n = 10007, shift = 4999, rounds = 500;
  std::vector<int> start(n);
  std::iota(start.begin(), start.end(), 0);
  const BarrierState<Space> board(exec);
  for (const CooperativeShape& shape : shapes<Rotate<Space>>(exec)) {
    const auto from = test::to_device(exec, start);
    const auto to = test::to_device(exec, start);
    kernels::run_cooperative(exec, "tessera::test::rotate", board, shape,
                             Rotate<Space>{from, to, n, shift, rounds});
    const auto result = test::to_host(from);
    for (int i = 0; i < n; ++i) {
      const auto source = (i + static_cast<std::int64_t>(shift) * rounds) % n;
      ASSERT_EQ(result[i], source + rounds) << i << " by " << shape.shares << " shares";
    }
  }
}

TESSERA_TYPED_TEST(CooperativeGroupTest, SumsAreRightAndTheSameBitsEachTime) {
  const int n = 3001, rounds = 200;
  long double expected = 0;
  for (int i = 0; i < n; ++i)
    expected += 1.0L / (1 + i);
  const BarrierState<Space> board(exec);
  for (const CooperativeShape& shape : shapes<Harmonic<Space>>(exec)) {
    const auto results = allocate<double>(exec, "tessera::test", 3 * rounds);
    for (int launch = 0; launch < 3; ++launch) {
      Kokkos::deep_copy(exec, results, -1.0);
      kernels::run_cooperative(exec, "tessera::test::harmonic", board, shape,
                               Harmonic<Space>{results, n, rounds});
      const auto sums = test::to_host(results);
      EXPECT_NEAR(sums[0], static_cast<double>(expected), 1e-14 * 9);
      for (int round = 0; round < rounds; ++round) {
        ASSERT_EQ(sums[3 * round], sums[0]) << round << " by " << shape.shares << " shares";
        ASSERT_EQ(sums[3 * round + 1], n);
        ASSERT_EQ(sums[3 * round + 2], static_cast<double>(n) * round);
      }
    }
  }
}

TESSERA_TYPED_TEST(CooperativeGroupTest, EndsInTimeAndAllAgreeWhen) {
  const BarrierState<Space> board(exec);
  for (const CooperativeShape& shape : shapes<Endless<Space>>(exec)) {
    const auto rounds = allocate<std::int64_t>(exec, "tessera::test", shape.shares);
    kernels::run_cooperative(exec, "tessera::test::endless", board, shape, Endless<Space>{rounds},
                             0.02);
    const auto counts = test::to_host(rounds);
    EXPECT_GT(counts[0], 1);
    for (const auto count : counts)
      ASSERT_EQ(count, counts[0]) << shape.shares << " shares";
  }
}

TESSERA_TYPED_TEST(CooperativeGroupTest, RefusesShapesThatItCannotHave) {
  const BarrierState<Space> board(exec, 4);
  const auto rounds = allocate<std::int64_t>(exec, "tessera::test", 8);
  const auto run = [&](const CooperativeShape& shape) {
    kernels::run_cooperative(exec, "tessera::test::endless", board, shape, Endless<Space>{rounds},
                             0.001);
  };
  EXPECT_THROW(run({5, 32, 0}), Error);
  EXPECT_THROW(run({0, 32, 0}), Error);
  EXPECT_THROW(run({1, 48, 0}), Error);
  EXPECT_THROW(run({1, 2048, 0}), Error);
  EXPECT_NO_THROW(run({1, 32, 0}));
  exec.fence("tessera::test::group");
}

}  // namespace
