// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/richardson.hpp"

#include "tessera/distributed/column_updates.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::distributed {

template <class Space>
void Richardson<Space>::prepare(const Space& exec, std::size_t, std::size_t) {
  for (auto* const vectors : {&m_z, &m_before, &m_best})
    *vectors = this->vectors_like_x(exec);
}

template <class Space>
void Richardson<Space>::keep_best(const Space& exec, const Numbers& norms) {
  for (std::size_t j = 0; j < norms.size(); ++j) {
    if (!this->iterates(j)) continue;
    if (norms[j] <= m_best_norms[j]) {
      m_best_norms[j] = norms[j];
      m_x_is_best[j] = 1;
    } else if (m_x_is_best[j] != 0) {
      kernels::copy<double, double, Space>(exec, column_of(Vectors(m_before), j),
                                           column_of(Vectors(m_best), j));
      m_x_is_best[j] = 0;
    }
  }
}

template <class Space>
void Richardson<Space>::run_cycle(const Space& exec, const ConstVectors& b, const Vectors& x) {
  const std::size_t k = this->num_columns();
  const RichardsonParameters& p = this->parameters().richardson;
  const std::vector<kernels::ColumnEvent> events(k, kernels::ColumnEvent::none);
  const Vectors r = this->residual();
  m_best_norms = this->start_norms();
  m_x_is_best.assign(k, 1);
  tessera::detail::Step step = tessera::detail::Step::proceed;
  while (step == tessera::detail::Step::proceed) {
    Numbers damping(k, 0.0);
    for (std::size_t j = 0; j < k; ++j)
      if (this->iterates(j)) damping[j] = p.damping;
    this->precondition(exec, r, m_z);
    kernels::copy<double, double, Space>(exec, x, m_before);
    add_columns<Space>(exec, damping, m_z, x);
    this->renew_residual(exec, b, x);
    const Numbers norms = this->products(exec, {{r, r}});
    keep_best(exec, norms);
    step = this->advance(norms, events, p.stagnation_window);
  }
  for (std::size_t j = 0; j < k; ++j)
    if (m_x_is_best[j] == 0)
      kernels::copy<double, double, Space>(exec, column_of(Vectors(m_best), j), column_of(x, j));
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Richardson)

}  // namespace tessera::distributed
