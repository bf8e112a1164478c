// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Classical coarsening of one level that is distributed over processes.
#pragma once

#include "tessera/distributed/coarsening.hpp"
#include "tessera/distributed/level_points.hpp"
#include "tessera/distributed/point_interpolation.hpp"

namespace tessera::distributed {

/// amg::ClassicalCoarsening of one unknown per node, by PMIS, with R = P^T. The splitting is that
/// of the whole graph, whatever the number of processes (`split_points`), and so is P
/// (`PointInterpolation`). With new values points stay coarse or fine, couplings strong or weak,
/// and weights kept or not.
template <class Space>
class ClassicalCoarsening : public Coarsening<Space> {
 public:
  using typename Coarsening<Space>::Rows;
  using typename Coarsening<Space>::Vectors;

  explicit ClassicalCoarsening(const amg::ClassicalParameters& parameters);

  /// Coarse points; `vectors` become a constant.
  Ordinal choose(const Space& exec, const Communicator& processes, const LevelRows<Space>& fine,
                 Vectors& vectors, std::optional<kernels::Box>& box) override;
  const Rows& make_prolongator(const Space& exec, const Communicator& processes,
                               const LevelRows<Space>& fine,
                               const LevelValues<Space>& values) override;
  void remake_transfers(const Space& exec, const Communicator& processes,
                        const LevelRows<Space>& fine, const LevelValues<Space>& values) override;

  const Rows& prolongator() const override { return m_interpolation.rows(); }
  const ColumnNumbers& columns() const override { return m_interpolation.columns(); }
  /// 1 for coarse points, of own ones and of ghosts.
  const Array<std::int8_t, Space>& is_coarse() const { return m_split.is_coarse; }

 private:
  amg::ClassicalParameters m_parameters;
  LevelPoints<Space> m_points;
  SplitPoints<Space> m_split;
  PointInterpolation<Space> m_interpolation;
};

}  // namespace tessera::distributed
