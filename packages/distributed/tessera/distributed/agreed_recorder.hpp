// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The recorder of iterations over several processes.
#pragma once

#include "tessera/distributed/array_messages.hpp"
#include "tessera/distributed/iteration_recorder.hpp"
#include "tessera/operator/captured_preconditioner.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace tessera::distributed {

/// What a device records with; a test on a host has its own.
template <class Space>
struct MessageGraphs {
  using Stream = kernels::RecordingStream<Space>;
  using Graph = kernels::LaunchGraph<Space>;
  static Graph record(const Stream& stream, const kernels::InstanceWork<Space>& work) {
    return Graph::record(stream, work, kernels::AlsoRecorded::messages);
  }
  static bool is_recording(const Space& exec) { return kernels::is_recording(exec); }
};

/// Keeps one recording, of the work that came last. A message is recorded by those that send it and
/// those that receive it or by nobody, so that all processes agree on each step that one of them
/// might not be able to take.
template <class Space, class Graphs>
class AgreedRecorder : public IterationRecorder<Space>, public Communicator::Ordered::Recordings {
 public:
  using typename IterationRecorder<Space>::Key;
  using typename IterationRecorder<Space>::Work;

  AgreedRecorder(std::shared_ptr<const Communicator> processes, int runs_before)
      : m_processes(std::move(processes)), m_runs_before(std::max(runs_before, 1)) {}

  void begin(const Space& exec, const Key& key) override {
    double agreed[] = {may_replay(exec) ? 1.0 : 0.0, key == m_key ? 1.0 : 0.0};
    m_processes->minimum(agreed);
    m_is_active = agreed[0] > 0;
    if (agreed[1] == 0) forget();
    m_key = key;
  }

  void run(const Space& exec, const Work& work) override {
    if (!m_is_active) return work(exec);
    if (!m_graph.is_ready()) {
      ++m_runs;
      if (m_runs < m_runs_before) return work(exec);
      if (m_runs == m_runs_before) return run_on_stream(exec, work);
      if (!record(work)) return work(exec);
    }
    m_graph.launch(exec);
    ++m_num_launches;
  }

  void forget() override {
    m_graph = {};
    m_key.clear();
    m_runs = 0;
  }
  void drop() override { give_up("the communicator has failed"); }

  std::size_t num_captures() const override { return m_num_captures; }
  std::size_t num_launches() const override { return m_num_launches; }
  const std::string& failure() const override { return m_failure; }

 private:
  /// A tool is shown kernels as they are launched, and none of a recording.
  bool may_replay(const Space& exec) const {
    return m_failure.empty() && !Kokkos::Tools::profileLibraryLoaded() &&
           (m_stream == nullptr || m_stream->is_on_device_of(exec)) && !Graphs::is_recording(exec);
  }

  /// Whether a step has succeeded on all processes; else none goes on, and `why` is this one's
  /// reason, if it has one.
  bool all_have(bool own, const std::string& why) {
    double agreed[] = {own ? 1.0 : 0.0};
    m_processes->minimum(agreed);
    if (agreed[0] > 0) return true;
    give_up(!why.empty() ? why : own ? "another process could not" : "an error without a message");
    return false;
  }

  /// The last run before the recording is on the instance that will record, so that all that is
  /// made at a first use is there.
  void run_on_stream(const Space& exec, const Work& work) {
    std::string why;
    try {
      if (m_stream == nullptr) m_stream = std::make_unique<typename Graphs::Stream>(exec);
    } catch (const std::exception& error) {
      why = error.what();
    }
    if (!all_have(m_stream != nullptr, why)) return work(exec);
    const PlainApplications plain;
    m_stream->run_within(exec, work);
  }

  bool record(const Work& work) {
    auto recorded = Graphs::record(*m_stream, work);
    if (!all_have(recorded.is_ready(), recorded.failure())) return false;
    m_graph = std::move(recorded);
    ++m_num_captures;
    return true;
  }

  void give_up(const std::string& why) {
    m_failure = why;
    m_is_active = false;
    forget();
  }

  std::shared_ptr<const Communicator> m_processes;  ///< outlives the recording
  int m_runs_before;
  std::unique_ptr<typename Graphs::Stream> m_stream;  ///< and so does this
  typename Graphs::Graph m_graph;
  Key m_key;
  int m_runs = 0;  ///< without a recording
  bool m_is_active = false;
  std::size_t m_num_captures = 0;
  std::size_t m_num_launches = 0;
  std::string m_failure;
};

}  // namespace tessera::distributed
