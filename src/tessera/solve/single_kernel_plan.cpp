// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/single_kernel_plan.hpp"

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/kernels/spmv/column_patterns.hpp"
#include "tessera/kernels/spmv/pattern_fingerprint.hpp"

namespace tessera::detail {

template <class Scalar, class Space, class Offset>
bool wants_single_kernel(const Space& exec, const SolveParameters& effective,
                         const CrsMatrix<Scalar, Space, Offset>& A,
                         const NonDeduced<IluPreconditioner<Scalar, Space, Offset>>* incomplete) {
  const SingleKernel asked = effective.solver.single_kernel;
  if (asked != SingleKernel::automatic) return asked == SingleKernel::on;
  SingleKernelCase given{.on_host = kernels::is_host_space<Space>,
                         .preconditioner = effective.preconditioner,
                         .on_tiles = takes_tiles(effective),
                         .entries = A.num_entries()};
  if (incomplete != nullptr) {
    const auto& solves = incomplete->solves();
    const Ordinal of_L = solves.lower().levels.num_levels;
    const Ordinal of_U = solves.upper().levels.num_levels;
    if (of_L > 0 && of_U > 0) given.levels = static_cast<std::int64_t>(of_L) + of_U;
  }
  given.has_hubs = A.plan().algorithm == kernels::CsrSpmvAlgorithm::load_balanced;
  // A pass over the rows and a wait, where the answer may matter.
  if (given.has_hubs && single_kernel_pays(given)) {
    const auto view = A.view();
    given.longest_row =
        kernels::detail::row_facts<Space, Offset>(exec, view.offsets, view.num_rows).longest;
  }
  return single_kernel_pays(given);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, wants_single_kernel)

template <class Scalar, class Space, class Offset>
void SingleKernelPlan<Scalar, Space, Offset>::make(const Space& exec,
                                                   const SolveParameters& effective,
                                                   const Matrix& A, const Built& built) {
  release();
  std::string tile_obstacle;
  if (wants_single_kernel(exec, effective, A, built.incomplete())) {
    const std::string obstacle = prepare(exec, effective, built);
    if (obstacle.empty()) {
      tile_obstacle = make_solver(exec, effective, A);
      m_notes.push_back(
          "one kernel for a solve of one right-hand side, unless a live logger is set");
    } else if (effective.solver.single_kernel == SingleKernel::on) {
      m_notes.push_back("no single kernel: " + obstacle);
    }
  }
  if (effective.solver.tiles != TilePrecision::off && m_solver == nullptr)
    m_notes.push_back("no tiles in mixed precision: solves are not one kernel");
  else if (!tile_obstacle.empty())
    m_notes.push_back("no tiles in mixed precision: " + tile_obstacle);
}

template <class Scalar, class Space, class Offset>
std::string SingleKernelPlan<Scalar, Space, Offset>::prepare(const Space& exec,
                                                             const SolveParameters& effective,
                                                             const Built& built) {
  if (effective.preconditioner == PreconditionerKind::direct)
    return "factors are applied on the host";
  std::string obstacle = SingleKernelSolver<Scalar, Space>::obstacle(effective.solver);
  if (!obstacle.empty()) return obstacle;
  if (effective.preconditioner == PreconditionerKind::amg)
    obstacle = built.multigrid().built().write_steps(exec, m_cycle);
  if (obstacle.empty() && built.incomplete() != nullptr) {
    const auto& factors = built.incomplete()->factors();
    m_factors = {exec, factors.lower(), factors.upper()};
  }
  return obstacle;
}

template <class Scalar, class Space, class Offset>
std::string SingleKernelPlan<Scalar, Space, Offset>::make_solver(const Space& exec,
                                                                 const SolveParameters& effective,
                                                                 const Matrix& A) {
  using Kernel = SingleKernelSolver<Scalar, Space>;
  SolverParameters own = effective.solver;
  std::string tile_obstacle;
  if (takes_tiles(effective)) {
    try {
      m_solver = std::make_unique<Kernel>(own);
      m_solver->make_tiles(exec, A.view());
      return {};
    } catch (const OffsetOverflow& overflow) {
      tile_obstacle = overflow.what();
    }
  } else if (own.tiles != TilePrecision::off) {
    tile_obstacle = "solver.tiles takes preconditioner none or jacobi";
  }
  own.tiles = TilePrecision::off;
  m_solver = std::make_unique<Kernel>(own);
  return tile_obstacle;
}

template <class Scalar, class Space, class Offset>
SolveResult SingleKernelPlan<Scalar, Space, Offset>::solve(const Space& exec, const Matrix& A,
                                                           const Built& built,
                                                           const ConstVectors& b, const Vectors& x,
                                                           const SolvePart& part) {
  kernels::PersistentPreconditioner<Scalar, Space> inside = m_cycle.preconditioner();
  if (built.jacobi() != nullptr) inside = built.jacobi()->inverse_diagonal();
  if (built.blocks() != nullptr) {
    inside.blocks = built.blocks()->blocks();
    inside.block_rows = built.blocks()->block_rows();
  }
  if (built.incomplete() != nullptr) inside.factors = &m_factors;
  return m_solver->solve(exec, A.view(), inside, b, x, part);
}

template <class Scalar, class Space, class Offset>
bool SingleKernelPlan<Scalar, Space, Offset>::update(const Space& exec, const Matrix& A) {
  m_solver->forget_matrix();
  try {
    m_solver->make_tiles(exec, A.view());
  } catch (const OffsetOverflow&) {
    return false;
  }
  return true;
}

template <class Scalar, class Space, class Offset>
void SingleKernelPlan<Scalar, Space, Offset>::update_factors(const Space& exec,
                                                             const Incomplete& incomplete) {
  m_factors.refill(exec, incomplete.factors().lower(), incomplete.factors().upper());
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, SingleKernelPlan)

}  // namespace tessera::detail
