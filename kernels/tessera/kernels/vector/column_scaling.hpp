// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Magnitudes of columns, and columns multiplied by powers of two.
#pragma once

#include "tessera/kernels/vector/reductions.hpp"

#include <span>

namespace tessera::kernels {

/// report(j) = the largest magnitude in column j, infinity where an entry is not finite. x: n by k;
/// report: k, to be read after a fence.
template <class Scalar, class Space>
void column_magnitudes(const Space& exec, const ConstMultiVectorView<Scalar, Space>& x,
                       const NonDeduced<ReportView<double, Space>>& report);

/// y_j = 2^exponents[j] x_j, rounded where that overflows or is denormal. x and y: n by k; `y` may
/// be `x`. Exponents are within ±2100, in float within ±300: from any number to any other.
template <class Scalar, class Space>
void scale_columns(const Space& exec, std::span<const int> exponents,
                   const ConstMultiVectorView<Scalar, Space>& x,
                   const NonDeduced<MultiVectorView<Scalar, Space>>& y);

/// The same for one column (n by 1) each, and report(0) = how many entries lose bits thereby, to be
/// read after a fence.
template <class Scalar, class Space>
void scale_column_counting(const Space& exec, int exponent,
                           const ConstMultiVectorView<Scalar, Space>& x,
                           const NonDeduced<MultiVectorView<Scalar, Space>>& y,
                           const NonDeduced<ReportView<double, Space>>& report);

}  // namespace tessera::kernels
