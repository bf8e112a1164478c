// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The interpolation of classical multigrid of one level that is distributed over processes.
#pragma once

#include "tessera/amg/coarsening/classical_interpolation.hpp"
#include "tessera/amg/coarsening/truncated_product.hpp"
#include "tessera/distributed/extended_couplings.hpp"

#include <memory>
#include <vector>

namespace tessera::distributed {

/// The points of a level, split.
template <class Space>
struct SplitPoints {
  NodeGraph<Space> points;  ///< row i of its graph has what own point i depends on, in A's order
  Plan halo;  ///< of `points`
  Array<std::int8_t, Space> is_coarse;  ///< of own points and of ghosts
  std::shared_ptr<const Partition> coarse;  ///< own coarse points, numbered in the order of points
};

/// P for a splitting, and its values again for new ones of A. It is that of one process
/// (`amg::InterpolationFactors`, truncated), of this process's rows and of what others send of
/// their fine points that these depend on (`CouplingsOfOthers`). Sums and the choice between equal
/// weights are in the order of all columns, so that P does not depend on the shares.
template <class Space>
class PointInterpolation {
 public:
  using Rows = LocalRows<Space>;

  PointInterpolation() = default;
  PointInterpolation(amg::Interpolation interpolation, const amg::TruncationOptions& truncation)
      : m_interpolation(interpolation), m_truncation(truncation) {}

  /// P, its columns by `columns()`. `A`: this process's rows, columns numbered as the points of
  /// `split`, entries in the order of all columns. Collective.
  const Rows& make(const Space& exec, const Rows& A, const SplitPoints<Space>& split);
  /// The values again, in the pattern of before. Collective.
  const Rows& remake(const Space& exec, const Communicator& processes, const Rows& A);

  const Rows& rows() const { return m_P; }
  const ColumnNumbers& columns() const { return m_columns; }

 private:
  using Global = Partition::Global;

  void number_coarse_points(const Space& exec, const SplitPoints<Space>& split);
  void take_columns(const Space& exec);
  void release();

  amg::Interpolation m_interpolation = amg::Interpolation::extended_i;
  amg::TruncationOptions m_truncation;
  ExtendedCouplings<Space> m_couplings;
  Array<const Ordinal, Space> m_coarse_number;  ///< in the order of all coarse points
  std::vector<Global> m_coarse_others;
  Global m_first_coarse = 0;
  Ordinal m_num_own_coarse = 0;
  amg::InterpolationFactors<double, Space, std::int64_t> m_factors;
  amg::TruncatedProduct<double, Space, std::int64_t> m_product;
  Rows m_ordered;  ///< P by `m_coarse_number`, in the same array of values
  Rows m_P;
  ColumnNumbers m_columns;
};

}  // namespace tessera::distributed
