// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions for solve.hpp.
#pragma once

#include "tessera/amg/mixed_precision.hpp"
#include "tessera/amg/multigrid.hpp"
#include "tessera/amg/smoother_for.hpp"
#include "tessera/core/crs_matrix.hpp"
#include "tessera/inspect.hpp"
#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/solve.hpp"
#include "tessera/solver/jacobi_preconditioner.hpp"
#include "tessera/solver/make_solver.hpp"

#include <Kokkos_Timer.hpp>

#include <optional>

namespace tessera {

template <class Scalar, class Space, class Offset>
struct Solver<Scalar, Space, Offset>::State {
  explicit State(const SolveParameters& given) : parameters(given), effective(given) {}

  SolveParameters parameters;
  SolveParameters effective;  ///< with every open choice filled in
  Logger logger;
  CrsMatrix<Scalar, Space, Offset> A;
  std::shared_ptr<Preconditioner<Scalar, Space>> M;
  std::unique_ptr<KrylovSolver<Scalar, Space>> krylov;
  HierarchyInfo info;
  double setup_ms = 0;
  bool ready = false;
};

namespace detail {

/// Magnitudes between these leave room in a float for what a cycle makes of them.
inline constexpr double float_safe_smallest = 1e-12;
inline constexpr double float_safe_largest = 1e12;

/// Fills in what the user left open, and says why in the notes.
inline void pick(SolveParameters& p, const MatrixFacts& facts, bool matrix_is_double,
                 int block_size, std::vector<std::string>& notes) {
  const bool definite_diagonal = facts.positive_diagonal || facts.negative_diagonal;
  if (p.solver.name == SolverName::automatic) {
    if (facts.symmetric && facts.positive_diagonal) {
      p.solver.name = SolverName::cg;
      notes.push_back("solver cg: the matrix is symmetric with a positive diagonal");
    } else {
      p.solver.name = SolverName::gmres;
      notes.push_back(
          facts.symmetric
              ? "solver gmres: the matrix is symmetric, but its diagonal is not positive"
              : "solver gmres: the matrix is not symmetric");
    }
  }
  if (facts.symmetric && facts.zero_row_sums && p.solver.nullspace == NullspaceKind::none) {
    p.solver.nullspace = NullspaceKind::constant;
    notes.push_back("nullspace constant: every row sums to zero");
  }
  if (p.precision == Precision::automatic) {
    const bool safe = facts.largest_diagonal < float_safe_largest &&
                      facts.smallest_diagonal > float_safe_smallest && definite_diagonal;
    p.precision = matrix_is_double && safe && p.preconditioner == PreconditionerKind::amg
                      ? Precision::single
                      : Precision::same;
    if (p.precision == Precision::single) {
      notes.push_back("preconditioner in float: the diagonal's range allows it");
    }
  }
  p.amg.smoother = amg::smoother_for(p.amg.smoother, block_size);
  // A preconditioner in float is symmetric only to float's round-off.
  if (p.precision == Precision::single && p.solver.name == SolverName::cg) p.solver.flexible = true;
}

/// Multigrid in the matrix's own precision.
template <class Scalar, class Space, class Offset>
std::shared_ptr<Preconditioner<Scalar, Space>> make_multigrid(
    const Space& exec, const amg::Parameters& p, const kernels::Csr<Scalar, Space, Offset>& A,
    const ConstMultiVectorView<Scalar, Space>& candidates, int block_size, HierarchyInfo& info) {
  auto multigrid = std::make_shared<amg::Multigrid<Scalar, Space, Offset>>(p);
  multigrid->setup(exec, A, candidates, block_size);
  info = multigrid->info();
  return multigrid;
}

/// Multigrid in float for a matrix in double.
template <class Space, class Offset>
std::shared_ptr<Preconditioner<double, Space>> make_float_multigrid(
    const Space& exec, const amg::Parameters& p, const kernels::Csr<double, Space, Offset>& A,
    const ConstMultiVectorView<double, Space>& candidates, int block_size, HierarchyInfo& info) {
  const auto A_float = kernels::convert_values<float>(exec, A);
  const auto B = allocate_multivector<float>(exec, "tessera::candidates_float",
                                             candidates.extent(0), candidates.extent(1));
  kernels::copy(exec, candidates, MultiVectorView<float, Space>(B));
  auto inner = make_multigrid<float, Space, Offset>(exec, p, A_float, B, block_size, info);
  return std::make_shared<amg::MixedPrecisionPreconditioner<Space>>(std::move(inner));
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
Solver<Scalar, Space, Offset>::Solver(SolveParameters parameters)
    : m_state(std::make_unique<State>(parameters)) {}

template <class Scalar, class Space, class Offset>
Solver<Scalar, Space, Offset>::~Solver() = default;

template <class Scalar, class Space, class Offset>
Solver<Scalar, Space, Offset>::Solver(Solver&&) noexcept = default;

template <class Scalar, class Space, class Offset>
Solver<Scalar, Space, Offset>& Solver<Scalar, Space, Offset>::operator=(Solver&&) noexcept =
    default;

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::setup(const Space& exec, const Matrix& A,
                                          const ConstVectors& candidates, int block_size) {
  State& s = *m_state;
  exec.fence("tessera::Solver::setup");
  Kokkos::Timer timer;
  s.ready = false;
  s.A = CrsMatrix<Scalar, Space, Offset>(exec, A);
  s.effective = s.parameters;
  std::vector<std::string> notes;
  detail::pick(s.effective, inspect(exec, A.view(), s.A.plan()), std::is_same_v<Scalar, double>,
               block_size, notes);

  s.info = {};
  s.M.reset();
  switch (s.effective.preconditioner) {
    case PreconditionerKind::none:
      break;
    case PreconditionerKind::jacobi:
      s.M = std::make_shared<JacobiPreconditioner<Scalar, Space>>(exec, A.view());
      break;
    case PreconditionerKind::amg:
      if constexpr (std::is_same_v<Scalar, double>) {
        if (s.effective.precision == Precision::single) {
          s.M = detail::make_float_multigrid<Space, Offset>(exec, s.effective.amg, A, candidates,
                                                            block_size, s.info);
          break;
        }
      }
      s.M = detail::make_multigrid<Scalar, Space, Offset>(exec, s.effective.amg, A, candidates,
                                                          block_size, s.info);
      break;
  }
  s.info.notes.insert(s.info.notes.begin(), notes.begin(), notes.end());
  s.krylov = make_solver<Scalar, Space>(s.effective.solver);
  exec.fence("tessera::Solver::setup");
  s.setup_ms = timer.seconds() * 1e3;
  s.ready = true;
}

template <class Scalar, class Space, class Offset>
SolveResult Solver<Scalar, Space, Offset>::solve(const Space& exec, const ConstVectors& b,
                                                 const Vectors& x) {
  State& s = *m_state;
  require(s.ready, [] { return std::string("solve before setup"); });
  s.krylov->set_logger(s.logger);
  return s.krylov->solve(exec, s.A, s.M.get(), b, x);
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::set_logger(Logger logger) {
  m_state->logger = std::move(logger);
}

template <class Scalar, class Space, class Offset>
const SolveParameters& Solver<Scalar, Space, Offset>::parameters() const {
  return m_state->effective;
}

template <class Scalar, class Space, class Offset>
const HierarchyInfo& Solver<Scalar, Space, Offset>::hierarchy() const {
  return m_state->info;
}

template <class Scalar, class Space, class Offset>
double Solver<Scalar, Space, Offset>::setup_ms() const {
  return m_state->setup_ms;
}

}  // namespace tessera
