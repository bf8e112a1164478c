// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Pairwise aggregation of one level that is distributed over processes.
#pragma once

#include "tessera/distributed/coarsening.hpp"
#include "tessera/distributed/tentative.hpp"

namespace tessera::distributed {

/// amg::PairwiseAggregation: aggregates of all processes' nodes, which reach from one to another
/// and belong to that of their root (`aggregate_pairwise`), and an unsmoothed prolongator, whose
/// transpose restricts. On the finest level aggregates are those of one process to the last tie; on
/// coarser ones, whose values depend on the shares by rounding, couplings are compared to 24 bits.
template <class Space>
class PairwiseAggregation : public Coarsening<Space> {
 public:
  using typename Coarsening<Space>::Rows;
  using typename Coarsening<Space>::Vectors;

  /// `depth`: of the fine level, 0 the finest.
  PairwiseAggregation(const amg::PairwiseParameters& parameters, int depth)
      : m_parameters(parameters), m_depth(depth) {}

  /// Aggregates, and P.
  /// @throws Error of kind `configuration` for several unknowns per node or near-nullspace vectors.
  Ordinal choose(const Space& exec, const Communicator& processes, const LevelRows<Space>& fine,
                 Vectors& vectors, std::optional<kernels::Box>& box) override;
  const Rows& make_prolongator(const Space& /*exec*/, const Communicator& /*processes*/,
                               const LevelRows<Space>& /*fine*/,
                               const LevelValues<Space>& /*values*/) override {
    return prolongator();
  }
  /// New values leave P and R, which depend on the near-nullspace alone, as they are.
  void remake_transfers(const Space& /*exec*/, const Communicator& /*processes*/,
                        const LevelRows<Space>& /*fine*/,
                        const LevelValues<Space>& /*values*/) override {}

  const Rows& prolongator() const override { return m_tentative.T; }
  const ColumnNumbers<Space>& columns() const override { return m_tentative.columns; }
  /// Until aggregates are found: couplings count in both directions.
  bool reads_transpose() const override { return !m_has_aggregates; }

 private:
  amg::PairwiseParameters m_parameters;
  int m_depth;
  bool m_has_aggregates = false;
  SharedTentative<Space> m_tentative;
};

}  // namespace tessera::distributed
