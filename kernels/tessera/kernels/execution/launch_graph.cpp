// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of launch_graph.hpp, for the device that Tessera is instantiated for.
#include "tessera/kernels/execution/launch_graph.hpp"

#include "tessera/kernels/execution/device_call.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/recording_threads.hpp"

#include <algorithm>
#include <vector>

namespace tessera::kernels {
namespace {

using detail::check_call;
using detail::use_device;

template <class Space>
struct NoWork {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  KOKKOS_FUNCTION void operator()(const Member&) const {}
};

/// Gives `exec` a little team scratch. Without any, Kokkos's CUDA backend asks the runtime for 0
/// bytes of it at each launch of teams, and no memory may be asked for while a stream records.
template <class Space>
void reserve_team_scratch(const Space& exec) {
  constexpr int threads = 32;
  constexpr int bytes = 64;
  Kokkos::TeamPolicy<Space> policy(exec, 1, threads);
  policy.set_scratch_size(1, Kokkos::PerTeam(bytes));
  Kokkos::parallel_for("tessera::launch_graph::reserve_team_scratch", policy, NoWork<Space>{});
}

/// Records `work`; returns why it could not, or nothing.
///
/// Of the modes in which a runtime records, "thread local" is the one that refuses calls which the
/// recording would miss (allocations, waits), but in this thread alone. "Relaxed" lets them pass
/// and replays something else; "global" refuses them to every thread of the program.
template <class Space>
std::string record_into(typename detail::GraphApi<Space>::Graph& graph, const Space& instance,
                        const InstanceWork<Space>& work) {
  using Api = detail::GraphApi<Space>;
  const auto lock = lock_recording();
  if (!lock.owns_lock()) return "several threads set up or solve";
  const auto stream = Api::stream_of(instance);
  const auto begun = Api::begin_recording(stream);
  if (begun != Api::success) return Api::message(begun);
  std::string failure;
  try {
    work(instance);
  } catch (const std::exception& error) {
    failure = std::string("while it was recorded: ") + error.what();
  } catch (...) {
    failure = "while it was recorded: an exception";
  }
  // Ends the recording also where it is broken.
  const auto ended = Api::end_recording(stream, graph);
  if (failure.empty() && ended != Api::success) failure = Api::message(ended);
  return failure;
}

/// Copies from and to the host's memory were recorded with the address alone, and work of the host
/// with what it finds there later.
template <class Api>
bool is_of_device(const typename Api::Graph& graph, AlsoRecorded also) {
  std::size_t number = 0;
  if (Api::nodes_of(graph, nullptr, &number) != Api::success) return false;
  std::vector<typename Api::Node> nodes(number);
  if (number > 0 && Api::nodes_of(graph, nodes.data(), &number) != Api::success) return false;
  return std::all_of(nodes.begin(), nodes.end(), [&](typename Api::Node node) {
    return Api::is_of_device(node) || (also == AlsoRecorded::messages && Api::is_of_messages(node));
  });
}

}  // namespace

template <class Space>
RecordingStream<Space>::RecordingStream(const Space& exec)
    : m_device(Api::device_of(exec)), m_stream(make_stream()), m_instance(m_stream.get()) {
  check_call<Api>(Api::create_event(m_event), "making an event");
  // Kokkos clears an instance's memory on the default stream, for which this one does not wait.
  put_in_order(Api::default_stream(), m_stream.get());
  reserve_team_scratch(m_instance);
}

template <class Space>
typename RecordingStream<Space>::Api::Stream RecordingStream<Space>::make_stream() const {
  use_device<Api>(m_device);
  typename Api::Stream stream;
  check_call<Api>(Api::create_stream(stream), "making a stream");
  return stream;
}

template <class Space>
void RecordingStream<Space>::put_in_order(typename Api::StreamId earlier,
                                          typename Api::StreamId later) const {
  check_call<Api>(Api::record_event(m_event, earlier), "recording an event");
  check_call<Api>(Api::wait_for_event(later, m_event), "waiting for an event");
}

template <class Space>
void RecordingStream<Space>::run_within(const Space& exec, const InstanceWork<Space>& work) const {
  const auto outside = Api::stream_of(exec);
  use_device<Api>(m_device);
  put_in_order(outside, m_stream.get());
  try {
    work(m_instance);
  } catch (...) {
    // What it has queued until then still comes before what follows on `exec`.
    put_in_order(m_stream.get(), outside);
    throw;
  }
  put_in_order(m_stream.get(), outside);
}

template <class Space>
LaunchGraph<Space> LaunchGraph<Space>::record(const RecordingStream<Space>& stream,
                                              const InstanceWork<Space>& work, AlsoRecorded also) {
  LaunchGraph result;
  use_device<Api>(Api::device_of(stream.instance()));
  typename Api::Graph graph;
  result.m_failure = record_into<Space>(graph, stream.instance(), work);
  if (result.m_failure.empty() && !is_of_device<Api>(graph, also)) {
    result.m_failure = "it copies from or to the host's memory, or calls the host";
  }
  if (result.m_failure.empty()) {
    auto done = Api::instantiate(result.m_executable, graph);
    // Otherwise the first launch would do it.
    if (done == Api::success)
      done = Api::upload(result.m_executable, Api::stream_of(stream.instance()));
    if (done != Api::success) {
      result.m_executable = {};
      result.m_failure = Api::message(done);
    }
  }
  if (!result.m_failure.empty()) Api::forget_error();
  return result;
}

template <class Space>
void LaunchGraph<Space>::launch(const Space& exec) const {
  use_device<Api>(Api::device_of(exec));
  check_call<Api>(Api::launch(m_executable, Api::stream_of(exec)), "launching a recorded graph");
}

template <class Space>
bool is_recording(const Space& exec) {
  using Api = detail::GraphApi<Space>;
  bool recording = false;
  if (Api::is_recording(Api::stream_of(exec), &recording) == Api::success) return recording;
  // The default stream cannot say while another one records.
  Api::forget_error();
  return true;
}

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
template class RecordingStream<DeviceSpace>;
template class LaunchGraph<DeviceSpace>;
template bool is_recording(const DeviceSpace&);
#endif

}  // namespace tessera::kernels
