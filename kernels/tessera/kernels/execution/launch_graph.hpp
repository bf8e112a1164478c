// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Work for a device that is recorded once and then run by one launch: a graph of CUDA or HIP.
///
/// A launch costs the host a few microseconds, and small kernels run for less. A graph of many of
/// them is launched at the price of one, and the device goes from one to the next without the host.
///
/// A recording holds what was queued, with the addresses and numbers of that call: what the host
/// does in between it does once. So nothing in it may wait, allocate, or copy from or to the host's
/// memory. A device's runtime refuses most of that while it records, and `LaunchGraph::record` the
/// rest. It also refuses functors of 512 bytes and more, which Kokkos passes through constant
/// memory and the host: as_argument.hpp makes them arguments.
#pragma once

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/types.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include "tessera/kernels/execution/cuda/graph_api.hpp"
#endif
#if defined(KOKKOS_ENABLE_HIP)
#include "tessera/kernels/execution/hip/graph_api.hpp"
#endif

#include <functional>
#include <string>
#include <type_traits>

namespace tessera::kernels {
namespace detail {

template <class Space>
struct GraphApiOf {
  using Type = void;
};
#if defined(KOKKOS_ENABLE_CUDA)
template <>
struct GraphApiOf<Kokkos::Cuda> {
  using Type = cuda::GraphApi;
};
#endif
#if defined(KOKKOS_ENABLE_HIP)
template <>
struct GraphApiOf<Kokkos::HIP> {
  using Type = hip::GraphApi;
};
#endif

template <class Space>
using GraphApi = typename GraphApiOf<Space>::Type;

}  // namespace detail

/// Whether work on `Space` can be recorded. Only then are the classes below complete.
template <class Space>
inline constexpr bool has_launch_graphs = !std::is_void_v<detail::GraphApi<Space>>;

/// What a recording may hold beside kernels, and fills and copies of the device's memory.
enum class AlsoRecorded {
  nothing,
  /// What libraries of messages record: events of theirs that a replay waits for or records, and
  /// calls of theirs on the host, which feed a network.
  messages
};

/// Work that is queued on the instance it is given.
template <class Space>
using InstanceWork = std::function<void(const Space&)>;

/// Where work is recorded: a stream of its own, and an instance on it. The stream does not
/// synchronise with the default stream, so that other threads may use that one during a recording.
///
/// The kernels of a graph use the instance's memory for reductions and teams. It outlives its
/// graphs therefore, and they run one after the other.
template <class Space>
class RecordingStream {
 public:
  using Api = detail::GraphApi<Space>;

  /// On the device of `exec`. Allocates; waits for nothing.
  explicit RecordingStream(const Space& exec);
  RecordingStream(const RecordingStream&) = delete;
  RecordingStream& operator=(const RecordingStream&) = delete;

  const Space& instance() const { return m_instance; }
  bool is_on_device_of(const Space& exec) const { return m_device == Api::device_of(exec); }

  /// Runs work(instance()) behind what is queued on `exec`, and before what will be.
  void run_within(const Space& exec, const InstanceWork<Space>& work) const;

 private:
  typename Api::Stream make_stream() const;
  /// What will be queued on `later` runs behind what is queued on `earlier`.
  void put_in_order(typename Api::StreamId earlier, typename Api::StreamId later) const;

  int m_device;
  typename Api::Stream m_stream;
  typename Api::Event m_event;
  Space m_instance;  ///< goes before the stream
};

/// A recording, ready to be launched; or none, and why.
template <class Space>
class LaunchGraph {
 public:
  using Api = detail::GraphApi<Space>;

  /// None.
  LaunchGraph() = default;

  /// Records what work(stream.instance()) queues; nothing of it runs. Where something in it cannot
  /// be recorded, or it throws, there is no graph and `failure()` says why; all else is as before.
  ///
  /// Run the same work on the instance once before: a first use may allocate, or load a kernel.
  static LaunchGraph record(const RecordingStream<Space>& stream, const InstanceWork<Space>& work,
                            AlsoRecorded also = AlsoRecorded::nothing);

  bool is_ready() const { return static_cast<bool>(m_executable); }
  const std::string& failure() const { return m_failure; }

  /// Runs the recorded work as part of what is queued on `exec`, any instance of the same device.
  /// Launches of one graph run one after the other, on whichever instances.
  /// @throws Error of kind `device` where the device's runtime refuses.
  void launch(const Space& exec) const;

 private:
  typename Api::Executable m_executable;
  std::string m_failure;
};

/// Whether what is queued on `exec` is being recorded, by whomever, instead of run.
template <class Space>
bool is_recording(const Space& exec);

}  // namespace tessera::kernels
