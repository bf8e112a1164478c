// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The numbers of the coarse points that a process has or is coupled to.
#pragma once

#include "tessera/distributed/level_points.hpp"
#include "tessera/distributed/ordered_numbers.hpp"

#include <cstdint>

namespace tessera::distributed {

/// Coarse points, numbered in the order of all points.
template <class Space>
class CoarseNumbers {
 public:
  CoarseNumbers() = default;
  /// `is_coarse`: of own points and of the ghosts behind them. Collective.
  CoarseNumbers(const Space& exec, const LevelPoints<Space>& points,
                const Array<std::int8_t, Space>& is_coarse);

  /// Own coarse points, and the ghosts that are coarse.
  const OrderedNumbers<Space>& numbers() const { return m_numbers; }
  /// By point of `points`: its place in `numbers`, -1 for fine ones and those that are no ghosts.
  Array<const Ordinal, Space> by_point(const Space& exec,
                                       const OrderedNumbers<Space>& points) const;
  /// The same by own points and, behind them, the ghosts.
  Array<const Ordinal, Space> own_first(const Space& exec) const;
  /// By own point: its number among own coarse points, -1 for fine ones.
  const Array<const Ordinal, Space>& of_own() const { return m_own; }

 private:
  OrderedNumbers<Space> m_numbers;
  Array<const Ordinal, Space> m_own;
  GlobalNumbers<Space> m_ghosts;
  Array<Ordinal, Space> m_place_of_ghosts;  ///< in `numbers`, -1 for fine ones
};

}  // namespace tessera::distributed
