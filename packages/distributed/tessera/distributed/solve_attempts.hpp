// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A solve by what was picked, and by what takes its place where that goes badly.
#pragma once

#include "tessera/distributed/solver_state.hpp"
#include "tessera/solver/convergence_monitor.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace tessera::distributed {

/// One solve: attempts, and between them what changes, by the rules of one process as far as they
/// are for several. Residuals and estimates are the same on all processes, so that all decide
/// alike, and do together in the midst of iterations what they decide by.
template <class Space>
class SolveAttempts {
 public:
  using ConstVectors = ConstMultiVectorView<double, Space>;
  using Vectors = MultiVectorView<double, Space>;

  /// `state`, which is ready, stays as the last attempt has it.
  explicit SolveAttempts(SolverState<Space>& state) : m_state(state) {}

  /// Solves from the guess in x. The result is that of all attempts. Collective.
  SolveResult solve(const Space& exec, const ConstVectors& b, const Vectors& x);

 private:
  SolveResult attempt(const Space& exec, const ConstVectors& b, const Vectors& x,
                      const SolveResult* before);
  ConvergenceMonitor monitor_of_solve(const SolveResult* before) const;
  bool ends_slow(const Space& exec, const ConvergenceMonitor& rate, const IterationInfo& now);
  bool are_in_time(const direct::Cost& factors, double elapsed_ms) const;
  /// Whether something else is taken after such an end, or the same once more.
  bool changes(const Space& exec, const SolveResult& result);
  bool leaves_for_factors(const Space& exec, const SolveResult& result);
  void leave_incomplete_factors(const Space& exec, const SolveResult& result);
  void leave_cg();
  /// Of columns that have stagnated with factors, where a limit of memory leaves room for it.
  void refine_last_digits(const Space& exec, const ConstVectors& b, const Vectors& x,
                          SolveResult& result);
  bool smooths_by_picked_factors() const;
  /// Whether there is something else than sparse factors where it goes badly.
  bool has_answer() const;
  std::string how_it_went(const SolveResult& result, const std::string& who) const;
  bool met_a_limit(const SolveResult& result) const;

  SolverState<Space>& m_state;
  std::size_t m_columns = 0;
  double m_entries = 0;  ///< of all processes
  int m_limit = 0;  ///< of iterations, in the last attempt
  bool m_may_factor = false;  ///< in the last attempt
  bool m_is_slow = false;  ///< it was ended for its rate
  bool m_is_hopeless = false;  ///< it met the iteration limit at a rate that is slow
  bool m_is_stopped = false;  ///< the user's logger on this process has said so
  int m_further = 0;  ///< more iterations than that were estimated of it
  double m_seconds_left = 0;  ///< of one that was slow
};

}  // namespace tessera::distributed
