// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/cg.hpp"

#include "tessera/distributed/column_updates.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <cmath>

namespace tessera::distributed {

template <class Space>
void Cg<Space>::prepare(const Space& exec, std::size_t, std::size_t) {
  m_z = this->vectors_like_x(exec);
  m_w = this->vectors_like_x(exec);
  m_p = this->vectors_like_x(exec);
  m_q = this->vectors_like_x(exec);
}

template <class Space>
void Cg<Space>::run_cycle(const Space& exec, const Vectors& x) {
  using kernels::ColumnEvent;
  const std::size_t k = this->num_columns();
  const Vectors r = this->residual();
  Numbers gamma_before(k, 0.0);  // <r, z>
  Numbers alpha(k, 0.0);
  Numbers beta(k, 0.0);
  for (bool is_first = true;; is_first = false) {
    this->precondition(exec, r, m_z);
    this->multiply(exec, m_z, m_w);
    const auto sums = this->products(exec, {{r, m_z}, {m_w, m_z}, {r, r}});
    const Numbers norms(sums.begin() + static_cast<std::ptrdiff_t>(2 * k), sums.end());
    std::vector<ColumnEvent> events(k, ColumnEvent::none);
    Numbers step(k, 0.0);
    for (std::size_t j = 0; j < k; ++j) {
      const double gamma = sums[j];
      const double delta = sums[k + j];
      beta[j] = is_first || gamma_before[j] == 0 ? 0 : gamma / gamma_before[j];
      const bool is_new = beta[j] == 0 || alpha[j] == 0;  // no step was made along p yet
      const double curvature = is_new ? delta : delta - beta[j] * gamma / alpha[j];  // of p
      const bool goes_on = this->iterates(j) && norms[j] > this->target(j);
      if (!std::isfinite(gamma) || !std::isfinite(curvature)) {
        events[j] = ColumnEvent::not_a_number;
      } else if (goes_on && !(gamma > 0 && curvature > 0)) {
        events[j] = ColumnEvent::breakdown;
      } else if (goes_on) {
        alpha[j] = gamma / curvature;
        step[j] = alpha[j];
      }
      gamma_before[j] = gamma;
    }
    // The norms are of the iteration before: the first ones are the cycle's start.
    const bool ends =
        is_first ? false : this->advance(norms, events) != tessera::detail::Step::proceed;
    if (ends) return;
    bool any_step = false;
    for (std::size_t j = 0; j < k; ++j) {
      if (!this->iterates(j)) step[j] = 0;
      any_step = any_step || step[j] != 0;
    }
    if (is_first && !any_step) {
      this->advance(norms, events);
      return;
    }
    update_columns<Space>(exec, Numbers(k, 1.0), m_z, beta, m_p);
    update_columns<Space>(exec, Numbers(k, 1.0), m_w, beta, m_q);
    Numbers back(k, 0.0);
    for (std::size_t j = 0; j < k; ++j)
      back[j] = -step[j];
    add_columns<Space>(exec, step, m_p, x);
    add_columns<Space>(exec, back, m_q, r);
  }
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Cg)

}  // namespace tessera::distributed
