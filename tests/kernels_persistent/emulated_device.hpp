// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A device emulated by threads of the host: blocks, warps and shared memory, so that a cooperative
/// group's protocol and what only a device's path does are tested where there is no device. Not for
/// nvcc and hipcc, to which these functions of the host are called from ones of the device too.
#pragma once

#include "solver/solver_fixture.hpp"
#include "support/inverse_diagonal.hpp"

#include "tessera/kernels/execution/cooperative_group.hpp"
#include "tessera/kernels/persistent/detail/run_solve.hpp"

#include <barrier>
#include <chrono>
#include <cstring>
#include <deque>
#include <thread>

namespace tessera::test {

using kernels::detail::BarrierWords;

/// Lanes that exchange values.
struct EmulatedWarp {
  explicit EmulatedWarp(int lanes) : all(lanes) {}
  std::barrier<> all;
  std::uint64_t values[32] = {};
};

struct EmulatedBlock {
  /// Where some of the threads synchronize.
  std::atomic<int> arrived = 0;
  std::atomic<unsigned> barriers = 0;

  EmulatedBlock(int threads, std::size_t bytes) : all(threads), memory(bytes / 16 + 1) {
    for (int t = 0; t < threads; t += 32)
      warps.emplace_back(32);
  }
  std::barrier<> all;
  std::deque<EmulatedWarp> warps;
  struct alignas(16) Granule {
    std::byte bytes[16];
  };
  std::vector<Granule> memory;
};

struct EmulatedThread {
  int thread = 0, threads = 0, block = 0, blocks = 0;
  EmulatedBlock* memory = nullptr;
  std::deque<EmulatedBlock>* all_memory = nullptr;
  std::barrier<>* cluster = nullptr;
};
inline thread_local EmulatedThread g_self;
/// A block that comes late to each barrier of its threads; -1 for none.
inline std::atomic<int> g_slow_block = -1;

struct EmulatedApi {
  static int thread() { return g_self.thread; }
  static int num_threads() { return g_self.threads; }
  static int block() { return g_self.block; }
  static int num_blocks() { return g_self.blocks; }
  static std::byte* shared_memory() { return g_self.memory->memory.data()->bytes; }
  static void synchronize() {
    if (block() == g_slow_block && thread() == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    g_self.memory->all.arrive_and_wait();
  }
  static constexpr bool synchronizes_in_part = true;
  static void synchronize_first(int count) {
    EmulatedBlock& block = *g_self.memory;
    const unsigned barrier_number = block.barriers;
    if (++block.arrived == count) {
      block.arrived = 0;
      ++block.barriers;
    } else {
      while (block.barriers == barrier_number)
        std::this_thread::yield();
    }
  }
  static constexpr bool has_clusters = true;
  static void synchronize_cluster() { g_self.cluster->arrive_and_wait(); }
  template <class T>
  static const T* of_block(const T* own, int block) {
    const auto place = reinterpret_cast<const std::byte*>(own) - shared_memory();
    return reinterpret_cast<const T*>((*g_self.all_memory)[block].memory.data()->bytes + place);
  }
  static bool any(bool flag) {
    int value = flag ? 1 : 0;
    for (int distance = 16; distance > 0; distance /= 2)
      value |= exchange(value, distance);
    return value != 0;
  }
  template <class T>
  static T exchange(T value, int distance) {
    EmulatedWarp& warp = g_self.memory->warps[g_self.thread / 32];
    const int lane = g_self.thread % 32;
    std::memcpy(&warp.values[lane], &value, sizeof value);
    warp.all.arrive_and_wait();
    T other;
    std::memcpy(&other, &warp.values[lane ^ distance], sizeof other);
    warp.all.arrive_and_wait();
    return other;
  }
  static void fence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
  // Fences order, as on a device. ThreadSanitizer does not know these.
#if defined(__SANITIZE_THREAD__)
  static constexpr int acquired = __ATOMIC_ACQUIRE, released = __ATOMIC_RELEASE,
                       both = __ATOMIC_ACQ_REL;
#else
  static constexpr int acquired = __ATOMIC_RELAXED, released = acquired, both = acquired;
#endif
  static std::uint64_t load(const std::uint64_t* word) { return __atomic_load_n(word, acquired); }
  static void store(std::uint64_t* word, std::uint64_t value) {
    __atomic_store_n(word, value, released);
  }
  static std::uint64_t count(std::uint64_t* word) { return __atomic_fetch_add(word, 1, both); }
  static std::uint64_t ticks() {
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  }
  static void pause() { std::this_thread::yield(); }
};

using EmulatedGroup = kernels::detail::DeviceGroup<EmulatedApi>;

/// The board of a device, in the host's memory.
class EmulatedBarrierState {
 public:
  explicit EmulatedBarrierState(int capacity)
      : m_capacity(capacity), m_words(BarrierWords::length(capacity)) {}
  BarrierWords words() { return BarrierWords::in(m_words.data(), m_capacity); }

 private:
  int m_capacity;
  std::vector<std::uint64_t> m_words;
};

/// Runs `run` by each thread of so many blocks, each with so many bytes of shared memory.
template <class Run>
void run_blocks(int blocks, int threads, std::size_t bytes, const Run& run) {
  std::barrier<> cluster(blocks * threads);
  std::deque<EmulatedBlock> memory;
  std::vector<std::thread> all;
  for (int b = 0; b < blocks; ++b)
    memory.emplace_back(threads, bytes);
  for (int b = 0; b < blocks; ++b) {
    for (int t = 0; t < threads; ++t) {
      all.emplace_back([&, b, t] {
        g_self = {t, threads, b, blocks, &memory[b], &memory, &cluster};
        run();
      });
    }
  }
  for (auto& thread : all)
    thread.join();
}

template <class Work>
void emulate(EmulatedBarrierState& board, int blocks, int threads, std::size_t scratch_bytes,
             const Work& work, EmulatedGroup::Limits limits = {0, 20'000'000'000},
             bool in_cluster = false) {
  BarrierWords words = board.words();
  words.in_cluster = in_cluster;
  const kernels::detail::RunOnDevice<EmulatedApi, Work> run{
      work, words, {limits.ticks, limits.timeout_ticks}};
  run_blocks(blocks, threads, EmulatedGroup::own_bytes + scratch_bytes, run);
}

/// How a test has a device solve.
struct Shape {
  int blocks, threads, lanes_per_row;
  std::size_t scratch_bytes;
};
inline std::string name_of(const Shape& shape) {
  return std::to_string(shape.blocks) + " blocks, " + std::to_string(shape.scratch_bytes) +
         " bytes";
}

/// Two full rows and columns, symmetric; entries that no fewer bits hold.
inline HostMatrix<double> arrow(std::int32_t n) {
  const auto is_full = [n](std::int32_t i) { return i == n / 3 || i == n / 2; };
  return with_long_rows<double>(n, is_full, [&](std::int32_t i, std::int32_t j) {
    return i != j ? 0.7 / n : is_full(i) ? 3.0 : 2.0;
  });
}

/// A solve by a cooperative group that `run(work)` makes; the outcome, x and the history.
template <class Method>
struct SolveByGroup {
  kernels::PersistentOutcome outcome{kernels::PersistentEnd::barrier_timeout, 0, 0, 0, 0, 1, 1};
  std::vector<double> x, history;

  /// `make(d)`: M, of the inverse diagonal.
  template <class Make, class Run>
  SolveByGroup(const HostMatrix<double>& A, const std::vector<double>& b, const Make& make,
               int lanes_per_row, std::size_t scratch_bytes, const Run& run,
               int register_entries = Method::held_limit, bool has_window = true) {
    const auto n = static_cast<std::size_t>(A.num_rows);
    const std::vector<std::int32_t> offsets(A.offsets.begin(), A.offsets.end());
    const std::vector<double> d = inverse_diagonal_of(A);
    std::vector<double> vectors(n * Method::num_vectors), made(2001);
    x.assign(n, 0.25);
    history.resize(2001);
    kernels::PersistentLimits limits;
    limits.tolerance = 1e-9;
    const auto M = make(d.data());
    const Method method{{{offsets.data(), A.columns.data(), A.values.data(), A.num_rows,
                          static_cast<std::int64_t>(A.values.size()), M.granule()},
                         b.data(),
                         x.data(),
                         vectors.data(),
                         n,
                         made.data(),
                         history.data(),
                         &outcome,
                         limits,
                         lanes_per_row,
                         scratch_bytes,
                         register_entries,
                         has_window},
                        M};
    run(kernels::detail::SolveWork<Method>{method});
    history.resize(outcome.iterations + 1);
  }
};

/// The same by an emulated device.
template <class Method>
struct EmulatedSolve : SolveByGroup<Method> {
  template <class Make>
  EmulatedSolve(const HostMatrix<double>& A, const std::vector<double>& b, const Make& make,
                const Shape& shape, int register_entries = Method::held_limit,
                bool has_window = true)
      : SolveByGroup<Method>(
            A, b, make, shape.lanes_per_row, shape.scratch_bytes,
            [&](const auto& work) {
              EmulatedBarrierState board(shape.blocks);
              emulate(board, shape.blocks, shape.threads, shape.scratch_bytes, work);
            },
            register_entries, has_window) {}
};

}  // namespace tessera::test
