// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Shares that wait for their neighbours alone: what they see, and solves whose steps do so.
#include "kernels_persistent/cycle_program.hpp"
#include "kernels_persistent/persistent_solves.hpp"

#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

#include <chrono>
#include <thread>

namespace tessera::test::neighbours_test {

using kernels::BarrierState;
using kernels::CooperativeShape;

TESSERA_TEST_SUITE(NeighboursTest, Spaces, TypeNames);

/// A share among others that takes its time.
KOKKOS_INLINE_FUNCTION void take_time() {
  KOKKOS_IF_ON_HOST((std::this_thread::sleep_for(std::chrono::microseconds(200));))
}

/// In each round each share takes the largest of what it and its neighbours had, plus one, and
/// notes where it has read what is older than that.
template <class Space>
struct Relay {
  ArrayView<int, Space> from, to;
  ArrayView<int, Space> mistakes;
  int rounds, launches_before, slow;

  template <class Group>
  KOKKOS_FUNCTION void operator()(Group& group) const {
    const int shares = group.num_shares();
    const int first = 1 + launches_before * rounds;
    group.for_each_share([&](int share) {
      if (group.lane() == 0) from(share) = first;
    });
    group.barrier();
    for (int round = 1; round <= rounds; ++round) {
      int* const a = round % 2 == 1 ? from.data() : to.data();
      int* const b = round % 2 == 1 ? to.data() : from.data();
      group.for_each_share([&](int share) {
        if (share == slow) take_time();
        if (group.lane() != group.num_lanes() - 1) return;
        for (int other = share - 1; other <= share + 1; ++other) {
          if (other < 0 || other >= shares) continue;
          if (a[other] != first + round - 1) Kokkos::atomic_inc(mistakes.data());
        }
        b[share] = first + round;
      });
      if (round % 10 == 0) {
        group.barrier();
      } else {
        group.synchronize_neighbours(round, [&](int share) {
          return kernels::detail::ShareRange{share > 0 ? share - 1 : 0,
                                             share + 1 < shares ? share + 1 : shares - 1};
        });
      }
    }
  }
};

TESSERA_TYPED_TEST(NeighboursTest, SeeWhatNeighboursWroteAndKeepWhatTheyRead) {
  const BarrierState<Space> board(exec);
  const auto mistakes = to_device(exec, std::vector<int>{0});
  std::vector<CooperativeShape> shapes{{1, 32, 0}, {2, 64, 128}, {7, 128, 4096}, {40, 32, 0}};
  const int of_cluster = kernels::max_cluster_shares<Relay<Space>>(exec, 256, 0);
  if (of_cluster > 1) shapes.push_back({of_cluster, 256, 0, true});
  int launches = 0;
  for (const CooperativeShape& shape : shapes) {
    const auto from = to_device(exec, std::vector<int>(shape.shares, 0));
    const auto to = to_device(exec, std::vector<int>(shape.shares, 0));
    for (const int slow : {0, shape.shares / 2, shape.shares - 1}) {
      kernels::run_cooperative(exec, "tessera::test::relay", board, shape,
                               Relay<Space>{from, to, mistakes, 95, launches++, slow});
      EXPECT_EQ(to_host(mistakes)[0], 0) << shape.shares << " shares, slow: " << slow;
    }
  }
}

template <class Space>
Answer<double> solved(kernels::PersistentWorkspace<double, Space>& workspace, Method method,
                      const HostMatrix<double>& A, const std::vector<double>& b,
                      const kernels::PersistentPreconditioner<double, Space>& M,
                      const PersistentLimits& limits, const PersistentTuning& tuning) {
  const Space exec;
  const auto matrix = make_csr<std::int32_t>(exec, A);
  const auto rhs = to_device(exec, b);
  const auto x = to_device(exec, std::vector<double>(b.size(), 0));
  Answer<double> answer;
  answer.report =
      persistent_solve(method, exec, workspace, matrix.view(), M, rhs, x, limits, 0, tuning);
  answer.x = to_host(x);
  return answer;
}

TESSERA_TYPED_TEST(NeighboursTest, SolvesAreTheSameBits) {
  kernels::PersistentWorkspace<double, Space> workspace;
  const std::vector<HostMatrix<double>> matrices{poisson<double>(23, 19), poisson<double>(6, 5, 7),
                                                 random_spd_matrix<double>(150, 0.05, 3)};
  int number = 0;
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    const auto& A = matrices[k];
    const auto b = some_vector<double>(A.num_rows);
    for (const std::size_t one_block : {0, 600, 1 << 20}) {
      const bool is_v = ++number % 2 == 0;
      const CycleShape shape{.type = is_v ? amg::CycleType::v : amg::CycleType::f,
                             .smoother = is_v ? SmootherType::jacobi : SmootherType::chebyshev,
                             .sweeps = 1 + static_cast<int>(k % 2),
                             .one_block_entries = one_block};
      Cycle<double, Space> cycle(exec, A, shape);
      Cycle<float, Space> in_float(exec, A, shape);
      kernels::PersistentPreconditioner<double, Space> M;
      if (number % 3 == 0) {
        M.float_program = &in_float.program;
      } else {
        M.program = &cycle.program;
      }
      std::vector<int> all_shares{0, 1, 2, 5, 40};
      if (k == 2 && one_block == 600) all_shares.push_back(300);
      for (const Method method : both_methods) {
        for (const int shares : all_shares) {
          // All of it, and a part: what others have left on the board matters to none.
          for (const int iterations : {3, 100}) {
            SCOPED_TRACE(std::to_string(k) + ", " + std::to_string(one_block) + " entries, " +
                         std::to_string(shares) + " shares");
            PersistentLimits limits{.tolerance = 1e-10, .max_iterations = iterations};
            const auto plain = solved(workspace, method, A, b, M, limits, {.shares = shares});
            const auto waiting = solved(workspace, method, A, b, M, limits,
                                        {.shares = shares, .neighbour_waits = true});
            expect_same_answer(waiting, plain);
            EXPECT_EQ(waiting.report.end, plain.report.end);
            if (iterations == 100 && method == Method::cg) {
              EXPECT_EQ(plain.report.end, PersistentEnd::converged);
            }
          }
        }
      }
    }
  }
}

/// A launch that is over at its first step, or breaks down, and what follows it.
TESSERA_TYPED_TEST(NeighboursTest, SolvesThatEndEarlyLeaveTheBoardAsItWas) {
  kernels::PersistentWorkspace<double, Space> workspace;
  const auto A = poisson<double>(17, 16);
  Cycle<double, Space> cycle(exec, A);
  kernels::PersistentPreconditioner<double, Space> M;
  M.program = &cycle.program;
  const auto b = some_vector<double>(A.num_rows);
  const auto negative = scaled(A, -1);
  const PersistentTuning tuning{.shares = 6, .neighbour_waits = true};
  const auto expected = solved(workspace, Method::cg, A, b, M, reachable<double>(), {.shares = 6});
  for (const Method method : both_methods) {
    for (int turn = 0; turn < 4; ++turn) {
      PersistentLimits limits = reachable<double>();
      limits.max_iterations = turn;
      solved(workspace, method, A, b, M, limits, tuning);
      const auto ended = solved(workspace, Method::cg, negative, b, M, reachable<double>(), tuning);
      EXPECT_EQ(ended.report.end, PersistentEnd::breakdown);
      auto with_nan = b;
      with_nan[7] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_EQ(solved(workspace, method, A, with_nan, M, reachable<double>(), tuning).report.end,
                PersistentEnd::not_a_number);
      expect_same_answer(solved(workspace, Method::cg, A, b, M, reachable<double>(), tuning),
                         expected);
    }
  }
}

}  // namespace tessera::test::neighbours_test
