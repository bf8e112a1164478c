// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How a cooperative group is launched on a device: what the runtime is told and asked, and how
/// often, and what comes of a refusal. Runtime and device are emulated by the host.
#include "tessera/kernels/execution/instantiate.hpp"

// To nvcc these functions of the host are called from ones of the device too.
#if !defined(__CUDACC__) && !defined(__HIPCC__)

#include "kernels_persistent/emulated_device.hpp"
#include "support/error_of.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;

/// A runtime whose calls are counted.
struct EmulatedRuntime {
  enum Result { success, too_large };
  static const char* message(Result) { return "too many blocks in cooperative launch"; }
  static void forget_error() { ++s_forgotten; }
  static int device_of(const HostSpace&) { return s_device; }
  static Result current_device(int* device) {
    *device = s_current;
    return success;
  }
  static Result set_device(int device) {
    s_current = device;
    ++s_changes;
    return success;
  }

  inline static int s_device = 0;  ///< that the instance is of
  inline static int s_current = 0;
  inline static int s_changes = 0;
  inline static int s_forgotten = 0;
};

struct LaunchingApi : EmulatedApi {
  using Runtime = EmulatedRuntime;
  using Space = HostSpace;
  using Kernel = void (*)(const void*);

  template <class Run>
  static const void* kernel() {
    static const Kernel kernel = [](const void* run) { (*static_cast<const Run*>(run))(); };
    return &kernel;
  }
  static Runtime::Result prepare(const Space&, const void*) {
    ++s_prepared;
    return Runtime::success;
  }
  static double ticks_per_second(const Space&) {
    ++s_asked;
    return 1e9;
  }
  static Runtime::Result launch(const Space&, const void* kernel, const void* run, int blocks,
                                int threads, std::size_t shared_bytes, bool) {
    if (blocks > s_blocks_at_once) return Runtime::too_large;
    run_blocks(blocks, threads, shared_bytes, [&] { (*static_cast<const Kernel*>(kernel))(run); });
    return Runtime::success;
  }

  inline static int s_prepared = 0;
  inline static int s_asked = 0;
  inline static int s_blocks_at_once = 4;
};

template <int times>
struct CountLanes {
  std::atomic<int>* lanes;

  template <class Group>
  void operator()(Group& group) const {
    group.barrier();
    *lanes += times;
  }
};
using Count = CountLanes<1>;
using CountTwice = CountLanes<2>;

class LaunchedGroup : public ::testing::Test {
 public:
  LaunchedGroup() {
    EmulatedRuntime::s_device = EmulatedRuntime::s_current = 0;
    EmulatedRuntime::s_changes = EmulatedRuntime::s_forgotten = 0;
    LaunchingApi::s_prepared = LaunchingApi::s_asked = 0;
  }

  HostSpace exec;
  EmulatedBarrierState board{8};
  kernels::PlannedLaunches<double> launches;
  std::atomic<int> lanes = 0;

  template <class Work>
  void launch(int blocks) {
    kernels::detail::launch_cooperative<LaunchingApi>(exec, "tessera::test::group", board.words(),
                                                      launches, {blocks, 32}, Work{&lanes}, 0);
  }
};

TEST_F(LaunchedGroup, TellsAndAsksTheRuntimeOnceForEachKernelAndDevice) {
  for (int i = 0; i < 3; ++i) {
    launch<Count>(2);
    launch<CountTwice>(1);
  }
  EXPECT_EQ(lanes, 3 * (2 * 32 + 2 * 32));
  EXPECT_EQ(LaunchingApi::s_prepared, 2);
  EXPECT_EQ(LaunchingApi::s_asked, 2);
  EXPECT_EQ(EmulatedRuntime::s_changes, 0);
  // Attributes of kernels are a device's.
  EmulatedRuntime::s_device = 1;
  for (int i = 0; i < 3; ++i)
    launch<Count>(3);
  EXPECT_EQ(LaunchingApi::s_prepared, 3);
  EXPECT_EQ(EmulatedRuntime::s_changes, 1);
  // The first one is known still, and is made the current one again.
  EmulatedRuntime::s_device = 0;
  launch<Count>(1);
  EXPECT_EQ(LaunchingApi::s_prepared, 3);
  EXPECT_EQ(EmulatedRuntime::s_changes, 2);
}

TEST_F(LaunchedGroup, ARefusalIsAnErrorOfTheDeviceAndLeavesTheBoardAsItWas) {
  launch<Count>(4);
  expect_error(error_of([&] { launch<Count>(5); }), ErrorKind::device,
               {"tessera::test::group", "too many blocks in cooperative launch"});
  EXPECT_EQ(EmulatedRuntime::s_forgotten, 1) << "whoever asks next has not caused it";
  EXPECT_EQ(lanes, 4 * 32);
  launch<Count>(4);
  EXPECT_EQ(lanes, 8 * 32);
  EXPECT_EQ(*board.words().given_up, 0);
}

TEST(PlannedLaunches, AreKnownByKernelDeviceAndSharedMemory) {
  const int places[2] = {};
  const kernels::PlannedLaunches<int> launches;
  const kernels::PlannedLaunches<int> copy = launches;
  const kernels::LaunchKey all[] = {
      {&places[0], 0, 100}, {&places[1], 0, 100}, {&places[0], 1, 100}, {&places[0], 0, 200}};
  int blocks = 0;
  for (const auto& key : all) {
    EXPECT_EQ(launches.find(key), nullptr);
    launches.add(key, ++blocks);
  }
  blocks = 0;
  for (const auto& key : all) {
    ASSERT_NE(copy.find(key), nullptr);
    EXPECT_EQ(*copy.find(key), ++blocks);
  }
}

TEST(PlannedLaunches, ServeThreadsThatFindTheSameAtOnce) {
  constexpr int num_keys = 50;
  const int places[num_keys] = {};
  const kernels::PlannedLaunches<int> launches;
  std::atomic<int> mistakes = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        for (int k = 0; k < num_keys; ++k) {
          const kernels::LaunchKey key{&places[k], 0, 0};
          const int* const known = launches.find(key);
          if (known == nullptr) {
            launches.add(key, 7 * k);
          } else if (*known != 7 * k) {
            ++mistakes;
          }
          if (launches.find(key) == nullptr) ++mistakes;
        }
      }
    });
  }
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(mistakes, 0);
}

}  // namespace

#endif
