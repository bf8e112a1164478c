// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Setups, and what follows them, below a limit of memory.
#pragma once

#include "tessera/kernels/execution/memory_tracker.hpp"
#include "tessera/solve/memory_limit.hpp"
#include "tessera/solve/solver_state.hpp"

#include <cstdint>
#include <string>

namespace tessera::detail {

/// Keeps a solver below `max_memory_mb` of the parameters, if that is a limit: its setups by
/// forecasts, and all that it does by the running total of what it has.
template <class Scalar, class Space, class Offset>
class LimitedSetup {
 public:
  using State = SolverState<Scalar, Space, Offset>;
  using Matrix = typename State::Matrix;
  using ConstVectors = typename State::ConstVectors;

  /// Both outlive it.
  LimitedSetup(const SolveParameters& asked, State& solver) : m_asked(asked), m_solver(solver) {}

  /// Whether a setup is preceded by a forecast: `set_up` does it then.
  bool forecasts() const { return m_asked.max_memory_mb > 0 || m_asked.forecast_memory; }
  /// Sets up with what was asked or, where a limit of memory is too low for it, with the first
  /// choice of less that fits.
  /// @throws Error of kind `out_of_memory` where none fits.
  void set_up(const Space& exec, const Matrix& A, const ConstVectors& near_nullspace,
              int block_size);
  /// Runs `work` within the limit, if there is one.
  /// @throws MemoryLimitExceeded where it asks for more.
  template <class Work>
  void within_limit(const Work& work);

 private:
  /// What was picked where nothing is given up.
  PickedFor look(const Space& exec, const Matrix& A, const ConstVectors& near_nullspace,
                 int block_size);
  /// Sets up with one choice, which may be factors where a setup without limit `picks_factors`.
  /// False, with what it lacked in `obstacle`, where it does not fit.
  bool fits(const Space& exec, const Matrix& A, const ConstVectors& near_nullspace, int block_size,
            const FrugalChoice& choice, bool picks_factors, std::string& obstacle);
  /// How errors and notes begin.
  std::string limit_text() const;

  const SolveParameters& m_asked;
  State& m_solver;
  std::int64_t m_kept_bytes = 0;  ///< what the solver has, where there is a limit
};

template <class Scalar, class Space, class Offset>
template <class Work>
void LimitedSetup<Scalar, Space, Offset>::within_limit(const Work& work) {
  if (m_asked.max_memory_mb <= 0) return work();
  // Of these the user may have let go: they do not count, and must not be taken for room.
  const auto arrays = m_solver.system().A.arrays();
  const MemoryTracker memory(Space::memory_space::name(), true,
                             static_cast<std::int64_t>(max_bytes(m_asked)) - m_kept_bytes);
  try {
    work();
  } catch (...) {
    if (!m_solver.is_ready()) m_solver.release();
    m_kept_bytes += memory.live_bytes();
    throw;
  }
  m_kept_bytes += memory.live_bytes();
}

}  // namespace tessera::detail
