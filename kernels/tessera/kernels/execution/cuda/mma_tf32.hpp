// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The TF32 tensor-core instruction m16n8k8: C (16 by 8) = A (16 by 8) B (8 by 8) by the 32 lanes
/// of a warp, operands of 11 bits with the exponent of float, sums in float.
///
/// Tensor cores cut sums off where a processor rounds (Fasi et al., "Numerical behavior of NVIDIA
/// tensor cores", 2021), so that long sums in C would drift towards zero. C therefore begins at
/// zero in every instruction, and lanes add what it gives to sums of their own, rounded to nearest
/// (Ootomo and Yokota, "Recovering single precision accuracy from Tensor Cores", 2022).
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace tessera::kernels::cuda {

/// Which elements a lane holds (PTX ISA, "Matrix Fragments for mma.m16n8k8"): four of A, two of B,
/// four of C.
struct MmaTf32 {
  static constexpr int lanes = 32;

  /// Patterns of float of which the instruction takes the upper 19 bits.
  struct A {
    std::uint32_t part[4];
  };
  struct B {
    std::uint32_t part[2];
  };
  struct C {
    float part[4];

    KOKKOS_FORCEINLINE_FUNCTION C& operator+=(const C& other) {
      for (int i = 0; i < 4; ++i)
        part[i] += other.part[i];
      return *this;
    }
  };

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int a_row(int lane, int part) {
    return (lane >> 2) + 8 * (part & 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int a_col(int lane, int part) {
    return (lane & 3) + 4 * (part >> 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int b_row(int lane, int part) {
    return (lane & 3) + 4 * part;
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int b_col(int lane) { return lane >> 2; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int c_row(int lane, int part) {
    return (lane >> 2) + 8 * (part >> 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int c_col(int lane, int part) {
    return 2 * (lane & 3) + (part & 1);
  }
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
/// A B; all lanes of the warp call it together.
__device__ __forceinline__ MmaTf32::C multiply(const MmaTf32::A& a, const MmaTf32::B& b) {
  MmaTf32::C c;
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %10, %10, %10};"
      : "=f"(c.part[0]), "=f"(c.part[1]), "=f"(c.part[2]), "=f"(c.part[3])
      : "r"(a.part[0]), "r"(a.part[1]), "r"(a.part[2]), "r"(a.part[3]), "r"(b.part[0]),
        "r"(b.part[1]), "f"(0.0f));
  return c;
}
#endif

}  // namespace tessera::kernels::cuda
