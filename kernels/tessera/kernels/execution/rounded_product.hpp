// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A product that is rounded whatever it is added to.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels {

/// a b, rounded. A compiler may join a product with the sum that takes it to one operation, which
/// rounds once: where it sees both, and not where lanes exchange the product in between. Sums that
/// are to have the same bits by one thread and by several lanes take their products from here.
KOKKOS_INLINE_FUNCTION double rounded_product(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dmul_rn(a, b);
#elif defined(__clang__)
#pragma clang fp contract(off)
  return a * b;
#elif defined(__FP_FAST_FMA)
  const volatile double product = a * b;  // g++ has no other way to say so of one product
  return product;
#else
  return a * b;
#endif
}

}  // namespace tessera::kernels
