// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Interpolation in passes, each from the points of the pass before, over processes.
#pragma once

#include "tessera/amg/coarsening/point_passes.hpp"
#include "tessera/amg/coarsening/truncated_product.hpp"
#include "tessera/distributed/level_interpolation.hpp"
#include "tessera/distributed/ordered_stack.hpp"

#include <vector>

namespace tessera::distributed {

/// amg::MultipassInterpolation: P_p = M_p P_{p-1}, for which others send their rows of P_{p-1}.
/// There are as many passes as any process has points for. Those of ghosts are sent as soon as they
/// are found, so that a point's pass is that of one process.
template <class Space>
class MultipassInterpolation : public LevelInterpolation<Space> {
 public:
  using typename LevelInterpolation<Space>::Rows;

  explicit MultipassInterpolation(const amg::TruncationOptions& truncation)
      : m_truncation(truncation) {}

  const Rows& make(const Space& exec, const Rows& A, const SplitPoints<Space>& split) override;
  const Rows& remake(const Space& exec, const Communicator& processes, const Rows& A) override;

 private:
  struct Pass {
    Array<const Ordinal, Space> points;  ///< own ones
    Rows M;  ///< from points here, ghosts among them, of the pass before; none in pass 0
    OrderedStack<Space> before;  ///< P of the pass before, of all points here
    kernels::SpgemmPlan<Space> plan;
    Rows P;  ///< a row per point of `points`, coarse points in the order of `before`
    Rows rows;  ///< the same by own point, coarse points by `columns`
    ColumnNumbers<Space> columns;
  };
  using RowsOfPass = amg::RowsOfPass<double, Space, std::int64_t>;

  void find_passes(const Space& exec, const SplitPoints<Space>& split);
  Pass coarse_points(const Space& exec, const SplitPoints<Space>& split, Ordinal num_coarse) const;
  void fill_weights(const Space& exec, const Rows& A, std::size_t number);
  OrderedNumbers<Space> all_columns(const Space& exec) const;
  void join_passes(const Space& exec, const OrderedNumbers<Space>& numbers);
  void place_weights(const Space& exec);
  void release();

  amg::TruncationOptions m_truncation;
  amg::PointPasses<Space> m_numbers;  ///< passes also of ghosts
  Array<const Ordinal, Space> m_points;  ///< here, each its own number
  std::vector<Pass> m_passes;
  Rows m_untruncated;  ///< P with coarse points in the order of all
  Rows m_ordered;  ///< the same truncated, in the same array of values as P
};

}  // namespace tessera::distributed
