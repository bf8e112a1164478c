// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/bicgstab.hpp"

#include "tessera/distributed/column_updates.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::distributed {
namespace {

using kernels::ColumnEvent;

/// What rounding leaves of a product, relative to the norms of its vectors.
constexpr double product_rounding = std::numeric_limits<double>::epsilon();

/// numerator / denominator, or 0 and the event that forbids it.
struct BicgstabQuotient {
  double value = 0;
  ColumnEvent event = ColumnEvent::none;

  static BicgstabQuotient of(double numerator, double denominator) {
    if (!std::isfinite(numerator) || !std::isfinite(denominator))
      return {0, ColumnEvent::not_a_number};
    if (denominator == 0 || !std::isfinite(numerator / denominator))
      return {0, ColumnEvent::breakdown};
    return {numerator / denominator, ColumnEvent::none};
  }
};

std::vector<double> negated(std::vector<double> numbers) {
  for (double& number : numbers)
    number = -number;
  return numbers;
}

}  // namespace

template <class Space>
void Bicgstab<Space>::prepare(const Space& exec, std::size_t, std::size_t k) {
  this->reserve_products(exec, 5 * k);
  m_shadow = this->vectors_like_x(exec);
  m_p = this->vectors_like_x(exec);
  m_p_hat = this->vectors_like_x(exec);
  m_s_hat = this->vectors_like_x(exec);
  m_v = this->vectors_like_x(exec);
  m_t = this->vectors_like_x(exec);
  m_best.prepare(this->vectors_like_x(exec));
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
  m_squares = this->start_norms();
  m_norm_scale.assign(k, 1.0);
  if (is_left()) {
    this->precondition(exec, this->residual(), m_left);
    r = m_left;
    m_squares = this->products(exec, {{r, r}});
    for (std::size_t j = 0; j < k; ++j)
      m_norm_scale[j] = m_squares[j] > 0 ? this->start_norms()[j] / m_squares[j] : 1;
  }
  m_rho = m_next_rho = m_shadow_squares = m_squares;
  m_best.begin(this->start_norms());
  kernels::copy<double, double, Space>(exec, r, m_shadow);
  kernels::copy<double, double, Space>(exec, r, m_p);
  return r;
}

template <class Space>
void Bicgstab<Space>::take_alpha(const Space& exec) {
  const std::size_t k = this->num_columns();
  m_events.assign(k, ColumnEvent::none);
  m_alpha.assign(k, 0.0);
  m_omega.assign(k, 0.0);
  m_beta.assign(k, 0.0);
  const auto shadow_v = this->products(exec, {{m_shadow, m_v}});
  for (std::size_t j = 0; j < k; ++j) {
    if (!this->iterates(j)) continue;
    const auto alpha = BicgstabQuotient::of(m_rho[j], shadow_v[j]);
    m_alpha[j] = alpha.value;
    note(j, alpha.event);
  }
}

template <class Space>
void Bicgstab<Space>::take_omega(const Space& exec, const Vectors& s) {
  const std::size_t k = this->num_columns();
  const auto sums =
      this->products(exec, {{m_t, s}, {m_t, m_t}, {s, s}, {m_shadow, s}, {m_shadow, m_t}});
  for (std::size_t j = 0; j < k; ++j) {
    if (!goes_on(j)) continue;
    const double ts = sums[j], tt = sums[k + j], ss = sums[2 * k + j];
    const double shadow_s = sums[3 * k + j], shadow_t = sums[4 * k + j];
    const auto omega = BicgstabQuotient::of(ts, tt);
    m_omega[j] = omega.value;
    const bool moves = omega.value != 0;  // what else is no number must not come in by 0 times it
    m_squares[j] = moves ? ss - omega.value * ts : ss;
    m_next_rho[j] = moves ? shadow_s - omega.value * shadow_t : shadow_s;
    if (m_squares[j] < 0) m_squares[j] = 0;
    // A t of 0 leaves the half step: where that does not solve, beta has no divisor.
    if (omega.event != ColumnEvent::not_a_number) continue;
    m_alpha[j] = 0;
    note(j, omega.event);
  }
}

template <class Space>
void Bicgstab<Space>::look_at_residual(const Space& exec) {
  const std::size_t k = this->num_columns();
  const Vectors r = this->residual();
  const auto sums = this->products(exec, {{r, r}, {m_shadow, r}});
  for (std::size_t j = 0; j < k; ++j) {
    if (!goes_on(j)) continue;
    m_squares[j] = sums[j];
    m_next_rho[j] = sums[k + j];
  }
}

template <class Space>
void Bicgstab<Space>::take_beta() {
  for (std::size_t j = 0; j < this->num_columns(); ++j) {
    if (goes_on(j) && m_squares[j] * m_norm_scale[j] > this->target(j)) {
      const double next = m_next_rho[j];
      const auto growth = BicgstabQuotient::of(next, m_rho[j]);
      const auto ratio = BicgstabQuotient::of(m_alpha[j], m_omega[j]);
      note(j, growth.event);
      note(j, ratio.event);
      // By roots: products of squares leave the range of double.
      if (std::abs(next) <=
          product_rounding * std::sqrt(m_squares[j]) * std::sqrt(m_shadow_squares[j]))
        note(j, ColumnEvent::breakdown);
      m_beta[j] = growth.value * ratio.value;
      m_rho[j] = next;
    }
    if (this->iterates(j) && !std::isfinite(m_squares[j])) note(j, ColumnEvent::not_a_number);
  }
}

template <class Space>
void Bicgstab<Space>::keep_best(const Space& exec, const Vectors& x, const ConstVectors& p_hat,
                                const ConstVectors& s_hat) {
  for (std::size_t j = 0; j < this->num_columns(); ++j) {
    if (!this->iterates(j)) continue;
    if (!m_best.gets_worse(j, m_squares[j] * m_norm_scale[j], m_events[j] != ColumnEvent::none))
      continue;
    const Vectors kept = m_best.kept(j);
    kernels::copy<double, double, Space>(exec, column_of(x, j), kept);
    kernels::axpby<double, Space>(exec, -m_omega[j], column_of(s_hat, j), 1, kept);
    kernels::axpby<double, Space>(exec, -m_alpha[j], column_of(p_hat, j), 1, kept);
  }
}

template <class Space>
auto Bicgstab<Space>::norms() const -> Numbers {
  Numbers all(m_squares.size());
  std::ranges::transform(m_squares, m_norm_scale, all.begin(),
                         [](double square, double scale) { return square * scale; });
  return all;
}

template <class Space>
void Bicgstab<Space>::run_cycle(const Space& exec, const ConstVectors& b, const Vectors& x) {
  const bool renews = this->parameters().residual == ResidualKind::true_residual;
  const Numbers ones(this->num_columns(), 1.0);
  const Vectors r = start(exec);
  for (;;) {
    const ConstVectors p_hat = apply(exec, m_p, m_p_hat, m_v);
    take_alpha(exec);
    add_columns<Space>(exec, negated(m_alpha), m_v, r);  // s
    ConstVectors s_hat = apply(exec, r, m_s_hat, m_t);
    if (is_left()) {  // r goes on, and x may have to go back
      kernels::copy<double, double, Space>(exec, r, m_s_hat);
      s_hat = m_s_hat;
    }
    take_omega(exec, r);
    add_columns<Space>(exec, m_alpha, p_hat, x);
    add_columns<Space>(exec, m_omega, s_hat, x);
    add_columns<Space>(exec, negated(m_omega), m_t, r);
    if (renews) {
      this->renew_residual(exec, b, x);
      look_at_residual(exec);
    }
    take_beta();
    keep_best(exec, x, p_hat, s_hat);
    if (this->advance(norms(), m_events) != tessera::detail::Step::proceed) break;
    // p = r + beta (p - omega v)
    add_columns<Space>(exec, negated(m_omega), m_v, m_p);
    update_columns<Space>(exec, ones, r, m_beta, m_p);
  }
  m_best.restore(exec, x);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Bicgstab)

}  // namespace tessera::distributed
