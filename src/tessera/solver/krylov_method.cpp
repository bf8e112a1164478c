// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/krylov_method.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/check_parameters.hpp"
#include "tessera/operator/overlap.hpp"
#include "tessera/solver/krylov_iterates_impl.hpp"
#include "tessera/solver/nullspace_projector.hpp"

namespace tessera {

template <class Scalar, class Space>
KrylovMethod<Scalar, Space>::KrylovMethod(const SolverParameters& parameters)
    : m_parameters(parameters) {
  check_parameters(parameters, "solver.");
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::refuse_true_residual(const char* reason) const {
  if (m_parameters.residual == ResidualKind::true_residual) {
    throw Error(ErrorKind::configuration,
                std::string("solver.residual=true is for cg, right-preconditioned bicgstab and "
                            "richardson: ") +
                    reason);
  }
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::set_nullspace(const Space& exec, const ConstVectors& vectors) {
  m_nullspace = NullspaceProjector<Scalar, Space>(exec, vectors);
  m_range_is_apart = false;
  m_num_rows = -1;
  m_checked_rows = -1;
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::set_nullspace(
    const NullspaceProjector<Scalar, Space>& projector) {
  m_nullspace = projector;
  m_range_is_apart = false;
  m_num_rows = -1;
  trust_nullspace(projector.num_rows());
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::set_nullspaces(
    const NullspaceProjector<Scalar, Space>& projector,
    const NullspaceProjector<Scalar, Space>& transposed) {
  set_nullspace(projector);
  m_transposed_nullspace = transposed;
  m_range_is_apart = true;
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::check_nullspace(const Space& exec, const Operator& A) {
  if (m_nullspace.empty() && m_parameters.nullspace == NullspaceKind::given && A.num_rows() > 0)
    throw Error(ErrorKind::configuration,
                "solver.nullspace=given, and none was; call set_nullspace before a solve");
  if (m_nullspace.empty() || m_checked_rows == A.num_rows()) return;
  require_annihilated<Scalar, Space>(exec, A, m_nullspace.vectors(),
                                     m_parameters.nullspace == NullspaceKind::constant
                                         ? "solver.nullspace=constant"
                                         : "the nullspace given");
  m_checked_rows = A.num_rows();
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::prepare(const Space& exec, Ordinal n, int k) {
  if (n == m_num_rows && k == m_num_columns) {
    return;
  }
  if (m_parameters.nullspace == NullspaceKind::constant &&
      (m_nullspace.empty() || m_nullspace.num_rows() != n)) {
    m_nullspace = NullspaceProjector<Scalar, Space>::constant(exec, n);
  }
  m_num_rows = -1;  // until all of it is there
  forget_recordings();
  m_nullspace.prepare(exec, k);
  m_transposed_nullspace.prepare(exec, k);
  m_workspace = kernels::ReductionWorkspace<Space>(exec, workspace_items(k), workspace_sums());
  m_columns = kernels::ColumnState<Space>(exec, k);
  m_residual = allocate_multivector<Scalar>(exec, "tessera::solver::residual", n, k);
  m_best = allocate_multivector<Scalar>(exec, "tessera::solver::best", n, k);
  m_kept = allocate_multivector<Scalar>(exec, "tessera::solver::kept", n, k);
  m_norm = allocate<double>(exec, "tessera::solver::norm", k);
  m_rhs_norm = allocate<double>(exec, "tessera::solver::rhs_norm", k);
  const auto report = [&](const char* label) {
    return kernels::allocate_report<double>(exec, label, k);
  };
  m_rhs_report = report("tessera::solver::rhs_report");
  m_true_report = report("tessera::solver::true_report");
  m_start_report = report("tessera::solver::start_report");
  m_target_upload = report("tessera::solver::target_upload");
  m_true_norms.resize(k);
  m_start_norms.resize(k);
  m_outside_norms.assign(k, 0);
  m_kept_norms.resize(k);
  m_kept_true_norms.resize(k);
  m_best_norms.resize(k);
  m_best_is_current.resize(k);
  prepare_method(exec, n, k);
  m_num_rows = n;
  m_num_columns = k;
}

template <class Scalar, class Space>
SolveResult KrylovMethod<Scalar, Space>::solve(const Space& exec, const Operator& A,
                                               Preconditioner<Scalar, Space>* M,
                                               const ConstVectors& b, const Vectors& x,
                                               const SolveResult* before) {
  check_arguments(A, b, x);
  prepare(exec, A.num_rows(), static_cast<int>(x.extent(1)));
  check_nullspace(exec, A);
  require(before == nullptr || before->columns.size() == x.extent(1), [&] {
    return "the solve before had " + std::to_string(before->columns.size()) +
           " right-hand sides, expected " + std::to_string(x.extent(1)) + ", as x has columns";
  });
  if (M != nullptr) {
    M->prepare(exec, m_num_columns);
  }
  if (m_runner != nullptr) m_runner->begin_solve();
  exec.fence("tessera::solver::start");
  m_control.start(m_parameters, m_logger, m_num_columns, before);
  const System system{A, M, b, x};
  measure_start(exec, system);
  if (is_well_scaled()) {
    iterate(exec, system);
  } else {
    iterate_scaled(exec, system);
  }
  exec.fence("tessera::solver::end");
  return m_control.result(m_true_norms, m_outside_norms);
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::measure_start(const Space& exec, const System& system) {
  kernels::squared_norm<Scalar, Space>(exec, m_workspace, system.b, m_rhs_norm, m_rhs_report);
  measure(exec, system);
}

template <class Scalar, class Space>
bool KrylovMethod<Scalar, Space>::guess_is_useful(int j) const {
  constexpr double epsilon = std::numeric_limits<Scalar>::epsilon();
  return m_true_norms[j] * (epsilon * epsilon) <= m_rhs_report(j);
}

template <class Scalar, class Space>
bool KrylovMethod<Scalar, Space>::is_well_scaled() const {
  constexpr double most = 0x1p64;  // of squared norms
  for (int j = 0; j < m_num_columns; ++j) {
    const double rhs = m_rhs_report(j);
    // Negated, for they may be NaNs.
    if (!(rhs >= 1 / most && rhs <= most) || !guess_is_useful(j)) return false;
  }
  return true;
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::iterate_scaled(const Space& exec, const System& system) {
  m_scaled.take(exec, system.b, system.x);
  m_control.set_exponents(m_scaled.exponents());
  const System scaled{system.A, system.M, m_scaled.b(), m_scaled.x()};
  measure_start(exec, scaled);
  bool cleared = false;
  for (int j = 0; j < m_num_columns; ++j) {
    if (!m_scaled.was_finite(j) || guess_is_useful(j)) continue;
    m_scaled.clear(exec, j);
    cleared = true;
  }
  if (cleared) measure_start(exec, scaled);
  iterate(exec, scaled);
  if (!m_scaled.give_back(exec, system.x)) return;
  measure(exec, scaled);
  m_control.amend(m_true_norms, m_start_norms);
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::iterate(const Space& exec, const System& system) {
  const std::span<const double> rhs_norms(m_rhs_report.data(), m_rhs_report.extent(0));
  if (m_control.begin(rhs_norms, m_true_norms, m_start_norms) != detail::Step::proceed) {
    return;
  }
  kernels::copy<Scalar, Scalar, Space>(exec, system.x, m_kept);
  m_kept_norms = m_start_norms;
  m_kept_true_norms = m_true_norms;
  run_cycles(exec, system);
  restore_kept(exec, system.x);
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::run_cycles(const Space& exec, const System& system) {
  do {
    keep_if_best(exec, system.x);
    start_cycle(exec);
    if (m_control.any_iterates()) {
      run_cycle(exec, system);
      restore_best(exec, system.x);
    }
    measure(exec, system);
  } while (m_control.end_cycle(m_true_norms, m_start_norms, restarts_after_breakdown()));
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::start_cycle(const Space& exec) {
  constexpr double reduction = std::numeric_limits<Scalar>::epsilon() / 100;
  m_control.begin_cycle(m_start_norms, reduction);
  for (int j = 0; j < m_num_columns; ++j) {
    m_target_upload(j) = m_control.target(j);
    m_best_norms[j] = m_start_norms[j];
    m_best_is_current[j] = 1;
  }
  Kokkos::deep_copy(exec, m_columns.target, m_target_upload);
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::measure(const Space& exec, const System& system) {
  project(exec, system.x);
  system.A.residual(exec, system.b, system.x, m_residual);
  kernels::squared_norm<Scalar, Space>(exec, m_workspace, m_residual, m_norm, m_true_report);
  if (!m_nullspace.empty()) {
    // Twice, for what lies outside the range leaves its round-off: between rows of different scales
    // that may be all that is left in some.
    project_residual(exec, m_residual);
    project_residual(exec, m_residual);
    kernels::squared_norm<Scalar, Space>(exec, m_workspace, m_residual, m_norm, m_start_report);
  }
  exec.fence("tessera::solver::true_residual");
  const auto& start = m_nullspace.empty() ? m_true_report : m_start_report;
  std::copy_n(m_true_report.data(), m_num_columns, m_true_norms.begin());
  std::copy_n(start.data(), m_num_columns, m_start_norms.begin());
  for (int j = 0; j < m_num_columns; ++j) {
    m_outside_norms[j] = std::max(0.0, m_true_norms[j] - m_start_norms[j]);  // 0 for a NaN
  }
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::precondition(const Space& exec, const System& system,
                                               const ConstVectors& r, const Vectors& z) const {
  if (system.M != nullptr) {
    system.M->apply(exec, r, z);
  } else {
    kernels::copy<Scalar, Scalar, Space>(exec, r, z);
  }
  project(exec, z);
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::check_arguments(const Operator& A, const ConstVectors& b,
                                                  const Vectors& x) const {
  const auto n = static_cast<std::size_t>(A.num_rows());
  require(A.num_rows() == A.num_cols(), [&] {
    return "A is " + std::to_string(A.num_rows()) + " by " + std::to_string(A.num_cols()) +
           ", expected a square operator";
  });
  require(b.extent(0) == n && x.extent(0) == n && b.extent(1) == x.extent(1), [&] {
    return "b is " + std::to_string(b.extent(0)) + " by " + std::to_string(b.extent(1)) +
           " and x is " + std::to_string(x.extent(0)) + " by " + std::to_string(x.extent(1)) +
           ", expected both with " + std::to_string(n) + " rows and the same number of columns";
  });
  require(!overlap(b, x), [] {
    return std::string(
        "b and x overlap in memory; expected separate vectors, for b is read again "
        "after x has changed");
  });
  require(m_nullspace.empty() || m_parameters.nullspace == NullspaceKind::constant ||
              m_nullspace.num_rows() == A.num_rows(),
          [&] {
            return "the nullspace's vectors have " + std::to_string(m_nullspace.num_rows()) +
                   " rows, expected " + std::to_string(n);
          });
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, KrylovMethod)

}  // namespace tessera
