// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Classical coarsening of one level that is distributed over processes.
#pragma once

#include "tessera/distributed/coarsening.hpp"
#include "tessera/distributed/level_interpolation.hpp"
#include "tessera/distributed/level_points.hpp"

#include <array>
#include <memory>

namespace tessera::distributed {

/// amg::ClassicalCoarsening, with R = P^T. The splitting is that of the whole graph,
/// whatever the number of processes (`split_points`, `split_coarse_points`), and so is P
/// (`LevelInterpolation`). Several unknowns per node are split and interpolated within functions,
/// and coarse levels have functions without nodes; or nodes are split, whose rows are all on one
/// process, and interpolated within functions. With new values points stay coarse or fine,
/// couplings strong or weak, and weights kept or not.
template <class Space>
class ClassicalCoarsening : public Coarsening<Space> {
 public:
  using typename Coarsening<Space>::Rows;
  using typename Coarsening<Space>::Vectors;

  /// `depth`: of the fine level, 0 the finest; the first levels may be coarsened aggressively.
  /// @throws Error of kind `configuration` where interpolation does not reach that far.
  explicit ClassicalCoarsening(const amg::ClassicalParameters& parameters, int depth = 0);

  /// Coarse points; `vectors` become a constant, where nodes are split one for each unknown.
  Ordinal choose(const Space& exec, const Communicator& processes, const LevelRows<Space>& fine,
                 Vectors& vectors, std::optional<kernels::Box>& box) override;
  Functions<Space> functions() const override { return m_coarse_functions; }
  CoarsePoints<Space> coarse_points(const Space& exec) const override;
  const Rows& make_prolongator(const Space& exec, const Communicator& processes,
                               const LevelRows<Space>& fine,
                               const LevelValues<Space>& values) override;
  void remake_transfers(const Space& exec, const Communicator& processes,
                        const LevelRows<Space>& fine, const LevelValues<Space>& values) override;

  const Rows& prolongator() const override { return m_interpolation->rows(); }
  const ColumnNumbers<Space>& columns() const override { return m_interpolation->columns(); }
  /// 1 for coarse points, of own ones and of ghosts.
  const Array<std::int8_t, Space>& is_coarse() const { return m_split.is_coarse; }

 private:
  /// The first and the last one, which is another where coarsening is aggressive.
  using Splittings = std::array<SplitPoints<Space>, 2>;

  Splittings split_points(const Space& exec, const LevelRows<Space>& fine);
  Splittings split_nodes(const Space& exec, const LevelRows<Space>& fine);
  bool splits_nodes(const LevelRows<Space>& fine) const {
    return fine.block_size > 1 && m_parameters.systems == amg::SystemSplitting::nodes;
  }
  int min_paths() const { return m_is_aggressive ? m_parameters.aggressive_paths : 0; }
  /// The couplings of own points that are looked at, by `m_points`: A's, or those within its
  /// functions.
  Rows couplings(const Space& exec, const LevelRows<Space>& fine);

  amg::ClassicalParameters m_parameters;
  bool m_is_aggressive;
  LevelPoints<Space> m_points;
  Functions<Space> m_functions;  ///< of points here
  Functions<Space> m_coarse_functions;  ///< of own coarse points; none where nodes are split
  Rows m_function_part;
  SplitPoints<Space> m_split;
  std::unique_ptr<LevelInterpolation<Space>> m_interpolation;
};

}  // namespace tessera::distributed
