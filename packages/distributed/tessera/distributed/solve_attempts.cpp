// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/solve_attempts.hpp"

#include "tessera/distributed/factors_turn.hpp"
#include "tessera/distributed/parts_setup.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solve/selection_rules.hpp"
#include "tessera/solver/krylov_solver.hpp"
#include "tessera/solver/selection_rules.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace tessera::distributed {
namespace {

template <class Predicate>
bool any_column(const SolveResult& result, const Predicate& predicate) {
  return std::ranges::any_of(result.columns, predicate);
}

/// Not where each right-hand side holds a number that is not finite: no choice changes that.
bool began(const SolveResult& result) {
  return any_column(result, [](const ColumnResult& column) {
    return column.status != SolveStatus::not_a_number || column.iterations > 0;
  });
}

/// An end that more iterations by the same preconditioner would not change.
bool came_to_nothing(SolveStatus status) {
  return status == SolveStatus::stagnated || status == SolveStatus::breakdown ||
         status == SolveStatus::diverged || status == SolveStatus::not_a_number;
}

}  // namespace

template <class Space>
bool SolveAttempts<Space>::smooths_by_picked_factors() const {
  return m_state.multigrid != nullptr && m_state.multigrid->has_picked_factors();
}

template <class Space>
bool SolveAttempts<Space>::has_answer() const {
  return smooths_by_picked_factors() ||
         (m_state.multigrid != nullptr && m_state.multigrid->has_picked_reduction());
}

/// The user's limits are not to be stretched by trying something else.
template <class Space>
bool SolveAttempts<Space>::met_a_limit(const SolveResult& result) const {
  return any_column(result, [](const ColumnResult& column) {
    return column.status == SolveStatus::max_iterations ||
           column.status == SolveStatus::time_limit || column.status == SolveStatus::interrupted;
  });
}

template <class Space>
ConvergenceMonitor SolveAttempts<Space>::monitor_of_solve(const SolveResult* before) const {
  const SolverParameters& p = m_state.parameters.solve.solver;
  const bool has_few_rows =
      m_may_factor && m_state.A.matrix.row_shares->size() <= rules::max_rows_to_order;
  // What another choice has left begins with the errors that are the hardest.
  return {
      std::max(p.tolerance, std::numeric_limits<double>::epsilon()), iteration_limit(p, before),
      has_few_rows ? rules::many_iterations_of_few_rows.value : rules::too_many_iterations.value,
      p.absolute_tolerance > 0, m_may_factor && before == nullptr};
}

template <class Space>
bool SolveAttempts<Space>::are_in_time(const direct::Cost& factors, double elapsed_ms) const {
  const double limit_s = m_state.parameters.solve.solver.time_limit_s;
  return limit_s == 0 ||
         m_state.processes->maximum_of(elapsed_ms) * 1e-3 + factors.seconds() < limit_s;
}

template <class Space>
bool SolveAttempts<Space>::ends_slow(const Space& exec, const ConvergenceMonitor& rate,
                                     const IterationInfo& now) {
  const double estimated = rate.estimated();
  const double left = smooths_by_picked_factors()
                          ? std::min<double>(estimated, rules::too_many_iterations)
                          : estimated;
  // As on one process, whatever the number of those that share the work: what is picked does not
  // depend on it.
  m_seconds_left = left * m_entries * rules::cycle_seconds_per_entry;
  m_further = estimated > rules::too_many_iterations ? rules::too_many_iterations.value
                                                     : rules::many_iterations_of_few_rows.value;
  // A reduction is an answer to slow factors, as on one process. Jacobi takes more iterations at a
  // flow than either does, and is one only to solves that would not end.
  const bool may_reduce = has_answer() && m_state.multigrid->may_reduce();
  const int rest = m_limit - now.iteration;
  m_is_slow = has_answer() && !rate.is_early() &&
              (may_reduce ? estimated > rules::too_many_iterations : estimated >= rest);
  if (m_is_slow && !may_reduce) m_further = rest;
  if (m_is_slow || !m_may_factor) return m_is_slow;
  const direct::Cost* const cost = cost_of_turn(exec, m_state, m_columns);
  m_state.free_joined_rows();
  m_may_factor = may_factor(m_state);
  m_is_slow =
      cost != nullptr && cost->seconds() < m_seconds_left && are_in_time(*cost, now.elapsed_ms);
  return m_is_slow;
}

template <class Space>
SolveResult SolveAttempts<Space>::attempt(const Space& exec, const ConstVectors& b,
                                          const Vectors& x, const SolveResult* before) {
  SolverState<Space>& s = m_state;
  m_is_slow = m_is_hopeless = m_is_stopped = false;
  m_may_factor = may_factor(s);
  const bool is_monitored = m_may_factor || has_answer();
  m_limit = iteration_limit(s.parameters.solve.solver, before);
  ConvergenceMonitor rate = monitor_of_solve(before);
  if (is_monitored) {
    m_entries = s.processes->sum_of(static_cast<double>(num_entries(s.A.matrix)));
    s.method->set_logger([&](const IterationInfo& now) {
      // Where one logger says stop, its process takes part in what all do meanwhile.
      if (s.logger && !s.logger(now)) m_is_stopped = true;
      const bool is_slow = rate.is_slow(now) && ends_slow(exec, rate, now);
      return !m_is_stopped && !is_slow;
    });
  } else {
    s.method->set_logger(s.logger);
  }
  SolveResult result;
  s.within_limit([&] { result = s.method->solve(exec, s.system(), b, x, before); });
  s.method->set_logger(s.logger);
  m_is_hopeless =
      m_may_factor && result.status == SolveStatus::max_iterations && rate.estimated() > 0;
  if (m_is_hopeless) m_further = rate.too_many();
  return result;
}

template <class Space>
std::string SolveAttempts<Space>::how_it_went(const SolveResult& result,
                                              const std::string& who) const {
  const std::string count = std::to_string(result.iterations) + " iterations";
  if (!m_is_slow && !m_is_hopeless)
    return who + " ended as " + std::string(to_string(result.status)) + " after " + count;
  return "after " + count + " more than " + std::to_string(m_further) +
         " further ones were estimated";
}

template <class Space>
bool SolveAttempts<Space>::leaves_for_factors(const Space& exec, const SolveResult& result) {
  SolverState<Space>& s = m_state;
  if (!may_factor(s)) return false;
  const bool is_open = s.asked.solve.solver.max_iterations == SolverParameters().max_iterations;
  // CG that was asked for and broke down says what it has to say: the matrix is not definite.
  const bool says_indefinite =
      s.parameters.solve.solver.name == SolverName::cg &&
      any_column(result, [](const ColumnResult& c) { return c.status == SolveStatus::breakdown; });
  const bool is_at_end = !met_a_limit(result) && !says_indefinite;
  if (!m_is_slow && !(m_is_hopeless && is_open) && !is_at_end) return false;
  const direct::Cost* const cost = cost_of_turn(exec, s, m_columns);
  if (cost == nullptr || !are_in_time(*cost, result.solve_ms)) return false;
  if (m_is_slow && !is_at_end && cost->seconds() >= m_seconds_left) return false;
  return turn_to_factors(exec, s, how_it_went(result, "the solve"));
}

template <class Space>
void SolveAttempts<Space>::leave_incomplete_factors(const Space& exec, const SolveResult& result) {
  SolverState<Space>& s = m_state;
  const std::string who = s.multigrid->has_picked_reduction() ? "the solve by a reduction"
                                                              : "the solve with incomplete factors";
  s.within_limit([&] {
    s.change();
    join_again<Space>(exec, s);
    s.multigrid->leave_factors(exec, s.for_levels(s.A.matrix), how_it_went(result, who));
  });
}

/// The matrix or the preconditioner is indefinite.
template <class Space>
void SolveAttempts<Space>::leave_cg() {
  SolverState<Space>& s = m_state;
  SolverParameters& p = s.parameters.solve.solver;
  p.name = gmres_for(p);
  s.notes.push_back(p.name == SolverName::gmres ? "solver gmres: cg has broken down"
                                                : "solver fgmres: cg has broken down");
  s.method = make_krylov<Space>(p);
}

template <class Space>
bool SolveAttempts<Space>::changes(const Space& exec, const SolveResult& result) {
  SolverState<Space>& s = m_state;
  if (result.solved() || !began(result) || result.status == SolveStatus::time_limit) return false;
  if (result.status == SolveStatus::interrupted &&
      (!m_is_slow || s.processes->maximum_of(m_is_stopped ? 1 : 0) > 0))
    return false;
  // GMRES has no true residual at hand in each iteration.
  const bool may_leave_cg = result.status == SolveStatus::breakdown &&
                            s.given.solve.solver.name == SolverName::automatic &&
                            s.given.solve.solver.residual == ResidualKind::recurrence &&
                            s.parameters.solve.solver.name == SolverName::cg;
  if (may_leave_cg && s.asked.solve.max_memory_mb > 0) {
    s.notes.push_back("solver cg has broken down: max_memory_mb leaves no basis for fgmres");
    return false;
  }
  if (may_leave_cg) {
    leave_cg();
    return true;
  }
  // As on one process, a reduction comes before factors at an end that is no mere stagnation.
  const bool reduces_first = has_answer() && s.multigrid->may_reduce() && !m_is_slow &&
                             came_to_nothing(result.status) &&
                             result.status != SolveStatus::stagnated;
  if (!reduces_first && leaves_for_factors(exec, result)) return true;
  if (has_answer() && (m_is_slow || came_to_nothing(result.status))) {
    leave_incomplete_factors(exec, result);
    return true;
  }
  return m_is_slow;  // factors that it was ended for are none: it goes on
}

template <class Space>
void SolveAttempts<Space>::refine_last_digits(const Space& exec, const ConstVectors& b,
                                              const Vectors& x, SolveResult& result) {
  SolverState<Space>& s = m_state;
  SolveResult refined = result;
  std::vector<std::string> notes;
  const auto undone = [](const std::exception& error) {
    return std::vector<std::string>{std::string("last digits: there is no room for them: ") +
                                    error.what()};
  };
  try {
    s.within_limit([&] {
      notes = s.sparse->refine(exec, s.parameters.solve.solver, b, x, s.logger, refined);
    });
    result = std::move(refined);
  } catch (const MemoryLimitExceeded& error) {
    notes = undone(error);
  } catch (const Error& error) {
    if (s.asked.solve.max_memory_mb <= 0 || error.kind() != ErrorKind::out_of_memory) throw;
    notes = undone(error);
  }
  s.notes.insert(s.notes.end(), notes.begin(), notes.end());
}

template <class Space>
SolveResult SolveAttempts<Space>::solve(const Space& exec, const ConstVectors& b,
                                        const Vectors& x) {
  SolverState<Space>& s = m_state;
  m_columns = b.extent(1);
  SolveResult result = attempt(exec, b, x, nullptr);
  for (;;) {
    // What follows changes what was chosen; where it ends half-way, there is no solver.
    s.is_ready = false;
    const Kokkos::Timer timer;
    const bool goes_on = changes(exec, result);
    s.free_joined_rows();
    s.is_ready = true;
    if (!goes_on) break;
    exec.fence("tessera::distributed::SolveAttempts");
    result.solve_ms += timer.seconds() * 1e3;
    result = attempt(exec, b, x, &result);
  }
  if (result.status == SolveStatus::stagnated && s.by_factors && s.nullspace.of_x == nullptr)
    refine_last_digits(exec, b, x, result);
  return result;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, SolveAttempts)

}  // namespace tessera::distributed
