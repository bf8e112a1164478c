// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Numbers of few bits read two by two.
#pragma once

#include "tessera/kernels/precision/minifloat.hpp"

namespace tessera {

/// Both numbers as floats, exact; of e4m3 by one conversion where the hardware has it.
template <class Storage>
KOKKOS_FORCEINLINE_FUNCTION void to_floats(const Storage (&from)[2], float (&to)[2]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  if constexpr (std::is_same_v<Storage, Fp8E4M3>) {
    const std::uint32_t halves = detail::e4m3_to_halves(
        static_cast<std::uint16_t>(from[0].bits | static_cast<unsigned>(from[1].bits) << 8));
    to[0] = detail::half_to_float(static_cast<std::uint16_t>(halves & 0xffff));
    to[1] = detail::half_to_float(static_cast<std::uint16_t>(halves >> 16));
    return;
  }
#endif
  to[0] = static_cast<float>(from[0]);
  to[1] = static_cast<float>(from[1]);
}

}  // namespace tessera
