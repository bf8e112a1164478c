// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/factors_turn.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/parts_setup.hpp"
#include "tessera/distributed/step_memory_limit.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"
#include "tessera/solve/memory_limit.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>

namespace tessera::distributed {
namespace {

/// Runs `work` below the limit of memory. Where that has no room for it on some process, factors
/// are no choice any more. Collective.
template <class Space, class Work>
void within_room(SolverState<Space>& state, const Work& work) {
  const bool has_limit = state.asked.solve.max_memory_mb > 0;
  const auto refuse = [&](const std::exception& error) {
    state.sparse.reset();
    state.factors_failed = true;
    // By the limit or because the machine has no more: what was thrown says which.
    state.notes.push_back(std::string("no sparse factors: there is no room for them: ") +
                          error.what());
  };
  state.within_limit([&] {
    try {
      work();
    } catch (const MemoryLimitExceeded& error) {
      if (!has_limit) throw;
      refuse(error);
    } catch (const Error& error) {
      if (!has_limit || error.kind() != ErrorKind::out_of_memory) throw;
      refuse(error);
    }
  });
}

/// At the most, per right-hand side and row of this process: with messages and what is scaled.
std::size_t vectors_of_solve(const SolverParameters& p) {
  constexpr std::size_t without_basis = 14;
  if (p.name == SolverName::cg || p.name == SolverName::bicgstab ||
      p.name == SolverName::richardson)
    return without_basis;
  const int steps = std::min(restart_by_factors(p), std::max(p.max_iterations, 1));
  return std::max(without_basis, 2 * static_cast<std::size_t>(steps) + 8);
}

/// Of this process, for one right-hand side, by factors.
template <class Space>
double bytes_of_solve(const SolverState<Space>& state) {
  const Matrix<Space>& A = state.A.matrix;
  constexpr double of_gathered = 4;  // r, z, and messages in both directions
  const double gathered =
      A.processes->rank() == 0 ? static_cast<double>(A.row_shares->size()) : 0.0;
  const double own = static_cast<double>(A.rows.num_rows);
  const auto vectors = static_cast<double>(vectors_of_solve(state.given.solve.solver));
  return sizeof(double) * (vectors * own + of_gathered * gathered);
}

/// Of whole rows that were freed and that the turn joins again.
template <class Space>
double bytes_of_joined_rows(const SolverState<Space>& state) {
  const Matrix<Space>& A = state.A.matrix;
  const std::size_t entries = num_entries(A);
  if (A.parts == nullptr || A.rows.values.extent(0) == entries) return 0;
  const std::size_t of_entry = sizeof(double) + sizeof(Ordinal) + sizeof(std::int64_t);
  return static_cast<double>(entries * of_entry) +
         static_cast<double>(A.rows.num_rows) * sizeof(std::int64_t);
}

/// Beside what is there. Collective.
template <class Space>
void require_room_for_turn(const SolverState<Space>& state, const direct::Cost& cost,
                           std::size_t columns) {
  const double of_factors = state.processes->rank() == 0 ? cost.bytes() : 0;
  const double bytes = of_factors + bytes_of_joined_rows(state) +
                       static_cast<double>(columns) * bytes_of_solve(state);
  on_all_processes(*state.processes, [&] {
    const auto room = static_cast<double>(StepMemoryLimit::room());
    if (bytes > room)
      throw Error(ErrorKind::out_of_memory, "they take " + tessera::detail::mebibytes(bytes) +
                                                " with a solve, and max_memory_mb leaves " +
                                                tessera::detail::mebibytes(std::max(room, 0.0)));
  });
}

}  // namespace

template <class Space>
const direct::Cost* cost_of_turn(const Space& exec, SolverState<Space>& state,
                                 std::size_t columns) {
  const direct::Cost* cost = nullptr;
  within_room(state, [&] {
    cost = factors_cost(exec, state);
    if (cost != nullptr && state.asked.solve.max_memory_mb > 0)
      require_room_for_turn(state, *cost, columns);
  });
  return state.factors_failed ? nullptr : cost;
}

template <class Space>
bool turn_to_factors(const Space& exec, SolverState<Space>& state, const std::string& why) {
  state.change();
  bool are_made = false;
  within_room(state, [&] { are_made = take_factors(exec, state, why); });
  if (!are_made) return false;
  state.within_limit([&] {
    state.multigrid.reset();
    join_again(exec, state);
    state.pick(exec);
    state.plan_recording();
  });
  state.free_joined_rows();
  if (state.asked.solve.max_memory_mb <= 0) return true;
  // What later solves are held to.
  state.kept_by_setup = state.kept_bytes;
  state.forecast.kept_bytes = static_cast<std::size_t>(std::max<std::int64_t>(state.kept_bytes, 0));
  state.forecast.solve_bytes = static_cast<std::size_t>(bytes_of_solve(state));
  return true;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, cost_of_turn)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, turn_to_factors)

}  // namespace tessera::distributed
