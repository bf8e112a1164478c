// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Work that is recorded when it has come a few times.
#pragma once

#include "tessera/kernels/execution/launch_graph.hpp"
#include "tessera/solver/iteration_runner.hpp"

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tessera::detail {

/// What a device records with; a test on a host has its own.
template <class Space>
struct LaunchGraphs {
  using Stream = kernels::RecordingStream<Space>;
  using Graph = kernels::LaunchGraph<Space>;
  static bool is_recording(const Space& exec) { return kernels::is_recording(exec); }
};

/// Keeps the recordings of one key's work, the one that came last, by position.
///
/// A recording costs what some ten launches of it save, and each position has to earn back its own:
/// one is made for work that has come `runs_before` times, in GMRES after as many restarts. Where a
/// later solve comes to the same work, further ones are taken to follow. Then it is enough that the
/// work of all positions together has come that often.
template <class Space, class Graphs>
class RecordedWork : public IterationRunner<Space> {
 public:
  using typename IterationRunner<Space>::Key;
  using typename IterationRunner<Space>::Work;

  /// Work at positions from here on is run as it is: what a runtime keeps of a recording is memory
  /// of the device.
  static constexpr int max_recordings = 64;

  explicit RecordedWork(int runs_before) : m_runs_before(runs_before) {}

  void run(const Space& exec, const Key& key, int position, const Work& work,
           const Work& unrecorded) override {
    if (position >= max_recordings || !may_replay(exec)) return unrecorded(exec);
    if (key != m_key) {
      forget();
      m_key = key;
    }
    Recording& recording = at(position);
    if (!recording.graph.is_ready()) {
      if (!is_due(recording)) return unrecorded(exec);
      if (!recording.has_run_on_stream) {
        recording.has_run_on_stream = true;
        return run_on_stream(exec, work);
      }
      if (!record(recording, work)) return unrecorded(exec);
    }
    recording.graph.launch(exec);
    ++m_num_launches;
  }

  void begin_solve() override { ++m_solve; }

  void forget() override {
    m_recordings.clear();
    m_key.clear();
    m_runs = 0;
  }

  std::size_t num_captures() const override { return m_num_captures; }
  std::size_t num_launches() const override { return m_num_launches; }
  const std::string& failure() const override { return m_failure; }

 private:
  struct Recording {
    std::size_t first_solve;  ///< to which this work came
    int runs = 0;  ///< without a recording
    bool has_run_on_stream = false;
    typename Graphs::Graph graph{};  ///< once it was made
  };

  Recording& at(int position) {
    while (m_recordings.size() <= static_cast<std::size_t>(position))
      m_recordings.push_back({m_solve});
    return m_recordings[position];
  }

  /// Counts one more run without a recording; true where it is time to make one.
  bool is_due(Recording& recording) {
    ++m_runs;
    ++recording.runs;
    const bool came_before = recording.first_solve != m_solve;
    return (came_before ? m_runs : recording.runs) >= m_runs_before;
  }

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

  bool record(Recording& recording, const Work& work) {
    auto recorded = Graphs::Graph::record(*m_stream, work);
    if (!recorded.is_ready()) {
      give_up(recorded.failure());
      return false;
    }
    recording.graph = std::move(recorded);
    ++m_num_captures;
    return true;
  }

  void give_up(const std::string& why) {
    m_failure = why.empty() ? std::string("an error without a message") : why;
    forget();
  }

  int m_runs_before;
  std::unique_ptr<typename Graphs::Stream> m_stream;  ///< outlives the recordings
  std::vector<Recording> m_recordings;  ///< by position
  Key m_key;
  std::size_t m_solve = 0;
  int m_runs = 0;  ///< at all positions, without a recording
  std::size_t m_num_captures = 0;
  std::size_t m_num_launches = 0;
  std::string m_failure;
};

}  // namespace tessera::detail
