// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/bicgstab.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/column_steps.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

namespace tessera {

template <class Scalar, class Space>
Bicgstab<Scalar, Space>::Bicgstab(const SolverParameters& parameters) : Base(parameters) {
  if (parameters.side == PreconditioningSide::left) {
    this->refuse_true_residual("with solver.side=left, bicgstab works on M (b - A x)");
  }
}

template <class Scalar, class Space>
void Bicgstab<Scalar, Space>::prepare_method(const Space& exec, Ordinal n, int k) {
  m_scalars = kernels::BicgstabScalars<Space>(exec, k);
  const auto vectors = [&](const char* label) {
    return allocate_multivector<Scalar>(exec, label, n, k);
  };
  m_shadow = vectors("tessera::bicgstab::shadow");
  m_p = vectors("tessera::bicgstab::p");
  m_p_hat = vectors("tessera::bicgstab::p_hat");
  m_s_hat = vectors("tessera::bicgstab::s_hat");
  m_v = vectors("tessera::bicgstab::v");
  m_t = vectors("tessera::bicgstab::t");
  if (this->parameters().side == PreconditioningSide::left) {
    m_left = vectors("tessera::bicgstab::left");
  }
}

template <class Scalar, class Space>
bool Bicgstab<Scalar, Space>::is_left(const System& system) const {
  return system.M != nullptr && this->parameters().side == PreconditioningSide::left;
}

template <class Scalar, class Space>
void Bicgstab<Scalar, Space>::apply(const Space& exec, const System& system, const ConstVectors& d,
                                    const Vectors& d_hat, const Vectors& product) const {
  if (is_left(system)) {
    // d_hat first holds A d, which M reads.
    system.A.apply(exec, Scalar(1), d, Scalar(0), d_hat);
    this->precondition(exec, system, d_hat, product);
    kernels::copy<Scalar, Scalar, Space>(exec, d, d_hat);
  } else {
    this->precondition(exec, system, d, d_hat);
    system.A.apply(exec, Scalar(1), d_hat, Scalar(0), product);
  }
}

template <class Scalar, class Space>
void Bicgstab<Scalar, Space>::run_cycle(const Space& exec, const System& system) {
  const auto& columns = this->columns();
  const auto& workspace = this->workspace();
  Vectors r = this->residual();
  if (is_left(system)) {
    this->precondition(exec, system, this->residual(), m_left);
    r = m_left;
  }
  const typename Base::SaveIterate undo = [&](int j, const Vectors& target) {
    Base::undo_step(exec, j, system.x, m_scalars.omega, m_s_hat, target);
    kernels::step_back<Scalar, Space>(exec, target,
                                      ArrayView<const double, Space>(m_scalars.alpha.data() + j, 1),
                                      Base::template column<Vectors>(m_p_hat, j), target);
  };
  kernels::bicgstab_start<Scalar, Space>(exec, workspace, columns, m_scalars, this->residual_norm(),
                                         r, m_shadow, m_p);
  const auto repeated = this->repeated(system);
  const auto iteration = [this, inner = repeated.system, r](const Space& instance) {
    kernels::bicgstab_direction<Scalar, Space>(instance, this->columns(), m_scalars, r, m_v, m_p);
    iterate(instance, inner, r);
  };
  iterate(exec, repeated.system, r);
  for (;;) {
    exec.fence("tessera::bicgstab::iteration");
    if (this->advance(exec, undo) != detail::Step::proceed) {
      return;
    }
    this->run_iteration(exec, repeated, r.data(), iteration);
  }
}

template <class Scalar, class Space>
void Bicgstab<Scalar, Space>::iterate(const Space& exec, const System& system,
                                      const Vectors& r) const {
  const auto& columns = this->columns();
  const auto& workspace = this->workspace();
  apply(exec, system, m_p, m_p_hat, m_v);
  kernels::bicgstab_alpha<Scalar, Space>(exec, workspace, columns, m_scalars, m_shadow, m_v);
  kernels::bicgstab_half_step<Scalar, Space>(exec, columns, m_scalars, m_v, r);
  apply(exec, system, r, m_s_hat, m_t);
  kernels::bicgstab_omega<Scalar, Space>(exec, workspace, columns, m_scalars, m_t, r);
  update(exec, system, r);
}

template <class Scalar, class Space>
void Bicgstab<Scalar, Space>::update(const Space& exec, const System& system,
                                     const Vectors& r) const {
  const bool renew = this->parameters().residual == ResidualKind::true_residual;
  kernels::bicgstab_update<Scalar, Space>(exec, this->workspace(), this->columns(), m_scalars,
                                          m_shadow, m_p_hat, m_s_hat, m_t, system.x, r, !renew);
  if (renew) {
    system.A.residual(exec, system.b, system.x, r);
    this->project_residual(exec, r);
    kernels::bicgstab_settle<Scalar, Space>(exec, this->workspace(), this->columns(), m_scalars,
                                            m_shadow, r);
  }
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, Bicgstab)

}  // namespace tessera
