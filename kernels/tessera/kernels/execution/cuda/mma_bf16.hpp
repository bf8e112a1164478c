// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The BF16 tensor-core instruction m16n8k16: C (16 by 8) = A (16 by 16) B (16 by 8) by the 32
/// lanes of a warp, sums in float. C begins at zero for the reason that mma_tf32.hpp gives.
#pragma once

#include "tessera/kernels/execution/cuda/mma_tf32.hpp"

namespace tessera::kernels::cuda {

/// Which elements a lane holds (PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point
/// type"): four pairs of A and two of B, neighbours along k, the first in the lower half of a part;
/// four of C.
struct MmaBf16 {
  static constexpr int lanes = 32;

  struct A {
    std::uint32_t part[4];
  };
  struct B {
    std::uint32_t part[2];
  };
  using C = MmaTf32::C;

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int a_row(int lane, int part) {
    return (lane >> 2) + 8 * (part & 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int a_col(int lane, int part) {
    return 2 * (lane & 3) + 8 * (part >> 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int b_row(int lane, int part) {
    return 2 * (lane & 3) + 8 * part;
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int b_col(int lane) { return lane >> 2; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int c_row(int lane, int part) {
    return MmaTf32::c_row(lane, part);
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int c_col(int lane, int part) {
    return MmaTf32::c_col(lane, part);
  }
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
/// A B; all lanes of the warp call it together.
__device__ __forceinline__ MmaBf16::C multiply(const MmaBf16::A& a, const MmaBf16::B& b) {
  MmaBf16::C c;
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %10, %10, %10};"
      : "=f"(c.part[0]), "=f"(c.part[1]), "=f"(c.part[2]), "=f"(c.part[3])
      : "r"(a.part[0]), "r"(a.part[1]), "r"(a.part[2]), "r"(a.part[3]), "r"(b.part[0]),
        "r"(b.part[1]), "f"(0.0f));
  return c;
}
#endif

}  // namespace tessera::kernels::cuda
