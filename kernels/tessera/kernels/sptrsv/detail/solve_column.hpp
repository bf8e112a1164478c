// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A triangular solve for one right-hand side, which may leave vectors filled with the sentinel for
/// the next.
#pragma once

#include "tessera/kernels/sptrsv/detail/plain_triangle.hpp"
#include "tessera/kernels/sptrsv/sptrsv.hpp"

namespace tessera::kernels::detail {

/// Rows that wait for one another read x until its entries are no longer the sentinel. Who solves
/// with two triangles by turns has each solve fill what the other one needs with the sentinel.
template <class Scalar>
struct SentinelFill {
  bool x_is_sentinel = false;
  Scalar* b = nullptr;  ///< the right-hand side, where it is to be the sentinel after
  Scalar* other = nullptr;  ///< another column that is to be the sentinel after
};

/// x = T^-1 b. `sentinel_fill` other than the default is for a plan by counters.
template <class Scalar, class Space, class Offset>
void solve_column(const Space& exec, const SptrsvPlan<Space, Offset>& plan,
                  const TriangleView<Scalar, Space, Offset>& T, const Scalar* b, Scalar* x,
                  const SentinelFill<Scalar>& sentinel_fill = {});

/// Fills v(0) up to v(n - 1) with the sentinel.
template <class Scalar, class Space>
void fill_with_sentinel(const Space& exec, Scalar* v, std::size_t n);

/// T without what lies in the square blocks.
template <class Scalar, class Space, class Offset>
TriangleView<Scalar, Space, Offset> triangles_on_diagonal(TriangleView<Scalar, Space, Offset> T,
                                                          const SptrsvPlan<Space, Offset>& plan) {
  const auto n = static_cast<std::size_t>(T.num_rows);
  const ArrayView<const Offset, Space> cuts(plan.cuts.data() + plan.recursion_depth * n, n);
  (T.kind == TriangleKind::lower ? T.begin : T.end) = cuts;
  return T;
}

}  // namespace tessera::kernels::detail
