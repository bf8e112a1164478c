// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothed aggregation of one level that is distributed over processes.
#pragma once

#include "tessera/distributed/coarsening.hpp"
#include "tessera/distributed/prolongator.hpp"

namespace tessera::distributed {

/// Aggregates are those of the whole graph, whatever the number of processes: they reach from one
/// to another, and belong to that of their root (`aggregates_of`). Smoothing is that of one process
/// (`Prolongator`), on the process's rows and the rows of others that they touch. Of a level that
/// is not symmetric the restriction is a prolongator of its transpose (`amg::smooth_restriction`).
template <class Space>
class SmoothedAggregation : public Coarsening<Space> {
 public:
  using typename Coarsening<Space>::Rows;
  using typename Coarsening<Space>::Vectors;

  /// `parameters` without open choices; `depth`: of the fine level, 0 the finest. Levels bring
  /// their transpose where they are not `symmetric`.
  SmoothedAggregation(const amg::SmoothedAggregationParameters& parameters, bool symmetric,
                      int depth);

  /// Aggregates, and the tentative prolongator.
  Ordinal choose(const Space& exec, const Communicator& processes, const LevelRows<Space>& fine,
                 Vectors& vectors, std::optional<kernels::Box>& box) override;
  const Rows& make_prolongator(const Space& exec, const Communicator& processes,
                               const LevelRows<Space>& fine,
                               const LevelValues<Space>& values) override;
  const Rows& make_restriction(const Space& exec, const Communicator& processes,
                               const LevelRows<Space>& fine,
                               const LevelValues<Space>& values) override;
  /// Couplings that were weak stay left out.
  void remake_transfers(const Space& exec, const Communicator& processes,
                        const LevelRows<Space>& fine, const LevelValues<Space>& values) override;

  const SharedTentative<Space>& tentative() const { return m_tentative; }
  const Rows& prolongator() const override { return m_prolongator.rows(); }
  const Rows& restriction() const override { return restricting().rows(); }
  const ColumnNumbers<Space>& columns() const override { return m_prolongator.columns(); }
  const ColumnNumbers<Space>& columns_of_restriction() const override {
    return restricting().columns();
  }
  bool has_restriction() const override { return !m_symmetric && smooths(); }
  bool reads_transpose() const override { return !m_symmetric; }

 private:
  bool smooths() const { return m_parameters.prolongator_omega > 0; }
  const Prolongator<Space>& restricting() const {
    return has_restriction() ? m_restriction : m_prolongator;
  }
  SharedAggregates<Space> aggregates(const Space& exec, const LevelRows<Space>& fine,
                                     std::optional<kernels::Box>& box) const;
  void take_couplings(const Space& exec, const Communicator& processes,
                      const LevelRows<Space>& fine);
  Array<double, Space> scale_of(const Space& exec, const Communicator& processes,
                                const LevelRows<Space>& rows,
                                const Array<double, Space>& skewness) const;
  Smoothing<Space> smoothing(const LevelValues<Space>& values) const;
  Smoothing<Space> smoothing_of_columns(const LevelValues<Space>& values) const;

  amg::SmoothedAggregationParameters m_parameters;
  bool m_symmetric;
  double m_theta;  ///< of strength on this level
  bool m_filters = false;  ///< smoothing leaves weak couplings out
  bool m_in_order = false;  ///< and sums them in an order that does not go by the shares
  MultiVector<double, Space> m_fine_vectors;
  SharedTentative<Space> m_tentative;
  std::size_t m_longest = 0;  ///< the most entries of a row that is no hub's
  Array<double, Space> m_scale;  ///< of strength, others' unknowns behind its own
  Array<double, Space> m_scale_of_columns;  ///< of A^T's couplings
  Array<double, Space> m_weights;  ///< of the restriction's smoothing, by the level's skewness
  Prolongator<Space> m_prolongator;
  Prolongator<Space> m_restriction;  ///< R^T
};

}  // namespace tessera::distributed
