// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Vector updates that read no result of a reduction: scaled sums, copies, pointwise products.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels {

/// y = alpha x + beta y. `alpha == 0` does not read x; `beta == 0` overwrites y, NaN included.
/// x and y: n by k.
template <class Scalar, class Space>
void axpby(const Space& exec, NonDeduced<Scalar> alpha,
           const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x, NonDeduced<Scalar> beta,
           const MultiVectorView<Scalar, Space>& y);

/// y = alpha y; `alpha == 0` overwrites y, NaN included.
template <class Scalar, class Space>
void scale(const Space& exec, NonDeduced<Scalar> alpha, const MultiVectorView<Scalar, Space>& y);

/// y = x, rounded where `To` is narrower than `From`. x and y: n by k.
template <class From, class To, class Space>
void copy(const Space& exec, const ConstMultiVectorView<From, Space>& x,
          const MultiVectorView<To, Space>& y);

/// z = alpha d .* r for every column. d: n; r and z: n by k; `z` may be `r`.
template <class Scalar, class Space>
void multiply(const Space& exec, NonDeduced<Scalar> alpha,
              const NonDeduced<ArrayView<const Scalar, Space>>& d,
              const NonDeduced<ConstMultiVectorView<Scalar, Space>>& r,
              const MultiVectorView<Scalar, Space>& z);

/// The same, written to `z` and to `copy` in one pass.
template <class Scalar, class Space>
void multiply_into_two(const Space& exec, NonDeduced<Scalar> alpha,
                       const NonDeduced<ArrayView<const Scalar, Space>>& d,
                       const NonDeduced<ConstMultiVectorView<Scalar, Space>>& r,
                       const MultiVectorView<Scalar, Space>& z,
                       const NonDeduced<MultiVectorView<Scalar, Space>>& copy);

}  // namespace tessera::kernels
