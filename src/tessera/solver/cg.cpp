// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/cg.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera {

template <class Scalar, class Space>
void Cg<Scalar, Space>::prepare_method(const Space& exec, Ordinal n, int k) {
  m_scalars = kernels::CgScalars<Space>(exec, k);
  m_pq = allocate<Scalar>(exec, "tessera::cg::pq", k);
  m_p = allocate_multivector<Scalar>(exec, "tessera::cg::p", n, k);
  // A column that is done at the start never gets a direction, and is multiplied with the others.
  if (k > 1) Kokkos::deep_copy(exec, m_p, Scalar(0));
  m_q = allocate_multivector<Scalar>(exec, "tessera::cg::q", n, k);
  m_z = allocate_multivector<Scalar>(exec, "tessera::cg::z", n, k);
}

template <class Scalar, class Space>
void Cg<Scalar, Space>::run_cycle(const Space& exec, const System& system) {
  const auto& columns = this->columns();
  const auto& workspace = this->workspace();
  const Vectors r = this->residual();
  const bool preconditioned = this->has_preconditioner(system);
  const ConstVectors z = preconditioned ? ConstVectors(m_z) : ConstVectors(r);
  const typename Base::SaveIterate undo = [&](int j, const Vectors& target) {
    Base::undo_step(exec, j, system.x, m_scalars.alpha, m_p, target);
  };
  kernels::cg_start<Space>(exec, columns, m_scalars, this->residual_norm(), preconditioned);
  bool flexible = false;  // there is no q yet
  for (;;) {
    if (preconditioned) {
      this->precondition(exec, system, r, m_z);
      kernels::cg_beta<Scalar, Space>(exec, workspace, columns, m_scalars, r, z, m_q, flexible);
      flexible = this->parameters().flexible;
    }
    kernels::cg_direction<Scalar, Space>(exec, columns, m_scalars, z, m_p);
    system.A.apply_dot(exec, m_p, m_q, m_pq);
    update(exec, system, preconditioned);
    exec.fence("tessera::cg::iteration");
    if (this->advance(exec, undo) != detail::Step::proceed) {
      return;
    }
  }
}

template <class Scalar, class Space>
void Cg<Scalar, Space>::update(const Space& exec, const System& system, bool preconditioned) {
  const Vectors r = this->residual();
  const auto settle =
      preconditioned ? kernels::CgAfterUpdate::settle : kernels::CgAfterUpdate::settle_and_beta;
  const bool renew = this->parameters().residual == ResidualKind::true_residual;
  kernels::cg_update<Scalar, Space>(exec, this->workspace(), this->columns(), m_scalars, m_pq, m_p,
                                    m_q, system.x, r,
                                    renew ? kernels::CgAfterUpdate::leave : settle);
  if (renew) {
    system.A.residual(exec, system.b, system.x, r);
    this->project(exec, r);
    kernels::cg_settle<Scalar, Space>(exec, this->workspace(), this->columns(), m_scalars, r,
                                      settle);
  }
}

#define TESSERA_INSTANTIATE(Scalar, Space) template class Cg<Scalar, Space>;
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
