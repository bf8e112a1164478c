// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/richardson.hpp"

#include <utility>

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/column_steps.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

namespace tessera {

template <class Scalar, class Space>
void Richardson<Scalar, Space>::prepare_method(const Space& exec, Ordinal n, int k) {
  m_next = allocate_multivector<Scalar>(exec, "tessera::richardson::next", n, k);
  m_z = allocate_multivector<Scalar>(exec, "tessera::richardson::z", n, k);
}

template <class Scalar, class Space>
void Richardson<Scalar, Space>::run_cycle(const Space& exec, const System& system) {
  Vectors x = system.x;
  Vectors other = m_next;
  const typename Base::SaveIterate keep_previous = [&](int j, const Vectors& target) {
    kernels::copy<Scalar, Scalar, Space>(exec, Base::column(other, j), target);
  };
  kernels::start_columns<Space>(exec, this->columns(), this->residual_norm());
  detail::Step step = detail::Step::proceed;
  for (int number = 0; step == detail::Step::proceed; ++number) {
    this->run_iteration_at(exec, system, number % 2,
                           [this, x, other](const Space& instance, const System& repeated) {
                             iterate(instance, repeated, x, other);
                           });
    std::swap(x, other);
    exec.fence("tessera::richardson::iteration");
    step = this->advance(exec, keep_previous, this->parameters().richardson.stagnation_window);
  }
  if (x.data() != system.x.data()) {
    kernels::copy<Scalar, Scalar, Space>(exec, x, system.x);
  }
}

template <class Scalar, class Space>
void Richardson<Scalar, Space>::iterate(const Space& exec, const System& system, const Vectors& x,
                                        const Vectors& next) const {
  const auto& columns = this->columns();
  const Vectors r = this->residual();
  const bool preconditioned = this->has_preconditioner(system);
  const ConstVectors z = preconditioned ? ConstVectors(m_z) : ConstVectors(r);
  if (preconditioned) {
    this->precondition(exec, system, r, m_z);
  }
  kernels::step_columns<Scalar, Space>(exec, columns, this->parameters().richardson.damping, x, z,
                                       next);
  system.A.residual(exec, system.b, next, r);
  this->project_residual(exec, r);
  kernels::settle_columns<Scalar, Space>(exec, this->workspace(), columns, r);
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, Richardson)

}  // namespace tessera
