// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The group of a device run by threads of the host: blocks, warps and shared memory are emulated,
/// so that its protocol is tested where there is no device.
#include "tessera/kernels/execution/instantiate.hpp"

// To nvcc these functions of the host are called from ones of the device too.
#if !defined(__CUDACC__) && !defined(__HIPCC__)

#include "kernels_persistent/emulated_device.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;
using Group = EmulatedGroup;

/// Sums and barriers in turn; every thread notes where it saw something else than expected.
struct Sums {
  int rounds;
  std::vector<int>* values;
  std::atomic<int>* mistakes;

  void operator()(Group& group) const {
    const int n = static_cast<int>(values->size());
    for (int round = 1; round <= rounds; ++round) {
      group.for_each(n, [&](std::int64_t i) { (*values)[i] = round + static_cast<int>(i); });
      group.barrier();
      double sums[2];
      group.sum<2>(sums, [&](int, double* part) {
        group.for_each(n, [&](std::int64_t i) {
          part[0] += (*values)[(i + 7) % n];
          part[1] += 1;
        });
      });
      if (sums[0] != 1.0 * round * n + 0.5 * n * (n - 1) || sums[1] != n) ++*mistakes;
    }
    if (group.has_failed()) ++*mistakes;
  }
};

/// Two launches by each of so many blocks of so many threads.
void expect_blocks_synchronize(EmulatedBarrierState& board,
                               std::initializer_list<std::pair<int, int>> groups, bool in_cluster) {
  std::vector<int> values(501);
  for (const auto& [blocks, threads] : groups) {
    std::atomic<int> mistakes = 0;
    for (int launch = 0; launch < 2; ++launch)
      emulate(board, blocks, threads, 0, Sums{7, &values, &mistakes}, {0, 20'000'000'000},
              in_cluster);
    EXPECT_EQ(mistakes, 0) << blocks << " of " << threads;
  }
}

TEST(DeviceGroupTest, BlocksSynchronize) {
  EmulatedBarrierState board(8);
  expect_blocks_synchronize(board, {{1, 32}, {1, 96}, {2, 32}, {3, 64}, {5, 32}}, false);
}

TEST(DeviceGroupTest, BlocksOfAClusterSynchronize) {
  EmulatedBarrierState board(16);
  expect_blocks_synchronize(board, {{2, 32}, {3, 64}, {16, 32}}, true);
  EXPECT_EQ(*board.words().barriers, 0) << "a cluster has no use for the board";
}

/// Adds up in numbers that round.
struct Fractions {
  std::vector<double>* sums;

  void operator()(Group& group) const {
    double sum[1];
    group.sum<1>(sum, [&](int, double* part) {
      group.for_each(1000, [&](std::int64_t i) { part[0] += 1.0 / (1 + static_cast<double>(i)); });
    });
    if (group.is_first()) sums->push_back(sum[0]);
  }
};

TEST(DeviceGroupTest, ClustersAddUpToTheSameBitsAsGrids) {
  EmulatedBarrierState board(8);
  std::vector<double> sums;
  for (const bool in_cluster : {false, true})
    emulate(board, 5, 64, 0, Fractions{&sums}, {0, 20'000'000'000}, in_cluster);
  ASSERT_EQ(sums.size(), 2);
  EXPECT_EQ(sums[0], sums[1]);
}

/// One lane of one block says that it has timed out.
struct OneGivesUp {
  std::atomic<int>* failed;

  void operator()(Group& group) const {
    group.for_each_share([&](int share) {
      Group::Wait wait;
      if (share == 1 && group.lane() == 3) {
        while (!group.timed_out(wait)) {
        }
      }
    });
    group.barrier();
    double sums[1];
    group.sum<1>(sums, [](int, double*) {});
    if (group.has_failed()) ++*failed;
  }
};

TEST(DeviceGroupTest, AllBlocksOfAClusterFailWhereOneHas) {
  EmulatedBarrierState board(4);
  std::atomic<int> failed = 0;
  emulate(board, 3, 64, 0, OneGivesUp{&failed}, {0, 20'000'000}, true);
  EXPECT_EQ(failed, 3 * 64);
  EXPECT_NE(*board.words().given_up, 0);
}

TEST(DeviceGroupTest, MoreBlocksThanThreadsOfABlock) {
  EmulatedBarrierState board(40);
  std::vector<int> values(100);
  std::atomic<int> mistakes = 0;
  emulate(board, 35, 32, 0, Sums{2, &values, &mistakes});
  EXPECT_EQ(mistakes, 0);
}

TEST(DeviceGroupTest, BarriersAreNumberedAgainBeforeNumbersComeAgain) {
  EmulatedBarrierState board(4);
  std::vector<int> values(50);
  std::atomic<int> mistakes = 0;
  *board.words().barriers = (1u << 30) - 5;
  emulate(board, 3, 32, 0, Sums{4, &values, &mistakes});
  EXPECT_EQ(mistakes, 0);
  EXPECT_EQ(*board.words().barriers, 0);
  EXPECT_EQ(*board.words().left, 0);
  emulate(board, 4, 32, 0, Sums{4, &values, &mistakes});
  EXPECT_EQ(mistakes, 0);
  EXPECT_EQ(*board.words().barriers, 8);
}

/// One block never comes.
struct Desert {
  std::atomic<int>* failed;

  void operator()(Group& group) const {
    bool here = true;
    group.for_each_share([&](int share) { here = share != 1; });
    if (!here) return;
    group.barrier();
    double sums[1] = {0};
    group.sum<1>(sums, [](int, double*) {});
    if (group.has_failed()) ++*failed;
  }
};

TEST(DeviceGroupTest, NobodyWaitsForEver) {
  EmulatedBarrierState board(4);
  std::atomic<int> failed = 0;
  emulate(board, 3, 32, 0, Desert{&failed}, {0, 20'000'000});
  EXPECT_EQ(failed, 2 * 32);
  EXPECT_NE(*board.words().given_up, 0);
}

}  // namespace

#endif
