// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/belos/krylov_solve.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/tpetra/looks_symmetric.hpp"

#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Vector.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tessera::belos {
namespace {

/// Whether the constant is projected out. What was asked for has to be A's.
bool projects_constant(const Operator& A, NullspaceKind asked) {
  switch (asked) {
    case NullspaceKind::none:
      break;
    case NullspaceKind::automatic:
      return has_zero_row_sums(A) && tpetra::looks_symmetric(A);
    case NullspaceKind::constant:
      require_constant_nullspace(A);
      return true;
    case NullspaceKind::components:
    case NullspaceKind::given:
      throw Error(
          ErrorKind::configuration,
          "solver.nullspace=components and given are for one process; expected auto, none or "
          "constant");
  }
  return false;
}

}  // namespace

Krylov::Krylov(const Teuchos::RCP<const Operator>& A, const Teuchos::RCP<const Operator>& M,
               const SolverParameters& p, SolverName method, ScaledColumns& scaled,
               const KrylovOutput& output)
    : m_A(A),
      m_M(M),
      m_p(p),
      m_method(method),
      m_output(output),
      m_projects(projects_constant(*A, p.nullspace)),
      m_b(scaled.b()),
      m_rhs(m_b, m_projects ? Teuchos::Copy : Teuchos::View),
      m_x(scaled.x()),
      m_before(m_x, Teuchos::Copy),
      m_columns(m_b.getNumVectors()) {
  if (m_projects) subtract_means(m_rhs);
  const std::vector<double> rhs_norms = norms_of(m_b);
  for (std::size_t j = 0; j < m_columns.size(); ++j) {
    m_columns[j].rhs_norm = rhs_norms[j];
    m_columns[j].absolute = std::ldexp(p.absolute_tolerance, -scaled.exponent(j));
    if (rhs_norms[j] == 0) m_x.getVectorNonConst(j)->putScalar(0);
  }
  measure();
  forget_useless_guesses();
  begin();
  std::vector<double> references;
  for (const Column& c : m_columns)
    references.push_back(c.reference);
  m_monitor.emplace(*A->getDomainMap()->getComm(), p.time_limit_s, references);
  m_instrumented_A = Teuchos::rcp(new InstrumentedMatrix(A, *m_monitor));
  const double factor = method == SolverName::richardson ? p.richardson.damping : 1;
  m_instrumented_M =
      Teuchos::rcp(new InstrumentedPreconditioner(M, *m_monitor, factor, m_projects));
}

void Krylov::measure() {
  Vectors r(m_b, Teuchos::Copy);
  m_A->apply(m_x, r, Teuchos::NO_TRANS, -1, 1);
  const std::vector<double> norms = norms_of(r);
  if (m_projects) subtract_means(r);
  const std::vector<double> reducible = m_projects ? norms_of(r) : norms;
  for (std::size_t j = 0; j < m_columns.size(); ++j) {
    m_columns[j].residual = norms[j];
    m_columns[j].start = reducible[j];
  }
}

/// A guess with a residual so long that b's digits are lost in it is taken for 0; one that is no
/// number is left to be told of.
void Krylov::forget_useless_guesses() {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  std::vector<double> largest(m_columns.size());
  m_x.normInf(Teuchos::arrayViewFromVector(largest));
  bool any = false;
  for (std::size_t j = 0; j < m_columns.size(); ++j) {
    const Column& c = m_columns[j];
    const bool is_useful = c.residual * epsilon <= c.rhs_norm;  // false for NaN
    if (is_useful || !(largest[j] > 0) || !std::isfinite(largest[j])) continue;
    m_x.getVectorNonConst(j)->putScalar(0);
    any = true;
  }
  if (any) measure();
}

void Krylov::begin() {
  for (Column& c : m_columns) {
    c.reference = m_p.reference == StoppingReference::rhs ? c.rhs_norm : c.residual;
    c.first = over(c.residual, c.reference);
    if (!std::isfinite(c.rhs_norm) || !std::isfinite(c.residual)) {
      c.end = SolveStatus::not_a_number;
    } else if (c.residual <= bound_of(c)) {
      c.end = SolveStatus::converged;
    } else if (c.start <= bound_of(c)) {
      c.end = SolveStatus::least_squares;
    }
  }
}

void Krylov::solve() {
  std::vector<int> all(m_columns.size());
  std::iota(all.begin(), all.end(), 0);
  const bool are_open = std::ranges::none_of(m_columns, [](const Column& c) { return !!c.end; });
  if (together() && are_open && m_columns.size() > 1) go_on(all);
  for (const int j : all) {
    while (!m_columns[static_cast<std::size_t>(j)].end)
      go_on({j});
  }
  if (m_projects) {
    subtract_means(m_x);
    measure();
  }
}

void Krylov::amend() {
  measure();
  for (Column& c : m_columns) {
    if (!c.end || !is_solved(*c.end)) continue;
    const double norm = c.end == SolveStatus::converged ? c.residual : c.start;
    if (norm <= bound_of(c)) continue;
    c.end = std::isfinite(c.residual) ? SolveStatus::stagnated : SolveStatus::not_a_number;
  }
}

/// Belos once, from x as it is, on all columns or on one.
void Krylov::go_on(const std::vector<int>& columns) {
  const std::vector<Column> before = m_columns;
  Tpetra::deep_copy(m_before, m_x);
  Ending ending = attempt(columns);
  measure();
  const auto is_finite = [this](int j) {
    return std::isfinite(m_columns[static_cast<std::size_t>(j)].residual);
  };
  if (!std::ranges::all_of(columns, is_finite)) ending = Ending::not_a_number;
  const bool failed = ending == Ending::breakdown || ending == Ending::not_a_number;
  if (ending == Ending::not_a_number && columns.size() == 1 && is_finite_at_start(columns.front()))
    ending = Ending::breakdown;
  for (const int j : columns) {
    Column& c = m_columns[static_cast<std::size_t>(j)];
    // Whose failure it was cannot be told from outside.
    const bool is_known = columns.size() == 1 || !failed;
    if (c.residual <= bound_of(c)) {
      c.end = SolveStatus::converged;
    } else if (c.start <= bound_of(c)) {
      c.end = SolveStatus::least_squares;
    } else if (is_known) {
      judge(c, before[static_cast<std::size_t>(j)].start, ending);
    }
  }
  keep_better(columns, before);
}

/// Whether A and M make finite numbers of column j's residual before the last run: then a NaN comes
/// of a division by zero, or of a growth beyond all numbers.
bool Krylov::is_finite_at_start(int j) const {
  const auto column = static_cast<std::size_t>(j);
  Vectors r(*m_b.getVector(column), Teuchos::Copy);
  Vectors z(r.getMap(), 1);
  m_A->apply(*m_before.getVector(column), r, Teuchos::NO_TRANS, -1, 1);
  m_M->apply(r, z);
  m_A->apply(z, r);
  return std::isfinite(norms_of(z).front()) && std::isfinite(norms_of(r).front());
}

/// What the residual and Belos say of a column whose residual is above the tolerance. `before`:
/// what x could reduce of it before the run.
void Krylov::judge(Column& c, double before, Ending ending) const {
  const bool at_limit = c.iterations >= m_p.max_iterations;
  // Columns that ended before others of the same attempt did so by themselves.
  const bool believes_done =
      ending == Ending::believes_done || (ending == Ending::iteration_limit && !at_limit);
  const int restarts = m_method == SolverName::bicgstab ? 1 : 0;
  if (ending == Ending::not_a_number) {
    c.end = SolveStatus::not_a_number;
  } else if (ending == Ending::breakdown && m_method == SolverName::richardson) {
    c.end = SolveStatus::diverged;  // it divides by nothing
  } else if (ending == Ending::breakdown && c.breakdowns++ == restarts) {
    c.end = SolveStatus::breakdown;
  } else if (believes_done && (!m_p.verify || c.start > before / 2)) {
    c.end = SolveStatus::stagnated;
  } else if (over(c.residual, c.reference) > m_p.divergence_limit * std::max(c.first, 1.0)) {
    c.end = SolveStatus::diverged;
  } else if (ending == Ending::time_limit) {
    c.end = SolveStatus::time_limit;
  } else if (at_limit) {
    c.end = SolveStatus::max_iterations;
  }
}

/// An iterate that is worse than the one before is given up, and so are Belos's zeros after a NaN.
void Krylov::keep_better(const std::vector<int>& columns, const std::vector<Column>& before) {
  for (const int j : columns) {
    Column& now = m_columns[static_cast<std::size_t>(j)];
    const Column& then = before[static_cast<std::size_t>(j)];
    if ((now.end && is_solved(*now.end)) || now.start <= then.start) continue;
    Tpetra::deep_copy(*m_x.getVectorNonConst(static_cast<std::size_t>(j)),
                      *m_before.getVector(static_cast<std::size_t>(j)));
    now.residual = then.residual;
    now.start = then.start;
  }
}

/// The run that is left to do for these columns.
Run Krylov::run_of(const std::vector<int>& columns) const {
  constexpr double least = std::numeric_limits<double>::epsilon() / 100;
  const bool by_rhs =
      m_p.reference == StoppingReference::rhs && !m_projects && m_method != SolverName::richardson;
  double tolerance = 1;
  int limit = m_p.max_iterations;
  for (const int j : columns) {
    const Column& c = m_columns[static_cast<std::size_t>(j)];
    const double own = !by_rhs          ? bound_of(c) / c.start
                       : c.absolute > 0 ? bound_of(c) / c.rhs_norm
                                        : m_p.tolerance;
    tolerance = std::min(tolerance, own);
    limit = std::min(limit, m_p.max_iterations - c.iterations);
  }
  return {m_method, std::max(tolerance, least), by_rhs, limit, m_p.gmres.restart, m_output};
}

Ending Krylov::attempt(const std::vector<int>& columns) {
  for (const int j : columns) {
    const Column& c = m_columns[static_cast<std::size_t>(j)];
    if (c.iterations >= m_p.max_iterations) return Ending::iteration_limit;
    if (c.start == 0) return Ending::believes_done;  // what is left no x reduces
  }
  Teuchos::RCP<Vectors> x = Teuchos::rcpFromRef(m_x);
  Teuchos::RCP<const Vectors> b = Teuchos::rcpFromRef(m_rhs);
  if (columns.size() == 1) {
    x = m_x.getVectorNonConst(static_cast<std::size_t>(columns.front()));
    b = m_rhs.getVector(static_cast<std::size_t>(columns.front()));
  }
  const auto problem = Teuchos::rcp(new LinearProblem(m_instrumented_A, x, b));
  problem->setRightPrec(m_instrumented_M);
  std::vector<int> iterations;
  for (const Column& c : m_columns)
    iterations.push_back(c.iterations);
  m_monitor->begin(*problem, columns, iterations, m_method == SolverName::cg);
  const RunOutcome outcome = run_belos(run_of(columns), problem, *m_monitor);
  for (std::size_t k = 0; k < columns.size(); ++k)
    m_columns[static_cast<std::size_t>(columns[k])].iterations += outcome.iterations[k];
  return outcome.ending;
}

}  // namespace tessera::belos
