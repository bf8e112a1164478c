// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which spaces multiply tiles by matrix units, and how.
#pragma once

#include "tessera/kernels/spgemm/mbsr/tile_product.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include "tessera/kernels/cuda/mbsr_tensor_spgemm.hpp"
#endif

namespace tessera::kernels::spgemm_detail {

/// The tile product for tiles of many entries.
template <class Space>
struct DenseTileProduct {
  using type = PlainTileProduct;
};

// m8n8k4 in FP64 came with Ampere.
#if defined(KOKKOS_ENABLE_CUDA) && (defined(KOKKOS_ARCH_AMPERE) || defined(KOKKOS_ARCH_ADA89) || \
                                    defined(KOKKOS_ARCH_HOPPER) || defined(KOKKOS_ARCH_BLACKWELL))
template <>
struct DenseTileProduct<Kokkos::Cuda> {
  using type = cuda::TensorTileProduct;
};
#endif

}  // namespace tessera::kernels::spgemm_detail
