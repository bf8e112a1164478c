// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which spaces have the tensor-core product, and the product where there is one.
#pragma once

#include "tessera/kernels/spmv/mbsr/mbsr_format.hpp"
#include "tessera/kernels/spmv/mbsr/tile_arrays.hpp"
#include "tessera/kernels/spmv/selection_rules.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include "tessera/kernels/spmv/cuda/mbsr_tensor_float_spmv.hpp"
#include "tessera/kernels/spmv/cuda/mbsr_tensor_spmv.hpp"
#elif defined(KOKKOS_ENABLE_HIP)
#include "tessera/kernels/spmv/hip/mbsr_mfma_spmv.hpp"
#endif

#include <algorithm>
#include <string>

namespace tessera::kernels::detail {

template <class Space>
inline constexpr bool has_tensor_cores = false;

/// Vectors that one pass with sums in `Sum` serves: the FP64 instructions take four.
template <class Space, class Sum>
inline constexpr int max_tensor_columns = 4;

#if defined(KOKKOS_ENABLE_CUDA)
// m8n8k4 in FP64 and TF32 came with Ampere.
#if defined(KOKKOS_ARCH_AMPERE) || defined(KOKKOS_ARCH_ADA89) || defined(KOKKOS_ARCH_HOPPER) || \
    defined(KOKKOS_ARCH_BLACKWELL)
template <>
inline constexpr bool has_tensor_cores<Kokkos::Cuda> = true;
#endif

template <>
inline constexpr int max_tensor_columns<Kokkos::Cuda, float> = cuda::max_columns_in_float;

#elif defined(KOKKOS_ENABLE_HIP)
// v_mfma_f64_4x4x4f64 came with CDNA2.
#if defined(KOKKOS_ARCH_AMD_GFX90A) || defined(KOKKOS_ARCH_AMD_GFX942)
template <>
inline constexpr bool has_tensor_cores<Kokkos::HIP> = true;
#endif
#endif

/// Whether tensor cores, with sums in `Sum`, serve as many vectors in a pass as the plain kernel.
/// Where they serve fewer, the plain kernel reads the matrix less often.
template <class Space, class Sum>
inline constexpr bool serve_several_vectors =
    has_tensor_cores<Space> && max_tensor_columns<Space, Sum> >= 16;

/// From how many vectors on `plan` goes to them; 0: never.
template <class Sum, class Space>
int tensor_columns_from(const MbsrSpmvPlan<Space>& plan) {
  if (plan.kernel == MbsrSpmvKernel::tensor_core) return 1;
  const bool several = plan.several_by_tensor_cores && serve_several_vectors<Space, Sum>;
  return several ? rules::min_vectors_for_tensor_cores.value : 0;
}

/// update(row, column, (A x)(row, column)) for every row and column; a plan for it is made only
/// where `has_tensor_cores`. Profilers see the kernel by a label of its own.
template <class Storage, class Working, class Space>
void sweep_by_tensor_cores([[maybe_unused]] const Space& exec,
                           [[maybe_unused]] const std::string& label,
                           [[maybe_unused]] const MbsrView<Storage, Space>& A,
                           [[maybe_unused]] const ConstMultiVectorView<Working, Space>& x,
                           [[maybe_unused]] const RowUpdate<Working>& update) {
  if constexpr (has_tensor_cores<Space>) {
    constexpr int columns = max_tensor_columns<Space, Arithmetic<Storage, Working>>;
    const int k = static_cast<int>(x.extent(1));
    for (int first = 0; first < k; first += columns) {
      const int active = std::min(columns, k - first);
      launch_tensor_tile_rows(exec, label + " by tensor cores", A.layout,
                              TileArrays<Storage, Working>(A, x, first, active), update);
    }
  } else {
    require(false, [] { return std::string("plan.kernel = tensor_core on a space without them"); });
  }
}

}  // namespace tessera::kernels::detail
