// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A solve by what was picked, and by what takes its place where that goes badly.
#pragma once

#include "tessera/solve/fallback.hpp"
#include "tessera/solve/solver_state.hpp"
#include "tessera/solver/convergence_monitor.hpp"

#include <optional>

namespace tessera::detail {

/// A solve's rate, and what there is to do about a poor one.
struct SolveMonitor {
  ConvergenceMonitor rate;
  bool may_factor = false;  ///< factors, if they would be sooner
  bool may_be_dense = false;  ///< one dense level
  bool strengthens = false;  ///< another smoother
  bool has_answer = false;  ///< one of these two, or another preconditioner
  double seconds_per_iteration = 0;
};

/// One solve: attempts, and between them the fallbacks of tessera/solve/fallback.hpp.
template <class Scalar, class Space, class Offset>
class SolveAttempts {
 public:
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;

  /// `solver`, which is ready, is changed by a fallback, and stays so. `logger`: the user's, or
  /// empty.
  SolveAttempts(SolverState<Scalar, Space, Offset>& solver, const Logger& logger, LogTiming timing)
      : m_solver(solver), m_logger(logger), m_timing(timing) {}

  /// Solves from the guess in `x`; b and x: n by k. The result is that of all attempts, with the
  /// setups between them.
  SolveResult solve(const Space& exec, const ConstVectors& b, const Vectors& x);

 private:
  /// Solves with what is built, from the x that `before` left, if any. Sets `m_slow`.
  SolveResult attempt(const Space& exec, const ConstVectors& b, const Vectors& x,
                      const SolveResult* before);
  /// Solves in one kernel from the guess in x and tells the logger, which may be late. Where there
  /// is a watch the kernel comes back for it where the rate is slow, and goes on from there unless
  /// another choice would be sooner. False where iterations are to follow that are launched one by
  /// one, as that has not got to an end in the time that a launch has, or that a logger has
  /// patience for. Sets `m_slow`; `result` has what was done.
  bool attempt_in_one_kernel(const Space& exec, const ConstVectors& b, const Vectors& x,
                             SolveMonitor* monitor, SolveResult& result);
  SolveMonitor monitor_of_solve(const SolveResult* before) const;
  /// What follows from a poor rate after so long a time: true where the solve is to end for it.
  /// Sets `m_slow`.
  bool ends_slow(const Space& exec, const SolveMonitor& monitor, double elapsed_ms);
  /// What factors would take, null where they are no choice, or not within the user's time limit.
  const direct::Cost* direct_in_time(const Space& exec, double elapsed_ms);
  /// What to go on with after that attempt, if anything; the solver has its parameters then.
  std::optional<Fallback> fallback_after(const Space& exec, const SolveResult& result);

  SolverState<Scalar, Space, Offset>& m_solver;
  const Logger& m_logger;
  LogTiming m_timing;
  bool m_slow = false;  ///< the last attempt was ended for its poor rate
  bool m_hopeless = false;  ///< it went on to the iteration limit, at a poor rate
  int m_further = 0;  ///< more iterations than that were estimated of it
  double m_seconds_left = 0;  ///< of the last attempt, where it was slow
};

}  // namespace tessera::detail
