// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's solver as one of Belos's.
#pragma once

#include "tessera/belos/krylov_method.hpp"
#include "tessera/belos/parameters.hpp"
#include "tessera/tpetra/operator.hpp"

#include <BelosSolverManager.hpp>
#include <BelosTpetraAdapter.hpp>

#include <string>

namespace tessera::belos {

using LinearProblem = Belos::LinearProblem<double, Vectors, Operator>;

/// Solves linear problems whose operator is a Tpetra::CrsMatrix of double, from the guess that
/// their solution vectors hold.
///
/// The kind `tessera` solves on one process by `tessera::Solver`, which picks its method and its
/// preconditioner and changes them where they do badly. On several by the method of Belos that has
/// the name of "solver.name", with tpetra::Operator as its preconditioner (`solve_by_belos`); left
/// open, it is CG where both look symmetric and the diagonal is positive, else GMRES, and flexible
/// GMRES around a K-cycle or one in less than double. With "apply" = "preconditioner" a solve is
/// one correction x += M (b - A x), which is linear in b and x: a smoother.
///
/// Of the other kinds a solve is one launch (`solver.single_kernel`) for each right-hand side, on
/// one process. What cannot be that throws: a matrix that is distributed over several processes,
/// levels that the kernel cannot cycle over, a nullspace that has to be projected out. Where
/// multigrid in float fails, "precision" = "auto" goes on in double by launches;
/// `result().in_one_kernel` says whether that happened.
///
/// The preconditioner is set up by the first `solve` after `setProblem`; parameter "amg.reuse" says
/// what stays where the operator is the same object as before. `reset` keeps it. In any case it is
/// the operator's values at the time of a solve that x solves with.
class SolverManager : public Belos::SolverManager<double, Vectors, Operator> {
 public:
  using Base = Belos::SolverManager<double, Vectors, Operator>;

  explicit SolverManager(SolverKind kind = SolverKind::tessera);
  ~SolverManager() override;

  Teuchos::RCP<Base> clone() const override;

  const LinearProblem& getProblem() const override;
  Teuchos::RCP<const Teuchos::ParameterList> getValidParameters() const override;
  Teuchos::RCP<const Teuchos::ParameterList> getCurrentParameters() const override;
  /// ||b - A x|| / ||b||, the largest of all right-hand sides.
  double achievedTol() const override { return m_achieved; }
  int getNumIters() const override { return m_iterations; }
  /// True where the residual stagnates above the tolerance.
  bool isLOADetected() const override { return m_result.status == SolveStatus::stagnated; }

  /// @throws tessera::Error of kind configuration for a matrix over several processes, of a solver
  ///         in one kernel.
  void setProblem(const Teuchos::RCP<LinearProblem>& problem) override;
  /// @throws tessera::Error of kind configuration; `parameters_from` has the names.
  void setParameters(const Teuchos::RCP<Teuchos::ParameterList>& list) override;
  void reset(Belos::ResetType type) override;

  /// `Converged` where the tolerance is met; never for a correction by "apply" = "preconditioner",
  /// which looks at no residual.
  /// @throws tessera::Error for a problem that is not set or not of a CrsMatrix, or that has a
  ///         preconditioner of its own; of a solver in one kernel for what cannot be one; on
  ///         several processes for a parameter that Belos's methods do not know (`require_taken`).
  Belos::ReturnType solve() override;

  std::string description() const override;

  SolverKind kind() const { return m_kind; }
  /// How the last solve ended; of a correction by "apply" = "preconditioner" it says nothing.
  const SolveResult& result() const { return m_result; }
  /// The preconditioner; null before the first solve.
  Teuchos::RCP<const tpetra::Operator<>> preconditioner() const { return m_preconditioner; }

 private:
  void set_up();
  void require_one_process() const;
  void require_one_kernel() const;
  SolveResult solve_in_one_kernel();
  SolveResult solve_on_one_process();
  Belos::ReturnType ended();
  SolveResult solve_on_several_processes();
  Belos::ReturnType correct();

  SolverKind m_kind;
  Teuchos::RCP<Teuchos::ParameterList> m_list;
  Parameters m_parameters;
  Teuchos::RCP<LinearProblem> m_problem;
  Teuchos::RCP<const Operator> m_operator;  ///< what the preconditioner is of
  Teuchos::RCP<tpetra::Operator<>> m_preconditioner;
  bool m_is_current = false;
  SolveResult m_result;
  int m_iterations = 0;
  double m_achieved = 0;
};

}  // namespace tessera::belos
