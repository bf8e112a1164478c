// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/cg.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/captured_preconditioner.hpp"
#include "tessera/operator/converting_preconditioner.hpp"

namespace tessera {

template <class Scalar, class Space>
void Cg<Scalar, Space>::prepare_method(const Space& exec, Ordinal n, int k) {
  m_scalars = kernels::CgScalars<Space>(exec, k);
  m_pq = allocate<Scalar>(exec, "tessera::cg::pq", k);
  m_p = allocate_multivector<Scalar>(exec, "tessera::cg::p", n, k);
  // A direction is made with the one before it beside it, the first one too; and a column that is
  // done at the start never gets one, and is multiplied with the others.
  Kokkos::deep_copy(exec, m_p, Scalar(0));
  m_q = allocate_multivector<Scalar>(exec, "tessera::cg::q", n, k);
  m_z = allocate_multivector<Scalar>(exec, "tessera::cg::z", n, k);
  m_r_float = {};
  m_z_float = {};
}

template <class Scalar, class Space>
typename Cg<Scalar, Space>::Iteration Cg<Scalar, Space>::iteration_of(const System& system) const {
  const SolverParameters& p = this->parameters();
  Iteration iteration{.repeated = this->repeated(system),
                      .M_in_float = nullptr,
                      .preconditioned = this->has_preconditioner(system),
                      .renews = p.residual == ResidualKind::true_residual,
                      .flexible = p.cg.flexible};
  if constexpr (std::is_same_v<Scalar, double>) {
    auto* converting = dynamic_cast<ConvertingPreconditioner<Space>*>(iteration.repeated.system.M);
    if (converting != nullptr && !iteration.renews && !this->projects())
      iteration.M_in_float = converting->in_float();
  }
  return iteration;
}

template <class Scalar, class Space>
void Cg<Scalar, Space>::run_cycle(const Space& exec, const System& system) {
  const bool ahead = this->runs_ahead();
  const Iteration iteration = iteration_of(system);
  kernels::cg_start<Space>(exec, this->columns(), m_scalars, this->residual_norm(),
                           iteration.preconditioned);
  if (iteration.M_in_float != nullptr) prepare_float(exec);
  const bool one_more = m_queue.run(
      exec, [&](int number) { queue(exec, iteration, number); },
      [&] {
        return ahead && this->control().iterations_left() > 1 && !this->control().predicts_end();
      },
      [&](int turn) { return this->advance(exec, {}, 0, turn) == detail::Step::proceed; });
  kernels::cg_finish<Scalar, Space>(exec, m_scalars, iteration.step(), one_more, m_p, this->best(),
                                    system.x);
}

template <class Scalar, class Space>
void Cg<Scalar, Space>::prepare_float(const Space& exec) {
  const Vectors r = this->residual();
  if (m_z_float.extent(0) != r.extent(0)) {
    m_r_float = allocate_multivector<float>(exec, "tessera::cg::r", r.extent(0), r.extent(1));
    m_z_float = allocate_multivector<float>(exec, "tessera::cg::z", r.extent(0), r.extent(1));
  }
  if constexpr (std::is_same_v<Scalar, double>)
    kernels::copy<Scalar, float, Space>(exec, r, m_r_float);
}

template <class Scalar, class Space>
void Cg<Scalar, Space>::queue(const Space& exec, const Iteration& iteration, int number) const {
  if (number == 0) {
    Iteration first = iteration;
    first.flexible = false;
    iterate(exec, first);
    return;
  }
  this->run_iteration(exec, iteration.repeated, iteration.M_in_float,
                      [this, iteration](const Space& instance) { iterate(instance, iteration); });
}

template <class Scalar, class Space>
void Cg<Scalar, Space>::iterate(const Space& exec, const Iteration& iteration) const {
  const System& system = iteration.repeated.system;
  const Vectors r = this->residual();
  if (iteration.M_in_float != nullptr) {
    const MultiVectorView<float, Space> z = m_z_float;
    iteration.M_in_float->apply(exec, m_r_float, z);
    turn<float>(exec, iteration, z);
  } else if (iteration.preconditioned) {
    this->precondition(exec, system, r, m_z);
    turn<Scalar>(exec, iteration, m_z);
  } else {
    turn<Scalar>(exec, iteration, r);
  }
  system.A.apply_dot(exec, m_p, m_q, m_pq);
  update(exec, iteration);
}

template <class Scalar, class Space>
template <class Number>
void Cg<Scalar, Space>::turn(const Space& exec, const Iteration& iteration,
                             const ConstMultiVectorView<Number, Space>& z) const {
  const Vectors p = m_p;
  if (iteration.preconditioned) {
    kernels::cg_beta<Scalar, Number, Space>(exec, this->workspace(), this->columns(), m_scalars,
                                            this->residual(), z, m_q, iteration.flexible);
  }
  kernels::cg_direction<Scalar, Number, Space>(exec, this->columns(), m_scalars, iteration.step(),
                                               z, p, iteration.repeated.system.x, this->best());
}

template <class Scalar, class Space>
void Cg<Scalar, Space>::update(const Space& exec, const Iteration& iteration) const {
  const System& system = iteration.repeated.system;
  const Vectors r = this->residual();
  const auto settle = iteration.preconditioned ? kernels::CgAfterUpdate::settle
                                               : kernels::CgAfterUpdate::settle_and_beta;
  const MultiVectorView<float, Space> r_float =
      iteration.M_in_float != nullptr ? m_r_float : MultiVector<float, Space>();
  kernels::cg_update<Scalar, Space>(
      exec, this->workspace(), this->columns(), m_scalars, m_pq, m_p, m_q, system.x, r,
      iteration.renews ? kernels::CgAfterUpdate::leave : settle, r_float);
  if (iteration.renews) {
    system.A.residual(exec, system.b, system.x, r);
    this->project_residual(exec, r);
    kernels::cg_settle<Scalar, Space>(exec, this->workspace(), this->columns(), m_scalars, r,
                                      settle);
  }
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, Cg)

}  // namespace tessera
