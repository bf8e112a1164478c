// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Stabilised biconjugate gradients over several processes.
#pragma once

#include "tessera/distributed/krylov.hpp"

namespace tessera::distributed {

/// BiCGSTAB (van der Vorst, SIAM J. Sci. Stat. Comput. 13, 1992) with two reductions an iteration:
/// the norm of the new residual and its product with the shadow residual follow from those of the
/// vectors that it is made of. With `residual=true` it is b - A x, which takes a third one. From
/// the left all is of M A and M (b - A x), whose norms are scaled as the true norm is to the
/// preconditioned one at a cycle's start. The first breakdown is answered by a restart from the
/// last iterate with a new shadow residual.
template <class Space>
class Bicgstab : public Krylov<Space> {
 public:
  using Krylov<Space>::Krylov;

 private:
  using Base = Krylov<Space>;
  using typename Base::ConstVectors;
  using typename Base::Numbers;
  using typename Base::Vectors;

  void prepare(const Space& exec, std::size_t n, std::size_t k) override;
  void run_cycle(const Space& exec, const ConstVectors& b, const Vectors& x) override;
  int restarts_after_breakdown() const override { return 1; }
  bool is_left() const { return this->parameters().side == PreconditioningSide::left; }
  /// `product` = A M d, or M A d from the left; returns what x moves along: M d, in `room`, or d.
  ConstVectors apply(const Space& exec, const ConstVectors& d, const Vectors& room,
                     const Vectors& product);
  /// The residual of the iteration.
  Vectors start(const Space& exec);

  MultiVector<double, Space> m_shadow, m_p, m_p_hat, m_s_hat, m_v, m_t;
  MultiVector<double, Space> m_left;  ///< M (b - A x), from the left alone
  Numbers m_rho;  ///< <shadow, r>
  Numbers m_norm_scale;  ///< squared true norm over that of r
};

}  // namespace tessera::distributed
