// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_tpetra/krylov.hpp"

#include <BelosSolverFactory.hpp>
#include <BelosStatusTest.hpp>
#include <BelosTpetraAdapter.hpp>
#include <Teuchos_CommHelpers.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace tessera::app_tpetra {
namespace {

using Problem = Belos::LinearProblem<double, Vectors, Operator>;

/// The largest of the norms, each by its column's reference. `columns`: which of the references
/// those of `v` have.
double largest_ratio(const Vectors& v, const std::vector<double>& references,
                     const std::vector<int>& columns) {
  std::vector<double> norms(v.getNumVectors());
  v.norm2(Teuchos::arrayViewFromVector(norms));
  double largest = 0;
  for (std::size_t j = 0; j < norms.size(); ++j) {
    const double reference = references[static_cast<std::size_t>(columns[j])];
    largest = std::max(largest, reference > 0 ? norms[j] / reference : norms[j]);
  }
  return largest;
}

/// M, which under cg is applied to each residual: their norms are the history. Columns that have
/// converged are no longer among them.
class Recorder : public Operator {
 public:
  Recorder(Teuchos::RCP<Operator> M, const Problem& problem, std::vector<double> references)
      : m_M(std::move(M)), m_problem(problem), m_references(std::move(references)) {}

  Teuchos::RCP<const Matrix::map_type> getDomainMap() const override { return m_M->getDomainMap(); }
  Teuchos::RCP<const Matrix::map_type> getRangeMap() const override { return m_M->getRangeMap(); }
  void apply(const Vectors& X, Vectors& Y, Teuchos::ETransp mode, double alpha,
             double beta) const override {
    const std::vector<int> columns = m_problem.getLSIndex();
    m_history.push_back(X.getNumVectors() == columns.size()
                            ? largest_ratio(X, m_references, columns)
                            : std::nan(""));
    m_M->apply(X, Y, mode, alpha, beta);
  }
  const std::vector<double>& history() const { return m_history; }

 private:
  Teuchos::RCP<Operator> m_M;
  const Problem& m_problem;
  std::vector<double> m_references;
  mutable std::vector<double> m_history;
};

std::string name_for_belos(SolverName method) {
  switch (method) {
    case SolverName::gmres:
    case SolverName::fgmres:
      return "BLOCK GMRES";
    case SolverName::richardson:
      return "FIXED POINT";
    case SolverName::bicgstab:
      return "BICGSTAB";
    case SolverName::automatic:
    case SolverName::cg:
      break;
  }
  return "PSEUDOBLOCK CG";
}

}  // namespace

SolverName chosen_method(const SolverParameters& p, bool symmetric) {
  if (p.name != SolverName::automatic) return p.name;
  return symmetric ? SolverName::cg : SolverName::gmres;
}

SolveResult solve_by_belos(const System& system, const Teuchos::RCP<Operator>& M,
                           const SolverParameters& p, SolverName method, Vectors& x) {
  const auto processes = system.A->getComm();
  std::vector<double> references(system.b->getNumVectors());
  system.b->norm2(Teuchos::arrayViewFromVector(references));
  const bool records = method == SolverName::cg;
  x.putScalar(0);
  processes->barrier();
  const Kokkos::Timer timer;
  const auto problem = Teuchos::rcp(new Problem(system.A, Teuchos::rcpFromRef(x), system.b));
  const auto recorder = Teuchos::rcp(new Recorder(M, *problem, references));
  problem->setRightPrec(records ? Teuchos::RCP<Operator>(recorder) : M);
  problem->setProblem();
  const auto list = Teuchos::parameterList();
  const bool by_rhs = p.reference == StoppingReference::rhs;
  const std::string scaling = by_rhs ? "Norm of RHS" : "Norm of Initial Residual";
  list->set("Convergence Tolerance", p.tolerance);
  list->set("Maximum Iterations", p.max_iterations);
  if (method != SolverName::richardson) list->set("Implicit Residual Scaling", scaling);
  if (method == SolverName::gmres || method == SolverName::fgmres) {
    list->set("Explicit Residual Scaling", scaling);
    list->set("Num Blocks", p.restart);
    list->set("Maximum Restarts", p.max_iterations / p.restart + 1);
    list->set("Flexible Gmres", method == SolverName::fgmres);
  }
  Belos::SolverFactory<double, Vectors, Operator> factory;
  const auto solver = factory.create(name_for_belos(method), list);
  solver->setProblem(problem);
  SolveResult result;
  const bool converged = solver->solve() == Belos::Converged;
  const double own_ms = timer.seconds() * 1e3;
  Teuchos::reduceAll(*processes, Teuchos::REDUCE_MAX, own_ms, Teuchos::outArg(result.solve_ms));
  result.iterations = solver->getNumIters();
  Vectors r(*system.b, Teuchos::Copy);
  system.A->apply(x, r, Teuchos::NO_TRANS, -1, 1);
  std::vector<int> all(references.size());
  std::iota(all.begin(), all.end(), 0);
  result.true_relative_residual = largest_ratio(r, references, all);
  if (converged) {
    result.status = SolveStatus::converged;
  } else if (!std::isfinite(result.true_relative_residual)) {
    result.status = SolveStatus::not_a_number;
  } else if (solver->isLOADetected()) {
    result.status = SolveStatus::stagnated;
  }
  if (records) {
    result.residual_history = recorder->history();
    if (static_cast<int>(result.residual_history.size()) == result.iterations)
      result.residual_history.push_back(result.true_relative_residual);
  }
  return result;
}

}  // namespace tessera::app_tpetra
