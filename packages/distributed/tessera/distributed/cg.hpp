// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Conjugate gradients over several processes.
#pragma once

#include "tessera/distributed/krylov.hpp"

namespace tessera::distributed {

/// Preconditioned conjugate gradients with one reduction an iteration (Chronopoulos and Gear,
/// J. Comput. Appl. Math. 25, 1989): all inner products are of vectors that are there at once, r,
/// z = M r and A z. A residual is known when its M r and A M r are, so that a solve applies both
/// once more than the classical form; what its recurrences lose, cycles that start from the true
/// residual make up for.
template <class Space>
class Cg : public Krylov<Space> {
 public:
  using Krylov<Space>::Krylov;

 private:
  using Base = Krylov<Space>;
  using typename Base::Numbers;
  using typename Base::Vectors;

  void prepare(const Space& exec, std::size_t n, std::size_t k) override;
  void run_cycle(const Space& exec, const Vectors& x) override;

  MultiVector<double, Space> m_z;
  MultiVector<double, Space> m_w;  ///< A z
  MultiVector<double, Space> m_p;
  MultiVector<double, Space> m_q;  ///< A p
};

}  // namespace tessera::distributed
