// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Conjugate gradients over several processes.
#pragma once

#include "tessera/distributed/best_iterate.hpp"
#include "tessera/distributed/krylov.hpp"
#include "tessera/kernels/vector/combined_cg_steps.hpp"

#include <vector>

namespace tessera::distributed {

/// Preconditioned conjugate gradients with one reduction an iteration (Chronopoulos and Gear,
/// J. Comput. Appl. Math. 25, 1989): all inner products are of vectors that are there at once, r,
/// z = M r and A z. A residual is known when its M r and A M r are, so that a solve applies both
/// once more than the classical form; what its recurrences lose, cycles that start from the true
/// residual make up for. With `cg.flexible` <A p_old, z> comes along in the same reduction, from
/// which beta and <A p, p> follow for any z. With `residual=true` r is b - A x after each step. As
/// on one process (tessera::Cg) a cycle leaves the best iterate of each column.
///
/// Where the communicator orders sums by the stream an iteration is queued as a whole, from the
/// step that the last one's scalars give to the next ones, and the host waits behind it; so it can
/// be recorded. Else the host has the sums, and the scalars from them, by the same arithmetic.
template <class Space>
class Cg : public Krylov<Space> {
 public:
  using Krylov<Space>::Krylov;

 private:
  using Base = Krylov<Space>;
  using typename Base::ConstVectors;
  using typename Base::Numbers;
  using typename Base::Pair;
  using typename Base::Vectors;
  using Column = kernels::CombinedCgColumn;

  void prepare(const Space& exec, std::size_t n, std::size_t k) override;
  void run_cycle(const Space& exec, const ConstVectors& b, const Vectors& x) override;
  /// The step that the columns say, along the next direction.
  void step(const Space& exec, const Vectors& x) const;
  /// From the residual to the columns' scalars; where sums stay on the device, all of it queued.
  /// Only where there is a q a beta can be `flexible`.
  void look(const Space& exec, bool flexible);
  /// Waits for that. The host's side of it where the sums are the host's.
  void settle(const Space& exec, bool flexible);
  /// Takes x back to before the step along p into the best iterate of a column that it made worse.
  void keep_best(const Space& exec, const Vectors& x, const Numbers& norms, const Numbers& steps);
  /// Of which an iteration takes the inner products.
  std::vector<Pair> pairs(bool flexible) const;

  MultiVector<double, Space> m_z;
  MultiVector<double, Space> m_w;  ///< A z
  MultiVector<double, Space> m_p;
  MultiVector<double, Space> m_q;  ///< A p
  BestIterate<Space> m_best;
  kernels::Report<Column, Space> m_columns;
  Array<Column, Space> m_device_columns;
};

}  // namespace tessera::distributed
