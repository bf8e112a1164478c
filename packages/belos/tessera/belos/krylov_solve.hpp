// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One solve by Belos: its columns, and what each of them comes to.
#pragma once

#include "tessera/belos/belos_run.hpp"
#include "tessera/belos/instrumented.hpp"
#include "tessera/belos/krylov.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace tessera::belos {

/// A column of x, and how far it has come.
struct Column {
  double rhs_norm = 0;
  double reference = 0;  ///< what the tolerance is a multiple of
  double absolute = 0;  ///< the absolute tolerance, in the column's units
  double residual = 0;  ///< the norm of b - A x
  double start = 0;  ///< of its part that some x reduces
  double first = 0;  ///< the relative residual at the start
  int iterations = 0;
  int breakdowns = 0;
  std::optional<SolveStatus> end;
};

inline double over(double norm, double reference) {
  return reference > 0 ? norm / reference : norm;
}

inline std::vector<double> norms_of(const Vectors& V) {
  std::vector<double> norms(V.getNumVectors());
  V.norm2(Teuchos::arrayViewFromVector(norms));
  return norms;
}

/// One solve, of columns of usual magnitudes.
class Krylov {
 public:
  /// `scaled`: b and x, which outlive this.
  Krylov(const Teuchos::RCP<const Operator>& A, const Teuchos::RCP<const Operator>& M,
         const SolverParameters& p, SolverName method, ScaledColumns& scaled,
         const KrylovOutput& output);

  void solve();
  /// Takes an x that has been rounded since: a column that does not meet its tolerance any more has
  /// not converged.
  void amend();
  /// Of columns that stand for 2^exponent times as much.
  SolveResult result(const ScaledColumns& scaled) const;

 private:
  bool together() const { return m_method == SolverName::cg || m_method == SolverName::bicgstab; }
  /// The norm of the residual at which a column has converged.
  double bound_of(const Column& c) const {
    return std::max(m_p.tolerance * c.reference, c.absolute);
  }
  bool is_by_absolute(const Column& c) const;
  void measure();
  void forget_useless_guesses();
  void begin();
  Ending attempt(const std::vector<int>& columns);
  Run run_of(const std::vector<int>& columns) const;
  void go_on(const std::vector<int>& columns);
  bool is_finite_at_start(int j) const;
  void judge(Column& c, double before, Ending ending) const;
  void keep_better(const std::vector<int>& columns, const std::vector<Column>& before);

  Teuchos::RCP<const Operator> m_A;
  Teuchos::RCP<const Operator> m_M;
  SolverParameters m_p;
  SolverName m_method;
  KrylovOutput m_output;
  bool m_projects;
  const Vectors& m_b;
  Vectors m_rhs;  ///< b without the nullspace's part
  Vectors& m_x;
  Vectors m_before;
  std::vector<Column> m_columns;
  std::optional<Monitor> m_monitor;
  Teuchos::RCP<Operator> m_instrumented_A;
  Teuchos::RCP<Operator> m_instrumented_M;
};

}  // namespace tessera::belos
