// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/build.hpp"

#include "tessera/amg/coarsening/find_nodes.hpp"
#include "tessera/amg/setup/smoother_for.hpp"
#include "tessera/direct/direct_preconditioner.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/launch_graph.hpp"
#include "tessera/kernels/graph/full_blocks.hpp"
#include "tessera/matrix/storage_names.hpp"
#include "tessera/matrix/validate.hpp"
#include "tessera/solve/fallback.hpp"
#include "tessera/solve/select.hpp"
#include "tessera/solve/selection_rules.hpp"
#include "tessera/solve/single_kernel_plan.hpp"

#include <algorithm>
#include <utility>

namespace tessera::detail {

/// Jacobi takes the place of a preconditioner that has no finite numbers, if the matrix has.
template <class Scalar, class Space, class Offset>
void take_jacobi_instead(const Space& exec, const LinearSystem<Scalar, Space, Offset>& system,
                         const std::string& why, SolverChoices& choices) {
  const ValidationReport report = validate(exec, system.A.view());
  if (report.has(MatrixDefect::not_finite)) throw Error(ErrorKind::bad_input, to_string(report));
  choices.effective.preconditioner = PreconditionerKind::jacobi;
  choices.notes.push_back("preconditioner jacobi: " + why);
}

/// Takes a flexible method where the levels that were built round more than A's scalar does.
template <class Scalar>
void require_flexible_method(const SolverParameters& asked, SolverChoices& choices) {
  SolverParameters& solver = choices.effective.solver;
  const auto any_level = [&](const auto& property) {
    const auto& levels = choices.info.levels;
    return std::any_of(levels.begin(), levels.end(), property);
  };
  // Vectors in less precision somewhere inside, be it by `amg.choose_level`, ...
  const bool rounds_vectors =
      any_level([](const LevelInfo& level) { return level.precision != scalar_name<Scalar>(); });
  // ... or R in another scalar than P: symmetric to that round-off alone.
  const bool is_rounded = rounds_vectors || any_level([](const LevelInfo& level) {
                            return level.P.storage != level.R.storage;
                          });
  if (solver.name == SolverName::cg && is_rounded) solver.cg.flexible = true;
  if (rounds_vectors && solver.name == SolverName::gmres && asked.name == SolverName::automatic &&
      asked.side == PreconditioningSide::right) {
    solver.name = SolverName::fgmres;
    choices.notes.push_back(std::string("solver fgmres: a cycle in less than ") +
                            scalar_name<Scalar>() + " is linear to its round-off alone");
  }
}

template <class Scalar, class Space, class Offset>
void PreconditionerBuilder<Scalar, Space, Offset>::release() {
  m_applied.reset();
  m_captured.reset();
  m_jacobi.reset();
  m_blocks.reset();
  m_incomplete.reset();
  m_multigrid.release();
}

template <class Scalar, class Space, class Offset>
void PreconditionerBuilder<Scalar, Space, Offset>::build_preconditioner(const Space& exec,
                                                                        const System& system,
                                                                        const Near& near,
                                                                        const Factors& factors,
                                                                        SolverChoices& choices) {
  choices.info = {};
  release();
  // Jacobi may take the place of those before it.
  const PreconditionerKind& kind = choices.effective.preconditioner;
  if (kind == PreconditionerKind::amg) {
    choose_format(exec, system, choices.effective);
    const auto build_levels = [&] {
      const SolveParameters& picked = choices.effective;
      try {
        m_applied = picked.precision == Precision::single
                        ? m_multigrid.template build_multigrid<float>(exec, system, picked, near,
                                                                      choices.info)
                        : m_multigrid.template build_multigrid<Scalar>(exec, system, picked, near,
                                                                       choices.info);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::bad_input || !has_picked_ilu(system.parameters, picked))
          throw;
        m_applied.reset();
        return false;
      }
      return true;
    };
    bool smooths = true;
    do {
      smooths = build_levels();
    } while (turns_to_double(system, choices) || (!smooths && leaves_ilu(system, choices)));
    take_multigrid(exec, system, choices);
  }
  if (kind == PreconditionerKind::direct) use_factors(system, factors, choices);
  if (kind == PreconditionerKind::ilu) build_incomplete_factors(exec, system, choices);
  if (kind == PreconditionerKind::jacobi) build_jacobi(exec, system);
  if (kind == PreconditionerKind::block_jacobi) build_blocks(exec, system, choices);
  require_flexible_method<Scalar>(system.parameters.solver, choices);
}

template <class Scalar, class Space, class Offset>
bool PreconditionerBuilder<Scalar, Space, Offset>::leaves_ilu(const System& system,
                                                              SolverChoices& choices) {
  release();
  choices.info = {};
  choices.notes.push_back("smoother jacobi: incomplete factors hold no finite numbers");
  return amg::exchange_smoothers(system.parameters.amg, choices.effective.amg, SmootherType::ilu,
                                 SmootherType::jacobi);
}

template <class Scalar, class Space, class Offset>
bool PreconditionerBuilder<Scalar, Space, Offset>::loses_definiteness(
    const SolveParameters& effective) const {
  return effective.solver.name == SolverName::cg && m_multigrid.built().coarsest_is_indefinite();
}

template <class Scalar, class Space, class Offset>
void PreconditionerBuilder<Scalar, Space, Offset>::choose_format(const Space& exec,
                                                                 const System& system,
                                                                 SolveParameters& effective) const {
  // The levels of a solve in one kernel are in compressed rows.
  auto& format = effective.amg.storage.format;
  const bool may_be_inside = wants_single_kernel(exec, effective, system.A, nullptr) &&
                             SingleKernelSolver<Scalar, Space>::obstacle(effective.solver).empty();
  if (may_be_inside && effective.amg.levels.empty() && format == StorageFormat::automatic)
    format = StorageFormat::csr;
}

template <class Scalar, class Space, class Offset>
bool PreconditionerBuilder<Scalar, Space, Offset>::turns_to_double(const System& system,
                                                                   SolverChoices& choices) {
  SolveParameters& effective = choices.effective;
  const bool is_chosen = system.parameters.precision == Precision::automatic;
  const bool is_lost = is_chosen && loses_definiteness(effective);
  if ((m_applied != nullptr && !is_lost) || effective.precision != Precision::single) return false;
  release();
  choices.info = {};
  effective.precision = Precision::same;
  effective.solver.cg.flexible =
      system.parameters.solver.cg.flexible || needs_flexible_cg(effective);
  choices.notes.push_back(std::string("preconditioner in double: ") +
                          (is_lost ? "in float the coarsest level is not positive definite"
                                   : "float's range does not hold the hierarchy"));
  return true;
}

template <class Scalar, class Space, class Offset>
void PreconditionerBuilder<Scalar, Space, Offset>::take_multigrid(const Space& exec,
                                                                  const System& system,
                                                                  SolverChoices& choices) {
  if (m_applied == nullptr) {
    take_jacobi_instead(exec, system, "no hierarchy of finite numbers was found", choices);
  } else if (kernels::has_launch_graphs<Space> && choices.effective.graph) {
    m_captured = std::make_shared<CapturedPreconditioner<Scalar, Space>>(
        std::move(m_applied), rules::cycles_before_recording);
    m_applied = m_captured;
  }
}

template <class Scalar, class Space, class Offset>
void PreconditionerBuilder<Scalar, Space, Offset>::build_incomplete_factors(
    const Space& exec, const System& system, SolverChoices& choices) {
  SolveParameters& effective = choices.effective;
  // CG asks for an M that is positive definite; for other methods the factors nearer to A do.
  if (effective.ilu.negative_pivots == NegativePivots::automatic) {
    effective.ilu.negative_pivots =
        effective.solver.name == SolverName::cg ? NegativePivots::absolute : NegativePivots::keep;
  }
  m_incomplete = std::make_shared<IluPreconditioner<Scalar, Space, Offset>>(effective.ilu);
  m_incomplete->initialize(exec, system.A.arrays());
  if (m_incomplete->compute(exec, system.A.view())) {
    m_applied = m_incomplete;
    choices.notes.push_back("ilu: " + m_incomplete->description());
    return;
  }
  m_incomplete.reset();
  take_jacobi_instead(exec, system, "no incomplete factors of finite numbers were found", choices);
}

template <class Scalar, class Space, class Offset>
void PreconditionerBuilder<Scalar, Space, Offset>::build_jacobi(const Space& exec,
                                                                const System& system) {
  m_jacobi = std::make_shared<JacobiPreconditioner<Scalar, Space>>(exec, system.A.view());
  m_applied = m_jacobi;
}

template <class Scalar, class Space, class Offset>
void PreconditionerBuilder<Scalar, Space, Offset>::build_blocks(const Space& exec,
                                                                const System& system,
                                                                SolverChoices& choices) {
  int& rows = choices.effective.block_rows;
  if (rows == 0) {
    const int full = system.block_size == 0 ? kernels::find_full_blocks(exec, system.A.view()) : 1;
    if (full > 1) {
      rows = full;
    } else {
      const amg::Nodes nodes = amg::find_nodes(exec, system.A.view(), system.block_size);
      const bool are_blocks = nodes.block_size > 1 && !nodes.by_unknown;
      rows = are_blocks ? std::min(nodes.block_size, kernels::max_block_rows)
                        : rules::rows_of_open_blocks.value;
    }
  }
  m_blocks =
      std::make_shared<BlockJacobiPreconditioner<Scalar, Space>>(exec, system.A.view(), rows);
  m_applied = m_blocks;
  auto& notes = choices.info.notes;
  std::erase_if(notes, [](const std::string& note) {
    return note.find(" of block_jacobi ") != std::string::npos;
  });
  if (m_blocks->num_singular() > 0) notes.push_back(m_blocks->note());
}

template <class Scalar, class Space, class Offset>
void PreconditionerBuilder<Scalar, Space, Offset>::use_factors(const System& system,
                                                               const Factors& factors,
                                                               SolverChoices& choices) {
  const direct::SparseDirect& made = *factors.get();
  m_applied = std::make_shared<direct::DirectPreconditioner<Scalar, Space>>(factors.get());
  choices.notes.push_back("factors: " + made.description());
  // Those of an indefinite matrix are no inner product.
  SolverParameters& solver = choices.effective.solver;
  if (!made.is_cholesky() && solver.name == SolverName::cg &&
      system.parameters.solver.name == SolverName::automatic) {
    solver.name = SolverName::gmres;
    solver.cg.flexible = system.parameters.solver.cg.flexible;
    choices.notes.push_back("solver gmres: the matrix is not positive definite");
  }
}

template <class Scalar, class Space, class Offset>
bool PreconditionerBuilder<Scalar, Space, Offset>::can_update(
    const SolveParameters& asked, const SolveParameters& effective) const {
  if (asked.amg.reuse == amg::Reuse::none) return false;
  const auto kind = effective.preconditioner;
  if (kind == PreconditionerKind::amg) return m_multigrid.can_update();
  // What these hold is soon made, and other values may permit what was asked for.
  const bool is_plain = kind == PreconditionerKind::jacobi || kind == PreconditionerKind::none;
  return !is_plain || kind == asked.preconditioner;
}

template <class Scalar, class Space, class Offset>
std::string PreconditionerBuilder<Scalar, Space, Offset>::update(const Space& exec,
                                                                 const System& system,
                                                                 Factors& factors,
                                                                 SolverChoices& choices) {
  const auto kind = choices.effective.preconditioner;
  if (kind == PreconditionerKind::amg) return update_multigrid(exec, system, choices);
  if (kind == PreconditionerKind::ilu) return update_incomplete_factors(exec, system, choices);
  if (kind == PreconditionerKind::direct && !factors.update(exec, system))
    return "they need another kind of factors";
  if (kind == PreconditionerKind::jacobi) build_jacobi(exec, system);
  if (kind == PreconditionerKind::block_jacobi) build_blocks(exec, system, choices);
  return {};
}

template <class Scalar, class Space, class Offset>
std::string PreconditionerBuilder<Scalar, Space, Offset>::update_incomplete_factors(
    const Space& exec, const System& system, SolverChoices& choices) {
  if (!m_incomplete->compute(exec, system.A.view()))
    return "their incomplete factors are not finite numbers";
  for (std::string& note : choices.info.notes)
    if (note.starts_with("ilu: ")) note = "ilu: " + m_incomplete->description();
  return {};
}

template <class Scalar, class Space, class Offset>
std::string PreconditionerBuilder<Scalar, Space, Offset>::update_multigrid(const Space& exec,
                                                                           const System& system,
                                                                           SolverChoices& choices) {
  if (m_captured != nullptr) m_captured->forget();
  try {
    if (!m_multigrid.update(exec, system, choices.info))
      return "the hierarchy does not hold them in its scalars, or is of a matrix in other units";
  } catch (const Error& error) {
    const bool is_picked = has_picked_ilu(system.parameters, choices.effective);
    if (error.kind() != ErrorKind::bad_input || !is_picked) throw;
    return error.what();
  }
  choices.show_notes();
  // A setup from scratch takes double then.
  if (choices.effective.precision == Precision::single &&
      system.parameters.precision == Precision::automatic && loses_definiteness(choices.effective))
    return "in float the coarsest level is not positive definite";
  return {};
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, PreconditionerBuilder)

}  // namespace tessera::detail
