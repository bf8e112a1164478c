// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/limited_setup.hpp"

#include "tessera/amg/setup/hierarchy_builder.hpp"
#include "tessera/distributed/agreed_facts.hpp"
#include "tessera/distributed/spectrum.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solve/memory_limit.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::distributed {
namespace {

/// The process that needs most.
struct LargestNeed {
  std::size_t process = 0;
  double bytes = 0;
  bool is_too_much = false;  ///< for its limit, or another process's need for that one's

  std::string where(const Communicator& processes) const {
    if (processes.size() == 1) return {};
    return " on process " + std::to_string(process) + " of " + std::to_string(processes.size()) +
           ", which needs most";
  }
};

/// Collective.
LargestNeed largest_need(const Communicator& processes, double bytes, double limit) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(processes.size()));
  processes.all_gather(static_cast<std::int64_t>(bytes), all);
  const auto most = std::ranges::max_element(all);
  return {static_cast<std::size_t>(most - all.begin()), static_cast<double>(*most),
          processes.maximum_of(bytes > limit ? 1 : 0) > 0};
}

std::string limit_text(const SolveParameters& asked) {
  return "max_memory_mb is " + tessera::detail::mebibytes(tessera::detail::max_bytes(asked)) +
         " on each process, and ";
}

Error no_room_for_rows(const SolveParameters& asked, const std::exception& error) {
  return {ErrorKind::out_of_memory, "setup: " + limit_text(asked) +
                                        "a copy of the rows needs more: " + error.what() +
                                        "; raise max_memory_mb"};
}

/// A copy of the rows and vectors.
template <class Space>
void take_rows(const Space& exec, SolverState<Space>& state, const TakeRows<Space>& take,
               const ConstMultiVectorView<double, Space>& near_nullspace) {
  const ArrayPool<Space> pool(exec, amg::pools_memory<Space>(state.asked.solve.amg));
  amg::PhaseTimer<Space> timer(exec, state.asked.solve.amg.measure_phases);
  timer.start(exec, "numbers of rows and columns");
  state.A = take();
  timer.start(exec, "near-nullspace vectors");
  state.take_near_nullspace(exec, near_nullspace);
  timer.stop(exec);
  state.row_phases_ms = timer.phases();
}

/// What the rows take: while they are taken, and from then on.
struct TakenRows {
  std::size_t peak_bytes;
  std::size_t bytes;

  /// Of a tracker that has seen nothing but that.
  explicit TakenRows(const MemoryTracker& memory)
      : peak_bytes(static_cast<std::size_t>(memory.peak_bytes())),
        bytes(static_cast<std::size_t>(std::max<std::int64_t>(memory.live_bytes(), 0))) {}
};

/// Of a setup behind `taken`, whatever was tried since. `trial_entries`: of a piece, where some
/// process has more than `rules::max_entries_of_trial`. Collective.
template <class Space>
MemoryForecast forecast_behind(const Space& exec, const SolverState<Space>& state,
                               const Parameters& parameters, const TakenRows& taken,
                               double trial_entries) {
  const auto entries = static_cast<double>(state.A.matrix.rows.num_entries());
  const bool is_whole = state.processes->maximum_of(entries) <= rules::max_entries_of_trial;
  MemoryForecast forecast = forecast_memory(exec, state, parameters, trial_entries, is_whole);
  forecast.setup_bytes = std::max(taken.peak_bytes, taken.bytes + forecast.setup_bytes);
  forecast.kept_bytes += taken.bytes;
  return forecast;
}

/// Whether float inside multigrid is a choice: under FGMRES alone, whose basis takes more than
/// double does where CG would do without. Collective.
template <class Space>
bool bears_float(const Space& exec, const SolverState<Space>& state) {
  const SolverName name = state.asked.solve.solver.name;
  if (name != SolverName::automatic) return name == SolverName::gmres || name == SolverName::fgmres;
  return !looks_symmetric(exec, state.A.matrix);
}

/// Whether a setup without limit may take factors that nobody asked for: it would, or there is no
/// room to find out. Collective.
template <class Space>
bool may_give_up_factors(const Space& exec, SolverState<Space>& state) {
  bool picks = false;
  try {
    state.within_limit([&] { picks = picks_factors(exec, state, state.given); });
  } catch (const MemoryLimitExceeded&) {
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::out_of_memory) throw;
    return true;
  }
  return picks;
}

/// What was asked, and what may be given up of it. Collective.
template <class Space>
std::vector<tessera::detail::FrugalChoice> choices_of(const Space& exec,
                                                      SolverState<Space>& state) {
  const SolveParameters& asked = state.asked.solve;
  if (asked.max_memory_mb <= 0) return {{asked, ""}};
  tessera::detail::PickedFor picked;
  picked.effective = asked;
  if (asked.preconditioner == PreconditionerKind::automatic)
    picked.effective.preconditioner =
        may_give_up_factors(exec, state) ? PreconditionerKind::direct : PreconditionerKind::amg;
  picked.effective.precision = Precision::same;
  const bool may_be_float = bears_float(exec, state);
  picked.facts = agreed_facts(exec, state.A.matrix, false);
  return tessera::detail::frugal_choices(asked, picked, may_be_float);
}

/// Sets up one choice. False, with what it lacked in `obstacle`, where it does not fit on some
/// process. Collective.
template <class Space>
bool fits(const Space& exec, SolverState<Space>& state, const SolveParameters& choice,
          const TakenRows& taken, std::string& obstacle) {
  const double limit = tessera::detail::max_bytes(state.asked.solve);
  const bool has_limit = state.asked.solve.max_memory_mb > 0;
  state.give(choice);
  const auto entries = static_cast<double>(state.A.matrix.rows.num_entries());
  double trial_entries = rules::max_entries_of_trial;
  if (has_limit)
    trial_entries = std::min(trial_entries, std::max(1.0, rules::share_of_trial * entries));
  const auto exceeded = [&](const std::exception& error) {
    state.release();
    obstacle = std::string("more ") + error.what();
    return false;
  };
  try {
    MemoryForecast forecast;
    // A trial has a right-hand side and a solution of its own, which are the caller's in a solve.
    const std::int64_t vectors = 2 * std::int64_t(state.A.matrix.rows.num_rows) * sizeof(double);
    state.within_limit(
        [&] { forecast = forecast_behind(exec, state, state.given, taken, trial_entries); },
        vectors);
    const auto peak = static_cast<double>(forecast.peak_bytes());
    const LargestNeed most = largest_need(*state.processes, peak, limit);
    if (most.is_too_much) {
      obstacle = "a forecast of " + tessera::detail::mebibytes(most.bytes) + " at the peak" +
                 most.where(*state.processes);
      return false;
    }
    state.within_limit([&] { state.prepare(exec, state.A.matrix); });
    state.forecast = forecast;
    return true;
  } catch (const MemoryLimitExceeded& error) {
    return exceeded(error);
  } catch (const Error& error) {
    if (!has_limit || error.kind() != ErrorKind::out_of_memory) throw;
    return exceeded(error);
  }
}

std::string note_of_limit(const std::string& gives_up, const std::string& limit,
                          const std::string& obstacle) {
  return "gives up " + gives_up + ": " + limit + "without that setup needs " + obstacle;
}

template <class Space>
void set_up_by_forecast(const Space& exec, SolverState<Space>& state, const TakenRows& taken) {
  const std::string limit = limit_text(state.asked.solve);
  const auto choices = choices_of(exec, state);
  std::string obstacle, first_obstacle;
  for (const auto& choice : choices) {
    if (fits(exec, state, choice.parameters, taken, obstacle)) {
      if (!choice.gives_up.empty())
        state.limit_note = note_of_limit(choice.gives_up, limit, obstacle);
      return;
    }
    if (first_obstacle.empty()) first_obstacle = obstacle;
  }
  state.give(state.asked.solve);
  std::string message = "setup: " + limit + "what was asked needs " + first_obstacle;
  if (choices.size() > 1) message += "; with all given up that may be, " + obstacle;
  SolveParameters tried = choices.front().parameters;
  if (tried.preconditioner == PreconditionerKind::automatic)
    tried.preconditioner = PreconditionerKind::amg;
  throw Error(ErrorKind::out_of_memory,
              message + "; " + tessera::detail::advice_for_limit(state.asked.solve, tried));
}

}  // namespace

template <class Space>
void set_up(const Space& exec, SolverState<Space>& state, const NonDeduced<TakeRows<Space>>& take,
            const NonDeduced<ConstMultiVectorView<double, Space>>& near_nullspace) {
  state.give(state.asked.solve);
  state.limit_note.clear();
  state.forecast = {};
  state.within_limit([&] {
    state.release();
    if (state.forecasts()) state.A = {};
  });
  const MemoryTracker memory(Space::memory_space::name(), state.measures());
  try {
    state.within_limit([&] { take_rows<Space>(exec, state, take, near_nullspace); });
  } catch (const MemoryLimitExceeded& error) {
    throw no_room_for_rows(state.asked.solve, error);
  } catch (const Error& error) {
    if (state.asked.solve.max_memory_mb <= 0 || error.kind() != ErrorKind::out_of_memory) throw;
    throw no_room_for_rows(state.asked.solve, error);
  }
  if (state.forecasts())
    set_up_by_forecast(exec, state, TakenRows(memory));
  else
    state.prepare(exec, state.A.matrix);
  state.free_joined_rows();
  state.peak_bytes = memory.peak_bytes();
  state.kept_by_setup = state.kept_bytes;
}

template <class Space>
MemoryForecast forecast_of_setup(
    const Space& exec, const SolverState<Space>& state, const NonDeduced<TakeRows<Space>>& take,
    const NonDeduced<ConstMultiVectorView<double, Space>>& near_nullspace) {
  SolverState<Space> other;
  other.processes = state.processes;
  other.asked = state.asked;
  other.given_nullspace = state.given_nullspace;
  other.asked.solve.max_memory_mb = 0;
  other.give(other.asked.solve);
  const MemoryTracker memory(Space::memory_space::name(), true);
  take_rows<Space>(exec, other, take, near_nullspace);
  return forecast_behind(exec, other, other.given, TakenRows(memory), rules::max_entries_of_trial);
}

template <class Space>
void require_room_for_solve(const SolverState<Space>& state, std::size_t columns) {
  if (state.asked.solve.max_memory_mb <= 0) return;
  const double needs = static_cast<double>(state.kept_by_setup) +
                       static_cast<double>(columns * state.forecast.solve_bytes);
  const LargestNeed most =
      largest_need(*state.processes, needs, tessera::detail::max_bytes(state.asked.solve));
  if (!most.is_too_much) return;
  throw Error(ErrorKind::out_of_memory,
              "solve: " + limit_text(state.asked.solve) + std::to_string(columns) +
                  " right-hand sides need " + tessera::detail::mebibytes(most.bytes) +
                  most.where(*state.processes) + "; solve for fewer right-hand sides at once");
}

#define TESSERA_INSTANTIATE_LIMITED(Space)                                                      \
  template void set_up<Space>(const Space&, SolverState<Space>&, const TakeRows<Space>&,        \
                              const ConstMultiVectorView<double, Space>&);                      \
  template MemoryForecast forecast_of_setup<Space>(const Space&, const SolverState<Space>&,     \
                                                   const TakeRows<Space>&,                      \
                                                   const ConstMultiVectorView<double, Space>&); \
  template void require_room_for_solve<Space>(const SolverState<Space>&, std::size_t);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_LIMITED)
#undef TESSERA_INSTANTIATE_LIMITED

}  // namespace tessera::distributed
