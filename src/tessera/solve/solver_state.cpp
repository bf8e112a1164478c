// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/solver_state.hpp"

#include "tessera/amg/coarsening/check_near_nullspace.hpp"
#include "tessera/amg/coarsening/find_nodes.hpp"
#include "tessera/amg/setup/hierarchy_builder.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"
#include "tessera/kernels/spmv/column_patterns.hpp"
#include "tessera/solve/inspect.hpp"
#include "tessera/solve/scaling_search.hpp"
#include "tessera/solve/select.hpp"
#include "tessera/solve/selection_rules.hpp"
#include "tessera/solver/iteration_runner.hpp"
#include "tessera/solver/make_solver.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tessera::detail {

/// How a note of new values begins that could not be taken into what was there.
inline constexpr const char* set_up_again = "setup was repeated for the new values: ";

/// What was found of the nodes beyond what the user said; empty where it is nothing.
inline std::string nodes_note(const amg::Nodes& nodes, int given_block_size) {
  if (nodes.block_size == 1) return {};
  const std::string count = std::to_string(nodes.block_size) + " unknowns per node";
  if (nodes.by_unknown) return count + ", numbered unknown by unknown: found from the pattern";
  return given_block_size == 0 ? count + ": found from the pattern" : std::string();
}

template <class Scalar, class Space, class Offset>
MatrixFacts SolverState<Scalar, Space, Offset>::known_facts() const {
  MatrixFacts known = m_system.facts;
  if (m_diagonal_failed) known.decided_rows = 0;
  return known;
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::reset() {
  const auto near_nullspace = m_system.near_nullspace;
  const auto given_nullspace = m_system.given_nullspace;
  const auto given_transposed = m_system.given_transposed_nullspace;
  *this = SolverState(m_system.parameters);
  m_system.near_nullspace = near_nullspace;
  m_system.given_nullspace = given_nullspace;
  m_system.given_transposed_nullspace = given_transposed;
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::release() {
  m_single_kernel.release();
  m_krylov.reset();
  m_runner.reset();
  m_builder.release();
  m_factors = {};
  m_near_nullspace = {};
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::take(const Space& exec, const Matrix& A,
                                              const ConstVectors& near_nullspace, int block_size) {
  m_system.A = CrsMatrix<Scalar, Space, Offset>(exec, A);
  m_system.block_size = block_size;
  // They may be those that were kept before.
  if (near_nullspace.data() == m_system.near_nullspace.data()) return;
  m_system.near_nullspace = {};
  if (near_nullspace.extent(1) > 0)
    m_system.near_nullspace = converted<Scalar>(exec, near_nullspace);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::choose_and_build(const Space& exec, const Matrix& A,
                                                          const ConstVectors& near_nullspace,
                                                          int block_size) {
  // What was there is no part of what this setup needs. A and the near-nullspace vectors may be
  // among it: these share in their memory.
  const Matrix arrays = A;
  const auto kept = m_system.near_nullspace;
  reset();
  const SolveParameters& asked = m_system.parameters;
  const MemoryTracker memory(Space::memory_space::name(), asked.amg.measure_memory);
  {
    const ArrayPool<Space> pool(exec, amg::pools_memory<Space>(asked.amg));
    const kernels::ColumnPatternScope patterns(asked.column_patterns);
    const kernels::TensorCoreScope tensor_cores(asked.tensor_cores);
    m_step = "inspection of the matrix";
    m_system.A = CrsMatrix<Scalar, Space, Offset>(arrays, m_system.A.plan());  // for an update
    m_has_system = true;
    take(exec, arrays, near_nullspace, block_size);
    m_system.facts = inspect(exec, m_system.A.view(), m_system.A.plan());
    m_step = "choice of a preconditioner";
    MultiVector<Scalar, Space> storage;
    const Near near = choose_with_vectors(exec, near_nullspace, storage);
    m_step = "preconditioner";
    m_builder.build_preconditioner(exec, m_system, near, m_factors, m_choices);
    m_step = "Krylov method and hashes of the pattern";
    complete(exec);
    keep_near_nullspace(exec, near.near_nullspace);
  }
  m_choices.info.setup_peak_bytes = memory.peak_bytes();
}

template <class Scalar, class Space, class Offset>
double SolverState<Scalar, Space, Offset>::choose_only(const Space& exec, const Matrix& A,
                                                       const ConstVectors& near_nullspace,
                                                       int block_size) {
  const kernels::ColumnPatternScope patterns(m_system.parameters.column_patterns);
  m_system.A = CrsMatrix<Scalar, Space, Offset>(exec, A);
  m_system.block_size = block_size;
  m_system.facts = inspect(exec, m_system.A.view(), m_system.A.plan());
  choose(exec, near_nullspace, false);
  if (m_choices.effective.preconditioner != PreconditionerKind::direct) return 0;
  return m_factors.bytes(exec, m_system);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::choose(const Space& exec,
                                                const ConstVectors& near_nullspace,
                                                bool makes_factors) {
  const SolveParameters& asked = m_system.parameters;
  SolveParameters& effective = m_choices.effective;
  const auto kind = asked.preconditioner;
  m_nullspace.settle(exec, m_system);
  const bool by_diagonal = diagonal_may_do(asked, known_facts());
  const bool multigrid_is_open =
      (kind == PreconditionerKind::amg || kind == PreconditionerKind::automatic) &&
      (!by_diagonal || m_system.block_size > 0);
  const bool are_cells = m_system.block_size == 0 && has_cells(m_system.facts);
  m_system.nodes = amg::find_nodes(exec, m_system.A.view(),
                                   multigrid_is_open && !are_cells ? m_system.block_size : 1);
  const amg::Nodes& nodes = m_system.nodes;
  if (multigrid_is_open && nodes.block_size == 1 && near_nullspace.extent(1) == 0)
    look_for_scaling(exec, m_system);
  m_system.facts.has_vectors = amg::is_more_than_constant<Scalar, Space>(exec, near_nullspace);
  const MatrixFacts facts = known_facts();
  const direct::Cost* cost = nullptr;
  if (!by_diagonal && may_pay_directly(asked, facts, near_nullspace.extent(1) > 0))
    cost = direct_cost(exec);
  const auto select = [&] {
    effective = asked;
    return select_parameters(effective, facts, std::is_same_v<Scalar, double>, nodes.block_size,
                             nodes.coupled && near_nullspace.extent(1) == 0, cost);
  };
  auto selections = select();
  if (effective.preconditioner == PreconditionerKind::direct && makes_factors &&
      !m_factors.make(exec, m_system)) {
    m_factors.set_failed();
    cost = nullptr;
    selections = select();
  }
  for (const Selection& selection : selections)
    m_choices.notes.push_back(selection.note());
  if (effective.preconditioner == PreconditionerKind::direct && m_factors.failed()) {
    effective.preconditioner = PreconditionerKind::jacobi;
    m_choices.notes.push_back("preconditioner jacobi: no factors of finite numbers were found");
  }
}

template <class Scalar, class Space, class Offset>
auto SolverState<Scalar, Space, Offset>::choose_with_vectors(const Space& exec,
                                                             const ConstVectors& near_nullspace,
                                                             MultiVector<Scalar, Space>& storage)
    -> Near {
  choose(exec, near_nullspace);
  Near near{near_nullspace, {}, m_system.nodes.block_size};
  if (m_choices.effective.preconditioner == PreconditionerKind::amg) {
    const std::string note = nodes_note(m_system.nodes, m_system.block_size);
    if (!note.empty()) m_choices.notes.push_back(note);
    near = find_near_nullspace(exec, m_system, near_nullspace, storage);
  }
  m_annihilated = near.annihilated;
  m_builder.multigrid().forget_near_nullspace();
  return near;
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::keep_near_nullspace(const Space& exec,
                                                             const ConstVectors& near_nullspace) {
  m_near_nullspace = {};
  const SolveParameters& effective = m_choices.effective;
  const bool of_use = effective.precision == Precision::same &&
                      (may_strengthen(m_system.parameters, effective, m_system.facts) ||
                       has_picked_ilu(m_system.parameters, effective));
  if (of_use && near_nullspace.extent(1) > 0)
    m_near_nullspace = converted<Scalar>(exec, near_nullspace);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::rebuild(const Space& exec) {
  const auto in_float = m_builder.multigrid().float_near_nullspace();
  if (in_float.extent(1) > 0) m_near_nullspace = converted<Scalar>(exec, in_float);
  const kernels::ColumnPatternScope patterns(m_choices.effective.column_patterns);
  const kernels::TensorCoreScope tensor_cores(m_choices.effective.tensor_cores);
  build_again(exec, {m_near_nullspace, m_annihilated, m_system.nodes.block_size});
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::build_again(const Space& exec, const Near& near) {
  m_single_kernel.release();  // it refers to what is built again
  m_builder.build_preconditioner(exec, m_system, near, m_factors, m_choices);
  complete(exec);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::complete(const Space& exec) {
  m_choices.show_notes();
  make_krylov();
  plan_single_kernel(exec);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::make_krylov() {
  const SolveParameters& effective = m_choices.effective;
  m_krylov = make_solver<Scalar, Space>(effective.solver);
  const bool is_given = effective.solver.nullspace == NullspaceKind::given;
  if (is_given && !m_system.facts.symmetric)
    m_krylov->set_nullspaces(m_nullspace.projector(), m_nullspace.transposed_projector());
  else if (is_given || effective.solver.nullspace == NullspaceKind::components)
    m_krylov->set_nullspace(m_nullspace.projector());
  if (effective.solver.nullspace == NullspaceKind::constant)
    m_krylov->trust_nullspace(m_system.A.num_rows());
  m_single_kernel.release();  // what takes a method's place has its reasons
  // Factors are applied on the host, which a recording cannot wait for.
  const bool records = effective.graph && effective.preconditioner != PreconditionerKind::direct;
  run_by(records ? make_recording_runner<Space>(rules::cycles_before_recording) : nullptr);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::plan_single_kernel(const Space& exec) {
  m_single_kernel.make(exec, m_choices.effective, m_system.A, m_builder);
  const auto& notes = m_single_kernel.notes();
  m_choices.info.notes.insert(m_choices.info.notes.end(), notes.begin(), notes.end());
}

template <class Scalar, class Space, class Offset>
std::string SolverState<Scalar, Space, Offset>::update(const Space& exec, const Matrix& A) {
  m_step = "new values";
  m_system.A = CrsMatrix<Scalar, Space, Offset>(A, m_system.A.plan());
  auto& shown = m_choices.info.notes;
  std::erase_if(shown, [](const std::string& note) { return note.starts_with(set_up_again); });
  m_krylov->forget_recordings();
  if (!m_nullspace.still_holds(exec, m_system, m_choices.effective.solver.nullspace))
    return "A does not annihilate the nullspace that was projected out";
  const bool is_one_kernel = single_kernel() != nullptr;
  if (is_one_kernel && !m_single_kernel.update(exec, m_system.A))
    return "their tiles exceed the range of the offsets";  // a setup goes without
  const std::string obstacle = m_builder.update(exec, m_system, m_factors, m_choices);
  if (!obstacle.empty()) return obstacle;
  if (is_one_kernel && m_builder.incomplete() != nullptr)
    m_single_kernel.update_factors(exec, *m_builder.incomplete());
  if (m_choices.effective.preconditioner != PreconditionerKind::amg) return {};
  // The notes are those of the hierarchy as it is by now.
  if (is_one_kernel) {
    plan_single_kernel(exec);
  } else {
    const auto& notes = m_single_kernel.notes();
    shown.insert(shown.end(), notes.begin(), notes.end());
  }
  return {};
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::note_repeated_setup(const std::string& why) {
  m_choices.info.notes.push_back(set_up_again + why);
}

template <class Scalar, class Space, class Offset>
std::string SolverState<Scalar, Space, Offset>::look_for_nullspace(const Space& exec,
                                                                   bool or_scaled) {
  SolveParameters& effective = m_choices.effective;
  const std::string found = m_nullspace.look(exec, m_system, effective, or_scaled);
  if (found.empty()) return {};
  effective.solver.nullspace = NullspaceKind::components;
  if (near_nullspace_is_nullspace()) {
    if (!m_system.nullspace.is_constant &&
        m_system.parameters.equilibration == Equilibration::automatic)
      effective.equilibration = Equilibration::powers_of_two;
    MultiVector<Scalar, Space> storage;
    m_annihilated = find_near_nullspace(exec, m_system, {}, storage).annihilated;
    m_near_nullspace = storage;
    m_builder.multigrid().forget_near_nullspace();
  }
  return found;
}

template <class Scalar, class Space, class Offset>
bool SolverState<Scalar, Space, Offset>::near_nullspace_is_nullspace() const {
  return m_choices.effective.preconditioner == PreconditionerKind::amg &&
         m_system.near_nullspace.extent(1) == 0 && m_system.nodes.block_size == 1;
}

template <class Scalar, class Space, class Offset>
bool SolverState<Scalar, Space, Offset>::take_parameters(const Space& exec,
                                                         const SolveParameters& effective) {
  const bool needs_factors = effective.preconditioner == PreconditionerKind::direct &&
                             m_choices.effective.preconditioner != PreconditionerKind::direct;
  if (needs_factors && !m_factors.make(exec, m_system)) {
    m_factors.set_failed();
    return false;
  }
  m_choices.effective = effective;
  return true;
}

template <class Scalar, class Space, class Offset>
bool SolverState<Scalar, Space, Offset>::apply(const Space& exec, const Fallback& fallback,
                                               const SolveParameters& before) {
  try {
    apply(exec, fallback);
    set_ready(true);
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::configuration) throw;
    return_to(exec, before, error.what());
  } catch (const MemoryLimitExceeded& error) {
    return_to(exec, before, error.what());
  }
  return false;
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::return_to(const Space& exec, const SolveParameters& before,
                                                   const std::string& why) {
  m_choices.effective = before;
  m_choices.notes.push_back("as before, for what follows cannot be: " + why);
  rebuild(exec);
  set_ready(true);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::apply(const Space& exec, const Fallback& fallback) {
  auto& notes = m_choices.notes;
  if (fallback.selects_again) {
    m_diagonal_failed = true;
    notes = {fallback.note};
    MultiVector<Scalar, Space> storage;
    const Near near = choose_with_vectors(exec, m_system.near_nullspace, storage);
    build_again(exec, near);
    keep_near_nullspace(exec, near.near_nullspace);
  } else if (fallback.rebuilds) {
    notes.push_back(fallback.note);
    rebuild(exec);
  } else {
    auto& shown = m_choices.info.notes;
    shown.insert(shown.begin() + static_cast<std::ptrdiff_t>(notes.size()), fallback.note);
    notes.push_back(fallback.note);
    make_krylov();
  }
}

template <class Scalar, class Space, class Offset>
SolveResult SolverState<Scalar, Space, Offset>::solve_in_one_kernel(const Space& exec,
                                                                    const ConstVectors& b,
                                                                    const Vectors& x,
                                                                    const SolvePart& part) {
  const SolveResult result = m_single_kernel.solve(exec, m_system.A, m_builder, b, x, part);
  if (const auto end = single_kernel()->end_of_tiles()) {
    m_choices.note_once("no tiles in mixed precision: a solve ended as " +
                        std::string(to_string(*end)) +
                        " with them, and went on with the matrix itself");
  }
  return result;
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::leave_single_kernel(const std::string& why) {
  m_single_kernel.release_solver();
  m_choices.note_once("no single kernel: " + why);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::run_by(std::shared_ptr<IterationRunner<Space>> runner) {
  m_runner = std::move(runner);
  m_krylov->set_runner(m_runner);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::note_failed_recordings() {
  const auto note = [&](const std::string& what, const std::string& failure) {
    if (!failure.empty())
      m_choices.note_once(what + " are launched kernel by kernel: recording them failed (" +
                          failure + ")");
  };
  if (m_runner != nullptr) note("iterations", m_runner->failure());
  if (m_builder.captured() != nullptr) note("cycles", m_builder.captured()->failure());
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, SolverState)

}  // namespace tessera::detail
