// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A cooperative group: workers that run one function together, in one launch, and synchronize
/// within it.
///
/// Small systems pay for launches, not for work: on an H200 a launch is 3 to 6 us, and an iteration
/// of CG has several. A cooperative group's launch holds the whole loop instead, and where its
/// workers have to wait for one another, they synchronize within the launch (Yang et al.,
/// Mille-feuille, SC'24, III.C). On CUDA and HIP workers are the blocks of a cooperative launch,
/// which starts only where all of them run at once, or up to 16 blocks of one cluster, which Hopper
/// and newer place close together; on Serial and OpenMP they are the threads of one team.
///
/// The work is cut into *shares*, one for each block of a device; a host's threads take several
/// each. Sums are added up in the order of shares and, within one, of lanes: the same shape of
/// group gives the same bits, on a host on any number of threads.
///
/// Work is a class with
/// @code
/// template <class Group>
/// KOKKOS_FUNCTION void operator()(Group& group) const;
/// @endcode
/// which all lanes of all workers run. It may have `static constexpr int max_lanes`, 1024 where it
/// has not: fewer lanes have more registers each. `Group` has
///
/// - `num_shares()`, `num_lanes()`, `lane()`: lanes are the threads of a block, 1 on a host
/// - `one_share_per_worker`: a constant, true on a device
/// - `is_first()`: true for one lane of one worker
/// - `for_each_share(f)`: `f(share)` for this worker's shares
/// - `for_each(n, f)`: `f(i)` for the i < n of this lane, over the group each one once
/// - `barrier()`: what any lane wrote before it, every lane reads after it
/// - `synchronize_neighbours(step, range_of)`: the same among fewer. What the shares of
/// `range_of(share)`,
///   a `ShareRange`, wrote before they came to that step or a later one, the share's lanes read
///   after it, and what those read before, they may write to. All workers call it, with steps that
///   rise since the last barrier of all, which there has been in the launch
/// - `sum<N>(sums, f)`: `f(share, sums)` adds this lane's part of the shares to N doubles; then a
///   barrier; `sums` is the total, the same everywhere
/// - `synchronize_lanes()`: a barrier of the worker's lanes alone
/// - on a device, `synchronize_first(lanes)`: a barrier of so many first lanes of the worker, a
///   multiple of 32 that `lanes_that_synchronize(wanted)` has given, by them alone
/// - `sum_of_lanes(value, lanes)`: over 1, 2, … or 32 neighbouring lanes; all lanes of the worker
///   call it
/// - on a device, `any_of_warp(flag)`: whether it holds for one of the 32 lanes of a warp, which
///   all call it. On HIP two of these are one wavefront: for a lane of either, where both call it
///   together
/// - on a device, `timed_out(wait)`: at each look at what another worker is to write, with a
///   `Wait` of the lane's own
/// - `scratch()`: `CooperativeShape::scratch_bytes` of shared memory of a worker; null on a host
/// - `time_is_up()`: whether the launch has run for longer than its limit, as of the last barrier;
///   the same everywhere
/// - `has_failed()`: whether workers did not come to a barrier in ten seconds: then barriers return
///   at once, and the work has to end
///
/// `barrier`, `synchronize_neighbours`, `sum` and the two of lanes are called by all lanes, the
/// same calls in the same order: conditions around them are on what is the same everywhere, such as
/// a sum. Memory that others write within the launch is read through plain pointers, never as
/// `RandomAccess` or by `__ldg`.
#pragma once

#include "tessera/kernels/execution/barrier_state.hpp"
#include "tessera/kernels/execution/detail/device_group.hpp"
#include "tessera/kernels/execution/detail/host_group.hpp"
#include "tessera/kernels/execution/device_call.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/launch_graph.hpp"
#include "tessera/kernels/execution/planned_launches.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include "tessera/kernels/execution/cuda/cooperative_api.hpp"
#endif
#if defined(KOKKOS_ENABLE_HIP)
#include "tessera/kernels/execution/hip/cooperative_api.hpp"
#endif

#include <algorithm>
#include <string>

namespace tessera::kernels {

namespace detail {

/// How long a worker waits for the others. A device may be lent to other programs meanwhile.
inline constexpr double barrier_timeout_s = 10;

template <class Space>
struct CooperativeApiOf {
  using Type = void;
};
#if defined(KOKKOS_ENABLE_CUDA)
template <>
struct CooperativeApiOf<Kokkos::Cuda> {
  using Type = cuda::CooperativeApi;
};
#endif
#if defined(KOKKOS_ENABLE_HIP)
template <>
struct CooperativeApiOf<Kokkos::HIP> {
  using Type = hip::CooperativeApi;
};
#endif

template <class Space>
using CooperativeApi = typename CooperativeApiOf<Space>::Type;

/// `Work::max_lanes`, or what any device can have.
template <class Work>
constexpr int max_group_lanes() {
  if constexpr (requires { Work::max_lanes; }) {
    return Work::max_lanes;
  } else {
    return 1024;
  }
}

/// What a thread of a device runs.
template <class Api, class Work>
struct RunOnDevice {
  static constexpr int max_lanes = max_group_lanes<Work>();
  Work work;
  BarrierWords board;
  typename DeviceGroup<Api>::Limits limits;

  /// Inlined, so that the work is read from where kernels have their arguments, and not copied.
  KOKKOS_FORCEINLINE_FUNCTION void operator()() const {
    DeviceGroup<Api> group(board, limits);
    work(group);
    group.leave();
  }
};

/// What a thread of a host runs.
template <class Space, class Work>
struct RunOnHost {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  Work work;
  HostBarrierState board;
  int shares;
  double time_limit_s;

  void operator()(const Member& member) const {
    HostGroup<Member> group(member, board, shares, time_limit_s);
    work(group);
  }
};

/// Shows a launch that Kokkos has not made to its tools.
template <class Space>
class ShownLaunch {
 public:
  ShownLaunch(const Space& exec, const std::string& label) {
    Kokkos::Tools::beginParallelFor(label, Kokkos::Tools::Experimental::device_id(exec), &m_id);
  }
  ~ShownLaunch() { Kokkos::Tools::endParallelFor(m_id); }
  ShownLaunch(const ShownLaunch&) = delete;
  ShownLaunch& operator=(const ShownLaunch&) = delete;

 private:
  std::uint64_t m_id = 0;
};

/// Makes `kernel` ready to be launched on the device of `exec`, unless `launches` says that it is;
/// returns how many ticks a second has.
template <class Api>
double prepare_cooperative(const typename Api::Space& exec, const std::string& label,
                           const PlannedLaunches<double>& launches, const void* kernel) {
  using Runtime = typename Api::Runtime;
  const LaunchKey key{kernel, Runtime::device_of(exec)};
  if (const double* const known = launches.find(key)) return *known;
  check_call<Runtime>(Api::prepare(exec, kernel), label.c_str());
  const double ticks_per_second = Api::ticks_per_second(exec);
  launches.add(key, ticks_per_second);
  return ticks_per_second;
}

/// `run_cooperative` on a device.
template <class Api, class Work>
void launch_cooperative(const typename Api::Space& exec, const std::string& label,
                        BarrierWords words, const PlannedLaunches<double>& launches,
                        const CooperativeShape& shape, const Work& work, double time_limit_s) {
  using Runtime = typename Api::Runtime;
  using Run = RunOnDevice<Api, Work>;
  // A launch goes to the current device, which may be another one by now.
  use_device<Runtime>(Runtime::device_of(exec));
  const void* const kernel = Api::template kernel<Run>();
  const double rate = prepare_cooperative<Api>(exec, label, launches, kernel);
  words.in_cluster = shape.in_cluster && shape.shares > 1;
  const Run run{work,
                words,
                {static_cast<std::uint64_t>(time_limit_s * rate),
                 static_cast<std::uint64_t>(barrier_timeout_s * rate)}};
  const ShownLaunch<typename Api::Space> shown(exec, label);
  check_call<Runtime>(
      Api::launch(exec, kernel, &run, shape.shares, shape.lanes,
                  DeviceGroup<Api>::own_bytes + shape.scratch_bytes, words.in_cluster),
      label.c_str());
}

inline void check_shape(const CooperativeShape& shape, int capacity, int max_lanes) {
  require(shape.shares >= 1 && shape.shares <= capacity, [&] {
    return "the group has " + std::to_string(shape.shares) + " shares, expected 1 to " +
           std::to_string(capacity) + ", for which its board was made";
  });
  require(shape.lanes >= 32 && shape.lanes <= max_lanes && shape.lanes % 32 == 0, [&] {
    return "the group's workers have " + std::to_string(shape.lanes) +
           " lanes, expected a multiple of 32 up to " + std::to_string(max_lanes);
  });
}

}  // namespace detail

/// The most shares that a cooperative group of workers of `lanes` lanes with `scratch_bytes` can
/// have, of which a device can prove that all run at once; 0 where there can be none. On a host,
/// `max_group_shares`.
template <class Work, class Space>
int max_resident_shares([[maybe_unused]] const Space& exec, [[maybe_unused]] int lanes,
                        [[maybe_unused]] std::size_t scratch_bytes) {
  if constexpr (is_host_space<Space>) {
    return max_group_shares;
  } else {
    using Api = detail::CooperativeApi<Space>;
    using Runtime = typename Api::Runtime;
    using Group = detail::DeviceGroup<Api>;
    const std::size_t bytes = Group::own_bytes + scratch_bytes;
    if (bytes > Api::max_shared_bytes(exec)) return 0;
    detail::use_device<Runtime>(Runtime::device_of(exec));
    int blocks = 0;
    detail::check_call<Runtime>(
        Api::template max_blocks<detail::RunOnDevice<Api, Work>>(exec, lanes, bytes, &blocks),
        "asking for the number of blocks that run at once");
    return std::min(blocks, max_group_shares);
  }
}

/// The most shares of a cooperative group whose workers are one cluster of a device; 0 where there
/// are no clusters, and on a host.
template <class Work, class Space>
int max_cluster_shares([[maybe_unused]] const Space& exec, [[maybe_unused]] int lanes,
                       [[maybe_unused]] std::size_t scratch_bytes) {
  if constexpr (!is_host_space<Space>) {
    using Api = detail::CooperativeApi<Space>;
    if constexpr (Api::has_clusters) {
      using Runtime = typename Api::Runtime;
      const std::size_t bytes = detail::DeviceGroup<Api>::own_bytes + scratch_bytes;
      if (bytes > Api::max_shared_bytes(exec)) return 0;
      detail::use_device<Runtime>(Runtime::device_of(exec));
      int blocks = 0;
      detail::check_call<Runtime>(Api::template blocks_of_cluster<detail::RunOnDevice<Api, Work>>(
                                      exec, lanes, bytes, &blocks),
                                  "asking for the number of blocks of a cluster");
      return blocks;
    }
  }
  return 0;
}

/// The most bytes of scratch that a worker can have; 0 on a host.
template <class Space>
std::size_t max_group_scratch([[maybe_unused]] const Space& exec) {
  if constexpr (is_host_space<Space>) {
    return 0;
  } else {
    using Api = detail::CooperativeApi<Space>;
    const std::size_t all = Api::max_shared_bytes(exec);
    const std::size_t own = detail::DeviceGroup<Api>::own_bytes;
    return all > own ? all - own : 0;
  }
}

/// Runs `work` by a cooperative group, queued on `exec` under `label`; nothing waits. On a device
/// `shape` has no more shares than `max_resident_shares<Work>`, or `max_cluster_shares<Work>` where
/// they are to be a cluster. `time_limit_s`: for `time_is_up()`; 0: none.
/// @throws Error of kind `device` where a device does not start it.
template <class Space, class Work>
void run_cooperative(const Space& exec, const std::string& label, const BarrierState<Space>& board,
                     const CooperativeShape& shape, const Work& work, double time_limit_s = 0) {
  detail::check_shape(shape, board.capacity(), detail::max_group_lanes<Work>());
  if constexpr (is_host_space<Space>) {
    using Run = detail::RunOnHost<Space, Work>;
    const Run run{work, board.on_host(), shape.shares, time_limit_s};
    // One team, whose threads OpenMP runs at once; Kokkos says of how many it consists.
    Kokkos::TeamPolicy<Space> one(exec, 1, 1);
    const int threads = std::min(
        {exec.concurrency(), shape.shares, one.team_size_max(run, Kokkos::ParallelForTag())});
    Kokkos::parallel_for(label, Kokkos::TeamPolicy<Space>(exec, 1, std::max(1, threads)), run);
  } else {
    detail::launch_cooperative<detail::CooperativeApi<Space>>(
        exec, label, board.words(), board.launches(), shape, work, time_limit_s);
  }
}

}  // namespace tessera::kernels
