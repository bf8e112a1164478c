// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The smoothed prolongator of one level that is distributed over processes.
#pragma once

#include "tessera/amg/coarsening/prolongator_smoothing.hpp"
#include "tessera/distributed/tentative.hpp"

#include "tessera/distributed/communicator.hpp"

namespace tessera::distributed {

/// How this process's rows are smoothed.
template <class Space>
struct Smoothing {
  Array<double, Space> inverse_diagonal;
  double omega_over_rho = 0;  ///< 0: not at all
  Array<double, Space> weights = {};  ///< of omega_over_rho, one per row; none stand for ones
  amg::WeakFilter<Space> filter =
      {};  ///< by the scale of its unknowns and of the halo's behind them
};

/// P from the tentative prolongator T, of A or, for a restriction, of its transpose: found once and
/// made again for new values. It is that of one process (`amg::smooth_prolongator`), of this
/// process's rows and the rows of T of others that they touch.
template <class Space>
class Prolongator {
 public:
  using Rows = LocalRows<Space>;
  using Vectors = MultiVector<double, Space>;

  /// P, its columns by `columns()`. `tentative`: what interpolates to `fine_vectors`. Collective.
  const Rows& make(const Space& exec, const Communicator& processes, const LevelRows<Space>& fine,
                   const SharedTentative<Space>& tentative, const Vectors& fine_vectors,
                   const Smoothing<Space>& how);
  /// The values again, in the pattern of before: couplings that were weak stay left out.
  /// Collective.
  const Rows& remake(const Space& exec, const Communicator& processes, const LevelRows<Space>& fine,
                     const Smoothing<Space>& how);

  const Rows& rows() const { return m_P; }
  const ColumnNumbers<Space>& columns() const { return m_columns; }

 private:
  /// What a filter wants to know of the fine near-nullspace.
  struct FilterRoom {
    Array<double, Space> own;  ///< its first vector
    Array<double, Space> all;  ///< with that of others behind
    Array<Ordinal, Space> last;  ///< by aggregate, one of its rows
  };

  void stack(const Space& exec, const Rows& T, const typename RowExchange<Space>::Received& come,
             const Vectors& fine_vectors);
  FilterRoom filter_room(const Space& exec, const LevelRows<Space>& fine,
                         const Vectors& fine_vectors) const;
  void take_near_nullspace(const Space& exec, const LevelRows<Space>& fine, const FilterRoom& room,
                           const Vectors& coarse_vectors);

  void fetch_near_nullspace(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                            const Vectors& coarse_vectors, const Vectors& near_nullspace) const;

  amg::Tentative<double, Space, std::int64_t> m_tentative;  ///< others' rows below its own
  Rows m_smoothed;  ///< P by the tentative prolongator's columns, others' rows below
  Rows m_P;  ///< P of this process, without columns that have no entry; values are those above
  ColumnNumbers<Space> m_columns;
};

}  // namespace tessera::distributed
