// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/bicgstab.hpp"

#include "tessera/distributed/column_updates.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::distributed {

template <class Space>
void Bicgstab<Space>::prepare(const Space& exec, std::size_t, std::size_t) {
  for (auto* const vectors : {&m_shadow, &m_p, &m_p_hat, &m_s_hat, &m_v, &m_t})
    *vectors = this->vectors_like_x(exec);
}

template <class Space>
void Bicgstab<Space>::run_cycle(const Space& exec, const Vectors& x) {
  using kernels::ColumnEvent;
  const std::size_t k = this->num_columns();
  const Vectors r = this->residual();
  kernels::copy<double, double, Space>(exec, r, m_shadow);
  kernels::copy<double, double, Space>(exec, r, m_p);
  Numbers rho = this->start_norms();  // <shadow, r>
  Numbers norms = rho;
  const auto negative = [](Numbers numbers) {
    for (double& number : numbers)
      number = -number;
    return numbers;
  };
  for (;;) {
    std::vector<ColumnEvent> events(k, ColumnEvent::none);
    Numbers alpha(k, 0.0), omega(k, 0.0), beta(k, 0.0);
    const auto fails = [&](std::size_t j, double divisor) {
      if (!std::isfinite(divisor)) {
        events[j] = ColumnEvent::not_a_number;
      } else if (divisor == 0 && events[j] == ColumnEvent::none) {
        events[j] = ColumnEvent::breakdown;
      }
      return events[j] != ColumnEvent::none;
    };
    this->precondition(exec, m_p, m_p_hat);
    this->multiply(exec, m_p_hat, m_v);
    const auto shadow_v = this->products(exec, {{m_shadow, m_v}});
    for (std::size_t j = 0; j < k; ++j)
      if (this->iterates(j) && !fails(j, shadow_v[j])) alpha[j] = rho[j] / shadow_v[j];
    add_columns<Space>(exec, negative(alpha), m_v, r);  // s
    this->precondition(exec, r, m_s_hat);
    this->multiply(exec, m_s_hat, m_t);
    const auto sums =
        this->products(exec, {{m_t, r}, {m_t, m_t}, {r, r}, {m_shadow, r}, {m_shadow, m_t}});
    for (std::size_t j = 0; j < k; ++j) {
      if (!this->iterates(j) || events[j] != ColumnEvent::none) continue;
      const double ts = sums[j], tt = sums[k + j], ss = sums[2 * k + j];
      if (ss == 0) {
        norms[j] = 0;  // s is solved already
        continue;
      }
      if (fails(j, tt) || fails(j, ts)) continue;
      omega[j] = ts / tt;
      norms[j] = std::max(0.0, ss - omega[j] * ts);
      const double next = sums[3 * k + j] - omega[j] * sums[4 * k + j];
      beta[j] = next / rho[j] * (alpha[j] / omega[j]);
      if (norms[j] > this->target(j)) fails(j, next);
      rho[j] = next;
    }
    add_columns<Space>(exec, alpha, m_p_hat, x);
    add_columns<Space>(exec, omega, m_s_hat, x);
    add_columns<Space>(exec, negative(omega), m_t, r);
    if (this->advance(norms, events) != tessera::detail::Step::proceed) return;
    // p = r + beta (p - omega v)
    add_columns<Space>(exec, negative(omega), m_v, m_p);
    update_columns<Space>(exec, Numbers(k, 1.0), r, beta, m_p);
  }
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Bicgstab)

}  // namespace tessera::distributed
