// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The crew of a device, and solves by it, run by threads of the host: blocks, warps and shared
/// memory are played, so that its protocol and what only a device's path does are tested where
/// there is no device.
#include "tessera/kernels/instantiate.hpp"

// To nvcc these functions of the host are called from ones of the device too.
#if !defined(__CUDACC__) && !defined(__HIPCC__)

#include "solver/solver_fixture.hpp"

#include "tessera/kernels/persistent/crew.hpp"
#include "tessera/kernels/persistent/detail/bicgstab_method.hpp"
#include "tessera/kernels/persistent/detail/cg_method.hpp"
#include "tessera/kernels/persistent/detail/run_solve.hpp"

#include <barrier>
#include <chrono>
#include <cstring>
#include <deque>
#include <thread>

namespace {

using namespace tessera;
using namespace tessera::test;
using kernels::detail::CrewWords;

/// Lanes that exchange values.
struct PlayedWarp {
  explicit PlayedWarp(int lanes) : all(lanes) {}
  std::barrier<> all;
  std::uint64_t values[32] = {};
};

struct PlayedBlock {
  PlayedBlock(int threads, std::size_t bytes) : all(threads), memory(bytes / 16 + 1) {
    for (int t = 0; t < threads; t += 32)
      warps.emplace_back(32);
  }
  std::barrier<> all;
  std::deque<PlayedWarp> warps;
  struct alignas(16) Granule {
    std::byte bytes[16];
  };
  std::vector<Granule> memory;
};

struct PlayedThread {
  int thread = 0, threads = 0, block = 0, blocks = 0;
  PlayedBlock* memory = nullptr;
};
thread_local PlayedThread g_self;

struct PlayedApi {
  static int thread() { return g_self.thread; }
  static int num_threads() { return g_self.threads; }
  static int block() { return g_self.block; }
  static int num_blocks() { return g_self.blocks; }
  static std::byte* shared_memory() { return g_self.memory->memory.data()->bytes; }
  static void synchronize() { g_self.memory->all.arrive_and_wait(); }
  template <class T>
  static T exchange(T value, int distance) {
    PlayedWarp& warp = g_self.memory->warps[g_self.thread / 32];
    const int lane = g_self.thread % 32;
    std::memcpy(&warp.values[lane], &value, sizeof value);
    warp.all.arrive_and_wait();
    T other;
    std::memcpy(&other, &warp.values[lane ^ distance], sizeof other);
    warp.all.arrive_and_wait();
    return other;
  }
  static void fence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
  static std::uint64_t load(const std::uint64_t* word) {
    return __atomic_load_n(word, __ATOMIC_RELAXED);
  }
  static void store(std::uint64_t* word, std::uint64_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
  }
  static std::uint64_t count(std::uint64_t* word) {
    return __atomic_fetch_add(word, 1, __ATOMIC_RELAXED);
  }
  static std::uint64_t ticks() {
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  }
  static void pause() { std::this_thread::yield(); }
};

using Crew = kernels::detail::DeviceCrew<PlayedApi>;

/// The board of a device, in the host's memory.
class PlayedBoard {
 public:
  explicit PlayedBoard(int capacity) : m_capacity(capacity), m_words(CrewWords::length(capacity)) {}
  CrewWords words() {
    std::uint64_t* const end =
        m_words.data() + std::size_t{2} * CrewWords::words_per_worker * m_capacity;
    return {m_words.data(), end, end + 1, end + 2, m_capacity};
  }

 private:
  int m_capacity;
  std::vector<std::uint64_t> m_words;
};

template <class Work>
void play(PlayedBoard& board, int blocks, int threads, std::size_t scratch_bytes, const Work& work,
          Crew::Limits limits = {0, 20'000'000'000}) {
  const kernels::detail::RunOnDevice<PlayedApi, Work> run{
      work, board.words(), {limits.ticks, limits.meeting_ticks}};
  std::deque<PlayedBlock> memory;
  std::vector<std::thread> all;
  for (int b = 0; b < blocks; ++b)
    memory.emplace_back(threads, Crew::own_bytes + scratch_bytes);
  for (int b = 0; b < blocks; ++b) {
    for (int t = 0; t < threads; ++t) {
      all.emplace_back([&, b, t] {
        g_self = {t, threads, b, blocks, &memory[b]};
        run();
      });
    }
  }
  for (auto& thread : all)
    thread.join();
}

/// Sums and barriers in turn; every thread notes where it saw something else than expected.
struct Sums {
  int rounds;
  std::vector<int>* values;
  std::atomic<int>* mistakes;

  void operator()(Crew& crew) const {
    const int n = static_cast<int>(values->size());
    for (int round = 1; round <= rounds; ++round) {
      crew.for_each(n, [&](std::int64_t i) { (*values)[i] = round + static_cast<int>(i); });
      crew.barrier();
      double sums[2];
      crew.sum<2>(sums, [&](int, double* part) {
        crew.for_each(n, [&](std::int64_t i) {
          part[0] += (*values)[(i + 7) % n];
          part[1] += 1;
        });
      });
      if (sums[0] != 1.0 * round * n + 0.5 * n * (n - 1) || sums[1] != n) ++*mistakes;
    }
    if (crew.has_failed()) ++*mistakes;
  }
};

TEST(DeviceCrewTest, BlocksMeet) {
  PlayedBoard board(8);
  std::vector<int> values(501);
  for (const auto& [blocks, threads] : {std::pair{1, 32}, {1, 96}, {2, 32}, {3, 64}, {5, 32}}) {
    std::atomic<int> mistakes = 0;
    for (int launch = 0; launch < 2; ++launch)
      play(board, blocks, threads, 0, Sums{7, &values, &mistakes});
    EXPECT_EQ(mistakes, 0) << blocks << " of " << threads;
  }
}

TEST(DeviceCrewTest, MoreBlocksThanThreadsOfABlock) {
  PlayedBoard board(40);
  std::vector<int> values(100);
  std::atomic<int> mistakes = 0;
  play(board, 35, 32, 0, Sums{2, &values, &mistakes});
  EXPECT_EQ(mistakes, 0);
}

TEST(DeviceCrewTest, MeetingsAreNumberedAnewBeforeNumbersComeAgain) {
  PlayedBoard board(4);
  std::vector<int> values(50);
  std::atomic<int> mistakes = 0;
  *board.words().meetings = (1u << 30) - 5;
  play(board, 3, 32, 0, Sums{4, &values, &mistakes});
  EXPECT_EQ(mistakes, 0);
  EXPECT_EQ(*board.words().meetings, 0);
  EXPECT_EQ(*board.words().left, 0);
  play(board, 4, 32, 0, Sums{4, &values, &mistakes});
  EXPECT_EQ(mistakes, 0);
  EXPECT_EQ(*board.words().meetings, 8);
}

/// One block never comes.
struct Desert {
  std::atomic<int>* failed;

  void operator()(Crew& crew) const {
    bool here = true;
    crew.for_each_share([&](int share) { here = share != 1; });
    if (!here) return;
    crew.barrier();
    double sums[1] = {0};
    crew.sum<1>(sums, [](int, double*) {});
    if (crew.has_failed()) ++*failed;
  }
};

TEST(DeviceCrewTest, NobodyWaitsForEver) {
  PlayedBoard board(4);
  std::atomic<int> failed = 0;
  play(board, 3, 32, 0, Desert{&failed}, {0, 20'000'000});
  EXPECT_EQ(failed, 2 * 32);
  EXPECT_NE(*board.words().given_up, 0);
}

/// A solve by a played device; the outcome, x and the history.
template <class Method>
struct PlayedSolve {
  kernels::PersistentOutcome outcome{kernels::PersistentEnd::lost, 0, 0, 0, 0, 1};
  std::vector<double> x, history;

  PlayedSolve(const HostMatrix<double>& A, const std::vector<double>& b, bool jacobi, int blocks,
              int threads, int lanes_per_row, std::size_t scratch_bytes) {
    const auto n = static_cast<std::size_t>(A.num_rows);
    const std::vector<std::int32_t> offsets(A.offsets.begin(), A.offsets.end());
    std::vector<double> d(n, 0.0), vectors(n * Method::num_vectors), made(2001);
    for (std::size_t i = 0; i < n; ++i) {
      for (auto e = offsets[i]; e < offsets[i + 1]; ++e)
        if (A.columns[e] == static_cast<std::int32_t>(i)) d[i] = 1 / A.values[e];
    }
    x.assign(n, 0.25);
    history.resize(2001);
    kernels::PersistentLimits limits;
    limits.tolerance = 1e-9;
    const Method method{{{offsets.data(), A.columns.data(), A.values.data(), A.num_rows,
                          static_cast<std::int64_t>(A.values.size())},
                         b.data(),
                         x.data(),
                         jacobi ? d.data() : nullptr,
                         vectors.data(),
                         n,
                         made.data(),
                         history.data(),
                         &outcome,
                         limits,
                         lanes_per_row,
                         scratch_bytes}};
    PlayedBoard board(blocks);
    play(board, blocks, threads, scratch_bytes, kernels::detail::SolveWork<Method>{method});
    history.resize(outcome.iterations + 1);
  }
};

template <class Method>
void expect_solved(bool symmetric) {
  const auto A = symmetric ? poisson<double>(9, 8) : nonsymmetric_matrix<double>(70);
  const auto b = random_vector<double>(A.num_rows);
  const auto expected = dense_solve(A, b);
  struct Shape {
    int blocks, threads, lanes_per_row;
    std::size_t scratch_bytes;
  };
  // All in shared memory, some vectors, a part of the entries, nothing; one block and several.
  for (const Shape& shape :
       {Shape{1, 64, 1, 60000}, Shape{1, 32, 4, 2500}, Shape{1, 32, 1, 0}, Shape{2, 32, 1, 30000},
        Shape{3, 32, 2, 2200}, Shape{3, 32, 8, 900}, Shape{2, 64, 32, 0}}) {
    const bool jacobi = shape.blocks != 2;
    const PlayedSolve<Method> solved(A, b, jacobi, shape.blocks, shape.threads, shape.lanes_per_row,
                                     shape.scratch_bytes);
    SCOPED_TRACE(std::to_string(shape.blocks) + " blocks, " + std::to_string(shape.scratch_bytes) +
                 " bytes");
    EXPECT_EQ(solved.outcome.end, kernels::PersistentEnd::converged);
    EXPECT_LE(solved.history.back(), 1e-9);
    EXPECT_GT(solved.outcome.iterations, 5);
    EXPECT_LT(solved.outcome.iterations, 60);
    expect_near(solved.x, expected, 1e-7);
  }
}

TEST(DeviceCrewTest, SolvesByCg) {
  expect_solved<kernels::detail::CgMethod<double, std::int32_t>>(true);
}
TEST(DeviceCrewTest, SolvesByBicgstab) {
  expect_solved<kernels::detail::BicgstabMethod<double, std::int32_t>>(false);
}

}  // namespace

#endif
