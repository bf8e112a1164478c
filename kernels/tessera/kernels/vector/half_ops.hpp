// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Updates of vectors that lie in memory as Half, computed in float and rounded once.
#pragma once

#include "tessera/kernels/precision/minifloat.hpp"
#include "tessera/kernels/types.hpp"

namespace tessera::kernels {

/// y = x, rounded. What leaves half's range becomes an infinity or a zero. x and y: n by k.
template <class Space>
void half_copy(const Space& exec, const NonDeduced<ConstMultiVectorView<float, Space>>& x,
               const NonDeduced<MultiVectorView<Half, Space>>& y);

/// y = x. x and y: n by k.
template <class Space>
void half_copy(const Space& exec, const NonDeduced<ConstMultiVectorView<Half, Space>>& x,
               const NonDeduced<MultiVectorView<float, Space>>& y);

/// y += x. x and y: n by k.
template <class Space>
void half_add(const Space& exec, const NonDeduced<ConstMultiVectorView<Half, Space>>& x,
              const NonDeduced<MultiVectorView<Half, Space>>& y);

/// z = alpha d .* r for every column. d: n; r and z: n by k; `z` may be `r`.
template <class Space>
void half_multiply(const Space& exec, float alpha,
                   const NonDeduced<ArrayView<const float, Space>>& d,
                   const NonDeduced<ConstMultiVectorView<Half, Space>>& r,
                   const NonDeduced<MultiVectorView<Half, Space>>& z);

}  // namespace tessera::kernels
