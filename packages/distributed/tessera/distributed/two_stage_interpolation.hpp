// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Interpolation by way of the coarse points of a first splitting, over processes.
#pragma once

#include "tessera/distributed/ordered_stack.hpp"
#include "tessera/distributed/point_interpolation.hpp"

namespace tessera::distributed {

/// amg::TwoStageInterpolation: the truncated product of P_1, own points from the coarse ones C_1 of
/// the first splitting, and P_2, C_1 from the coarse points of the second. Others send their rows
/// of P_2 that P_1 has columns of.
template <class Space>
class TwoStageInterpolation : public LevelInterpolation<Space> {
 public:
  using typename LevelInterpolation<Space>::Rows;

  /// `first`: needed until P is made.
  TwoStageInterpolation(amg::Interpolation interpolation, const amg::TruncationOptions& truncation,
                        const SplitPoints<Space>& first)
      : m_truncation(truncation),
        m_first(first),
        m_to_first(interpolation, truncation),
        m_to_last(interpolation, truncation) {}

  const Rows& make(const Space& exec, const Rows& A, const SplitPoints<Space>& split) override;
  const Rows& remake(const Space& exec, const Communicator& processes, const Rows& A) override;

 private:
  amg::TruncationOptions m_truncation;
  SplitPoints<Space> m_first;
  PointInterpolation<Space> m_to_first, m_to_last;
  OrderedStack<Space> m_stack;  ///< P_2
  amg::TruncatedProduct<double, Space, std::int64_t> m_product;
  Rows m_ordered;  ///< P with coarse points in the order of all, in the same array of values
};

}  // namespace tessera::distributed
