// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothed aggregation of one level that is spread over processes.
#pragma once

#include "tessera/amg/parameters.hpp"
#include "tessera/amg/prolongator_smoothing.hpp"
#include "tessera/kernels/graph/structured.hpp"
#include "tessera/tpetra/exchange.hpp"
#include "tessera/tpetra/spread_product.hpp"

#include <Teuchos_Comm.hpp>

#include <optional>

namespace tessera::tpetra {

/// This process's rows of a level, and the ways between it and the others.
template <class Space>
struct SpreadRows {
  using Rows = SpreadMatrixRows<Space>;

  Rows A;  ///< own columns first, then those of others in the order of `halo`'s remote rows
  int block_size = 1;  ///< unknowns per vertex
  Exchange<double, Space> halo;  ///< along A's importer
  RowExchange<Space> rows;  ///< the same way
};

/// What new values of the level bring with them.
template <class Space>
struct SpreadValues {
  Array<double, Space> inverse_diagonal;
  double spectral_radius = 1;  ///< of D^-1 A
};

/// The way from one level to the next, found once and made again for new values.
///
/// Aggregates do not reach from one process to another: each makes its part of the tentative
/// prolongator by Tessera's aggregation of its diagonal block. Smoothing and the Galerkin product
/// are those of one process (`amg::smooth_prolongator`, `SpreadProduct`), on the process's rows and
/// the rows of others that they touch.
template <class Space>
class SpreadCoarsening {
 public:
  using Rows = typename SpreadRows<Space>::Rows;

  /// `parameters` without open choices; `depth`: of the fine level, 0 the finest.
  SpreadCoarsening(const amg::Parameters& parameters, bool symmetric, int depth);

  /// Aggregates, and the tentative prolongator. `vectors`, this process's part of the
  /// near-nullspace, become the coarse ones; `box`, the one that its unknowns fill where they do,
  /// that of the aggregates. Returns how many coarse unknowns this process has. Collective.
  Ordinal aggregate(const Space& exec, const Teuchos::Comm<int>& processes,
                    const SpreadRows<Space>& fine, MultiVector<double, Space>& vectors,
                    std::optional<kernels::Box>& box);
  /// P, its columns by `columns()`. `first`: the global number of this process's first coarse
  /// unknown. Collective.
  const Rows& make_prolongator(const Space& exec, const Teuchos::Comm<int>& processes,
                               const SpreadRows<Space>& fine, const SpreadValues<Space>& values,
                               ColumnNumbers::Global first);
  /// R A P in rows of this process's coarse unknowns. `coarse`: backward along P's importer.
  /// Collective.
  const Rows& make_product(const Space& exec, const Teuchos::Comm<int>& processes,
                           const SpreadRows<Space>& fine, const RowExchange<Space>& coarse);
  /// The values of P again, in the pattern of before: couplings that were weak stay left out.
  /// Collective.
  const Rows& remake_prolongator(const Space& exec, const Teuchos::Comm<int>& processes,
                                 const SpreadRows<Space>& fine, const SpreadValues<Space>& values);
  const Rows& remake_product(const Space& exec, const SpreadRows<Space>& fine, bool new_P);

  const ColumnNumbers& columns() const { return m_columns; }
  const SpreadProduct<Space>& product() const { return m_product; }
  bool smooths() const { return m_parameters.prolongator_omega > 0; }

 private:
  kernels::Aggregates<Space> aggregates(const Space& exec, const SpreadRows<Space>& fine,
                                        std::optional<kernels::Box>& box) const;
  void take_scale(const Space& exec, const Teuchos::Comm<int>& processes,
                  const SpreadRows<Space>& fine);
  amg::WeakFilter<Space> filter(double spectral_radius) const;
  void take_candidates(const Space& exec, const SpreadRows<Space>& fine);

  amg::Parameters m_parameters;
  bool m_symmetric;
  double m_theta;  ///< of strength on this level
  bool m_filters = false;  ///< smoothing leaves weak couplings out
  MultiVector<double, Space> m_fine_vectors;
  MultiVector<double, Space> m_coarse_vectors;
  Rows m_T;  ///< this process's rows
  amg::Tentative<double, Space, std::int64_t> m_tentative;  ///< others' rows below its own
  Rows m_smoothed;  ///< P by the tentative prolongator's columns, others' rows below
  Rows m_P;  ///< P of this process, without columns that have no entry; values are those above
  ColumnNumbers m_columns;
  Array<double, Space> m_scale;  ///< of strength, others' unknowns behind its own
  SpreadProduct<Space> m_product;
};

}  // namespace tessera::tpetra
