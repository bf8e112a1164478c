// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The FP64 tensor-core instruction m8n8k4: C (8 by 8) += A (8 by 4) B (4 by 8), by the 32 lanes of
/// a warp.
#pragma once

#include <Kokkos_Macros.hpp>

namespace tessera::kernels::cuda {

/// Which element a lane holds (PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f64"): one of A, one
/// of B, two of C.
struct MmaF64 {
  static constexpr int lanes = 32;

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int a_row(int lane) { return lane >> 2; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int a_col(int lane) { return lane & 3; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int b_row(int lane) { return lane & 3; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int b_col(int lane) { return lane >> 2; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int c_row(int lane) { return lane >> 2; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int c_col(int lane, int which) {
    return 2 * (lane & 3) + which;
  }
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
/// c += A B; all lanes of the warp call it together.
__device__ __forceinline__ void multiply_add(double (&c)[2], double a, double b) {
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(c[0]), "+d"(c[1])
      : "d"(a), "d"(b));
}
#endif

}  // namespace tessera::kernels::cuda
