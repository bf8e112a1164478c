// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/single_kernel.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/norms.hpp"
#include "tessera/kernels/vector/column_scaling.hpp"
#include "tessera/operator/check_parameters.hpp"
#include "tessera/operator/overlap.hpp"
#include "tessera/solver/detail/kept_guess.hpp"
#include "tessera/solver/detail/single_kernel_result.hpp"

#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera {

bool is_unfinished(const SolveResult& result, const SolverParameters& p) {
  if (result.status == SolveStatus::max_iterations) return result.iterations < p.max_iterations;
  return result.status == SolveStatus::time_limit &&
         (p.time_limit_s == 0 || result.solve_ms < 1e3 * p.time_limit_s);
}

template <class Scalar, class Space>
std::string SingleKernelSolver<Scalar, Space>::obstacle(const SolverParameters& p) {
  if (p.name != SolverName::cg && p.name != SolverName::bicgstab)
    return "the method is neither cg nor bicgstab";
  if (p.residual == ResidualKind::true_residual) return "solver.residual=true";
  if (projects_nullspace(p.nullspace)) return "a nullspace is projected out";
  if (p.name == SolverName::bicgstab && p.side == PreconditioningSide::left)
    return "solver.side=left";
  return {};
}

template <class Scalar, class Space>
SingleKernelSolver<Scalar, Space>::SingleKernelSolver(const SolverParameters& parameters)
    : m_parameters(parameters) {
  check_parameters(parameters, "solver.");
  const std::string reason = obstacle(parameters);
  if (!reason.empty())
    throw Error(ErrorKind::configuration, "a solve cannot be one kernel: " + reason);
}

template <class Scalar, class Space>
template <class Offset>
SolveResult SingleKernelSolver<Scalar, Space>::solve(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<kernels::PersistentPreconditioner<Scalar, Space>>& M, const ConstVectors& b,
    const Vectors& x, const SolvePart& part) {
  require(b.extent(1) == 1 && x.extent(1) == 1, [&] {
    return "b has " + std::to_string(b.extent(1)) + " columns and x " +
           std::to_string(x.extent(1)) + ", expected one of each";
  });
  require(!overlap(b, x),
          [] { return std::string("b and x overlap in memory; expected separate vectors"); });
  const bool has_tiles = m_parameters.tiles != TilePrecision::off;
  require(!has_tiles || M.is_diagonal(), [] {
    return std::string("solver.tiles takes a diagonal preconditioner in one kernel, or none");
  });
  SolveResult result;
  if (part.before != nullptr) {
    result = *part.before;
  } else {
    m_end_of_tiles.reset();
    m_tiles_stay = false;
  }
  const SolvePart now{part.iterations, part.seconds > 0 ? part.seconds + result.solve_ms * 1e-3 : 0,
                      part.slow_rate};
  const int most = m_parameters.max_iterations - result.iterations > part.iterations
                       ? result.iterations + part.iterations
                       : m_parameters.max_iterations;
  for (;;) {
    kernels::PersistentLimits limits = detail::limits_of(m_parameters);
    limits.max_iterations = most - result.iterations;
    limits.slow_rate = part.slow_rate;
    if (!result.columns.empty()) detail::go_on_from(result, limits);
    // 0 would be no limit.
    constexpr double min_s = 1e-6;
    const double limit_s = std::max(min_s, std::min(m_launch_limit_s, seconds_left(result, now)));
    const bool on_tiles = has_tiles && !m_end_of_tiles;
    SolveResult next = on_tiles ? launch_on_tiles(exec, A, M.inverse_diagonal, b, x, limits,
                                                  limit_s, result.iterations)
                                : launch(exec, A, M, b, x, limits, limit_s);
    if (result.columns.empty() && next.iterations == 0 &&
        next.status == SolveStatus::not_a_number && guess_is_too_long(exec, b)) {
      Kokkos::deep_copy(exec, x, Scalar(0));
      continue;
    }
    const bool tiles_failed = on_tiles && detail::may_be_tiles_fault(next, m_parameters.verify);
    if (tiles_failed) m_end_of_tiles = next.status;
    result = result.columns.empty() ? std::move(next)
                                    : detail::joined(std::move(result), std::move(next));
    if (!tiles_failed) return result;
  }
}

template <class Scalar, class Space>
bool SingleKernelSolver<Scalar, Space>::guess_is_too_long(const Space& exec,
                                                          const ConstVectors& b) const {
  const auto magnitudes = kernels::allocate_report<double>(exec, "tessera::solver::magnitudes", 2);
  const ConstVectors guess(m_guess.data(), b.extent(0), 1);
  kernels::column_magnitudes<Scalar, Space>(
      exec, b, kernels::ReportView<double, Space>(magnitudes.data(), 1));
  kernels::column_magnitudes<Scalar, Space>(
      exec, guess, kernels::ReportView<double, Space>(magnitudes.data() + 1, 1));
  exec.fence("tessera::solver::magnitudes");
  return std::isfinite(magnitudes(0)) && std::isfinite(magnitudes(1)) && magnitudes(1) > 0;
}

template <class Scalar, class Space>
double SingleKernelSolver<Scalar, Space>::seconds_left(const SolveResult& result,
                                                       const SolvePart& part) const {
  double end = std::numeric_limits<double>::infinity();
  for (const double limit : {m_parameters.time_limit_s, part.seconds})
    if (limit > 0) end = std::min(end, limit);
  return end - result.solve_ms * 1e-3;
}

template <class Scalar, class Space>
template <class Offset>
SolveResult SingleKernelSolver<Scalar, Space>::launch(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const kernels::PersistentPreconditioner<Scalar, Space>& M, const ConstVectors& b,
    const Vectors& x, const kernels::PersistentLimits& limits, double limit_s) {
  exec.fence("tessera::solver::start");
  const Kokkos::Timer timer;
  const ArrayView<const Scalar, Space> rhs(b.data(), b.extent(0));
  const ArrayView<Scalar, Space> iterate(x.data(), x.extent(0));
  const auto solve = m_parameters.name == SolverName::cg
                         ? kernels::persistent_cg<Scalar, Space, Offset>
                         : kernels::persistent_bicgstab<Scalar, Space, Offset>;
  const auto run = [&](const kernels::PersistentLimits& now) {
    return solve(exec, m_workspace, A, M, rhs, iterate, now, limit_s, {});
  };
  kernels::PersistentReport report =
      detail::with_guess_kept(exec, m_guess, iterate, [&] { return run(limits); });
  detail::check_stored_x(report, limits, run);
  return detail::result_of(std::move(report), m_parameters, timer.seconds() * 1e3);
}

template <class Scalar, class Space>
void SingleKernelSolver<Scalar, Space>::forget_matrix() {
  m_tiles.reset();
  m_wide_tiles.reset();
}

template <class Scalar, class Space>
template <class Offset>
void SingleKernelSolver<Scalar, Space>::make_tiles(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  if (m_parameters.tiles == TilePrecision::off || tiles<Offset>()) return;
  Tiles<Offset> made;
  made.matrix = kernels::csr_to_mixed_tiles(exec, A);
  if (m_parameters.tiles == TilePrecision::dynamic) made.norm = kernels::inf_norm(exec, A);
  tiles<Offset>() = std::move(made);
}

template <class Scalar, class Space>
template <class Offset>
SolveResult SingleKernelSolver<Scalar, Space>::launch_on_tiles(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const ArrayView<const Scalar, Space>& inverse_diagonal, const ConstVectors& b, const Vectors& x,
    const kernels::PersistentLimits& limits, double limit_s, int done) {
  exec.fence("tessera::solver::start");
  const Kokkos::Timer timer;
  make_tiles(exec, A);
  const Tiles<Offset>& made = *tiles<Offset>();  // NOLINT(bugprone-unchecked-optional-access)
  const auto solve = m_parameters.name == SolverName::cg
                         ? kernels::persistent_cg<Scalar, Space, Offset, 16>
                         : kernels::persistent_bicgstab<Scalar, Space, Offset, 16>;
  kernels::TileOptions options;
  // Half of the solve's iterations, not of this part's; and who went back up once stays there.
  options.dynamic_iterations = std::max(0, m_parameters.max_iterations / 2 - done);
  options.is_dynamic = m_parameters.tiles == TilePrecision::dynamic && !m_tiles_stay &&
                       options.dynamic_iterations > 0;
  options.matrix_norm = made.norm;
  const ArrayView<const Scalar, Space> rhs(b.data(), b.extent(0));
  const ArrayView<Scalar, Space> iterate(x.data(), x.extent(0));
  const auto run = [&](const kernels::PersistentLimits& now) {
    return solve(exec, m_tiled_workspace, A, made.matrix.view(), inverse_diagonal, rhs, iterate,
                 now, options, limit_s, {});
  };
  kernels::TiledReport report =
      detail::with_guess_kept(exec, m_guess, iterate, [&] { return run(limits); });
  detail::check_stored_x(report, limits, run);
  m_tiles_stay = m_tiles_stay || report.returned;
  const std::array<std::int64_t, kernels::num_tile_levels> work = report.work.tiles;
  SolveResult result = detail::result_of(std::move(report), m_parameters, timer.seconds() * 1e3);
  result.tile_work = work;
  return result;
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, SingleKernelSolver)
#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                       \
  template void SingleKernelSolver<Scalar, Space>::make_tiles<Offset>(                   \
      const Space&, const kernels::CsrView<Scalar, Space, Offset>&);                     \
  template SolveResult SingleKernelSolver<Scalar, Space>::solve<Offset>(                 \
      const Space&, const kernels::CsrView<Scalar, Space, Offset>&,                      \
      const kernels::PersistentPreconditioner<Scalar, Space>&,                           \
      const ConstMultiVectorView<Scalar, Space>&, const MultiVectorView<Scalar, Space>&, \
      const SolvePart&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
