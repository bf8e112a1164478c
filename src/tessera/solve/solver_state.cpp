// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/solver_state.hpp"

#include "tessera/amg/setup/hierarchy_builder.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"
#include "tessera/kernels/spmv/column_patterns.hpp"
#include "tessera/solve/selection_rules.hpp"
#include "tessera/solver/iteration_runner.hpp"
#include "tessera/solver/make_solver.hpp"

#include <cstddef>
#include <utility>

namespace tessera::detail {

/// How a note of new values begins that could not be taken into what was there.
inline constexpr const char* set_up_again = "setup was repeated for the new values: ";

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::release() {
  m_single_kernel.release();
  m_krylov.reset();
  m_runner.reset();
  m_builder.release();
  m_chosen.release();
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::choose_and_build(const Space& exec, const Matrix& A,
                                                          const ConstVectors& near_nullspace,
                                                          int block_size) {
  // What was there is no part of what this setup needs. A and the near-nullspace vectors may be
  // among it: these share in their memory.
  const Matrix arrays = A;  // NOLINT(performance-unnecessary-copy-initialization)
  const auto kept = system().near_nullspace;
  *this = SolverState(m_chosen.of_no_matrix());
  const SolveParameters& asked = system().parameters;
  const MemoryTracker memory(Space::memory_space::name(), asked.amg.measure_memory);
  {
    const ArrayPool<Space> pool(exec, amg::pools_memory<Space>(asked.amg));
    const kernels::ColumnPatternScope patterns(asked.column_patterns);
    const kernels::TensorCoreScope tensor_cores(asked.tensor_cores);
    m_step = "inspection of the matrix";
    m_chosen.take_arrays(arrays);  // for an update
    m_has_system = true;
    m_chosen.take(exec, arrays, near_nullspace, block_size);
    m_step = "choice of a preconditioner";
    MultiVector<Scalar, Space> storage;
    const Near near = choose_with_vectors(exec, near_nullspace, storage);
    m_step = "preconditioner";
    m_builder.build_preconditioner(exec, system(), near, m_chosen.factors(), m_chosen.choices());
    m_step = "Krylov method and hashes of the pattern";
    complete(exec);
    m_chosen.keep_near_nullspace(exec, near.near_nullspace);
  }
  m_chosen.choices().info.setup_peak_bytes = memory.peak_bytes();
}

template <class Scalar, class Space, class Offset>
auto SolverState<Scalar, Space, Offset>::choose_with_vectors(const Space& exec,
                                                             const ConstVectors& near_nullspace,
                                                             MultiVector<Scalar, Space>& storage)
    -> Near {
  Near near = m_chosen.choose_with_vectors(exec, near_nullspace, storage);
  m_builder.multigrid().forget_near_nullspace();
  return near;
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::rebuild(const Space& exec) {
  const auto in_float = m_builder.multigrid().float_near_nullspace();
  if (in_float.extent(1) > 0) m_chosen.keep_near_nullspace(converted<Scalar>(exec, in_float));
  const kernels::ColumnPatternScope patterns(effective().column_patterns);
  const kernels::TensorCoreScope tensor_cores(effective().tensor_cores);
  build_again(exec, m_chosen.kept_near_nullspace());
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::build_again(const Space& exec, const Near& near) {
  m_single_kernel.release();  // it refers to what is built again
  m_builder.build_preconditioner(exec, system(), near, m_chosen.factors(), m_chosen.choices());
  complete(exec);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::complete(const Space& exec) {
  m_chosen.choices().show_notes();
  make_krylov();
  plan_single_kernel(exec);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::make_krylov() {
  const SolveParameters& p = effective();
  const auto& nullspace = m_chosen.nullspace();
  m_krylov = make_solver<Scalar, Space>(p.solver);
  const bool is_given = p.solver.nullspace == NullspaceKind::given;
  if (is_given && !system().facts.symmetric)
    m_krylov->set_nullspaces(nullspace.projector(), nullspace.transposed_projector());
  else if (is_given || p.solver.nullspace == NullspaceKind::components)
    m_krylov->set_nullspace(nullspace.projector());
  if (p.solver.nullspace == NullspaceKind::constant)
    m_krylov->trust_nullspace(system().A.num_rows());
  m_single_kernel.release();  // what takes a method's place has its reasons
  // Factors are applied on the host, which a recording cannot wait for.
  const bool records = p.graph && p.preconditioner != PreconditionerKind::direct;
  run_by(records ? make_recording_runner<Space>(rules::cycles_before_recording) : nullptr);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::plan_single_kernel(const Space& exec) {
  m_single_kernel.make(exec, effective(), system().A, m_builder);
  const auto& notes = m_single_kernel.notes();
  auto& shown = m_chosen.choices().info.notes;
  shown.insert(shown.end(), notes.begin(), notes.end());
}

template <class Scalar, class Space, class Offset>
std::string SolverState<Scalar, Space, Offset>::update(const Space& exec, const Matrix& A) {
  m_step = "new values";
  m_chosen.take_arrays(A);
  auto& shown = m_chosen.choices().info.notes;
  std::erase_if(shown, [](const std::string& note) { return note.starts_with(set_up_again); });
  m_krylov->forget_recordings();
  if (!m_chosen.nullspace().still_holds(exec, system(), effective().solver.nullspace))
    return "A does not annihilate the nullspace that was projected out";
  const bool is_one_kernel = single_kernel() != nullptr;
  if (is_one_kernel && !m_single_kernel.update(exec, system().A))
    return "their tiles exceed the range of the offsets";  // a setup goes without
  std::string obstacle = m_builder.update(exec, system(), m_chosen.factors(), m_chosen.choices());
  if (!obstacle.empty()) return obstacle;
  if (is_one_kernel && m_builder.incomplete() != nullptr)
    m_single_kernel.update_factors(exec, *m_builder.incomplete());
  if (effective().preconditioner != PreconditionerKind::amg) return {};
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
  m_chosen.choices().info.notes.push_back(set_up_again + why);
}

template <class Scalar, class Space, class Offset>
std::string SolverState<Scalar, Space, Offset>::look_for_nullspace(const Space& exec,
                                                                   bool or_scaled) {
  const std::string found = m_chosen.look_for_nullspace(exec, or_scaled);
  if (!found.empty() && near_nullspace_is_nullspace())
    m_builder.multigrid().forget_near_nullspace();
  return found;
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
  m_chosen.choices().effective = before;
  m_chosen.choices().notes.push_back("as before, for what follows cannot be: " + why);
  rebuild(exec);
  set_ready(true);
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::apply(const Space& exec, const Fallback& fallback) {
  auto& notes = m_chosen.choices().notes;
  if (fallback.selects_again) {
    m_chosen.set_one_level_failed();
    notes = {fallback.note};
    MultiVector<Scalar, Space> storage;
    const Near near = choose_with_vectors(exec, system().near_nullspace, storage);
    build_again(exec, near);
    m_chosen.keep_near_nullspace(exec, near.near_nullspace);
  } else if (fallback.rebuilds) {
    notes.push_back(fallback.note);
    rebuild(exec);
  } else {
    auto& shown = m_chosen.choices().info.notes;
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
  const SolveResult result = m_single_kernel.solve(exec, system().A, m_builder, b, x, part);
  if (const auto end = single_kernel()->end_of_tiles()) {
    note_once("no tiles in mixed precision: a solve ended as " + std::string(to_string(*end)) +
              " with them, and went on with the matrix itself");
  }
  return result;
}

template <class Scalar, class Space, class Offset>
void SolverState<Scalar, Space, Offset>::leave_single_kernel(const std::string& why) {
  m_single_kernel.release_solver();
  note_once("no single kernel: " + why);
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
      note_once(what + " are launched kernel by kernel: recording them failed (" + failure + ")");
  };
  if (m_runner != nullptr) note("iterations", m_runner->failure());
  if (m_builder.captured() != nullptr) note("cycles", m_builder.captured()->failure());
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, SolverState)

}  // namespace tessera::detail
