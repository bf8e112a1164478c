// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/belos/solver_manager.hpp"

#include "tessera/belos/krylov.hpp"
#include "tessera/operator/error.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::belos {
namespace {

/// Takes the result of one right-hand side more into that of all before it.
void add_column(const SolveResult& one, SolveResult& all) {
  all.status = std::max(all.status, one.status);
  all.iterations = std::max(all.iterations, one.iterations);
  all.true_relative_residual = std::max(all.true_relative_residual, one.true_relative_residual);
  all.solve_ms += one.solve_ms;
  all.in_one_kernel = all.in_one_kernel && one.in_one_kernel;
  all.columns.insert(all.columns.end(), one.columns.begin(), one.columns.end());
  auto& history = all.residual_history;
  history.resize(std::max(history.size(), one.residual_history.size()));
  for (std::size_t i = 0; i < one.residual_history.size(); ++i)
    history[i] = std::max(history[i], one.residual_history[i]);
  for (std::size_t i = 0; i < all.tile_work.size(); ++i)
    all.tile_work[i] += one.tile_work[i];
}

void print_iteration(int iteration, double relative_residual, int frequency) {
  if (iteration % frequency == 0)
    std::cout << "Iter " << iteration << ", relative residual " << relative_residual << '\n';
}

}  // namespace

SolverManager::SolverManager(SolverKind kind)
    : m_kind(kind),
      m_list(Teuchos::parameterList(name_of(kind))),
      m_parameters(parameters_from(*m_list, kind)) {}

SolverManager::~SolverManager() = default;

Teuchos::RCP<SolverManager::Base> SolverManager::clone() const {
  const auto copy = Teuchos::rcp(new SolverManager(m_kind));
  copy->setParameters(m_list);
  return copy;
}

const LinearProblem& SolverManager::getProblem() const {
  require(!m_problem.is_null(), [] { return std::string("no problem was set; call setProblem"); });
  return *m_problem;
}

Teuchos::RCP<const Teuchos::ParameterList> SolverManager::getValidParameters() const {
  return Teuchos::rcp(new Teuchos::ParameterList(valid_parameters(m_kind)));
}

Teuchos::RCP<const Teuchos::ParameterList> SolverManager::getCurrentParameters() const {
  return m_list;
}

void SolverManager::setProblem(const Teuchos::RCP<LinearProblem>& problem) {
  m_problem = problem;
  m_is_current = false;
  require_one_process();
}

void SolverManager::setParameters(const Teuchos::RCP<Teuchos::ParameterList>& list) {
  // A copy: callers such as MueLu hand out a list that does not outlive this solver.
  const auto copy = list.is_null() ? Teuchos::parameterList(name_of(m_kind))
                                   : Teuchos::rcp(new Teuchos::ParameterList(*list));
  m_parameters = parameters_from(*copy, m_kind);
  m_list = copy;
  m_preconditioner = Teuchos::null;
  m_is_current = false;
}

void SolverManager::reset(Belos::ResetType type) {
  if ((type & Belos::Problem) != 0 && !m_problem.is_null()) m_problem->setProblem();
}

void SolverManager::require_one_process() const {
  if (!is_single_kernel(m_kind) || m_problem.is_null() || m_problem->getOperator().is_null())
    return;
  const auto rows = m_problem->getOperator()->getDomainMap();
  const int size = rows->getComm()->getSize();
  if (size > 1)
    throw Error(ErrorKind::configuration, "the solver " + name_of(m_kind) +
                                              " is one kernel of one process, and the matrix of " +
                                              std::to_string(rows->getGlobalNumElements()) +
                                              " rows is distributed over " + std::to_string(size) +
                                              "; take " + name_of(SolverKind::tessera));
}

/// Setup has seen the matrix, and says in a note why its solves are no single kernel, or not the
/// one on tiles that was asked for.
void SolverManager::require_one_kernel() const {
  const std::string tiles = "no tiles in mixed precision: solver.tiles takes";
  if (!is_single_kernel(m_kind)) return;
  for (const std::string& note : m_preconditioner->hierarchy().notes) {
    if (note.starts_with("no single kernel: ") || note.starts_with(tiles))
      throw Error(ErrorKind::configuration,
                  "the solver " + name_of(m_kind) +
                      " cannot be one kernel here: " + note.substr(note.find(": ") + 2));
  }
}

void SolverManager::set_up() {
  if (m_is_current) return;
  require_one_process();
  const auto matrix = m_problem->getOperator();
  const bool reuses = m_parameters.tessera.solve.amg.reuse != amg::Reuse::none;
  if (reuses && !m_preconditioner.is_null() && m_operator == matrix) {
    m_preconditioner->update(matrix);
  } else {
    tpetra::Parameters p = m_parameters.tessera;
    const auto processes = matrix->getDomainMap()->getComm();
    if (processes->getSize() > 1) {
      if (p.apply == tpetra::Application::solve) require_taken(p.solve.solver);
      // Around it is a method of Belos, which float's rounding might hold up.
      p.apply = tpetra::Application::preconditioner;
      if (p.solve.precision == Precision::automatic) p.solve.precision = Precision::same;
    }
    const auto data =
        m_list->isSublist("user data") ? m_list->sublist("user data") : Teuchos::ParameterList();
    m_preconditioner = Teuchos::rcp(new tpetra::Operator<>(matrix, p, data));
    m_operator = matrix;
  }
  require_one_kernel();
  m_is_current = true;
}

Belos::ReturnType SolverManager::solve() {
  require(!m_problem.is_null() && m_problem->isProblemSet(), [] {
    return std::string(
        "the linear problem is not set; call setProblem of the problem and of the solver");
  });
  require(!m_problem->isLeftPrec() && !m_problem->isRightPrec(), [&] {
    const auto theirs =
        m_problem->isLeftPrec() ? m_problem->getLeftPrec() : m_problem->getRightPrec();
    return "the linear problem has a preconditioner, " + theirs->description() + "; the solver " +
           name_of(m_kind) +
           " brings its own, by the parameter 'preconditioner', so set none in the problem";
  });
  set_up();
  m_result = {};
  if (m_parameters.tessera.apply == tpetra::Application::preconditioner) return correct();
  const bool is_alone = m_operator->getDomainMap()->getComm()->getSize() == 1;
  m_result = is_alone ? solve_on_one_process() : solve_on_several_processes();
  return ended();
}

SolveResult SolverManager::solve_on_one_process() {
  const int frequency = m_parameters.output_frequency;
  const bool prints = frequency > 0 && (m_parameters.verbosity & Belos::StatusTestDetails) != 0;
  if (is_single_kernel(m_kind)) {
    SolveResult result = solve_in_one_kernel();
    // A logger of each iteration as it goes would keep the solve out of one kernel.
    const auto& history = result.residual_history;
    for (std::size_t i = 0; prints && i < history.size(); ++i)
      print_iteration(static_cast<int>(i), history[i], frequency);
    return result;
  }
  if (prints) {
    m_preconditioner->set_logger([frequency](const IterationInfo& now) {
      print_iteration(now.iteration, now.relative_residual, frequency);
      return true;
    });
  }
  return m_preconditioner->solve(*m_problem->getRHS(), *m_problem->getLHS());
}

Belos::ReturnType SolverManager::ended() {
  m_iterations = m_result.iterations;
  m_achieved = m_result.true_relative_residual;
  const bool prints = m_operator->getDomainMap()->getComm()->getRank() == 0;
  if (prints && (m_parameters.verbosity & Belos::FinalSummary) != 0)
    std::cout << description() << ": " << to_string(m_result.status) << ", " << m_iterations
              << " iterations, relative residual " << m_achieved << '\n';
  return m_result.converged() ? Belos::Converged : Belos::Unconverged;
}

/// A launch has one right-hand side.
SolveResult SolverManager::solve_in_one_kernel() {
  const Vectors& b = *m_problem->getRHS();
  Vectors& x = *m_problem->getLHS();
  SolveResult all;
  all.status = SolveStatus::converged;
  all.in_one_kernel = true;
  for (std::size_t j = 0; j < b.getNumVectors(); ++j)
    add_column(m_preconditioner->solve(*b.getVector(j), *x.getVectorNonConst(j)), all);
  return all;
}

SolveResult SolverManager::solve_on_several_processes() {
  const SolverParameters& p = m_parameters.tessera.solve.solver;
  const SolverName method = chosen_method(p, *m_operator, *m_preconditioner,
                                          varies(m_preconditioner->parameters().solve));
  return solve_by_belos(m_operator, m_preconditioner, p, method, *m_problem->getRHS(),
                        *m_problem->getLHS(),
                        {m_parameters.verbosity, m_parameters.output_frequency});
}

Belos::ReturnType SolverManager::correct() {
  Vectors& x = *m_problem->getLHS();
  Vectors r(*m_problem->getRHS(), Teuchos::Copy);
  m_operator->apply(x, r, Teuchos::NO_TRANS, -1, 1);
  m_preconditioner->apply(r, x, Teuchos::NO_TRANS, 1, 1);
  m_iterations = 1;
  m_achieved = std::nan("");
  return Belos::Unconverged;
}

std::string SolverManager::description() const {
  std::string text = "tessera::belos::SolverManager{" + name_of(m_kind);
  if (m_result.in_one_kernel) text += ", the last solve in one kernel";
  if (!m_preconditioner.is_null()) text += ", " + m_preconditioner->description();
  return text + "}";
}

}  // namespace tessera::belos
