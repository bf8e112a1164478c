// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/richardson.hpp"

#include "tessera/distributed/column_updates.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::distributed {

template <class Space>
void Richardson<Space>::prepare(const Space& exec, std::size_t, std::size_t) {
  m_z = this->vectors_like_x(exec);
  m_before = this->vectors_like_x(exec);
  m_best.prepare(this->vectors_like_x(exec));
}

template <class Space>
void Richardson<Space>::run_cycle(const Space& exec, const ConstVectors& b, const Vectors& x) {
  const std::size_t k = this->num_columns();
  const RichardsonParameters& p = this->parameters().richardson;
  const std::vector<kernels::ColumnEvent> events(k, kernels::ColumnEvent::none);
  const Vectors r = this->residual();
  m_best.begin(this->start_norms());
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
    for (std::size_t j = 0; j < k; ++j)
      if (this->iterates(j) && m_best.gets_worse(j, norms[j], false))
        kernels::copy<double, double, Space>(exec, column_of(Vectors(m_before), j), m_best.kept(j));
    step = this->advance(norms, events, p.stagnation_window);
  }
  m_best.restore(exec, x);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Richardson)

}  // namespace tessera::distributed
