// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/solver_state.hpp"

#include "tessera/amg/setup/hierarchy_builder.hpp"
#include "tessera/distributed/factors_choice.hpp"
#include "tessera/distributed/hybrid_smoother.hpp"
#include "tessera/distributed/numbered_parts.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/spectrum.hpp"
#include "tessera/distributed/sums_of_rows.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/solve/select.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <span>

namespace tessera::distributed {
namespace {

constexpr std::size_t max_vectors = 10;

}  // namespace

template <class Space>
void SolverState<Space>::take_near_nullspace(const Space& exec, const ConstVectors& vectors) {
  const std::size_t m = vectors.extent(1);
  const double counts[] = {static_cast<double>(m), -static_cast<double>(m)};
  double largest[] = {counts[0], counts[1]};
  processes->maximum(largest);
  on_all_processes(*processes, [&] {
    const auto n = static_cast<std::size_t>(A.matrix.rows.num_rows);
    if (largest[0] != -largest[1])
      throw Error(ErrorKind::precondition, "there are " + std::to_string(m) +
                                               " near-nullspace vectors on this process, and " +
                                               std::to_string(static_cast<int>(largest[0])) +
                                               " on another");
    if (m > max_vectors)
      throw Error(ErrorKind::precondition,
                  std::to_string(m) + " near-nullspace vectors are too many, at most 10");
    if (m > 0 && vectors.extent(0) != n)
      throw Error(ErrorKind::precondition,
                  "near-nullspace vectors have " + std::to_string(vectors.extent(0)) +
                      " rows on this process, expected " + std::to_string(n));
    near_nullspace =
        allocate_multivector<double>(exec, "tessera::distributed::near_nullspace", n, m);
    if (n > 0 && m > 0) kernels::copy<double, double, Space>(exec, vectors, near_nullspace);
    exec.fence("tessera::distributed::near_nullspace");
  });
}

template <class Space>
void SolverState<Space>::prepare(const Space& exec, const Matrix<Space>& next) {
  const ArrayPool<Space> pool(exec, amg::pools_memory<Space>(given.solve.amg));
  is_ready = false;
  change();
  A.matrix = next;
  if (by_factors) by_factors = sparse->update(exec, next);
  if (!by_factors) {
    forget_factors();
    if (multigrid == nullptr) choose_factors(exec, *this);
  }
  if (uses_multigrid() && multigrid != nullptr) {
    multigrid->update(exec, for_levels(next));
  } else if (uses_multigrid() && !by_factors) {
    multigrid = std::make_unique<Multigrid<Space>>(
        exec,
        MultigridParameters{given.solve, given.gather_rows, given.block_size,
                            given.rows_per_process, given.message_costs},
        for_levels(next), near_nullspace);
  }
  on_all_processes(*processes, [&] {
    op = make_operator<double>(exec, next, StorageParameters{});
    if (given.solve.preconditioner == PreconditionerKind::jacobi)
      inverse_diagonal = distributed::inverse_diagonal(exec, next);
  });
  pick(exec);
  if (given.solve.preconditioner == PreconditionerKind::ilu) factor(exec);
  if (given.solve.preconditioner == PreconditionerKind::block_jacobi) invert_blocks(exec);
  plan_recording();
  is_ready = true;
}

template <class Space>
void SolverState<Space>::free_joined_rows() {
  if (A.matrix.parts == nullptr) return;
  within_limit(
      [&] { distributed::free_joined_rows(A, given.solve.amg.reuse == amg::Reuse::none); });
}

template <class Space>
void SolverState<Space>::plan_recording() {
  const double waits = by_factors || (multigrid != nullptr && multigrid->waits_for_host()) ? 1 : 0;
  const SolverParameters& p = parameters.solve.solver;
  const bool is_alike = given.solve.graph && p.name == SolverName::cg &&
                        p.residual == ResidualKind::recurrence && !processes->is_reproducible();
  if (!is_alike || processes->maximum_of(waits) > 0) {
    recorder.reset();
  } else if (recorder == nullptr) {
    recorder = make_iteration_recorder<Space>(processes, rules::cycles_before_recording);
  }
  method->set_recorder(recorder);
}

template <class Space>
std::string SolverState<Space>::launches() const {
  if (recorder == nullptr) return {};
  if (!recorder->failure().empty())
    return "iterations are launched kernel by kernel: recording them failed (" +
           recorder->failure() + ")";
  return "iterations are recorded (recordings: " + std::to_string(recorder->num_captures()) +
         ", launches of them: " + std::to_string(recorder->num_launches()) + ")";
}

template <class Space>
void SolverState<Space>::invert_blocks(const Space& exec) {
  int& rows = parameters.solve.block_rows;
  rows = rows_of_blocks(exec, A.matrix, rows, given.block_size);
  blocks = std::make_unique<BlockJacobi<Space>>(exec, A.matrix, rows);
  const std::string note = blocks->note();
  if (!note.empty()) notes.push_back(note);
}

template <class Space>
void SolverState<Space>::factor(const Space& exec) {
  IluParameters& p = parameters.solve.ilu;
  // CG asks for an M that is positive definite; for other methods the factors nearer to A do.
  if (p.negative_pivots == NegativePivots::automatic)
    p.negative_pivots = parameters.solve.solver.name == SolverName::cg ? NegativePivots::absolute
                                                                       : NegativePivots::keep;
  on_all_processes(*processes, [&] {
    const LocalRows<Space> block = hybrid_block(exec, A.matrix);
    factors = std::make_unique<IluPreconditioner<double, Space, std::int64_t>>(p);
    factors->initialize(exec, block);
    if (!factors->compute(exec, block.view()))
      throw Error(ErrorKind::bad_input,
                  "no incomplete factors of finite numbers were found, from row " +
                      std::to_string(factors->report().first_row) +
                      " of the process on; take 'preconditioner' = 'amg' or 'jacobi'");
  });
  if (processes->size() > 1) notes.push_back("ilu: of each process's own rows and columns");
}

template <class Space>
void SolverState<Space>::pick(const Space& exec) {
  const Matrix<Space>& matrix = A.matrix;
  parameters = given;
  notes.clear();
  if (by_factors) {
    parameters.solve.preconditioner = PreconditionerKind::direct;
    if (!why_factors.empty()) notes.push_back("preconditioner direct: " + why_factors);
    notes.push_back("factors on process 0: " + sparse->description());
  }
  const bool symmetric =
      multigrid != nullptr ? multigrid->matrix_is_symmetric() : looks_symmetric(exec, matrix);
  const SumsOfRows sums = sums_of_rows(exec, matrix);
  SolverParameters& p = parameters.solve.solver;
  nullspace = choose_nullspace<Space>(exec, {matrix, symmetric, sums, given_nullspace, components},
                                      p.nullspace, notes);
  if (p.name == SolverName::automatic) {
    const bool preconditioner_is =
        multigrid == nullptr || (multigrid->is_symmetric() && !rounds_vectors(parameters.solve));
    // Neither a flexible CG nor a true residual in each iteration is what GMRES has.
    const bool asks_for_cg = p.cg.flexible || p.residual == ResidualKind::true_residual;
    const bool suits_cg =
        symmetric && sums.positive_diagonal && (asks_for_cg || (preconditioner_is && !by_factors));
    p.name = suits_cg ? SolverName::cg : gmres_for(p);
    const std::string gmres = p.name == SolverName::gmres ? "solver gmres: " : "solver fgmres: ";
    notes.push_back(suits_cg     ? "solver cg: the matrix is symmetric with a positive diagonal"
                    : by_factors ? gmres +
                                       "factors leave a few iterations, and it has the least "
                                       "residual in each"
                                 : gmres +
                                       "the matrix or the preconditioner is not symmetric, or "
                                       "the diagonal not positive");
  }
  const bool has_basis = p.name == SolverName::fgmres || p.name == SolverName::gmres;
  if (has_basis && by_factors && asked.solve.max_memory_mb > 0 &&
      restart_by_factors(p) < p.gmres.restart) {
    p.gmres.restart = restart_by_factors(p);
    notes.push_back("solver.gmres.restart " + std::to_string(p.gmres.restart) +
                    ": max_memory_mb counts no longer basis beside factors, unless it is set");
  }
  SolveParameters made = parameters.solve;
  if (multigrid != nullptr) made.preconditioner = PreconditionerKind::amg;
  if (p.name == SolverName::cg && needs_flexible_cg(made)) p.cg.flexible = true;
  method = make_krylov<Space>(p);
  method->set_logger(logger);
}

template <class Space>
void SolverState<Space>::make_room(const Space& exec, std::size_t k) {
  if (applied_columns != k) change();  // memory of M moves
  if (by_factors) {
    if (k > 0) sparse->prepare(exec, k);
  } else if (multigrid != nullptr) {
    multigrid->make_room(exec, k);
  } else if (blocks != nullptr) {
    if (k > 0) blocks->prepare(exec, k);
  } else if (factors != nullptr) {
    if (k > 0) factors->prepare(exec, static_cast<int>(k));
  }
  applied_columns = k;
}

template <class Space>
System<Space> SolverState<Space>::system() {
  System<Space> made;
  made.processes = processes;
  made.A = op.get();
  made.revision = &revision;
  made.nullspace = nullspace.of_x.get();
  made.left_nullspace = nullspace.of_residuals.get();
  made.make_room = [this](const Space& exec, std::size_t k) { make_room(exec, k); };
  made.M = [this](const Space& exec, const ConstVectors& r, const Vectors& z) {
    const std::size_t k = r.extent(1);
    if (applied_columns != k) {
      change();
      try {
        on_all_processes(*processes, [&] { make_room(exec, k); });
      } catch (...) {
        make_room(exec, 0);  // for all, where one has none
        throw;
      }
    }
    if (by_factors) return sparse->apply(exec, r, z);
    if (multigrid != nullptr) return multigrid->apply(exec, r, z);
    if (blocks != nullptr) return blocks->apply(exec, r, z);
    if (factors != nullptr) return factors->apply(exec, r, z);
    if (given.solve.preconditioner == PreconditionerKind::jacobi)
      return kernels::multiply<double, Space>(exec, 1, inverse_diagonal, r, z);
    kernels::copy<double, double, Space>(exec, r, z);
  };
  return made;
}

template <class Space>
std::vector<Traffic> SolverState<Space>::counted() const {
  std::vector<Traffic> levels{processes->counted()};
  if (multigrid == nullptr) return levels;
  for (const auto& coarse : multigrid->coarse_processes()) {
    levels.push_back(coarse->counted());
    levels.front() -= levels.back();
  }
  return levels;
}

template <class Space>
std::vector<Traffic> SolverState<Space>::cycle_traffic_by_level(const Space& exec) {
  const auto n = static_cast<std::size_t>(A.matrix.rows.num_rows);
  const auto r = allocate_multivector<double>(exec, "tessera::distributed::zeros", n);
  const auto z = allocate_multivector<double>(exec, "tessera::distributed::zeros", n);
  Kokkos::deep_copy(exec, r, 0.0);
  const System<Space> applied = system();
  applied.M(exec, r, z);  // a first time may make room, and agree on it
  const auto before = counted();
  applied.M(exec, r, z);
  exec.fence("tessera::distributed::cycle_traffic");
  auto levels = counted();
  std::vector<std::int64_t> sums;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    levels[l] -= before[l];
    sums.insert(sums.end(), {levels[l].messages, levels[l].bytes});
  }
  processes->sum(std::span<std::int64_t>(sums));
  for (std::size_t l = 0; l < levels.size(); ++l) {
    levels[l].messages = sums[2 * l];
    levels[l].bytes = sums[2 * l + 1];
  }
  return levels;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_STRUCT, SolverState)

}  // namespace tessera::distributed
