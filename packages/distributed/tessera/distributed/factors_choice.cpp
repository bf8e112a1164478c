// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/factors_choice.hpp"

#include "tessera/distributed/agreed_facts.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/parts_setup.hpp"
#include "tessera/distributed/skew_facts.hpp"
#include "tessera/distributed/spectrum.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"
#include "tessera/solve/select.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace tessera::distributed {
namespace {

Error refusal(const std::string& what) {
  return {ErrorKind::configuration, "on several processes 'preconditioner=direct' " + what};
}

std::string rounded(double mebibytes) { return std::to_string(std::llround(std::ceil(mebibytes))); }

/// L and U have as many entries as A at the least, L of L L^T half of them. Collective.
template <class Space>
double least_bytes(const SolverState<Space>& state) {
  const Matrix<Space>& A = state.A.matrix;
  return 0.5 * sizeof(double) * A.processes->sum_of(static_cast<double>(num_entries(A)));
}

/// Of the rows of A on one process: as they come, sorted and, in a host's memory, as direct solvers
/// read them.
template <class Space>
double bytes_of_gathered(double rows, double entries) {
  const double of_entries = entries * (sizeof(double) + sizeof(Ordinal));
  const double of_rows = 2 * (of_entries + rows * sizeof(std::int64_t));
  return kernels::is_host_space<Space> ? of_rows + of_entries + rows * sizeof(int) : of_rows;
}

/// Before rows are sent: what a limit of memory refuses while they come, others would wait for.
/// Collective.
template <class Space>
void require_room_for_rows(const Matrix<Space>& A) {
  const double entries = A.processes->sum_of(static_cast<double>(num_entries(A)));
  on_all_processes(*A.processes, [&] {
    if (A.processes->rank() > 0) return;
    const double bytes =
        bytes_of_gathered<Space>(static_cast<double>(A.row_shares->size()), entries);
    MemoryTracker::require_room(Space::memory_space::name(), "tessera::distributed::gathered_rows",
                                static_cast<std::size_t>(bytes));
  });
}

/// Collective.
template <class Space>
void order(const Space& exec, SolverState<Space>& state, const MatrixFacts& facts) {
  require_room_for_rows(state.A.matrix);
  join_again(exec, state);
  state.sparse = std::make_unique<GatheredFactors<Space>>(
      exec, state.A.matrix, state.given.solve.direct, facts.symmetric && facts.positive_diagonal);
}

/// Collective.
template <class Space>
MatrixFacts facts_of(const Space& exec, const Matrix<Space>& A) {
  MatrixFacts facts = agreed_facts(exec, A, looks_symmetric(exec, A));
  facts.on_host = kernels::is_host_space<Space>;
  return facts;
}

/// Makes or counts them. Collective.
template <class Space>
bool make_or_count(const Space& exec, SolverState<Space>& state) {
  return state.counts_factors ? state.sparse->count(exec) : state.sparse->factor(exec);
}

template <class Space>
void note_factors(SolverState<Space>& state, const std::string& why) {
  state.by_factors = true;
  state.why_factors = why;
}

template <class Space>
void make_factors_asked_for(const Space& exec, SolverState<Space>& state) {
  const Parameters& asked = state.given;
  const std::int64_t rows = state.A.matrix.row_shares->size();
  if (rows > asked.factor_rows)
    throw refusal("is for matrices of at most 'factor_rows', " + std::to_string(asked.factor_rows) +
                  ", which process 0 factors, and this one has " + std::to_string(rows) +
                  " rows; raise it, or take another preconditioner");
  const double limit = asked.solve.direct.max_bytes();
  double bytes = least_bytes(state);
  if (bytes <= limit) {
    order(exec, state, facts_of(exec, state.A.matrix));
    bytes = std::max(bytes, state.sparse->cost().bytes());
    if (state.sparse->fits()) {
      if (!make_or_count(exec, state))
        throw Error(ErrorKind::bad_input,
                    "no factors of finite numbers were found; take another 'preconditioner'");
      return note_factors(state, "");
    }
  }
  throw refusal("has factors that would take " + rounded(bytes / (1 << 20)) +
                " MiB of process 0 at the least, more than 'direct.max_memory_mb', which is " +
                rounded(asked.solve.direct.max_memory_mb) +
                "; raise it, or take another preconditioner");
}

}  // namespace

template <class Space>
bool may_factor(const SolverState<Space>& state) {
  return kernels::is_host_space<Space> && direct::available() && !state.by_factors &&
         !state.factors_failed && state.given_nullspace.empty() &&
         state.given.solve.preconditioner == PreconditionerKind::automatic &&
         state.A.matrix.row_shares->size() <= state.given.factor_rows;
}

template <class Space>
void choose_factors(const Space& exec, SolverState<Space>& state) {
  const SolveParameters& asked = state.given.solve;
  if (asked.preconditioner == PreconditionerKind::direct)
    return make_factors_asked_for(exec, state);
  if (!may_factor(state)) return;
  // Stiffness without its vectors, which one process may factor at once, is multigrid's to try:
  // processes share that. What it is not made for is left, with vectors or without.
  const auto may_pay = [&](const MatrixFacts& facts) {
    return may_pay_directly(asked, facts, true, 1);
  };
  const Matrix<Space>& A = state.A.matrix;
  MatrixFacts facts = facts_of(exec, A);
  if (!may_pay(facts)) return;
  if (!facts.symmetric) add_skew_facts(exec, A, facts);
  if (!may_pay(facts)) return;
  const direct::Cost* const cost = factors_cost(exec, state);
  if (cost == nullptr) return;
  SolveParameters picked = asked;
  const auto selections = select_parameters(picked, facts, true, 1, false, cost);
  if (picked.preconditioner != PreconditionerKind::direct) {
    // What was ordered is for solves that turn to it, but where memory is short.
    if (state.asked.solve.max_memory_mb > 0) state.sparse.reset();
    return;
  }
  for (const Selection& selection : selections)
    if (selection.setting == "preconditioner=direct") take_factors(exec, state, selection.why);
}

template <class Space>
const direct::Cost* factors_cost(const Space& exec, SolverState<Space>& state) {
  if (!may_factor(state)) return nullptr;
  if (state.sparse == nullptr) {
    if (least_bytes(state) > state.given.solve.direct.max_bytes()) {
      state.factors_failed = true;
      return nullptr;
    }
    join_again(exec, state);
    order(exec, state, facts_of(exec, state.A.matrix));
  }
  if (state.sparse->fits()) return &state.sparse->cost();
  state.factors_failed = true;
  state.sparse.reset();
  return nullptr;
}

template <class Space>
bool take_factors(const Space& exec, SolverState<Space>& state, const std::string& why) {
  if (factors_cost(exec, state) == nullptr) return false;
  if (!make_or_count(exec, state)) {
    state.factors_failed = true;
    state.sparse.reset();
    return false;
  }
  note_factors(state, why);
  return true;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, may_factor)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, choose_factors)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, factors_cost)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, take_factors)

}  // namespace tessera::distributed
