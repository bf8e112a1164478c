// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothed aggregation over several processes, on matrices of Tpetra.
#pragma once

#include "tessera/tpetra/distributed_coarsening.hpp"
#include "tessera/tpetra/distributed_cycle.hpp"

#include <Tpetra_Operator.hpp>

#include <vector>

namespace tessera::tpetra {

/// Levels from the finest down to one that the first process solves alone, and what makes them
/// again for new values. What is done of each level is `DistributedCoarsening`'s.
template <class GlobalOrdinal, class Node>
class DistributedLevels {
 public:
  using Level = DistributedLevel<GlobalOrdinal, Node>;
  using Matrix = typename Level::Matrix;
  using Map = Tpetra::Map<int, GlobalOrdinal, Node>;
  using Space = typename Node::execution_space;

  /// Coarsens until at most `gather_rows` rows are left. `near_nullspace`: this process's part, n
  /// by m, m the same on all; `block_size`: unknowns per node on the finest level. Collective.
  /// @throws Error on all processes where one fails.
  DistributedLevels(const amg::Parameters& parameters, const Teuchos::RCP<const Matrix>& A,
                    const MultiVector<double, Space>& near_nullspace, int block_size,
                    bool symmetric, int gather_rows);

  /// Takes new values in the patterns of before: those of `A`, and what follows from them, but for
  /// P and R where `keeps_interpolation`. Collective.
  void update(const Teuchos::RCP<const Matrix>& A, bool keeps_interpolation);

  const std::vector<Level>& levels() const { return m_levels; }
  /// Near-nullspace of the coarsest.
  const MultiVector<double, Space>& vectors() const { return m_vectors; }

 private:
  /// Between a level and the next one.
  struct Step {
    DistributedRows<Space> fine;
    DistributedCoarsening<Space> coarsening;
    Teuchos::RCP<const Map> coarse_rows;
    Teuchos::RCP<Matrix> P;
    Teuchos::RCP<Matrix> Rt;  ///< R^T where it is not P
    Teuchos::RCP<Matrix> coarse;  ///< the next level's matrix
  };

  bool coarsen(Level& fine);
  DistributedValues<Space> values_of(Level& level) const;
  void restrict_by(Level& level, const Step& step) const;

  amg::Parameters m_parameters;
  bool m_symmetric;
  std::optional<kernels::Box> m_box;  ///< of the coarsest so far, where its unknowns are one here
  std::vector<Step> m_steps;
  std::vector<Level> m_levels;
  MultiVector<double, Space> m_vectors;
};

/// Whether <A u, v> = <u, A v> for two vectors of noise, and so, but for bad luck, A = A^T.
/// Collective.
template <class GlobalOrdinal, class Node>
bool looks_symmetric(const Tpetra::Operator<double, int, GlobalOrdinal, Node>& A);

}  // namespace tessera::tpetra
