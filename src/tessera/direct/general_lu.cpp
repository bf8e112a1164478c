// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/general_lu.hpp"

#include "tessera/direct/selection_rules.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

namespace tessera::direct {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// y <- y + factor A x
void add_product(const HostMatrix& A, double factor, const std::vector<double>& x,
                 std::vector<double>& y) {
  for (int i = 0; i < A.n; ++i) {
    for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      y[i] += factor * (A.values[e] * x[A.columns[e]]);
  }
}

/// Infinite where a number is not finite.
double largest(const std::vector<double>& v) {
  double result = 0;
  for (const double x : v)
    result = std::isfinite(x) ? std::max(result, std::abs(x)) : infinity;
  return result;
}

}  // namespace

GeneralLu::GeneralLu(const HostMatrix& A, double max_bytes, Ordering ordering)
    : m_max_bytes(max_bytes), m_ordering(ordering) {
  order(A);
}

void GeneralLu::order(const HostMatrix& A) {
  m_symbolic = analyse_lu(A, m_max_bytes / sizeof(double), m_ordering);
  m_cost = m_symbolic ? Cost{m_symbolic->flops, m_symbolic->entries, true} : Cost{};
}

void GeneralLu::dissect(const HostMatrix& A) {
  if (!m_symbolic || is_dissected()) return;
  SymbolicLu other = analyse_lu(A, m_symbolic->matching, m_max_bytes / sizeof(double),
                                Ordering::nested_dissection);
  if (!takes_less(other.fronts, m_symbolic->fronts)) return;
  m_symbolic = std::move(other);
  m_ordering = Ordering::nested_dissection;
  m_cost = {m_symbolic->flops, m_symbolic->entries, true};
}

bool GeneralLu::is_dissected() const {
  return m_symbolic && m_symbolic->fronts.ordering == Ordering::nested_dissection;
}

Cost GeneralLu::order_sparse(const HostMatrix& A) {
  if (!m_sparse) m_sparse = std::make_unique<SparseLu>(A);
  return m_sparse->cost();
}

bool GeneralLu::factor(const HostSpace& exec, const HostMatrix& A) {
  m_work.resize(A.n);
  const bool is_order_of_other_values = std::exchange(m_was_factored, true);
  double residual = factor_in_panels(exec, A);
  if (!(residual <= rules::max_residual_of_panels) && is_order_of_other_values) {
    order(A);
    residual = factor_in_panels(exec, A);
  }
  if (residual <= rules::max_residual_of_panels) return true;
  const Cost sparse = order_sparse(A);
  const bool is_cheap = sparse.seconds() <= rules::max_seconds_of_second_try;
  if (sparse.bytes() <= m_max_bytes && (is_cheap || residual == infinity)) {
    const double other = factor_sparse(exec, A);
    m_is_in_panels = residual < other;
    residual = std::min(residual, other);
    if (!m_is_in_panels) m_cost = sparse;
  }
  return residual < infinity;
}

/// These return what is left of a solve's residual; infinity where there are no factors.
double GeneralLu::factor_in_panels(const HostSpace& exec, const HostMatrix& A) {
  m_is_in_panels =
      m_symbolic && m_symbolic->fronts.has_structure && m_panels.factor(exec, A, *m_symbolic);
  return m_is_in_panels ? residual_of_solve(exec, A) : infinity;
}

double GeneralLu::factor_sparse(const HostSpace& exec, const HostMatrix& A) {
  m_is_in_panels = false;
  return m_sparse->factor(A) ? residual_of_solve(exec, A) : infinity;
}

/// Of a right-hand side in A's range, relative to it: that of a singular matrix is judged by what
/// can be solved.
double GeneralLu::residual_of_solve(const HostSpace& exec, const HostMatrix& A) const {
  if (A.n == 0) return 0;
  std::vector<double> x(A.n);
  for (int i = 0; i < A.n; ++i)
    x[i] = 1 + static_cast<double>(static_cast<std::uint32_t>(i) * 2654435761U) * 0x1p-32;
  std::vector<double> r(A.n, 0.0);
  add_product(A, 1, x, r);
  const double norm = largest(r);
  x = r;
  solve(exec, x.data());
  if (!std::isfinite(largest(x))) return infinity;
  add_product(A, -1, x, r);
  return norm > 0 ? largest(r) / norm : 0;
}

double GeneralLu::stored_entries() const {
  return m_is_in_panels ? m_panels.stored_entries() : m_sparse->stored_entries();
}

void GeneralLu::solve(const HostSpace& exec, double* x) const {
  if (!m_is_in_panels) return m_sparse->solve(x);
  m_panels.solve(exec, x, m_work.data());
}

}  // namespace tessera::direct
