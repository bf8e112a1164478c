// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation of sets of rows by a copy of their entries.
#pragma once

#include "tessera/kernels/sptrsv/ranked_rows.hpp"
#include "tessera/smoother/point_sets.hpp"
#include "tessera/smoother/set_relaxation.hpp"

#include <vector>

namespace tessera {

/// A set's rows follow each other in memory, and to relax it reads each of them once.
template <class Scalar, class Space, class Offset>
class RankedSets : public SetRelaxation<Scalar, Space> {
 public:
  using typename SetRelaxation<Scalar, Space>::ConstVectors;
  using typename SetRelaxation<Scalar, Space>::Vectors;

  /// `entries`, of a square matrix of n rows, are copied; `weights`, d of length n, are shared.
  /// Waits.
  RankedSets(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& entries,
             const Array<const Scalar, Space>& weights, const PointSets<Space>& sets);

  void prepare(const Space& exec, int k) override;
  void relax(const Space& exec, int set, const ConstVectors& b, const Vectors& x) const override;

 private:
  kernels::RankedRows<Scalar, Space, Offset> m_rows;  ///< set by set
  std::vector<Ordinal> m_starts;  ///< positions of sets
  Array<const Scalar, Space> m_weights;
  MultiVector<Scalar, Space> m_change;
};

}  // namespace tessera
