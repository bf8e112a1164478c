// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/detail/solve_attempts.hpp"

#include "tessera/kernels/format/host_space.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/pick.hpp"
#include "tessera/solver/rate_watch.hpp"

#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <limits>

namespace tessera::detail {

/// What an iteration takes with multigrid, on the stiffness matrices where it takes too many, and
/// without, per entry of the matrix. These are of one thread of the host that direct::Cost's rates
/// are of, and not measured on the way: the same choice for any number of threads.
inline constexpr double cycle_seconds_per_entry = 25e-9;
inline constexpr double product_seconds_per_entry = 5e-9;

/// How long a logger that may be late waits to hear of a solve in one kernel, and Ctrl-C with it.
inline constexpr double patience_of_logger_s = 1;

/// Tells the logger of all iterations of a solve that is over. False where it says stop.
inline bool tell_all(const Logger& logger, const SolveResult& result) {
  const auto& history = result.residual_history;
  for (std::size_t i = 0; i < history.size(); ++i) {
    const double part = history.size() > 1 ? static_cast<double>(i) / (history.size() - 1) : 1.0;
    if (!logger({static_cast<int>(i), history[i], part * result.solve_ms})) return false;
  }
  return true;
}

template <class Scalar, class Space, class Offset>
bool SolveAttempts<Scalar, Space, Offset>::direct_would_do(const Space& exec, double seconds) {
  if (m_solver.effective.preconditioner == PreconditionerKind::direct) return false;
  const direct::Cost* cost = m_solver.factors.cost(exec, m_solver.system);
  return cost != nullptr && cost->seconds() < seconds;
}

template <class Scalar, class Space, class Offset>
SolveResult SolveAttempts<Scalar, Space, Offset>::attempt_in_one_kernel(const Space& exec,
                                                                        const ConstVectors& b,
                                                                        const Vectors& x,
                                                                        bool& is_over) {
  const double limit_s = m_solver.effective.solver.time_limit_s;
  SolveResult result =
      m_solver.solve_in_one_kernel(exec, b, x, m_logger ? patience_of_logger_s : 0);
  is_over = !m_logger || result.status != SolveStatus::time_limit ||
            (limit_s > 0 && limit_s <= patience_of_logger_s);
  if (m_logger && !tell_all(m_logger, result)) {
    is_over = true;
    // What has converged cannot be stopped any more.
    if (!result.converged()) result.status = result.columns[0].status = SolveStatus::interrupted;
  }
  return result;
}

template <class Scalar, class Space, class Offset>
SolveResult SolveAttempts<Scalar, Space, Offset>::attempt(const Space& exec, const ConstVectors& b,
                                                          const Vectors& x,
                                                          const SolveResult* before) {
  m_slow = false;
  const auto& system = m_solver.system;
  const SolveParameters& effective = m_solver.effective;
  const double reachable = std::numeric_limits<Scalar>::epsilon();
  RateWatch watch(std::max(effective.solver.tolerance, reachable), effective.solver.max_iterations);
  const bool may_factor = kernels::is_host_space<Space> &&
                          system.parameters.preconditioner == PreconditionerKind::automatic;
  const bool strengthens = may_strengthen(system.parameters, effective, system.facts);
  const bool has_answer = strengthens || diagonal_may_do(system.parameters, m_solver.known_facts());
  const double seconds_per_iteration =
      system.facts.entries * (effective.preconditioner == PreconditionerKind::amg
                                  ? cycle_seconds_per_entry
                                  : product_seconds_per_entry);
  const bool is_asked_for = effective.solver.single_kernel == SingleKernel::on &&
                            system.parameters.preconditioner != PreconditionerKind::automatic;
  const bool is_watched =
      ((has_answer || may_factor) && !is_asked_for) || (m_logger && m_timing == LogTiming::live);
  SolveResult begun;
  if (m_solver.single_kernel != nullptr && !is_watched && before == nullptr && b.extent(1) == 1) {
    bool is_over = true;
    begun = attempt_in_one_kernel(exec, b, x, is_over);
    if (is_over) return begun;
    before = &begun;
  }
  KrylovSolver<Scalar, Space>& krylov = *m_solver.krylov;
  if (has_answer || may_factor) {
    krylov.set_logger([&](const IterationInfo& now) {
      if (m_logger && !m_logger(now)) return false;
      if (!watch.is_slow(now)) return true;
      const double iterations_left =
          strengthens ? std::min<double>(watch.foreseen(), RateWatch::too_many) : watch.foreseen();
      m_seconds_left = iterations_left * seconds_per_iteration;
      m_slow = has_answer || direct_would_do(exec, m_seconds_left);
      return !m_slow;
    });
  } else {
    krylov.set_logger(m_logger);
  }
  SolveResult result = krylov.solve(exec, system.A, m_solver.M.get(), b, x, before);
  krylov.set_logger({});
  return result;
}

template <class Scalar, class Space, class Offset>
std::optional<Rung> SolveAttempts<Scalar, Space, Offset>::rung_after(const Space& exec,
                                                                     const SolveResult& result) {
  if (result.converged()) return std::nullopt;
  const auto& system = m_solver.system;
  SolveParameters& effective = m_solver.effective;
  const MatrixFacts known = m_solver.known_facts();
  const bool at_end = m_slow || result.status != SolveStatus::interrupted;
  const bool may_factor = at_end && effective.preconditioner != PreconditionerKind::direct &&
                          !diagonal_may_do(system.parameters, known);
  const SolveParameters before = effective;
  while (const auto rung =
             next_rung({system.parameters, known, result, m_slow,
                        may_factor ? m_solver.factors.cost(exec, system) : nullptr, m_seconds_left},
                       effective)) {
    if (effective.preconditioner != PreconditionerKind::direct ||
        before.preconditioner == PreconditionerKind::direct || m_solver.factors.make(exec, system))
      return rung;
    m_solver.factors.set_failed();
    effective = before;
  }
  return std::nullopt;
}

template <class Scalar, class Space, class Offset>
void SolveAttempts<Scalar, Space, Offset>::climb(const Space& exec, const Rung& rung) {
  const auto& system = m_solver.system;
  auto& notes = m_solver.notes;
  if (rung.picks_anew) {
    m_solver.diagonal_failed = true;
    notes = {rung.note};
    m_solver.choose_and_build(exec, system.candidates, system.block_size);
    return;
  }
  notes.push_back(rung.note);
  if (rung.rebuilds) return m_solver.rebuild(exec);
  auto& shown = m_solver.info.notes;
  shown.insert(shown.begin() + static_cast<std::ptrdiff_t>(notes.size()) - 1, rung.note);
  m_solver.make_krylov();
}

template <class Scalar, class Space, class Offset>
SolveResult SolveAttempts<Scalar, Space, Offset>::solve(const Space& exec, const ConstVectors& b,
                                                        const Vectors& x) {
  SolveResult result = attempt(exec, b, x, nullptr);
  while (const auto rung = rung_after(exec, result)) {
    const Kokkos::Timer timer;
    m_solver.ready = false;
    climb(exec, *rung);
    m_solver.ready = true;
    exec.fence("tessera::Solver::climb");
    result.solve_ms += timer.seconds() * 1e3;
    result = attempt(exec, b, x, &result);
  }
  return result;
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) \
  template class SolveAttempts<Scalar, Space, Offset>;
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::detail
