// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/cg.hpp"

#include "tessera/distributed/column_updates.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <limits>

namespace tessera::distributed {

template <class Space>
void Cg<Space>::prepare(const Space& exec, std::size_t, std::size_t k) {
  m_z = this->vectors_like_x(exec);
  m_w = this->vectors_like_x(exec);
  m_p = this->vectors_like_x(exec);
  m_q = this->vectors_like_x(exec);
  m_best.prepare(this->vectors_like_x(exec));
  m_columns = kernels::allocate_report<Column>(exec, "tessera::distributed::cg_columns", k);
  m_device_columns = allocate<Column>(exec, "tessera::distributed::cg_columns", k);
  this->reserve_products(exec, (this->parameters().cg.flexible ? 4 : 3) * k);
}

template <class Space>
void Cg<Space>::step(const Space& exec, const Vectors& x) const {
  kernels::combined_cg_step<Space>(exec, m_columns, m_device_columns, m_z, m_w, m_p, m_q, x,
                                   this->residual());
}

template <class Space>
auto Cg<Space>::pairs(bool flexible) const -> std::vector<Pair> {
  const Vectors r = this->residual();
  std::vector<Pair> all{{r, m_z}, {m_w, m_z}, {r, r}};
  if (flexible) all.emplace_back(m_q, m_z);
  return all;
}

template <class Space>
void Cg<Space>::look(const Space& exec, bool flexible) {
  this->precondition(exec, this->residual(), m_z);
  this->multiply(exec, m_z, m_w);
  if (!this->sums_stay_on_device()) return;
  const auto sums = this->queue_products(exec, pairs(flexible));
  kernels::combined_cg_scalars<Space>(exec, sums, m_columns, flexible, this->heard_wishes());
}

template <class Space>
void Cg<Space>::settle(const Space& exec, bool flexible) {
  if (this->sums_stay_on_device()) return this->hear_wishes(exec);
  const auto sums = this->products(exec, pairs(flexible));
  const std::size_t k = this->num_columns();
  for (std::size_t j = 0; j < k; ++j) {
    const double gamma = sums[j], delta = sums[k + j], norm = sums[2 * k + j];
    if (flexible)
      m_columns(j).advance_flexibly(gamma, delta, norm, sums[3 * k + j]);
    else
      m_columns(j).advance(gamma, delta, norm);
  }
}

template <class Space>
void Cg<Space>::keep_best(const Space& exec, const Vectors& x, const Numbers& norms,
                          const Numbers& steps) {
  for (std::size_t j = 0; j < norms.size(); ++j) {
    // An event is of the next step, and says nothing of x.
    if (!this->iterates(j) || !m_best.gets_worse(j, norms[j], false)) continue;
    const Vectors kept = m_best.kept(j);
    kernels::copy<double, double, Space>(exec, column_of(x, j), kept);
    kernels::axpby<double, Space>(exec, -steps[j], column_of(ConstVectors(m_p), j), 1, kept);
  }
}

template <class Space>
void Cg<Space>::run_cycle(const Space& exec, const ConstVectors& b, const Vectors& x) {
  constexpr double unreachable = std::numeric_limits<double>::infinity();
  const std::size_t k = this->num_columns();
  const bool renews = this->parameters().residual == ResidualKind::true_residual;
  std::fill_n(m_columns.data(), k, Column());
  m_best.begin(this->start_norms());
  Numbers steps(k, 0.0);
  for (bool is_first = true;; is_first = false) {
    const bool flexible = this->parameters().cg.flexible && !is_first;
    for (std::size_t j = 0; j < k; ++j)
      m_columns(j).target = this->iterates(j) ? this->target(j) : unreachable;
    this->say_wishes();
    if (is_first) {
      look(exec, flexible);
      if (!renews) this->begin_repeating(exec, x);
    } else if (renews) {
      step(exec, x);
      this->renew_residual(exec, b, x);
      look(exec, flexible);
    } else {
      this->repeat(exec, [this, x, flexible](const Space& instance) {
        step(instance, x);
        look(instance, flexible);
      });
    }
    settle(exec, flexible);
    Numbers norms(k);
    std::vector<kernels::ColumnEvent> events(k);
    for (std::size_t j = 0; j < k; ++j) {
      norms[j] = m_columns(j).norm;
      events[j] = m_columns(j).event;
    }
    // The norms are of the iteration before: the first ones are the cycle's start.
    if (!is_first) keep_best(exec, x, norms, steps);
    if (!is_first && this->advance(norms, events) != tessera::detail::Step::proceed) break;
    bool any_step = false;
    for (std::size_t j = 0; j < k; ++j) {
      if (!this->iterates(j)) m_columns(j).step = 0;
      steps[j] = m_columns(j).step;
      any_step = any_step || steps[j] != 0;
    }
    if (is_first && !any_step) {
      this->advance(norms, events);
      break;
    }
  }
  m_best.restore(exec, x);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Cg)

}  // namespace tessera::distributed
