// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/cg.hpp"

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
  m_columns = kernels::allocate_report<Column>(exec, "tessera::distributed::cg_columns", k);
  m_device_columns = allocate<Column>(exec, "tessera::distributed::cg_columns", k);
  this->reserve_products(exec, 3 * k);
}

template <class Space>
void Cg<Space>::step(const Space& exec, const Vectors& x) const {
  kernels::combined_cg_step<Space>(exec, m_columns, m_device_columns, m_z, m_w, m_p, m_q, x,
                                   this->residual());
}

template <class Space>
void Cg<Space>::look(const Space& exec) {
  const Vectors r = this->residual();
  this->precondition(exec, r, m_z);
  this->multiply(exec, m_z, m_w);
  if (!this->sums_stay_on_device()) return;
  const auto sums = this->queue_products(exec, {{r, m_z}, {m_w, m_z}, {r, r}});
  kernels::combined_cg_scalars<Space>(exec, sums, m_columns, this->heard_wishes());
}

template <class Space>
void Cg<Space>::settle(const Space& exec) {
  if (this->sums_stay_on_device()) return this->hear_wishes(exec);
  const Vectors r = this->residual();
  const auto sums = this->products(exec, {{r, m_z}, {m_w, m_z}, {r, r}});
  const std::size_t k = this->num_columns();
  for (std::size_t j = 0; j < k; ++j)
    m_columns(j).advance(sums[j], sums[k + j], sums[2 * k + j]);
}

template <class Space>
void Cg<Space>::run_cycle(const Space& exec, const Vectors& x) {
  constexpr double unreachable = std::numeric_limits<double>::infinity();
  const std::size_t k = this->num_columns();
  std::fill_n(m_columns.data(), k, Column());
  for (bool is_first = true;; is_first = false) {
    for (std::size_t j = 0; j < k; ++j)
      m_columns(j).target = this->iterates(j) ? this->target(j) : unreachable;
    this->say_wishes();
    if (is_first) {
      look(exec);
      this->begin_repeating(exec, x);
    } else {
      this->repeat(exec, [this, x](const Space& instance) {
        step(instance, x);
        look(instance);
      });
    }
    settle(exec);
    Numbers norms(k);
    std::vector<kernels::ColumnEvent> events(k);
    for (std::size_t j = 0; j < k; ++j) {
      norms[j] = m_columns(j).norm;
      events[j] = m_columns(j).event;
    }
    // The norms are of the iteration before: the first ones are the cycle's start.
    if (!is_first && this->advance(norms, events) != tessera::detail::Step::proceed) return;
    bool any_step = false;
    for (std::size_t j = 0; j < k; ++j) {
      if (!this->iterates(j)) m_columns(j).step = 0;
      any_step = any_step || m_columns(j).step != 0;
    }
    if (is_first && !any_step) {
      this->advance(norms, events);
      return;
    }
  }
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Cg)

}  // namespace tessera::distributed
