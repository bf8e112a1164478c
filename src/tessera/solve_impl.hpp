// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions for solve.hpp.
#pragma once

#include "tessera/amg/mixed_precision.hpp"
#include "tessera/amg/multigrid.hpp"
#include "tessera/amg/node_by_node_preconditioner.hpp"
#include "tessera/core/crs_matrix.hpp"
#include "tessera/core/validate.hpp"
#include "tessera/inspect.hpp"
#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/pick.hpp"
#include "tessera/solve.hpp"
#include "tessera/solver/jacobi_preconditioner.hpp"
#include "tessera/solver/make_solver.hpp"

#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace tessera {

namespace detail {

/// The near-nullspace that multigrid is made from; no vectors stand for a unit vector for each
/// unknown of a vertex.
template <class Scalar, class Space>
struct NearNullspace {
  ConstMultiVectorView<Scalar, Space> candidates;
  std::vector<int> annihilated;  ///< columns of which A makes zero
  int block_size = 1;  ///< unknowns a vertex
};

/// Multigrid in the matrix's own precision.
template <class Scalar, class Space, class Offset>
std::shared_ptr<Preconditioner<Scalar, Space>> make_multigrid(
    const Space& exec, const amg::Parameters& p, const kernels::Csr<Scalar, Space, Offset>& A,
    const NearNullspace<Scalar, Space>& near, HierarchyInfo& info) {
  auto multigrid = std::make_shared<amg::Multigrid<Scalar, Space, Offset>>(p);
  multigrid->setup(exec, A, near.candidates, near.block_size, near.annihilated);
  info = multigrid->info();
  return multigrid;
}

/// The same in another precision.
template <class To, class From, class Space>
MultiVector<To, Space> converted(const Space& exec, const ConstMultiVectorView<From, Space>& v) {
  const auto result =
      allocate_multivector<To>(exec, "tessera::candidates", v.extent(0), v.extent(1));
  kernels::copy(exec, v, MultiVectorView<To, Space>(result));
  return result;
}

/// Multigrid in float for a matrix in double.
template <class Space, class Offset>
std::shared_ptr<Preconditioner<double, Space>> make_float_multigrid(
    const Space& exec, const amg::Parameters& p, const kernels::Csr<double, Space, Offset>& A,
    const NearNullspace<float, Space>& near, HierarchyInfo& info) {
  auto inner = make_multigrid(exec, p, kernels::convert_values<float>(exec, A), near, info);
  return std::make_shared<amg::MixedPrecisionPreconditioner<Space>>(std::move(inner));
}

/// What was found of the nodes beyond what the user said; empty where it is nothing.
inline std::string nodes_note(const amg::Nodes& nodes, int given_block_size) {
  if (nodes.block_size == 1) return {};
  const std::string count = std::to_string(nodes.block_size) + " unknowns a node";
  if (nodes.by_unknown) return count + ", numbered unknown by unknown: found from the pattern";
  return given_block_size == 0 ? count + ": found from the pattern" : std::string();
}

/// The near-nullspace of a matrix whose nodes are known: the candidates given or, for several
/// unknowns a node, a unit vector for each. Where A annihilates the constant but none of those, the
/// constant takes the place of the first.
template <class Scalar, class Space, class Offset>
MultiVector<Scalar, Space> default_candidates(const Space& exec,
                                              const CrsMatrix<Scalar, Space, Offset>& A,
                                              const amg::Nodes& nodes, bool zero_row_sums) {
  const auto vectors = amg::unit_vectors<Scalar, Space>(exec, nodes);
  if (zero_row_sums && nullspace_columns<Scalar>(exec, A.view(), A.plan(), vectors).empty()) {
    Kokkos::deep_copy(exec, Kokkos::subview(vectors, Kokkos::ALL, 0), Scalar(1));
  }
  return vectors;
}

/// `first`, and what a second solve made of the x that it left.
inline SolveResult joined(SolveResult first, const SolveResult& second) {
  first.status = second.status;
  first.iterations += second.iterations;
  const auto& history = second.residual_history;
  first.residual_history.insert(first.residual_history.end(), history.begin() + 1, history.end());
  first.true_relative_residual = second.true_relative_residual;
  first.outside_range = second.outside_range;
  return first;
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
struct Solver<Scalar, Space, Offset>::State {
  using Near = detail::NearNullspace<Scalar, Space>;

  explicit State(const SolveParameters& given) : parameters(given), effective(given) {}

  /// Builds what `effective` names or, where its numbers overflow, the next of multigrid in float,
  /// in double, and Jacobi.
  void build(const Space& exec, const Near& near);
  /// Looks for the nodes of A and for vectors that A annihilates, and returns what multigrid takes,
  /// numbered node by node: in `storage`, or as it was given.
  Near find_near_nullspace(const Space& exec, const MatrixFacts& facts,
                           const ConstVectors& candidates, MultiVector<Scalar, Space>& storage);
  /// Multigrid of `by_node`, A with its unknowns numbered node by node.
  std::shared_ptr<Preconditioner<Scalar, Space>> multigrid_of(const Space& exec,
                                                              const Matrix& by_node,
                                                              const Near& near);
  /// Multigrid in `effective.precision`; null where its numbers overflow.
  std::shared_ptr<Preconditioner<Scalar, Space>> try_multigrid(const Space& exec, const Near& near);
  /// Turns to the matrix's own precision inside multigrid.
  void leave_float(const std::string& note);
  /// True where `result` may be float's fault, and float was our own pick.
  bool float_failed(const SolveResult& result) const;
  /// Goes on in double from the x that a failed solve with multigrid in float left.
  SolveResult go_on_in_double(const Space& exec, SolveResult first, const ConstVectors& b,
                              const Vectors& x);

  SolveParameters parameters;
  SolveParameters effective;  ///< with every open choice filled in
  Logger logger;
  CrsMatrix<Scalar, Space, Offset> A;
  MultiVector<float, Space> float_candidates;  ///< for multigrid in float, and after it in double
  std::vector<int> annihilated;  ///< candidates of which A makes zero
  amg::Nodes nodes;
  std::shared_ptr<Preconditioner<Scalar, Space>> M;
  std::unique_ptr<KrylovSolver<Scalar, Space>> krylov;
  std::vector<std::string> notes;
  HierarchyInfo info;
  double setup_ms = 0;
  bool ready = false;
};

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::State::build(const Space& exec, const Near& near) {
  info = {};
  M.reset();
  if (effective.preconditioner == PreconditionerKind::amg) {
    M = try_multigrid(exec, near);
    if (M == nullptr && effective.precision == Precision::single) {
      leave_float("preconditioner in double: float's range does not hold the hierarchy");
      M = try_multigrid(exec, near);
    }
    if (M == nullptr) {
      effective.preconditioner = PreconditionerKind::jacobi;
      notes.push_back("preconditioner jacobi: no hierarchy of finite numbers was found");
    }
  }
  if (effective.preconditioner == PreconditionerKind::jacobi) {
    M = std::make_shared<JacobiPreconditioner<Scalar, Space>>(exec, A.view());
  }
  info.notes.insert(info.notes.begin(), notes.begin(), notes.end());
  krylov = make_solver<Scalar, Space>(effective.solver);
}

template <class Scalar, class Space, class Offset>
typename Solver<Scalar, Space, Offset>::State::Near
Solver<Scalar, Space, Offset>::State::find_near_nullspace(const Space& exec,
                                                          const MatrixFacts& facts,
                                                          const ConstVectors& candidates,
                                                          MultiVector<Scalar, Space>& storage) {
  Near near{candidates, {}, nodes.block_size};
  if (candidates.extent(1) == 0 && nodes.block_size == 1) {
    if (facts.symmetric && facts.zero_row_sums) near.annihilated = {0};
    return near;
  }
  if (candidates.extent(1) == 0) {
    storage = detail::default_candidates(exec, A, nodes, facts.zero_row_sums);
    near.candidates = storage;
  }
  if (facts.symmetric) {
    near.annihilated = nullspace_columns(exec, A.view(), A.plan(), near.candidates);
  }
  // Candidates of another length are left for multigrid to refuse.
  if (nodes.by_unknown && near.candidates.extent(0) == static_cast<std::size_t>(A.num_rows())) {
    const auto by_node = allocate_multivector<Scalar>(
        exec, "tessera::candidates", near.candidates.extent(0), near.candidates.extent(1));
    amg::to_node_by_node<Scalar, Space>(exec, nodes, near.candidates, by_node);
    storage = by_node;
    near.candidates = storage;
  }
  return near;
}

template <class Scalar, class Space, class Offset>
std::shared_ptr<Preconditioner<Scalar, Space>> Solver<Scalar, Space, Offset>::State::try_multigrid(
    const Space& exec, const Near& near) {
  try {
    if (!nodes.by_unknown) return multigrid_of(exec, A.arrays(), near);
    return std::make_shared<amg::NodeByNodePreconditioner<Scalar, Space>>(
        nodes, multigrid_of(exec, amg::node_by_node(exec, A.view(), nodes), near));
  } catch (const Error& error) {
    const bool overflowed = error.kind() == ErrorKind::bad_input &&
                            !validate(exec, A.view()).has(MatrixDefect::not_finite);
    if (!overflowed) throw;
    info = {};
    return nullptr;
  }
}

template <class Scalar, class Space, class Offset>
std::shared_ptr<Preconditioner<Scalar, Space>> Solver<Scalar, Space, Offset>::State::multigrid_of(
    const Space& exec, const Matrix& by_node, const Near& near) {
  if constexpr (std::is_same_v<Scalar, double>) {
    if (effective.precision == Precision::single) {
      float_candidates = detail::converted<float>(exec, near.candidates);
      return detail::make_float_multigrid<Space, Offset>(
          exec, effective.amg, by_node, {float_candidates, near.annihilated, near.block_size},
          info);
    }
  }
  return detail::make_multigrid(exec, effective.amg, by_node, near, info);
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::State::leave_float(const std::string& note) {
  effective.precision = Precision::same;
  effective.solver.flexible = parameters.solver.flexible;
  notes.push_back(note);
}

template <class Scalar, class Space, class Offset>
bool Solver<Scalar, Space, Offset>::State::float_failed(const SolveResult& result) const {
  // Not a limit that came first, nor a right-hand side that no precision reaches.
  const bool failed = result.status == SolveStatus::breakdown ||
                      result.status == SolveStatus::not_a_number ||
                      result.status == SolveStatus::diverged ||
                      (result.status == SolveStatus::stagnated &&
                       result.outside_range < 0.5 * result.true_relative_residual);
  return failed && result.iterations > 0 && result.iterations < effective.solver.max_iterations &&
         effective.precision == Precision::single && parameters.precision == Precision::automatic;
}

template <class Scalar, class Space, class Offset>
SolveResult Solver<Scalar, Space, Offset>::State::go_on_in_double(const Space& exec,
                                                                  SolveResult first,
                                                                  const ConstVectors& b,
                                                                  const Vectors& x) {
  const Kokkos::Timer timer;
  leave_float("preconditioner in double: in float the solve ended as " +
              std::string(to_string(first.status)) + " after " + std::to_string(first.iterations) +
              " iterations");
  const auto candidates =
      detail::converted<Scalar>(exec, ConstMultiVectorView<float, Space>(float_candidates));
  build(exec, {candidates, annihilated, nodes.block_size});
  SolverParameters rest = effective.solver;
  rest.max_iterations -= first.iterations;
  const double left_s = rest.time_limit_s - first.solve_ms / 1e3 - timer.seconds();
  if (rest.time_limit_s > 0) rest.time_limit_s = std::max(left_s, 1e-9);
  const auto solver = make_solver<Scalar, Space>(rest);
  if (logger) {
    solver->set_logger([this, done = first.iterations](IterationInfo now) {
      now.iteration += done;
      return logger(now);
    });
  }
  const auto second = solver->solve(exec, A, M.get(), b, x);
  first = detail::joined(std::move(first), second);
  first.solve_ms += timer.seconds() * 1e3;
  return first;
}

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
  const MatrixFacts facts = inspect(exec, A.view(), s.A.plan());
  const auto kind = s.parameters.preconditioner;
  const bool multigrid_is_open =
      kind == PreconditionerKind::amg || kind == PreconditionerKind::automatic;
  s.nodes = amg::find_nodes(exec, A.view(), multigrid_is_open ? block_size : 1);
  s.notes.clear();
  for (const Pick& picked :
       pick(s.effective, facts, std::is_same_v<Scalar, double>, s.nodes.block_size,
            s.nodes.coupled && candidates.extent(1) == 0)) {
    s.notes.push_back(picked.note());
  }
  MultiVector<Scalar, Space> storage;
  typename State::Near near{candidates, {}, s.nodes.block_size};
  if (s.effective.preconditioner == PreconditionerKind::amg) {
    const std::string note = detail::nodes_note(s.nodes, block_size);
    if (!note.empty()) s.notes.push_back(note);
    near = s.find_near_nullspace(exec, facts, candidates, storage);
  }
  s.annihilated = near.annihilated;
  s.build(exec, near);
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
  SolveResult result = s.krylov->solve(exec, s.A, s.M.get(), b, x);
  if constexpr (std::is_same_v<Scalar, double>) {
    if (s.float_failed(result)) return s.go_on_in_double(exec, std::move(result), b, x);
  }
  return result;
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
