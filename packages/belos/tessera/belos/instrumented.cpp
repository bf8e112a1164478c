// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/belos/instrumented.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <Tpetra_Vector.hpp>

#include <algorithm>
#include <utility>

namespace tessera::belos {

void Monitor::begin(const LinearProblem& problem, std::vector<int> columns,
                    std::vector<int> iterations, bool records) {
  m_problem = &problem;
  m_columns = std::move(columns);
  m_iterations = std::move(iterations);
  m_products.assign(m_columns.size(), 0);
  m_records = records;
}

void Monitor::note_product() {
  if (m_time_limit_s > 0) {
    const double own = m_timer.seconds();
    double longest = 0;
    Teuchos::reduceAll(m_processes, Teuchos::REDUCE_MAX, own, Teuchos::outArg(longest));
    if (longest >= m_time_limit_s) throw TimeIsUp();
  }
  for (const int j : m_problem->getLSIndex())
    ++m_products[static_cast<std::size_t>(j)];
}

/// Columns that have converged are no longer among those of R. Where some of them have, the method
/// begins again with the others, and shows residuals that it has shown before.
void Monitor::note_residuals(const Vectors& R) {
  if (!m_records) return;
  const std::vector<int> active = m_problem->getLSIndex();
  if (active.size() != R.getNumVectors()) return;
  std::vector<double> norms(active.size());
  R.norm2(Teuchos::arrayViewFromVector(norms));
  for (std::size_t k = 0; k < norms.size(); ++k) {
    const auto j = static_cast<std::size_t>(active[k]);
    const auto column = static_cast<std::size_t>(m_columns[j]);
    const auto iteration = static_cast<std::size_t>(m_iterations[column] + m_products[j]);
    const double reference = m_references[column];
    if (m_history.size() <= iteration) m_history.resize(iteration + 1);
    m_history[iteration] =
        std::max(m_history[iteration], reference > 0 ? norms[k] / reference : norms[k]);
  }
}

void InstrumentedMatrix::apply(const Vectors& X, Vectors& Y, Teuchos::ETransp mode, double alpha,
                               double beta) const {
  m_monitor.note_product();
  m_A->apply(X, Y, mode, alpha, beta);
}

void InstrumentedPreconditioner::apply(const Vectors& X, Vectors& Y, Teuchos::ETransp mode,
                                       double alpha, double beta) const {
  m_monitor.note_residuals(X);
  m_M->apply(X, Y, mode, alpha * m_factor, beta);
  if (m_projects) subtract_means(Y);
}

void subtract_means(Vectors& V) {
  Vectors ones(V.getMap(), 1);
  ones.putScalar(1);
  for (std::size_t j = 0; j < V.getNumVectors(); ++j) {
    const auto v = V.getVectorNonConst(j);
    v->update(-v->meanValue(), ones, 1);
  }
}

}  // namespace tessera::belos
