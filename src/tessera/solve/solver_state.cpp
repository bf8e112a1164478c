// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/solver_state.hpp"

#include "tessera/amg/find_nodes.hpp"
#include "tessera/core/storage_names.hpp"
#include "tessera/core/validate.hpp"
#include "tessera/direct/direct_preconditioner.hpp"
#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/host_space.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/launch_graph.hpp"
#include "tessera/kernels/offset_overflow.hpp"
#include "tessera/kernels/spmv/column_patterns.hpp"
#include "tessera/kernels/spmv/pattern_fingerprint.hpp"
#include "tessera/solve/fallback.hpp"
#include "tessera/solve/scaled_constants.hpp"
#include "tessera/solve/select.hpp"
#include "tessera/solve/single_kernel_rule.hpp"
#include "tessera/solver/block_jacobi_preconditioner.hpp"
#include "tessera/solver/check_nullspace.hpp"
#include "tessera/solver/iteration_runner.hpp"
#include "tessera/solver/jacobi_preconditioner.hpp"
#include "tessera/solver/make_solver.hpp"

#include <algorithm>
#include <utility>

namespace tessera::detail {

/// Also the iterations before one is recorded whole; RecordedWork says what that means where those
/// of a cycle differ. On an H200 the recording of a cycle takes 0.1 to 0.2 ms, which ten launches
/// of it save where launches are what limits. A solve of some ten iterations is over by then.
inline constexpr int cycles_before_recording = 24;

/// How a note of new values begins that could not be taken into what was there.
inline constexpr const char* set_up_anew = "new values were set up anew: ";

/// What was found of the nodes beyond what the user said; empty where it is nothing.
inline std::string nodes_note(const amg::Nodes& nodes, int given_block_size) {
  if (nodes.block_size == 1) return {};
  const std::string count = std::to_string(nodes.block_size) + " unknowns a node";
  if (nodes.by_unknown) return count + ", numbered unknown by unknown: found from the pattern";
  return given_block_size == 0 ? count + ": found from the pattern" : std::string();
}

template <class Scalar, class Space, class Offset>
MatrixFacts SolverState<Scalar, Space, Offset>::known_facts() const {
  MatrixFacts known = system.facts;
  if (diagonal_failed) known.decided_rows = 0;
  return known;
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::release_preconditioner() {
  M.reset();
  m_captured.reset();
  m_incomplete.reset();
  m_cycle = {};
  m_factors_inside = {};
  m_multigrid.release();
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::keep_given(const Space& exec, const ConstVectors& given,
                                                    int block_size) {
  system.block_size = block_size;
  // They may be those that were kept before.
  if (given.data() == system.candidates.data()) return;
  system.candidates = {};
  if (given.extent(1) > 0) system.candidates = converted<Scalar>(exec, given);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::settle_nullspace(const Space& exec) {
  const MatrixFacts& facts = system.facts;
  const NullspaceKind asked = system.parameters.solver.nullspace;
  const Ordinal n = system.A.num_rows();
  if (asked == NullspaceKind::constant && !facts.zero_row_sums) {
    const auto ones = allocate_multivector<Scalar>(exec, "tessera::nullspace::ones", n, 1);
    Kokkos::deep_copy(exec, ones, Scalar(1));
    require_annihilated<Scalar, Space>(exec, system.A, ones, "solver.nullspace=constant");
  }
  const bool is_asked_for = asked == NullspaceKind::components;
  const bool is_likely = asked == NullspaceKind::automatic && facts.symmetric &&
                         (facts.zero_row_sums || facts.zero_rows > 0);
  if (m_knows_components || !(is_asked_for || is_likely)) return;
  m_knows_components = true;
  if (!is_asked_for || facts.symmetric)
    take_nullspace(exec, singular_components(exec, system.A.view(), {}, sum_round_off<Scalar>));
  if (is_asked_for && system.nullspace.empty())
    throw Error(ErrorKind::configuration,
                std::string("solver.nullspace=components: ") +
                    (facts.symmetric
                         ? "in each connected component of the matrix there is a row that does not "
                           "sum to zero, expected one of rows that all do"
                         : "the matrix is not symmetric, expected one that is") +
                    "; with solver.nullspace=none nothing is projected out");
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::take_nullspace(
    const Space& exec, const ComponentNullspace<Scalar, Space>& found) {
  system.facts.singular_components = found.num_components;
  system.facts.singular_rows = found.num_rows;
  const bool is_the_constant =
      found.is_constant && found.num_components == 1 && found.num_rows == system.A.num_rows();
  const bool is_asked_for = system.parameters.solver.nullspace == NullspaceKind::components;
  if (found.empty() || (is_the_constant && !is_asked_for)) return;
  system.nullspace = found;
  m_nullspace = NullspaceProjector<Scalar, Space>(found.projector(exec));
}

template <class Scalar, class Space, class Offset>
std::string SolverState<Scalar, Space, Offset>::look_for_nullspace(const Space& exec,
                                                                   bool or_scaled) {
  if (!m_knows_components) {
    m_knows_components = true;
    take_nullspace(exec, singular_components(exec, system.A.view(), {}, sum_round_off<Scalar>));
  }
  if constexpr (std::is_same_v<Scalar, double>) {
    if (system.nullspace.empty() && or_scaled && !m_knows_scaled) {
      m_knows_scaled = true;
      take_nullspace(exec, find_scaled_constants(exec, system.A, effective));
    }
  }
  const auto& found = system.nullspace;
  if (found.empty()) return {};
  effective.solver.nullspace = NullspaceKind::components;
  if (candidates_are_of_nullspace()) {
    if (!found.is_constant && system.parameters.equilibration == Equilibration::automatic)
      effective.equilibration = Equilibration::powers_of_two;
    MultiVector<Scalar, Space> storage;
    m_annihilated = find_near_nullspace(exec, system, {}, storage).annihilated;
    m_candidates = storage;
    m_multigrid.forget_candidates();
  }
  const bool is_one = found.num_components == 1;
  return std::to_string(found.num_components) + " connected component" + (is_one ? "" : "s") +
         " of " + std::to_string(found.num_rows) + " rows in all " + (is_one ? "is" : "are") +
         " singular: A annihilates " + (is_one ? "its" : "their") +
         (found.is_constant ? " constant" : " constant times a diagonal");
}

template <class Scalar, class Space, class Offset>
bool SolverState<Scalar, Space, Offset>::candidates_are_of_nullspace() const {
  return effective.preconditioner == PreconditionerKind::amg && system.candidates.extent(1) == 0 &&
         system.nodes.block_size == 1;
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::choose(const Space& exec, const ConstVectors& given,
                                                int block_size) {
  const SolveParameters& asked = system.parameters;
  const auto kind = asked.preconditioner;
  settle_nullspace(exec);
  const MatrixFacts seen = known_facts();
  const bool by_diagonal = diagonal_may_do(asked, seen);
  const bool multigrid_is_open =
      (kind == PreconditionerKind::amg || kind == PreconditionerKind::automatic) &&
      (!by_diagonal || block_size > 0);
  system.nodes = amg::find_nodes(exec, system.A.view(), multigrid_is_open ? block_size : 1);
  const amg::Nodes& nodes = system.nodes;
  const direct::Cost* cost = nullptr;
  if (!by_diagonal && may_pay_directly(asked, seen, given.extent(1) > 0))
    cost = factors.cost(exec, system);
  const auto pick_all = [&] {
    effective = asked;
    return select_parameters(effective, seen, std::is_same_v<Scalar, double>, nodes.block_size,
                             nodes.coupled && given.extent(1) == 0, cost);
  };
  auto picks = pick_all();
  if (effective.preconditioner == PreconditionerKind::direct && !factors.make(exec, system)) {
    factors.set_failed();
    cost = nullptr;
    picks = pick_all();
  }
  for (const Selection& picked : picks)
    notes.push_back(picked.note());
  if (effective.preconditioner == PreconditionerKind::direct && factors.failed()) {
    effective.preconditioner = PreconditionerKind::jacobi;
    notes.push_back("preconditioner jacobi: no factors of finite numbers were found");
  }
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::choose_and_build(const Space& exec,
                                                          const ConstVectors& given,
                                                          int block_size) {
  choose(exec, given, block_size);
  MultiVector<Scalar, Space> storage;
  Near near{given, {}, system.nodes.block_size};
  if (effective.preconditioner == PreconditionerKind::amg) {
    const std::string note = nodes_note(system.nodes, block_size);
    if (!note.empty()) notes.push_back(note);
    near = find_near_nullspace(exec, system, given, storage);
  }
  m_annihilated = near.annihilated;
  m_multigrid.forget_candidates();
  build(exec, near);
  keep_candidates(exec, near.candidates);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::keep_candidates(const Space& exec,
                                                         const ConstVectors& given) {
  m_candidates = {};
  const bool of_use = effective.precision == Precision::same &&
                      may_strengthen(system.parameters, effective, system.facts);
  if (of_use && given.extent(1) > 0) m_candidates = converted<Scalar>(exec, given);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::rebuild(const Space& exec) {
  const auto in_float = m_multigrid.float_candidates();
  if (in_float.extent(1) > 0) m_candidates = converted<Scalar>(exec, in_float);
  const kernels::ColumnPatternScope patterns(effective.column_patterns);
  const kernels::TensorCoreScope tensor_cores(effective.tensor_cores);
  build(exec, {m_candidates, m_annihilated, system.nodes.block_size});
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::bear_rounding() {
  const auto any_level = [&](const auto& property) {
    return std::any_of(info.levels.begin(), info.levels.end(), property);
  };
  // Vectors in less precision somewhere inside, be it by `amg.choose_level`, ...
  const bool rounds_vectors =
      any_level([](const LevelInfo& level) { return level.precision != scalar_name<Scalar>(); });
  // ... or R in another scalar than P: symmetric to that round-off alone.
  const bool is_rounded = rounds_vectors || any_level([](const LevelInfo& level) {
                            return level.P.storage != level.R.storage;
                          });
  if (effective.solver.name == SolverName::cg && is_rounded) effective.solver.flexible = true;
  const SolverParameters& asked = system.parameters.solver;
  if (rounds_vectors && effective.solver.name == SolverName::gmres &&
      asked.name == SolverName::automatic && asked.side == PreconditioningSide::right) {
    effective.solver.name = SolverName::fgmres;
    notes.push_back(std::string("solver fgmres: a cycle in less than ") + scalar_name<Scalar>() +
                    " is linear to its round-off alone");
  }
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::build(const Space& exec, const Near& near) {
  info = {};
  release_preconditioner();
  if (effective.preconditioner == PreconditionerKind::amg) build_multigrid(exec, near);
  if (effective.preconditioner == PreconditionerKind::direct) take_factors();
  if (effective.preconditioner == PreconditionerKind::ilu) build_incomplete_factors(exec);
  if (effective.preconditioner == PreconditionerKind::jacobi) {
    M = std::make_shared<JacobiPreconditioner<Scalar, Space>>(exec, system.A.view());
  }
  if (effective.preconditioner == PreconditionerKind::block_jacobi) take_blocks(exec);
  bear_rounding();
  info.notes.insert(info.notes.begin(), notes.begin(), notes.end());
  make_krylov();
  tell_of_single_kernel(exec);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::tell_of_single_kernel(const Space& exec) {
  m_kernel_notes.clear();
  const std::string note = plan_single_kernel(exec);
  if (!note.empty()) m_kernel_notes.push_back(note);
  if (effective.solver.tiles != TilePrecision::off && single_kernel == nullptr)
    m_kernel_notes.push_back("no tiles in mixed precision: solves are not one kernel");
  else if (!m_tile_obstacle.empty())
    m_kernel_notes.push_back("no tiles in mixed precision: " + m_tile_obstacle);
  info.notes.insert(info.notes.end(), m_kernel_notes.begin(), m_kernel_notes.end());
}

template <class Scalar, class Space, class Offset>
bool SolverState<Scalar, Space, Offset>::wants_single_kernel(const Space& exec) const {
  const SingleKernel asked = effective.solver.single_kernel;
  if (asked != SingleKernel::automatic) return asked == SingleKernel::on;
  SingleKernelCase given{.on_host = kernels::is_host_space<Space>,
                         .preconditioner = effective.preconditioner,
                         .on_tiles = takes_tiles(),
                         .entries = system.A.num_entries()};
  if (m_incomplete != nullptr) {
    const auto& solves = m_incomplete->solves();
    const Ordinal of_L = solves.lower().levels.num_levels;
    const Ordinal of_U = solves.upper().levels.num_levels;
    if (of_L > 0 && of_U > 0) given.levels = static_cast<std::int64_t>(of_L) + of_U;
  }
  given.has_hubs = system.A.plan().algorithm == kernels::CsrSpmvAlgorithm::load_balanced;
  // A pass over the rows and a wait, where the answer may matter.
  if (given.has_hubs && single_kernel_pays(given)) {
    const auto A = system.A.view();
    given.longest_row =
        kernels::detail::row_facts<Space, Offset>(exec, A.offsets, A.num_rows).longest;
  }
  return single_kernel_pays(given);
}

template <class Scalar, class Space, class Offset>
bool SolverState<Scalar, Space, Offset>::takes_tiles() const {
  return effective.solver.tiles != TilePrecision::off &&
         (effective.preconditioner == PreconditionerKind::none ||
          effective.preconditioner == PreconditionerKind::jacobi);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::make_single_kernel(const Space& exec) {
  using Kernel = SingleKernelSolver<Scalar, Space>;
  SolverParameters own = effective.solver;
  m_tile_obstacle.clear();
  if (takes_tiles()) {
    try {
      single_kernel = std::make_unique<Kernel>(own);
      single_kernel->make_tiles(exec, system.A.view());
      return;
    } catch (const OffsetOverflow& overflow) {
      m_tile_obstacle = overflow.what();
    }
  } else if (own.tiles != TilePrecision::off) {
    m_tile_obstacle = "solver.tiles takes preconditioner none or jacobi";
  }
  own.tiles = TilePrecision::off;
  single_kernel = std::make_unique<Kernel>(own);
}

template <class Scalar, class Space, class Offset>
std::string SolverState<Scalar, Space, Offset>::plan_single_kernel(const Space& exec) {
  single_kernel.reset();
  m_tile_obstacle.clear();
  m_cycle = {};
  m_factors_inside = {};
  if (!wants_single_kernel(exec)) return {};
  std::string obstacle = SingleKernelSolver<Scalar, Space>::obstacle(effective.solver);
  if (effective.preconditioner == PreconditionerKind::direct)
    obstacle = "factors are applied on the host";
  if (obstacle.empty() && effective.preconditioner == PreconditionerKind::amg)
    obstacle = m_multigrid.write_steps(exec, m_cycle);
  if (obstacle.empty()) {
    if (m_incomplete != nullptr) {
      const auto& factors = m_incomplete->factors();
      m_factors_inside = {exec, factors.lower(), factors.upper()};
    }
    make_single_kernel(exec);
    return "one kernel for a solve of one right-hand side, unless a logger has to hear of it live";
  }
  const bool is_asked_for = effective.solver.single_kernel == SingleKernel::on;
  return is_asked_for ? "no single kernel: " + obstacle : std::string();
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::take_blocks(const Space& exec) {
  constexpr int usual_rows = 8;
  int& rows = effective.block_rows;
  if (rows == 0) {
    const amg::Nodes nodes = amg::find_nodes(exec, system.A.view(), system.block_size);
    const bool are_blocks = nodes.block_size > 1 && !nodes.by_unknown;
    rows = are_blocks ? std::min(nodes.block_size, kernels::most_block_rows) : usual_rows;
  }
  const auto blocks =
      std::make_shared<BlockJacobiPreconditioner<Scalar, Space>>(exec, system.A.view(), rows);
  const std::string text =
      " blocks of block_jacobi have no inverse: their diagonals take the place";
  std::erase_if(info.notes, [&](const std::string& note) { return note.ends_with(text); });
  if (blocks->num_singular() > 0)
    info.notes.push_back(std::to_string(blocks->num_singular()) + text);
  M = blocks;
}

template <class Scalar, class Space, class Offset>
SolveResult SolverState<Scalar, Space, Offset>::solve_in_one_kernel(
    const Space& exec, const ConstVectors& b, const MultiVectorView<Scalar, Space>& x,
    const SolvePart& part) {
  kernels::PersistentPreconditioner<Scalar, Space> inside = m_cycle.preconditioner();
  if (const auto* const jacobi = dynamic_cast<JacobiPreconditioner<Scalar, Space>*>(M.get()))
    inside = jacobi->inverse_diagonal();
  if (const auto* const blocks = dynamic_cast<BlockJacobiPreconditioner<Scalar, Space>*>(M.get())) {
    inside.blocks = blocks->blocks();
    inside.block_rows = blocks->block_rows();
  }
  if (m_incomplete != nullptr) inside.factors = &m_factors_inside;
  const SolveResult result = single_kernel->solve(exec, system.A.view(), inside, b, x, part);
  if (const auto end = single_kernel->end_of_tiles()) {
    note_once("no tiles in mixed precision: a solve ended as " + std::string(to_string(*end)) +
              " with them, and went on with the matrix itself");
  }
  return result;
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::leave_single_kernel(const std::string& why) {
  single_kernel.reset();
  note_once("no single kernel: " + why);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::note_once(const std::string& note) {
  auto& known = info.notes;
  if (std::find(known.begin(), known.end(), note) == known.end()) known.push_back(note);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::note_set_up_anew(const std::string& why) {
  info.notes.push_back(set_up_anew + why);
}

template <class Scalar, class Space, class Offset>
bool SolverState<Scalar, Space, Offset>::loses_definiteness() const {
  return effective.solver.name == SolverName::cg && m_multigrid.coarsest_is_indefinite();
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::build_multigrid(const Space& exec, const Near& near) {
  // The levels of a solve in one kernel are in compressed rows.
  auto& format = effective.amg.storage.format;
  const bool may_be_inside = wants_single_kernel(exec) &&
                             SingleKernelSolver<Scalar, Space>::obstacle(effective.solver).empty();
  if (may_be_inside && effective.amg.levels.empty() && format == StorageFormat::automatic)
    format = StorageFormat::csr;
  M = m_multigrid.build(exec, system, effective, near, info);
  const bool is_picked = system.parameters.precision == Precision::automatic;
  const bool is_lost = is_picked && loses_definiteness();
  if ((M == nullptr || is_lost) && effective.precision == Precision::single) {
    release_preconditioner();
    info = {};
    effective.precision = Precision::same;
    effective.solver.flexible = system.parameters.solver.flexible || needs_flexible_cg(effective);
    notes.push_back(std::string("preconditioner in double: ") +
                    (is_lost ? "in float the coarsest level is not positive definite"
                             : "float's range does not hold the hierarchy"));
    M = m_multigrid.build(exec, system, effective, near, info);
  }
  if (M == nullptr) {
    const ValidationReport report = validate(exec, system.A.view());
    if (report.has(MatrixDefect::not_finite)) throw Error(ErrorKind::bad_input, to_string(report));
    effective.preconditioner = PreconditionerKind::jacobi;
    notes.push_back("preconditioner jacobi: no hierarchy of finite numbers was found");
  }
  if (kernels::has_launch_graphs<Space> && effective.graph && M != nullptr) {
    m_captured = std::make_shared<CapturedPreconditioner<Scalar, Space>>(std::move(M),
                                                                         cycles_before_recording);
    M = m_captured;
  }
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::build_incomplete_factors(const Space& exec) {
  // CG asks for an M that is positive definite; for other methods the factors nearer to A do.
  if (effective.ilu.negative_pivots == NegativePivots::automatic) {
    effective.ilu.negative_pivots =
        effective.solver.name == SolverName::cg ? NegativePivots::absolute : NegativePivots::keep;
  }
  m_incomplete = std::make_shared<IluPreconditioner<Scalar, Space, Offset>>(effective.ilu);
  m_incomplete->initialize(exec, system.A.arrays());
  if (m_incomplete->compute(exec, system.A.view())) {
    M = m_incomplete;
    notes.push_back("ilu: " + m_incomplete->description());
    return;
  }
  m_incomplete.reset();
  const ValidationReport report = validate(exec, system.A.view());
  if (report.has(MatrixDefect::not_finite)) throw Error(ErrorKind::bad_input, to_string(report));
  effective.preconditioner = PreconditionerKind::jacobi;
  notes.push_back("preconditioner jacobi: no incomplete factors of finite numbers were found");
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::take_factors() {
  const direct::SparseDirect& made = *factors.get();
  M = std::make_shared<direct::DirectPreconditioner<Scalar, Space>>(factors.get());
  notes.push_back("factors: " + made.description());
  // Those of an indefinite matrix are no inner product.
  if (!made.is_cholesky() && effective.solver.name == SolverName::cg &&
      system.parameters.solver.name == SolverName::automatic) {
    effective.solver.name = SolverName::gmres;
    effective.solver.flexible = system.parameters.solver.flexible;
    notes.push_back("solver gmres: the matrix is not positive definite");
  }
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::make_krylov() {
  krylov = make_solver<Scalar, Space>(effective.solver);
  if (effective.solver.nullspace == NullspaceKind::components) krylov->set_nullspace(m_nullspace);
  if (effective.solver.nullspace == NullspaceKind::constant)
    krylov->trust_nullspace(system.A.num_rows());
  single_kernel.reset();  // what takes a method's place has its reasons
  m_kernel_notes.clear();
  // Factors are applied on the host, which a recording cannot wait for.
  const bool records = effective.graph && effective.preconditioner != PreconditionerKind::direct;
  run_by(records ? make_recording_runner<Space>(cycles_before_recording) : nullptr);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::run_by(std::shared_ptr<IterationRunner<Space>> runner) {
  m_runner = std::move(runner);
  krylov->set_runner(m_runner);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::note_failed_recordings() {
  const auto note = [&](const std::string& what, const std::string& failure) {
    if (!failure.empty())
      note_once(what + " are launched kernel by kernel: recording them failed (" + failure + ")");
  };
  if (m_runner != nullptr) note("iterations", m_runner->failure());
  if (m_captured != nullptr) note("cycles", m_captured->failure());
}

template <class Scalar, class Space, class Offset>
bool SolverState<Scalar, Space, Offset>::can_update() const {
  const SolveParameters& asked = system.parameters;
  if (asked.amg.reuse == amg::Reuse::none) return false;
  const auto kind = effective.preconditioner;
  if (kind == PreconditionerKind::amg) return m_multigrid.can_update();
  // What these hold is soon made, and other values may bear what was asked for.
  const bool is_plain = kind == PreconditionerKind::jacobi || kind == PreconditionerKind::none;
  return !is_plain || kind == asked.preconditioner;
}

template <class Scalar, class Space, class Offset>
std::string SolverState<Scalar, Space, Offset>::update(const Space& exec) {
  std::erase_if(info.notes, [](const std::string& note) { return note.starts_with(set_up_anew); });
  krylov->forget_recordings();
  if (single_kernel != nullptr) {
    single_kernel->forget_matrix();
    try {
      single_kernel->make_tiles(exec, system.A.view());
    } catch (const OffsetOverflow&) {
      return "their tiles are more than offsets count";  // a setup goes without
    }
  }
  if (effective.preconditioner == PreconditionerKind::jacobi) {
    M = std::make_shared<JacobiPreconditioner<Scalar, Space>>(exec, system.A.view());
  } else if (effective.preconditioner == PreconditionerKind::block_jacobi) {
    take_blocks(exec);
  } else if (effective.preconditioner == PreconditionerKind::direct) {
    if (!factors.update(exec, system)) return "the old kind of factors does not suit them";
  } else if (m_incomplete != nullptr) {
    if (!m_incomplete->compute(exec, system.A.view()))
      return "their incomplete factors are not finite numbers";
    const auto& factors = m_incomplete->factors();
    if (single_kernel != nullptr) m_factors_inside.refill(exec, factors.lower(), factors.upper());
    for (std::string& note : info.notes)
      if (note.starts_with("ilu: ")) note = "ilu: " + m_incomplete->description();
  } else if (m_multigrid.can_update()) {
    if (m_captured != nullptr) m_captured->forget();
    if (!m_multigrid.update(exec, system, info))
      return "the hierarchy as it was built does not hold their numbers";
    info.notes.insert(info.notes.begin(), notes.begin(), notes.end());
    // A setup from scratch takes double then.
    if (effective.precision == Precision::single &&
        system.parameters.precision == Precision::automatic && loses_definiteness())
      return "in float the coarsest level is not positive definite";
    if (single_kernel != nullptr)
      tell_of_single_kernel(exec);
    else
      info.notes.insert(info.notes.end(), m_kernel_notes.begin(), m_kernel_notes.end());
  }
  return {};
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) \
  template struct SolverState<Scalar, Space, Offset>;
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::detail
