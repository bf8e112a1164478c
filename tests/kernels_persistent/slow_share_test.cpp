// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves with a cycle whose shares wait for their neighbours, one of which is always late: on the
/// host's group, and on a device that the host emulates.
#include "tessera/kernels/execution/instantiate.hpp"

// To nvcc these functions of the host are called from ones of the device too.
#if !defined(__CUDACC__) && !defined(__HIPCC__)

#include "kernels_persistent/cycle_program.hpp"
#include "kernels_persistent/emulated_device.hpp"
#include "kernels_persistent/persistent_solves.hpp"

#include "tessera/kernels/persistent/detail/cg_method.hpp"
#include "tessera/kernels/persistent/detail/cycle_steps.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;
using kernels::detail::CycleSteps;
using CgByCycle = kernels::detail::CgMethod<
    kernels::detail::KrylovShare<double, std::int32_t, CycleSteps<double, double>>>;

/// Four shares and more of these have neighbours that are not all of them.
HostMatrix<double> strip(int length) { return poisson<double>(4, length); }

struct WithCycle {
  kernels::StepProgram<double, HostSpace>* program;
  int waiting_shares;  ///< 0: all wait for all

  CycleSteps<double, double> operator()(const double*) const {
    CycleSteps<double, double> steps{program->inside(HostSpace()), nullptr, nullptr};
    if (waiting_shares > 0) steps.program.waits = program->waits(HostSpace(), waiting_shares);
    return steps;
  }
};

template <class Solve>
void expect_same(const Solve& one, const Solve& other) {
  EXPECT_EQ(one.outcome.end, kernels::PersistentEnd::converged);
  EXPECT_EQ(one.history, other.history);
  EXPECT_EQ(one.x, other.x);
}

TEST(SlowShare, IsWaitedForOnAnEmulatedDevice) {
  const auto A = strip(24);
  const auto b = random_vector<double>(A.num_rows);
  for (const std::size_t one_block : {0, 250}) {
    Cycle<double, HostSpace> cycle(HostSpace(), A, {.one_block_entries = one_block});
    // Their ranges in shared memory, and not.
    for (const Shape& shape : {Shape{3, 32, 1, 30000}, Shape{4, 32, 1, 0}}) {
      const EmulatedSolve<CgByCycle> all(A, b, WithCycle{&cycle.program, 0}, shape);
      for (const int slow : {0, shape.blocks / 2}) {
        SCOPED_TRACE(std::to_string(slow) + " of " + name_of(shape) + " is slow");
        g_slow_block = slow;
        const EmulatedSolve<CgByCycle> some(A, b, WithCycle{&cycle.program, shape.blocks}, shape);
        g_slow_block = -1;
        expect_same(some, all);
      }
    }
  }
}

/// The host's group, one of whose shares is late.
template <class Member>
class LateGroup : public kernels::detail::HostGroup<Member> {
 public:
  using Base = kernels::detail::HostGroup<Member>;
  LateGroup(const Member& member, const kernels::detail::HostBarrierState& board, int shares,
            int late)
      : Base(member, board, shares, 0), m_late(late) {}

  template <class Function>
  void for_each_share(const Function& function) const {
    Base::for_each_share([&](int share) {
      if (share == m_late) std::this_thread::sleep_for(std::chrono::microseconds(100));
      function(share);
    });
  }

 private:
  int m_late;
};

TEST(SlowShare, IsWaitedForByThreadsOfAHost) {
  const HostSpace exec;
  using Policy = Kokkos::TeamPolicy<HostSpace>;
  const int threads = std::min(4, exec.concurrency());
  if (threads < 2) GTEST_SKIP() << "one thread";
  const auto A = strip(60);
  const auto b = random_vector<double>(A.num_rows);
  const kernels::BarrierState<HostSpace> board(exec);
  for (const std::size_t one_block : {0, 700}) {
    Cycle<double, HostSpace> cycle(exec, A, {.one_block_entries = one_block});
    for (const int shares : {4, 9, 300}) {
      const auto solve = [&](int waiting, int late) {
        return SolveByGroup<CgByCycle>(
            A, b, WithCycle{&cycle.program, waiting}, 1, 0, [&](const auto& work) {
              Kokkos::parallel_for("tessera::test::late", Policy(exec, 1, threads),
                                   [&](const Policy::member_type& member) {
                                     LateGroup<Policy::member_type> group(member, board.on_host(),
                                                                          shares, late);
                                     work(group);
                                   });
              exec.fence("tessera::test::late");
            });
      };
      const auto all = solve(0, -1);
      for (const int late : {0, shares / 2, shares - 1}) {
        SCOPED_TRACE(std::to_string(late) + " of " + std::to_string(shares) + " is late");
        expect_same(solve(shares, late), all);
      }
    }
  }
}

/// One block never comes to a step.
struct MissingNeighbour {
  std::atomic<int>* failed;

  void operator()(EmulatedGroup& group) const {
    group.barrier();
    bool here = true;
    group.for_each_share([&](int share) { here = share != 1; });
    if (!here) return;
    for (int step = 1; step < 50; ++step) {
      group.synchronize_neighbours(step, [](int share) {
        return kernels::detail::ShareRange{std::max(0, share - 1), std::min(share + 1, 3)};
      });
    }
    double sums[1] = {0};
    group.sum<1>(sums, [](int, double*) {});
    if (group.has_failed()) ++*failed;
  }
};

TEST(SlowShare, ThatNeverComesIsNotWaitedForForEver) {
  EmulatedBarrierState board(4);
  std::atomic<int> failed = 0;
  emulate(board, 4, 32, 0, MissingNeighbour{&failed}, {0, 20'000'000});
  EXPECT_EQ(failed, 3 * 32);
  EXPECT_NE(*board.words().given_up, 0);
}

/// Launches that follow one another, up to where barriers are numbered again.
struct Chain {
  std::vector<int>* values;
  std::atomic<int>* mistakes;
  int first;

  void operator()(EmulatedGroup& group) const {
    const int last = group.num_shares() - 1;
    group.for_each_share([&](int share) {
      if (group.lane() == 0) (*values)[share] = first;
    });
    group.barrier();
    for (int step = 1; step < 9; ++step) {
      group.for_each_share([&](int share) {
        if (group.lane() == 5 && share == step % group.num_shares())
          (*values)[share] = first + step;
      });
      const auto before = [&](int share) { return share == 0 ? last : share - 1; };
      group.synchronize_neighbours(step, [&](int share) {
        return kernels::detail::ShareRange{before(share), before(share)};
      });
      group.for_each_share([&](int share) {
        if (before(share) == step % group.num_shares() && (*values)[before(share)] != first + step)
          ++*mistakes;
      });
    }
    group.barrier();
  }
};

TEST(SlowShare, NumbersOfLaunchesBeforeMeanNothing) {
  EmulatedBarrierState board(4);
  std::vector<int> values(4);
  std::atomic<int> mistakes = 0;
  *board.words().barriers = (1u << 30) - 5;
  for (int launch = 0; launch < 6; ++launch) {
    g_slow_block = launch % 4;
    emulate(board, 4, 32, 0, Chain{&values, &mistakes, 100 * launch});
    g_slow_block = -1;
    if (launch == 2) {
      EXPECT_EQ(*board.words().barriers, 0);
      EXPECT_EQ(*board.words().step_of(2), 0);
    }
  }
  EXPECT_EQ(mistakes, 0);
}

}  // namespace

#endif
