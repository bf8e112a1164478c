// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/solve_attempts.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"
#include "tessera/kernels/vector/column_scaling.hpp"
#include "tessera/solve/last_digits.hpp"
#include "tessera/solve/select.hpp"
#include "tessera/solve/selection_rules.hpp"
#include "tessera/solver/residual_bound.hpp"
#include "tessera/solver/selection_rules.hpp"

#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::detail {

/// How long a logger that may be late waits for a solve in one kernel, and Ctrl-C with it.
inline constexpr double patience_of_logger_s = 1;

/// Iteration `i` of a solve for one right-hand side.
inline IterationInfo iteration_of(const SolveResult& result, const SolverParameters& parameters,
                                  std::size_t i, double elapsed_ms) {
  const double relative = result.residual_history[i];
  const double reference = result.columns[0].reference_norm;
  const double norm = reference > 0 ? relative * reference : relative;
  const double bound = residual_bound(parameters, reference);
  return {static_cast<int>(i), relative, elapsed_ms, norm == 0 ? 0 : norm / bound};
}

/// Logs the iterations that follow the first `logged` lines of the history, which
/// took up to `logged_ms`. False where it says stop.
inline bool log_rest(const Logger& logger, const SolveResult& result,
                     const SolverParameters& parameters, std::size_t logged, double logged_ms) {
  const auto& history = result.residual_history;
  const double count = static_cast<double>(history.size() - logged) - (logged == 0 ? 1 : 0);
  for (std::size_t i = logged; i < history.size(); ++i) {
    const double done = static_cast<double>(i - logged) + (logged == 0 ? 0 : 1);
    const double part = count > 0 ? done / count : 1.0;
    const double elapsed_ms = logged_ms + part * (result.solve_ms - logged_ms);
    if (!logger(iteration_of(result, parameters, i, elapsed_ms))) return false;
  }
  return true;
}

/// Where A has a column without entries, no residual tells that the guess held a NaN there.
template <class Scalar, class Space>
void refuse_unread_entries(const Space& exec, const ConstMultiVectorView<Scalar, Space>& x,
                           SolveResult& result) {
  const auto largest = kernels::allocate_report<double>(exec, "tessera::Solver::largest",
                                                        static_cast<int>(x.extent(1)));
  kernels::column_magnitudes<Scalar, Space>(exec, x, largest);
  exec.fence("tessera::Solver::largest");
  for (std::size_t j = 0; j < result.columns.size(); ++j) {
    if (std::isfinite(largest(j))) continue;
    auto& status = result.columns[j].status;
    status = std::max(status, SolveStatus::not_a_number);
    result.columns[j].by_absolute_tolerance = false;
    result.status = std::max(result.status, status);
  }
}

template <class Scalar, class Space, class Offset>
const direct::Cost* SolveAttempts<Scalar, Space, Offset>::direct_in_time(const Space& exec,
                                                                         double elapsed_ms) {
  const SolveParameters& effective = m_solver.effective();
  if (effective.preconditioner == PreconditionerKind::direct) return nullptr;
  const direct::Cost* cost = m_solver.direct_cost(exec);
  const double limit_s = effective.solver.time_limit_s;
  const bool fits =
      cost == nullptr || limit_s == 0 || elapsed_ms * 1e-3 + cost->seconds() < limit_s;
  return fits ? cost : nullptr;
}

template <class Scalar, class Space, class Offset>
SolveMonitor SolveAttempts<Scalar, Space, Offset>::monitor_of_solve(
    const SolveResult* before) const {
  const auto& system = m_solver.system();
  const SolveParameters& effective = m_solver.effective();
  const double reachable = std::numeric_limits<Scalar>::epsilon();
  const bool may_factor = kernels::is_host_space<Space> &&
                          system.parameters.preconditioner == PreconditionerKind::automatic;
  const bool has_few_rows = may_factor && system.facts.rows <= rules::max_rows_to_order;
  const bool by_one_level = one_level_may_do(system.parameters, m_solver.known_facts());
  // What another choice has left begins with the errors that are the hardest.
  const bool looks_early = may_factor && !by_one_level && before == nullptr;
  SolveMonitor monitor{ConvergenceMonitor(
      std::max(effective.solver.tolerance, reachable), iteration_limit(effective.solver, before),
      has_few_rows ? rules::many_iterations_of_few_rows : rules::too_many_iterations,
      effective.solver.absolute_tolerance > 0, looks_early)};
  monitor.may_factor = may_factor;
  monitor.may_be_dense =
      may_be_one_dense_level(system.parameters, effective, m_solver.known_facts());
  monitor.strengthens = may_strengthen(system.parameters, effective, system.facts) ||
                        has_picked_ilu(system.parameters, effective);
  monitor.has_answer = monitor.strengthens || by_one_level || monitor.may_be_dense;
  monitor.seconds_per_iteration =
      system.facts.entries * (effective.preconditioner == PreconditionerKind::amg
                                  ? rules::cycle_seconds_per_entry
                                  : rules::product_seconds_per_entry);
  return monitor;
}

template <class Scalar, class Space, class Offset>
bool SolveAttempts<Scalar, Space, Offset>::ends_slow(const Space& exec, const SolveMonitor& monitor,
                                                     double elapsed_ms) {
  const double estimated = monitor.rate.estimated();
  const double iterations_left =
      monitor.strengthens ? std::min<double>(estimated, rules::too_many_iterations) : estimated;
  m_seconds_left = iterations_left * monitor.seconds_per_iteration;
  m_further = estimated > rules::too_many_iterations ? rules::too_many_iterations
                                                     : rules::many_iterations_of_few_rows;
  // Early, factors alone are asked for.
  m_slow = monitor.has_answer && !monitor.rate.is_early() && estimated > rules::too_many_iterations;
  if (m_slow || one_level_may_do(m_solver.system().parameters, m_solver.known_facts()))
    return m_slow;
  const direct::Cost* const cost = direct_in_time(exec, elapsed_ms);
  m_slow = cost != nullptr && cost->seconds() < m_seconds_left;
  return m_slow;
}

template <class Scalar, class Space, class Offset>
bool SolveAttempts<Scalar, Space, Offset>::attempt_in_one_kernel(const Space& exec,
                                                                 const ConstVectors& b,
                                                                 const Vectors& x,
                                                                 SolveMonitor* monitor,
                                                                 SolveResult& result) {
  const SolverParameters& parameters = m_solver.effective().solver;
  const auto interrupt = [&] {
    result.status = result.columns[0].status = SolveStatus::interrupted;
    return true;
  };
  SolvePart part;
  int too_many = monitor != nullptr ? monitor->rate.too_many() : 0;
  if (monitor != nullptr) part.slow_rate = monitor->rate.in_one_kernel(too_many);
  for (;;) {
    const std::size_t logged = result.residual_history.size();
    const double logged_ms = result.solve_ms;
    const double residual_before = result.true_relative_residual;
    const double patience_left_s = patience_of_logger_s - logged_ms * 1e-3;
    if (m_logger && patience_left_s <= 0) return false;
    if (m_logger) part.seconds = patience_left_s;
    result = m_solver.solve_in_one_kernel(exec, b, x, part);
    // What has converged cannot be stopped any more.
    if (m_logger && !log_rest(m_logger, result, parameters, logged, logged_ms))
      return result.converged() || interrupt();
    bool is_slow = false;
    for (std::size_t i = logged; monitor != nullptr && i < result.residual_history.size(); ++i)
      is_slow = monitor->rate.is_slow(iteration_of(result, parameters, i, 0));
    if (!is_unfinished(result, parameters)) return true;
    if (is_slow && ends_slow(exec, *monitor, result.solve_ms)) return interrupt();
    if (result.status == SolveStatus::time_limit) return false;
    // Of a part without a gain the best x is the one before it, and the next would be the same.
    if (logged > 0 && !(result.true_relative_residual < residual_before)) return false;
    // Slow, and nothing else would be sooner, as yet. Each part begins a Krylov space of its own,
    // so that they are few.
    if (monitor != nullptr && monitor->has_answer && too_many < rules::too_many_iterations) {
      too_many = rules::too_many_iterations;
      part.slow_rate = monitor->rate.in_one_kernel(too_many);
    } else {
      part.slow_rate = {};
      part.iterations = rules::too_many_iterations;
    }
    part.before = &result;
  }
}

template <class Scalar, class Space, class Offset>
SolveResult SolveAttempts<Scalar, Space, Offset>::attempt(const Space& exec, const ConstVectors& b,
                                                          const Vectors& x,
                                                          const SolveResult* before) {
  m_slow = m_hopeless = false;
  SolveMonitor monitor = monitor_of_solve(before);
  const bool is_monitored = monitor.has_answer || monitor.may_factor;
  const SingleKernel asked = m_solver.effective().solver.single_kernel;
  const bool is_asked_for =
      asked == SingleKernel::on &&
      m_solver.system().parameters.preconditioner != PreconditionerKind::automatic;
  const bool is_live = m_logger && m_timing == LogTiming::live;
  SolveResult begun;
  if (m_solver.single_kernel() != nullptr && !is_live && before == nullptr && b.extent(1) == 1) {
    try {
      if (attempt_in_one_kernel(exec, b, x, is_monitored && !is_asked_for ? &monitor : nullptr,
                                begun))
        return begun;
    } catch (const Error& error) {
      // A device that others share may refuse a launch all of whose blocks have to run at once.
      if (error.kind() != ErrorKind::device) throw;
      if (asked == SingleKernel::on)
        throw Error(ErrorKind::device,
                    std::string(error.what()) +
                        "; with solver.single_kernel=auto the solve goes on by launches",
                    error.where());
      m_solver.leave_single_kernel(error.what());
    } catch (const MemoryLimitExceeded& error) {
      // Its vectors are two more than launches take.
      if (asked == SingleKernel::on) throw;
      m_solver.leave_single_kernel(std::string("max_memory_mb is reached, ") + error.what());
    }
    if (!begun.columns.empty()) before = &begun;
  }
  KrylovSolver<Scalar, Space>& krylov = m_solver.krylov();
  if (is_monitored) {
    krylov.set_logger([&](const IterationInfo& now) {
      if (m_logger && !m_logger(now)) return false;
      return !monitor.rate.is_slow(now) || !ends_slow(exec, monitor, now.elapsed_ms);
    });
  } else {
    krylov.set_logger(m_logger);
  }
  SolveResult result =
      krylov.solve(exec, m_solver.system().A, m_solver.preconditioner(), b, x, before);
  krylov.set_logger({});
  if (before != nullptr) result.tile_work = before->tile_work;
  m_hopeless = (monitor.may_factor || monitor.may_be_dense) &&
               result.status == SolveStatus::max_iterations && monitor.rate.estimated() > 0;
  if (m_hopeless) m_further = monitor.rate.too_many();
  return result;
}

template <class Scalar, class Space, class Offset>
std::optional<Fallback> SolveAttempts<Scalar, Space, Offset>::fallback_after(
    const Space& exec, const SolveResult& result) {
  const SolveParameters& asked = m_solver.system().parameters;
  const SolveParameters& effective = m_solver.effective();
  const MatrixFacts known = m_solver.known_facts();
  const bool at_end = m_slow || result.status != SolveStatus::interrupted;
  const bool may_factor = at_end && !one_level_may_do(asked, known);
  BadSolve bad{asked,      known,     result,
               m_slow,     nullptr,   m_seconds_left,
               m_hopeless, m_further, m_solver.system().nodes.block_size};
  // Nor does a rate by the diagonal say more than that it was too little to ask for.
  const bool is_fair = m_slow && (m_further < rules::too_many_iterations ||
                                  effective.preconditioner == PreconditionerKind::jacobi);
  if (!is_fair && may_be_singular(bad, effective)) {
    const bool or_scaled = may_have_scaled_constants(bad, effective);
    const std::string found = m_solver.look_for_nullspace(exec, or_scaled);
    if (!found.empty())
      return Fallback{m_solver.near_nullspace_is_nullspace(), nullspace_note(bad, found)};
  }
  for (;;) {
    bad.direct = may_factor ? direct_in_time(exec, result.solve_ms) : nullptr;
    SolveParameters next = effective;
    const auto fallback = next_fallback(bad, next);
    if (!fallback || m_solver.take_parameters(exec, next)) return fallback;
  }
}

template <class Scalar, class Space, class Offset>
SolveResult SolveAttempts<Scalar, Space, Offset>::solve(const Space& exec, const ConstVectors& b,
                                                        const Vectors& x) {
  SolveResult result = attempt(exec, b, x, nullptr);
  while (!result.solved()) {
    // What follows changes what was chosen; where it ends half-way, there is no solver.
    m_solver.set_ready(false, "another choice after it went badly");
    const Kokkos::Timer timer;
    const SolveParameters before = m_solver.effective();
    const auto fallback = fallback_after(exec, result);
    // Factors that a slow solve was ended for may turn out to be none: then it goes on.
    if (!fallback && !m_slow) break;
    if (fallback) {
      if (!m_solver.apply(exec, *fallback, before)) break;
    } else {
      m_solver.set_ready(true);
    }
    exec.fence("tessera::Solver::fallback");
    result.solve_ms += timer.seconds() * 1e3;
    result = attempt(exec, b, x, &result);
  }
  m_solver.set_ready(true);
  refine_last_digits<Scalar, Space, Offset>(exec, m_solver, b, x, m_logger, result);
  const MatrixFacts& facts = m_solver.system().facts;
  if (facts.zero_rows > 0 || facts.coupled_zeros > 0)
    refuse_unread_entries<Scalar, Space>(exec, x, result);
  return result;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, SolveAttempts)

}  // namespace tessera::detail
