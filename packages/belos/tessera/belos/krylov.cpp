// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/belos/krylov.hpp"

#include "tessera/belos/krylov_solve.hpp"

#include <Teuchos_CommHelpers.hpp>

#include <algorithm>
#include <cmath>

namespace tessera::belos {

bool Krylov::is_by_absolute(const Column& c) const {
  const double relative = m_p.tolerance * c.reference;
  return is_solved(*c.end) && c.absolute > relative &&
         (c.end == SolveStatus::converged ? c.residual : c.start) > relative;
}

SolveResult Krylov::result(const ScaledColumns& scaled) const {
  SolveResult all;
  all.status = SolveStatus::converged;
  for (std::size_t j = 0; j < m_columns.size(); ++j) {
    const Column& c = m_columns[j];
    const double outside = std::sqrt(std::max(0.0, c.residual * c.residual - c.start * c.start));
    const ColumnResult column{.status = *c.end,
                              .iterations = c.iterations,
                              .true_relative_residual = over(c.residual, c.rhs_norm),
                              .outside_range = over(outside, c.rhs_norm),
                              .reference_norm = std::ldexp(c.reference, scaled.exponent(j)),
                              .by_absolute_tolerance = is_by_absolute(c)};
    all.status = std::max(all.status, column.status);
    all.iterations = std::max(all.iterations, column.iterations);
    const double worst = all.true_relative_residual;
    const bool is_worse = !(column.true_relative_residual <= worst);  // NaN is
    all.true_relative_residual = is_worse ? column.true_relative_residual : worst;
    all.outside_range = std::max(all.outside_range, column.outside_range);
    all.columns.push_back(column);
  }
  if (m_method != SolverName::cg) return all;
  // The norm after the last iteration is shown only where the next direction is asked for.
  all.residual_history = m_monitor->history();
  if (static_cast<int>(all.residual_history.size()) <= all.iterations)
    all.residual_history.push_back(all.true_relative_residual);
  return all;
}

SolveResult solve_by_belos(const Teuchos::RCP<const Operator>& A,
                           const Teuchos::RCP<const Operator>& M,
                           const SolverParameters& parameters, SolverName method, const Vectors& b,
                           Vectors& x, const KrylovOutput& output) {
  const auto processes = A->getDomainMap()->getComm();
  processes->barrier();
  const Kokkos::Timer timer;
  ScaledColumns scaled(b, x);
  Krylov krylov(A, M, parameters, method, scaled, output);
  krylov.solve();
  if (scaled.give_back()) krylov.amend();
  SolveResult result = krylov.result(scaled);
  const double own_ms = timer.seconds() * 1e3;
  Teuchos::reduceAll(*processes, Teuchos::REDUCE_MAX, own_ms, Teuchos::outArg(result.solve_ms));
  return result;
}

}  // namespace tessera::belos
