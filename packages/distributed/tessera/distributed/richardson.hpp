// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Preconditioned Richardson iteration over several processes.
#pragma once

#include "tessera/distributed/best_iterate.hpp"
#include "tessera/distributed/krylov.hpp"

namespace tessera::distributed {

/// x = x + damping M (b - A x), as on one process (tessera::Richardson), with one reduction an
/// iteration, of the true residual. Of each column the iterate of least residual is returned.
template <class Space>
class Richardson : public Krylov<Space> {
 public:
  using Krylov<Space>::Krylov;

 private:
  using Base = Krylov<Space>;
  using typename Base::ConstVectors;
  using typename Base::Numbers;
  using typename Base::Vectors;

  void prepare(const Space& exec, std::size_t n, std::size_t k) override;
  void run_cycle(const Space& exec, const ConstVectors& b, const Vectors& x) override;

  MultiVector<double, Space> m_z;
  MultiVector<double, Space> m_before;  ///< x before the last step
  BestIterate<Space> m_best;
};

}  // namespace tessera::distributed
