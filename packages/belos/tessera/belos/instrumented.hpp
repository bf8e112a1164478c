// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A matrix and a preconditioner that tell what a method of Belos does with them.
#pragma once

#include "tessera/belos/krylov_method.hpp"

#include <BelosLinearProblem.hpp>
#include <BelosTpetraAdapter.hpp>
#include <Kokkos_Timer.hpp>
#include <Teuchos_Comm.hpp>

#include <exception>
#include <utility>
#include <vector>

namespace tessera::belos {

using LinearProblem = Belos::LinearProblem<double, Vectors, Operator>;

/// Thrown out of a product with the matrix, on all processes at once.
struct TimeIsUp : std::exception {
  const char* what() const noexcept override { return "the time limit of a solve has come"; }
};

/// Products with the matrix by column of the problem, and CG's residuals.
class Monitor {
 public:
  /// `time_limit_s`: from now on; 0: none.
  Monitor(const Teuchos::Comm<int>& processes, double time_limit_s, std::vector<double> references)
      : m_processes(processes),
        m_time_limit_s(time_limit_s),
        m_references(std::move(references)),
        m_iterations(m_references.size()) {}

  /// From now on `problem` is solved, whose columns are these of all. `iterations`: of each of all
  /// columns before. `problem` outlives what is noted.
  void begin(const LinearProblem& problem, std::vector<int> columns, std::vector<int> iterations,
             bool records);
  /// @throws TimeIsUp
  void note_product();
  void note_residuals(const Vectors& R);

  /// Since `begin`, of the problem's column j.
  int products(std::size_t j) const { return m_products[j]; }
  double seconds() const { return m_timer.seconds(); }
  /// The largest of the relative residuals in each iteration.
  const std::vector<double>& history() const { return m_history; }

 private:
  const Teuchos::Comm<int>& m_processes;
  double m_time_limit_s;
  std::vector<double> m_references;
  Kokkos::Timer m_timer;
  const LinearProblem* m_problem = nullptr;
  std::vector<int> m_columns;
  std::vector<int> m_iterations;
  std::vector<int> m_products;
  bool m_records = false;
  std::vector<double> m_history;
};

/// A, whose products are noted.
class InstrumentedMatrix : public Operator {
 public:
  InstrumentedMatrix(Teuchos::RCP<const Operator> A, Monitor& monitor)
      : m_A(std::move(A)), m_monitor(monitor) {}
  Teuchos::RCP<const Tpetra::Map<>> getDomainMap() const override { return m_A->getDomainMap(); }
  Teuchos::RCP<const Tpetra::Map<>> getRangeMap() const override { return m_A->getRangeMap(); }
  void apply(const Vectors& X, Vectors& Y, Teuchos::ETransp mode, double alpha,
             double beta) const override;

 private:
  Teuchos::RCP<const Operator> m_A;
  Monitor& m_monitor;
};

/// M times a factor, in front of which residuals are noted, and after which, where asked for, each
/// column's mean is taken away.
class InstrumentedPreconditioner : public Operator {
 public:
  InstrumentedPreconditioner(Teuchos::RCP<const Operator> M, Monitor& monitor, double factor,
                             bool projects)
      : m_M(std::move(M)), m_monitor(monitor), m_factor(factor), m_projects(projects) {}
  Teuchos::RCP<const Tpetra::Map<>> getDomainMap() const override { return m_M->getDomainMap(); }
  Teuchos::RCP<const Tpetra::Map<>> getRangeMap() const override { return m_M->getRangeMap(); }
  void apply(const Vectors& X, Vectors& Y, Teuchos::ETransp mode, double alpha,
             double beta) const override;

 private:
  Teuchos::RCP<const Operator> m_M;
  Monitor& m_monitor;
  double m_factor;
  bool m_projects;
};

/// Takes each column's mean away: the projection against the constant vector.
void subtract_means(Vectors& V);

}  // namespace tessera::belos
