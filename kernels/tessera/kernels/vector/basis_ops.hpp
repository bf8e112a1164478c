// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A block of vectors against one vector: the inner products and combinations that GMRES and the
/// projection of a nullspace are made of, each one launch over all columns.
#pragma once

#include "tessera/kernels/vector/reductions.hpp"

namespace tessera::kernels {

/// `count` vectors for each column: vector t of column j is column
/// `t * vector_stride + j * column_stride` of `vectors`.
template <class Scalar, class Space>
struct Basis {
  ConstMultiVectorView<Scalar, Space> vectors;
  int count = 0;
  int vector_stride = 1;
  int column_stride = 0;  ///< 0: all columns share the vectors
};

/// How many inner products one reduction takes at once.
inline constexpr int basis_dots_at_once = 8;

/// The `items` that a ReductionWorkspace needs (with `basis_dots_at_once` sums) for a basis of up
/// to `count` vectors and `k` columns.
constexpr int basis_dot_items(int count, int k) {
  return (count + basis_dots_at_once - 1) / basis_dots_at_once * k;
}

/// h(t, j) = <V_tj, w_j> for all t < count. h: at least count by k.
template <class Scalar, class Space>
void basis_dot(const Space& exec, const ReductionWorkspace<Space>& workspace,
               const Basis<Scalar, Space>& V,
               const NonDeduced<ConstMultiVectorView<Scalar, Space>>& w,
               const NonDeduced<MultiVectorView<double, Space>>& h);

/// w_j += sign * sum over t of h(t, j) V_tj; a vector with h(t, j) == 0 is not read.
template <class Scalar, class Space>
void basis_combine(const Space& exec, double sign, const Basis<Scalar, Space>& V,
                   const NonDeduced<MultiVectorView<const double, Space>>& h,
                   const NonDeduced<MultiVectorView<Scalar, Space>>& w);

/// w_j -= sum over t of h(t, j) V_tj, and norm(j) = ||w_j||^2 afterwards. Where given, the report
/// takes h + h_before (count numbers) and the norm for each column: (count + 1) k numbers, column
/// after column. This is the second pass of classical Gram-Schmidt; `h_before` holds the first's.
template <class Scalar, class Space>
void basis_remove(const Space& exec, const ReductionWorkspace<Space>& workspace,
                  const Basis<Scalar, Space>& V,
                  const NonDeduced<MultiVectorView<const double, Space>>& h_before,
                  const NonDeduced<MultiVectorView<const double, Space>>& h,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& w,
                  const NonDeduced<ArrayView<double, Space>>& norm,
                  const NonDeduced<ReportView<double, Space>>& report);

/// v_j = w_j / sqrt(norm(j)); 0 where norm(j) is not positive. `v` may be `w`.
template <class Scalar, class Space>
void normalise(const Space& exec, const NonDeduced<ArrayView<const double, Space>>& norm,
               const NonDeduced<ConstMultiVectorView<Scalar, Space>>& w,
               const MultiVectorView<Scalar, Space>& v);

}  // namespace tessera::kernels
