// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Right-hand sides that are the same on every machine and any number of processes.
#pragma once

#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/graph/hash.hpp"

#include <cstdint>

namespace tessera::perf {

/// Fills a vector with hashes of its rows' numbers in [-1, 1); the first row has number `first`.
template <class Space>
struct FillHashed {
  Ordinal first;
  MultiVector<double, Space> v;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    v(i, 0) = 0x1p-31 * kernels::hash32(static_cast<std::uint32_t>(first + i)) - 1.0;
  }
};

}  // namespace tessera::perf
