// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Stabilised biconjugate gradients over several processes.
#pragma once

#include "tessera/distributed/krylov.hpp"

namespace tessera::distributed {

/// BiCGSTAB (van der Vorst, SIAM J. Sci. Stat. Comput. 13, 1992), preconditioned from the right,
/// with two reductions an iteration: the norm of the new residual and its product with the shadow
/// residual follow from those of the vectors that it is made of. The first breakdown is answered by
/// a restart from the last iterate with a new shadow residual.
template <class Space>
class Bicgstab : public Krylov<Space> {
 public:
  using Krylov<Space>::Krylov;

 private:
  using Base = Krylov<Space>;
  using typename Base::Numbers;
  using typename Base::Vectors;

  void prepare(const Space& exec, std::size_t n, std::size_t k) override;
  void run_cycle(const Space& exec, const Vectors& x) override;
  int restarts_after_breakdown() const override { return 1; }

  MultiVector<double, Space> m_shadow, m_p, m_p_hat, m_s_hat, m_v, m_t;
};

}  // namespace tessera::distributed
