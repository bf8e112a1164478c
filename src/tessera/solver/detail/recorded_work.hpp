// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Work that is recorded when it has come a few times.
#pragma once

#include "tessera/kernels/launch_graph.hpp"
#include "tessera/solver/iteration_runner.hpp"

#include <exception>
#include <memory>
#include <string>
#include <utility>

namespace tessera::detail {

/// What a device records with; a test on a host has its own.
template <class Space>
struct LaunchGraphs {
  using Stream = kernels::RecordingStream<Space>;
  using Graph = kernels::LaunchGraph<Space>;
  static bool is_recording(const Space& exec) { return kernels::is_recording(exec); }
};

/// Keeps the recording of one work, the one that came last.
template <class Space, class Graphs>
class RecordedWork : public IterationRunner<Space> {
 public:
  using typename IterationRunner<Space>::Key;
  using typename IterationRunner<Space>::Work;

  explicit RecordedWork(int runs_before) : m_runs_before(runs_before) {}

  void run(const Space& exec, const Key& key, const Work& work) override {
    if (!may_replay(exec)) return work(exec);
    if (key != m_key) {
      forget();
      m_key = key;
    }
    if (!m_graph.is_ready() && m_runs < m_runs_before) {
      ++m_runs;
      return m_runs == m_runs_before ? run_on_stream(exec, work) : work(exec);
    }
    if (!record(work)) return work(exec);
    m_graph.launch(exec);
    ++m_num_launches;
  }

  void forget() override {
    m_graph = {};
    m_key.clear();
    m_runs = 0;
  }

  std::size_t num_captures() const override { return m_num_captures; }
  std::size_t num_launches() const override { return m_num_launches; }
  const std::string& failure() const override { return m_failure; }

 private:
  /// A tool is shown kernels as they are launched, and none of a recording.
  bool may_replay(const Space& exec) const {
    return m_failure.empty() && !Kokkos::Tools::profileLibraryLoaded() &&
           (m_stream == nullptr || m_stream->is_on_device_of(exec)) && !Graphs::is_recording(exec);
  }

  /// The last run before the recording is on the instance that will record, so that all that is
  /// made at a first use is there. Until then none is made: short solves do without.
  void run_on_stream(const Space& exec, const Work& work) {
    try {
      if (m_stream == nullptr) m_stream = std::make_unique<typename Graphs::Stream>(exec);
    } catch (const std::exception& error) {
      give_up(error.what());
      return work(exec);
    }
    m_stream->run_within(exec, work);
  }

  bool record(const Work& work) {
    if (m_graph.is_ready()) return true;
    auto recorded = Graphs::Graph::record(*m_stream, work);
    if (!recorded.is_ready()) {
      give_up(recorded.failure());
      return false;
    }
    m_graph = std::move(recorded);
    ++m_num_captures;
    return true;
  }

  void give_up(const std::string& why) {
    m_failure = why.empty() ? std::string("an error without a message") : why;
    forget();
  }

  int m_runs_before;
  std::unique_ptr<typename Graphs::Stream> m_stream;  ///< outlives the recording
  typename Graphs::Graph m_graph;
  Key m_key;
  int m_runs = 0;  ///< of the work of this key, as it is
  std::size_t m_num_captures = 0;
  std::size_t m_num_launches = 0;
  std::string m_failure;
};

}  // namespace tessera::detail
