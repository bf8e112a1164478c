// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/forecast.hpp"

#include "tessera/distributed/agreed_facts.hpp"
#include "tessera/distributed/factors_choice.hpp"
#include "tessera/distributed/level_checks.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/pick_parameters.hpp"
#include "tessera/distributed/spectrum.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"
#include "tessera/solve/forecast.hpp"
#include "tessera/solve/matrix_piece.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace tessera::distributed {

/// A matrix and what a setup of it and a solve took.
struct ForecastTrial {
  MemoryForecast took;
  double entries = 0;
};

namespace {

/// Rows of all processes' pieces, and the vectors that belong to them.
template <class Space>
struct Piece {
  Matrix<Space> A;
  MultiVector<double, Space> near_nullspace;
  GivenNullspace<Space> nullspace = {};  ///< of the whole; a piece has none
};

template <class Space>
std::size_t basis_bytes(const SolverState<Space>& state, std::size_t rows) {
  const SolverParameters& p = state.parameters.solve.solver;
  if (p.name != SolverName::fgmres && p.name != SolverName::gmres) return 0;
  const int restart = state.by_factors ? restart_by_factors(p) : p.gmres.restart;
  const int steps = std::min(restart, std::max(p.max_iterations, 1));
  const bool is_left = p.name == SolverName::gmres && p.side == PreconditioningSide::left;
  return ((is_left ? 1 : 2) * static_cast<std::size_t>(steps) + 1) * rows * sizeof(double);
}

/// To be set up for a forecast.
template <class Space>
SolverState<Space> trial_state(const SolverState<Space>& of, const Parameters& parameters) {
  SolverState<Space> state;
  state.processes = of.processes;
  state.asked = of.asked;
  state.given = parameters;
  state.counts_factors = true;
  return state;
}

/// What it takes to find out whether factors are picked.
struct LookAtFactors {
  bool picks = false;
  std::size_t peak_bytes = 0;
  std::size_t kept_bytes = 0;
};

/// Collective.
template <class Space>
LookAtFactors look_at_factors(const Space& exec, const SolverState<Space>& of,
                              const Parameters& parameters) {
  if (parameters.solve.preconditioner != PreconditionerKind::automatic) return {};
  SolverState<Space> state = trial_state(of, parameters);
  state.A = of.A;
  state.given_nullspace = of.given_nullspace;
  const MemoryTracker memory(Space::memory_space::name(), true);
  choose_factors(exec, state);
  exec.fence("tessera::distributed::forecast: after a look at factors");
  return {state.by_factors, static_cast<std::size_t>(memory.peak_bytes()),
          static_cast<std::size_t>(std::max<std::int64_t>(memory.live_bytes(), 0))};
}

/// A setup, and a solve that ends behind its first iteration. Collective.
template <class Space>
ForecastTrial tried(const Space& exec, const SolverState<Space>& of, const Parameters& parameters,
                    const Piece<Space>& piece) {
  const auto& A = piece.A;
  const auto n = static_cast<std::size_t>(A.rows.num_rows);
  MultiVector<double, Space> b, x;
  on_all_processes(*A.processes, [&] {
    b = allocate_multivector<double>(exec, "tessera::distributed::forecast::b", n, 1);
    x = allocate_multivector<double>(exec, "tessera::distributed::forecast::x", n, 1);
    Kokkos::deep_copy(exec, b, 1.0);
    Kokkos::deep_copy(exec, x, 0.0);
  });
  ForecastTrial trial;
  trial.entries = static_cast<double>(A.rows.num_entries());
  SolverState<Space> state = trial_state(of, parameters);
  state.near_nullspace = piece.near_nullspace;
  state.given_nullspace = piece.nullspace;
  {
    const MemoryTracker memory(Space::memory_space::name(), true);
    state.prepare(exec, A);
    exec.fence("tessera::distributed::forecast: after setup");
    trial.took.setup_bytes = memory.peak_bytes();
    trial.took.kept_bytes =
        static_cast<std::size_t>(std::max<std::int64_t>(memory.live_bytes(), 0));
  }
  const MemoryTracker memory(Space::memory_space::name(), true);
  state.method->set_logger([](const IterationInfo&) { return false; });
  state.method->solve(exec, state.system(), b, x);
  exec.fence("tessera::distributed::forecast: after a solve");
  trial.took.solve_bytes = memory.peak_bytes() + basis_bytes(state, n);
  return trial;
}

/// Of each process's own rows, block by block of the whole. Collective.
template <class Space>
Piece<Space> piece_of(const Space& exec, const SolverState<Space>& of, int block_size,
                      double entries) {
  const Matrix<Space>& A = of.A.matrix;
  Piece<Space> piece;
  LocalRows<Space> rows;
  on_all_processes(*A.processes, [&] {
    const amg::Nodes nodes{block_size, A.rows.num_rows / block_size};
    auto found = tessera::detail::piece_around_the_middle<double, Space, std::int64_t>(
        exec, A.rows.view(), nodes, of.near_nullspace,
        static_cast<std::size_t>(std::max(entries, 1.0)));
    rows = found.A;
    piece.near_nullspace =
        of.near_nullspace.extent(1) > 0 ? found.vectors : MultiVector<double, Space>();
  });
  const auto shares = std::make_shared<const Partition>(*A.processes, rows.num_rows);
  piece.A = matrix_of<Space>(exec, A.processes, rows, shares, shares,
                             ColumnNumbers<Space>(shares->first(), rows.num_rows));
  return piece;
}

/// The parameters by which a piece with such a share of all rows is set up as the whole is.
template <class Space>
Parameters for_pieces(const Parameters& given, int block_size, double share) {
  Parameters p = given;
  const auto scaled = [&](int rows) {
    return std::max(1, static_cast<int>(std::lround(share * rows)));
  };
  p.gather_rows = scaled(p.gather_rows);
  p.rows_per_process = scaled(rows_per_process<Space>(p.rows_per_process));
  p.block_size = block_size;
  p.solve.solver.nullspace = NullspaceKind::none;  // which a piece does not have
  return p;
}

}  // namespace

template <class Space>
bool picks_factors(const Space& exec, const SolverState<Space>& state,
                   const Parameters& parameters) {
  return look_at_factors(exec, state, parameters).picks;
}

template <class Space>
MemoryForecast forecast_memory(const Space& exec, const SolverState<Space>& state,
                               const Parameters& parameters, double trial_entries, bool is_whole) {
  const Matrix<Space>& A = state.A.matrix;
  Parameters p = parameters;
  p.solve.max_memory_mb = 0;
  p.solve.forecast_memory = false;
  const auto whole = [&] {
    return tried(exec, state, p, Piece<Space>{A, state.near_nullspace, state.given_nullspace}).took;
  };
  if (is_whole || p.solve.preconditioner == PreconditionerKind::direct) return whole();
  const LookAtFactors look = look_at_factors(exec, state, p);
  if (look.picks) return whole();
  if (p.solve.preconditioner == PreconditionerKind::automatic)
    p.solve.preconditioner = PreconditionerKind::amg;
  const int block_size =
      agreed_block_size(exec, A, asked_block_size(p.block_size, p.solve.amg.coarsening));
  // Rows of a piece need not repeat each other as the matrix's do.
  if (state.uses_multigrid())
    p.solve.amg.coarsening = pick_parameters(exec, A, state.near_nullspace, p.solve, block_size,
                                             looks_symmetric(exec, A), FactorsOfShares::left_out)
                                 .solve.amg.coarsening;
  double all[] = {static_cast<double>(A.rows.num_rows), static_cast<double>(A.rows.num_entries())};
  A.processes->sum(std::span<double>(all));
  double share = 1;
  double entries_of_all = 0;  // of the pieces
  const auto try_piece = [&](double entries) {
    const auto piece = piece_of(exec, state, block_size, entries);
    double sums[] = {static_cast<double>(piece.A.rows.num_rows),
                     static_cast<double>(piece.A.rows.num_entries())};
    A.processes->sum(std::span<double>(sums));
    share = sums[0] / all[0];
    entries_of_all = sums[1];
    return tried(exec, state, for_pieces<Space>(p, block_size, share), piece);
  };
  ForecastTrial smaller, larger;
  double share_of_larger = 0;
  try {
    // On a host next to nothing is beside what grows: a piece of nothing says so.
    if (!kernels::is_host_space<Space>) smaller = try_piece(trial_entries / 4);
    larger = try_piece(trial_entries);
    share_of_larger = entries_of_all / all[1];
  } catch (const Error& error) {
    // What suits A need not suit a piece of it, such as aggregates that are boxes of a grid.
    if (error.kind() == ErrorKind::out_of_memory) throw;
    return whole();
  }
  const auto rows = static_cast<double>(A.rows.num_rows);
  const auto entries = static_cast<double>(A.rows.num_entries());
  // A process without entries may have what others have given it.
  const bool has_piece = larger.entries > 0;
  const double size = has_piece ? entries : all[1];
  const double of_larger = has_piece ? larger.entries : entries_of_all;
  const double of_smaller = has_piece ? smaller.entries : share * all[1];
  const double with_ghosts = rows > 0 ? 1 + static_cast<double>(A.ghosts.extent(0)) / rows : 1;
  const auto scaled = [&](std::size_t MemoryForecast::* bytes) {
    return static_cast<std::size_t>(with_ghosts * static_cast<double>(tessera::detail::bytes_by_two(
                                                      {of_larger, larger.took.*bytes},
                                                      {of_smaller, smaller.took.*bytes}, size)));
  };
  MemoryForecast forecast;
  const GivenNullspace<Space>& given = state.given_nullspace;  // whose bases are orthonormal copies
  const std::size_t bases = (given.basis.span() + given.left.span()) * sizeof(double);
  forecast.setup_bytes =
      std::max(look.peak_bytes, look.kept_bytes + scaled(&MemoryForecast::setup_bytes) + bases);
  forecast.kept_bytes = look.kept_bytes + scaled(&MemoryForecast::kept_bytes) + bases;
  forecast.solve_bytes = scaled(&MemoryForecast::solve_bytes);
  forecast.share = share_of_larger;
  return forecast;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, picks_factors)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, forecast_memory)

}  // namespace tessera::distributed
