// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The start vector of Lanczos and Arnoldi.
#pragma once

#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/graph/hash.hpp"

namespace tessera::amg {

/// Entry `i`, hashed, in (-1, 1); 0 where the diagonal is, so that such a row stays out.
template <class Scalar>
KOKKOS_INLINE_FUNCTION Scalar start_entry(Ordinal i, Scalar inverse_diagonal, std::uint32_t seed) {
  const auto bits = static_cast<std::int32_t>(kernels::hash32(i, seed));
  return inverse_diagonal == Scalar(0) ? Scalar(0) : bits / Scalar(2147483648.0);
}

}  // namespace tessera::amg
