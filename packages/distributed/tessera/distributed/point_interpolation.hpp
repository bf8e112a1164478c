// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The interpolation of classical multigrid of one level that is distributed over processes.
#pragma once

#include "tessera/amg/coarsening/classical_interpolation.hpp"
#include "tessera/amg/coarsening/truncated_product.hpp"
#include "tessera/distributed/extended_couplings.hpp"
#include "tessera/distributed/level_interpolation.hpp"

#include <optional>

namespace tessera::distributed {

/// From the coarse points around a fine one, as on one process (`amg::InterpolationFactors`,
/// truncated), of this process's rows and of what others send of their fine points that these
/// depend on (`CouplingsOfOthers`).
template <class Space>
class PointInterpolation : public LevelInterpolation<Space> {
 public:
  using typename LevelInterpolation<Space>::Rows;

  PointInterpolation(amg::Interpolation interpolation, const amg::TruncationOptions& truncation)
      : m_interpolation(interpolation), m_truncation(truncation) {}

  /// Leaves P's rows of other own points out.
  void take_rows_of(const Array<const Ordinal, Space>& own_points) { m_taken = own_points; }

  const Rows& make(const Space& exec, const Rows& A, const SplitPoints<Space>& split) override;
  const Rows& remake(const Space& exec, const Communicator& processes, const Rows& A) override;

 private:
  Rows multiplied_rows(const Space& exec) const;
  void release();

  amg::Interpolation m_interpolation;
  amg::TruncationOptions m_truncation;
  std::optional<Array<const Ordinal, Space>> m_taken;  ///< nothing: all
  ExtendedCouplings<Space> m_couplings;
  amg::InterpolationFactors<double, Space, std::int64_t> m_factors;
  amg::TruncatedProduct<double, Space, std::int64_t> m_product;
  Rows m_ordered;  ///< P with coarse points in the order of all, in the same array of values
};

}  // namespace tessera::distributed
