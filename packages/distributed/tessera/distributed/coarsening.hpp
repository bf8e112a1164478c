// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothed aggregation of one level that is distributed over processes.
#pragma once

#include "tessera/amg/parameters.hpp"
#include "tessera/distributed/galerkin_product.hpp"
#include "tessera/distributed/prolongator.hpp"

#include "tessera/distributed/communicator.hpp"

#include <optional>

namespace tessera::distributed {

/// Of a threshold of strength: couplings that are as strong but for rounding are weak. Sums of
/// coarse entries are in an order that depends on the shares, and grids have ties.
inline constexpr double above_rounding = 1 + 1e-10;

/// What new values of the level bring with them.
template <class Space>
struct LevelValues {
  Array<double, Space> inverse_diagonal;
  double spectral_radius = 1;  ///< of D^-1 A
};

/// The way from one level to the next, found once and made again for new values.
///
/// Aggregates are those of the whole graph, whatever the number of processes: they reach from one
/// to another, and belong to that of their root (`aggregates_of`). Smoothing and the Galerkin
/// product are those of one process (`Prolongator`, `GalerkinProduct`), on the process's rows and
/// the rows of others that they touch. Of a level that is not symmetric the restriction is a
/// prolongator of its transpose (`amg::smooth_restriction`).
template <class Space>
class Coarsening {
 public:
  using Rows = typename LevelRows<Space>::Rows;

  /// `parameters` without open choices; `depth`: of the fine level, 0 the finest. Levels bring
  /// their transpose where they are not `symmetric`.
  Coarsening(const amg::SmoothedAggregationParameters& parameters, bool symmetric, int depth);

  /// Aggregates, and the tentative prolongator. `vectors`, this process's part of the
  /// near-nullspace, become the coarse ones; `box`, the one that its unknowns fill where they do,
  /// that of the aggregates. Returns how many coarse unknowns this process has. Collective.
  Ordinal aggregate(const Space& exec, const Communicator& processes, const LevelRows<Space>& fine,
                    MultiVector<double, Space>& vectors, std::optional<kernels::Box>& box);
  /// P, its columns by `columns()`. Collective.
  const Rows& make_prolongator(const Space& exec, const Communicator& processes,
                               const LevelRows<Space>& fine, const LevelValues<Space>& values);
  /// R^T, its columns by `columns_of_restriction()`, where `has_restriction`. Collective.
  const Rows& make_restriction(const Space& exec, const Communicator& processes,
                               const LevelRows<Space>& fine, const LevelValues<Space>& values);
  /// R A P in rows of this process's coarse unknowns. `coarse`: backward along the importer of R^T,
  /// which is P's where there is no R of its own. Collective.
  const Rows& make_product(const Space& exec, const Communicator& processes,
                           const LevelRows<Space>& fine, const RowExchange<Space>& coarse);
  /// The values of P and R again, in the patterns of before: couplings that were weak stay left
  /// out. Collective.
  void remake_transfers(const Space& exec, const Communicator& processes,
                        const LevelRows<Space>& fine, const LevelValues<Space>& values);
  const Rows& remake_product(const Space& exec, const LevelRows<Space>& fine, bool new_P);

  const SharedTentative<Space>& tentative() const { return m_tentative; }
  const Rows& prolongator() const { return m_prolongator.rows(); }
  /// R^T.
  const Rows& restriction() const { return m_restriction.rows(); }
  const ColumnNumbers& columns() const { return m_prolongator.columns(); }
  const ColumnNumbers& columns_of_restriction() const { return m_restriction.columns(); }
  const GalerkinProduct<Space>& product() const { return m_product; }
  /// False where P's transpose restricts.
  bool has_restriction() const { return !m_symmetric && smooths(); }

 private:
  bool smooths() const { return m_parameters.prolongator_omega > 0; }
  const Prolongator<Space>& restricting() const {
    return has_restriction() ? m_restriction : m_prolongator;
  }
  SharedAggregates<Space> aggregates(const Space& exec, const LevelRows<Space>& fine,
                                     std::optional<kernels::Box>& box) const;
  void take_size(const Communicator& processes, const LevelRows<Space>& fine);
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
  MultiVector<double, Space> m_fine_vectors;
  SharedTentative<Space> m_tentative;
  std::size_t m_longest = 0;  ///< the most entries of a row that is no hub's
  Array<double, Space> m_scale;  ///< of strength, others' unknowns behind its own
  Array<double, Space> m_scale_of_columns;  ///< of A^T's couplings
  Array<double, Space> m_weights;  ///< of the restriction's smoothing, by the level's skewness
  Prolongator<Space> m_prolongator;
  Prolongator<Space> m_restriction;  ///< R^T
  GalerkinProduct<Space> m_product;
};

}  // namespace tessera::distributed
