// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Wall-clock time by setup step.
#pragma once

#include <Kokkos_Core.hpp>
#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tessera::amg {

/// Opens a profiling region for each setup step, in one of its level, and, where it `measures`,
/// adds up the time between one `start` and the next under the step's name. Each change of step
/// then waits for the instance, so that the time is the step's own; else only `stop` waits.
template <class Space>
class PhaseTimer {
 public:
  PhaseTimer(const Space& exec, bool measures) : m_measures(measures) {
    if (measures) exec.fence("tessera::setup");
    m_timer.reset();
  }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;
  ~PhaseTimer() { close_regions(); }

  void enter_level(int number) { m_level = number; }

  /// Ends the running step and begins `phase`.
  void start(const Space& exec, const std::string& phase) {
    end_phase(exec);
    m_current = phase;
    Kokkos::Profiling::pushRegion("tessera::level " + std::to_string(m_level));
    Kokkos::Profiling::pushRegion("tessera::setup::" + phase);
    m_open = true;
  }

  /// Ends the last step, and waits.
  void stop(const Space& exec) {
    end_phase(exec);
    if (!m_measures) exec.fence("tessera::setup");
  }

  /// Milliseconds since the last call of `lap`, or since construction; 0 where nothing is measured.
  double lap() {
    if (!m_measures) return 0;
    const double now = total_ms();
    return now - std::exchange(m_lap_begin, now);
  }

  /// What runs, for messages: a callable that says it when it is called.
  auto step() const {
    return [this] { return "setup of level " + std::to_string(m_level) + ", " + m_current; };
  }
  double total_ms() const { return m_timer.seconds() * 1e3; }
  const std::vector<std::pair<std::string, double>>& phases() const { return m_phases; }

 private:
  void end_phase(const Space& exec) {
    if (m_measures) {
      exec.fence("tessera::setup");
      const double now = total_ms();
      if (m_open) add(m_current, now - m_phase_begin);
      m_phase_begin = now;
    }
    close_regions();
  }

  /// That of the step and that of its level.
  void close_regions() {
    if (!m_open) return;
    Kokkos::Profiling::popRegion();
    Kokkos::Profiling::popRegion();
    m_open = false;
  }

  void add(const std::string& phase, double ms) {
    const auto found = std::find_if(m_phases.begin(), m_phases.end(),
                                    [&](const auto& entry) { return entry.first == phase; });
    if (found == m_phases.end()) {
      m_phases.emplace_back(phase, ms);
    } else {
      found->second += ms;
    }
  }

  bool m_measures;
  Kokkos::Timer m_timer;
  std::vector<std::pair<std::string, double>> m_phases;
  std::string m_current = "near-nullspace vectors";
  int m_level = 0;
  double m_phase_begin = 0;
  double m_lap_begin = 0;
  bool m_open = false;
};

}  // namespace tessera::amg
