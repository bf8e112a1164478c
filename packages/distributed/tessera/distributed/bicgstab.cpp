// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/bicgstab.hpp"

#include "tessera/distributed/column_updates.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::distributed {

template <class Space>
void Bicgstab<Space>::prepare(const Space& exec, std::size_t, std::size_t k) {
  this->reserve_products(exec, 5 * k);
  for (auto* const vectors : {&m_shadow, &m_p, &m_p_hat, &m_s_hat, &m_v, &m_t})
    *vectors = this->vectors_like_x(exec);
  if (is_left()) m_left = this->vectors_like_x(exec);
}

template <class Space>
auto Bicgstab<Space>::apply(const Space& exec, const ConstVectors& d, const Vectors& room,
                            const Vectors& product) -> ConstVectors {
  if (is_left()) {
    this->multiply(exec, d, room);
    this->precondition(exec, room, product);
    return d;
  }
  this->precondition(exec, d, room);
  this->multiply(exec, room, product);
  return room;
}

template <class Space>
auto Bicgstab<Space>::start(const Space& exec) -> Vectors {
  const std::size_t k = this->num_columns();
  Vectors r = this->residual();
  m_rho = this->start_norms();
  m_norm_scale.assign(k, 1.0);
  if (is_left()) {
    this->precondition(exec, this->residual(), m_left);
    r = m_left;
    m_rho = this->products(exec, {{r, r}});
    for (std::size_t j = 0; j < k; ++j)
      m_norm_scale[j] = m_rho[j] > 0 ? this->start_norms()[j] / m_rho[j] : 1;
  }
  kernels::copy<double, double, Space>(exec, r, m_shadow);
  kernels::copy<double, double, Space>(exec, r, m_p);
  return r;
}

template <class Space>
void Bicgstab<Space>::run_cycle(const Space& exec, const ConstVectors& b, const Vectors& x) {
  using kernels::ColumnEvent;
  const std::size_t k = this->num_columns();
  const bool renews = this->parameters().residual == ResidualKind::true_residual;
  const Vectors r = start(exec);
  Numbers& rho = m_rho;
  Numbers norms = this->start_norms();
  const auto negative = [](Numbers numbers) {
    for (double& number : numbers)
      number = -number;
    return numbers;
  };
  for (;;) {
    std::vector<ColumnEvent> events(k, ColumnEvent::none);
    Numbers alpha(k, 0.0), omega(k, 0.0), beta(k, 0.0), next_rho(k, 0.0);
    const auto iterates = [&](std::size_t j) {
      return this->iterates(j) && events[j] == ColumnEvent::none;
    };
    const auto fails = [&](std::size_t j, double divisor) {
      if (!std::isfinite(divisor)) {
        events[j] = ColumnEvent::not_a_number;
      } else if (divisor == 0 && events[j] == ColumnEvent::none) {
        events[j] = ColumnEvent::breakdown;
      }
      return events[j] != ColumnEvent::none;
    };
    const ConstVectors p_hat = apply(exec, m_p, m_p_hat, m_v);
    const auto shadow_v = this->products(exec, {{m_shadow, m_v}});
    for (std::size_t j = 0; j < k; ++j)
      if (this->iterates(j) && !fails(j, shadow_v[j])) alpha[j] = rho[j] / shadow_v[j];
    add_columns<Space>(exec, negative(alpha), m_v, r);  // s
    const ConstVectors s_hat = apply(exec, r, m_s_hat, m_t);
    const auto sums =
        this->products(exec, {{m_t, r}, {m_t, m_t}, {r, r}, {m_shadow, r}, {m_shadow, m_t}});
    for (std::size_t j = 0; j < k; ++j) {
      if (!iterates(j)) continue;
      const double ts = sums[j], tt = sums[k + j], ss = sums[2 * k + j];
      if (ss == 0) {
        norms[j] = 0;  // s is solved already
        continue;
      }
      if (fails(j, tt) || fails(j, ts)) continue;
      omega[j] = ts / tt;
      norms[j] = std::max(0.0, ss - omega[j] * ts) * m_norm_scale[j];
      next_rho[j] = sums[3 * k + j] - omega[j] * sums[4 * k + j];
    }
    add_columns<Space>(exec, alpha, p_hat, x);
    add_columns<Space>(exec, omega, s_hat, x);
    add_columns<Space>(exec, negative(omega), m_t, r);
    if (renews) {
      this->renew_residual(exec, b, x);
      const auto renewed = this->products(exec, {{r, r}, {m_shadow, r}});
      for (std::size_t j = 0; j < k; ++j) {
        if (!iterates(j)) continue;
        norms[j] = renewed[j];
        next_rho[j] = renewed[k + j];
      }
    }
    for (std::size_t j = 0; j < k; ++j) {
      const double next = next_rho[j];
      if (!iterates(j) || norms[j] <= this->target(j)) continue;
      if (fails(j, omega[j]) || fails(j, next)) continue;
      beta[j] = next / rho[j] * (alpha[j] / omega[j]);
      rho[j] = next;
    }
    if (this->advance(norms, events) != tessera::detail::Step::proceed) return;
    // p = r + beta (p - omega v)
    add_columns<Space>(exec, negative(omega), m_v, m_p);
    update_columns<Space>(exec, Numbers(k, 1.0), r, beta, m_p);
  }
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Bicgstab)

}  // namespace tessera::distributed
