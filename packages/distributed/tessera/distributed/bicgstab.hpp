// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Stabilised biconjugate gradients over several processes.
#pragma once

#include "tessera/distributed/best_iterate.hpp"
#include "tessera/distributed/krylov.hpp"

#include <vector>

namespace tessera::distributed {

/// BiCGSTAB (van der Vorst, SIAM J. Sci. Stat. Comput. 13, 1992) with two reductions an iteration:
/// the norm of the new residual and its product with the shadow residual follow from those of the
/// vectors that it is made of. With `residual=true` it is b - A x, which takes a third one. From
/// the left all is of M A and M (b - A x), whose norms are scaled as the true norm is to the
/// preconditioned one at a cycle's start.
///
/// As on one process (tessera::Bicgstab) a product with the shadow residual that is rounding error
/// alone is a breakdown, and a cycle leaves the best iterate of each column. The first breakdown is
/// answered by a restart from there with a new shadow residual.
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
  /// alpha = rho / <shadow, v>.
  void take_alpha(const Space& exec);
  /// omega = <t, s> / <t, t>, and what follows from s and t of s - omega t.
  void take_omega(const Space& exec, const Vectors& s);
  /// The same of an r that was computed again.
  void look_at_residual(const Space& exec);
  /// What a next direction needs, where one is needed.
  void take_beta();
  void keep_best(const Space& exec, const Vectors& x, const ConstVectors& p_hat,
                 const ConstVectors& s_hat);

  /// Whether column j iterates and nothing has gone wrong in this iteration.
  bool goes_on(std::size_t j) const {
    return this->iterates(j) && m_events[j] == kernels::ColumnEvent::none;
  }
  /// The first event counts.
  void note(std::size_t j, kernels::ColumnEvent event) {
    if (m_events[j] == kernels::ColumnEvent::none) m_events[j] = event;
  }
  /// Squared norms that columns are judged by.
  Numbers norms() const;

  MultiVector<double, Space> m_shadow, m_p, m_p_hat, m_s_hat, m_v, m_t;
  MultiVector<double, Space> m_left;  ///< M (b - A x), from the left alone
  BestIterate<Space> m_best;
  // Numbers of an iteration, one a column.
  Numbers m_rho;  ///< <shadow, r>
  Numbers m_next_rho;  ///< the same after the step
  Numbers m_shadow_squares;  ///< ||shadow||^2
  Numbers m_squares;  ///< ||r||^2
  Numbers m_norm_scale;  ///< squared true norm over that of r
  Numbers m_alpha, m_omega, m_beta;
  std::vector<kernels::ColumnEvent> m_events;
};

}  // namespace tessera::distributed
