// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/belos/belos_run.hpp"

#include <BelosBiCGStabSolMgr.hpp>
#include <BelosBlockGmresSolMgr.hpp>
#include <BelosFixedPointSolMgr.hpp>
#include <BelosPseudoBlockCGSolMgr.hpp>
#include <Teuchos_oblackholestream.hpp>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>

#include "tessera/tpetra/column_powers.hpp"

namespace tessera::belos {
namespace {

using Method = Belos::SolverManager<double, Vectors, Operator>;

bool is_gmres(SolverName method) {
  return method == SolverName::gmres || method == SolverName::fgmres;
}

Teuchos::RCP<Method> make_method(SolverName method) {
  switch (method) {
    case SolverName::gmres:
    case SolverName::fgmres:
      return Teuchos::rcp(new Belos::BlockGmresSolMgr<double, Vectors, Operator>);
    case SolverName::richardson:
      return Teuchos::rcp(new Belos::FixedPointSolMgr<double, Vectors, Operator>);
    case SolverName::bicgstab:
      return Teuchos::rcp(new Belos::BiCGStabSolMgr<double, Vectors, Operator>);
    case SolverName::automatic:
    case SolverName::cg:
      break;
  }
  return Teuchos::rcp(new Belos::PseudoBlockCGSolMgr<double, Vectors, Operator>);
}

Teuchos::RCP<Teuchos::ParameterList> list_of(const Run& run) {
  const auto list = Teuchos::parameterList();
  const std::string scaling = run.by_rhs ? "Norm of RHS" : "Norm of Initial Residual";
  list->set("Convergence Tolerance", run.tolerance);
  list->set("Maximum Iterations", run.limit);
  if (run.method != SolverName::richardson) list->set("Implicit Residual Scaling", scaling);
  if (is_gmres(run.method)) {
    list->set("Explicit Residual Scaling", scaling);
    list->set("Num Blocks", run.restart);
    list->set("Maximum Restarts", run.limit);
    list->set("Flexible Gmres", run.method == SolverName::fgmres);
  }
  list->set("Verbosity", run.output.verbosity);
  list->set("Output Frequency", run.output.frequency);
  // Else it says on standard output what it is about to throw.
  if (run.output.verbosity == 0)
    list->set("Output Stream", Teuchos::RCP<std::ostream>(new Teuchos::oblackholestream));
  return list;
}

/// Iterations from the products with A. GMRES has some for its true residuals, too, and has counted
/// by itself unless something was thrown.
std::vector<int> iterations_of(const Run& run, const Monitor& monitor, std::size_t columns,
                               int by_belos) {
  const int products_each = run.method == SolverName::bicgstab ? 2 : 1;
  std::vector<int> iterations(columns);
  for (std::size_t j = 0; j < columns; ++j)
    iterations[j] = is_gmres(run.method) && by_belos > 0 ? std::min(by_belos, run.limit)
                                                         : monitor.products(j) / products_each;
  return iterations;
}

/// Belos says no more than that it has not converged, and leaves zeros behind where it has met a
/// NaN.
Ending ending_of(const Run& run, const Method& solver, const Vectors& x,
                 const std::vector<int>& iterations) {
  if (solver.isLOADetected()) return Ending::believes_done;
  const int longest = *std::ranges::max_element(iterations);
  std::vector<double> sizes(x.getNumVectors());
  x.norm2(Teuchos::arrayViewFromVector(sizes));
  const bool is_zero = std::ranges::all_of(sizes, [](double size) { return size == 0; });
  if (longest > 0 && is_zero) return Ending::not_a_number;
  return longest >= run.limit ? Ending::iteration_limit : Ending::breakdown;
}

}  // namespace

RunOutcome run_belos(const Run& run, const Teuchos::RCP<LinearProblem>& problem,
                     const Monitor& monitor) {
  const Vectors& x = *problem->getLHS();
  const std::size_t columns = x.getNumVectors();
  const auto solver = make_method(run.method);
  solver->setParameters(list_of(run));
  RunOutcome outcome;
  try {
    problem->setProblem();
    solver->setProblem(problem);
    const bool converged = solver->solve() == Belos::Converged;
    outcome.iterations = iterations_of(run, monitor, columns, solver->getNumIters());
    outcome.ending =
        converged ? Ending::believes_done : ending_of(run, *solver, x, outcome.iterations);
    return outcome;
  } catch (const Belos::CGIterateFailure&) {
    // A or M is not positive definite.
  } catch (const Belos::BlockGmresSolMgrOrthoFailure&) {
    // The first vector of a basis has no direction.
  } catch (const TimeIsUp&) {
    outcome.ending = Ending::time_limit;
  }
  outcome.iterations = iterations_of(run, monitor, columns, 0);
  return outcome;
}

namespace {

std::vector<double> largest_of(const Vectors& V) {
  std::vector<double> largest(V.getNumVectors());
  V.normInf(Teuchos::arrayViewFromVector(largest));
  return largest;
}

}  // namespace

ScaledColumns::ScaledColumns(const Vectors& b, Vectors& x)
    : m_b(b), m_x(x), m_exponents(tpetra::exponents_of_columns(b)) {
  if (!tpetra::any_power(m_exponents)) return;
  m_own_b.emplace(b, Teuchos::Copy);
  m_own_x.emplace(x, Teuchos::Copy);
  tpetra::multiply_columns(*m_own_b, m_exponents, -1);
  tpetra::multiply_columns(*m_own_x, m_exponents, -1);
  // A guess that overflows beside b has none of b's digits.
  const std::vector<double> given = largest_of(x), scaled = largest_of(*m_own_x);
  for (std::size_t j = 0; j < given.size(); ++j) {
    if (std::isfinite(given[j]) && !std::isfinite(scaled[j]))
      m_own_x->getVectorNonConst(j)->putScalar(0);
  }
}

bool ScaledColumns::give_back() {
  if (!m_own_x) return false;
  Tpetra::deep_copy(m_x, *m_own_x);
  tpetra::multiply_columns(m_x, m_exponents, 1);
  Vectors stored(m_x, Teuchos::Copy);
  tpetra::multiply_columns(stored, m_exponents, -1);
  Vectors lost(stored, Teuchos::Copy);
  lost.update(-1, *m_own_x, 1);
  const std::vector<double> largest = largest_of(lost);
  // Negated, for they may be NaNs.
  const bool any = !std::ranges::all_of(largest, [](double size) { return size == 0; });
  if (any) Tpetra::deep_copy(*m_own_x, stored);
  return any;
}

}  // namespace tessera::belos
