// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What becomes of freed device memory.
#pragma once

namespace tessera {

/// From now on the driver keeps memory that this process frees on device `device` for its next
/// allocations, in place of giving it back at each synchronisation. A setup allocates and frees
/// much: on an H200 7-point 128^3 takes 24.5 ms in place of 27.0. Other processes do not get that
/// memory before this one ends, so it is for a program to call, never for a library; `tessera`
/// does.
///
/// It counts where Kokkos allocates by cudaMallocAsync (`Kokkos_ENABLE_IMPL_CUDA_MALLOC_ASYNC`);
/// without CUDA nothing happens. Call it after `Kokkos::initialize`. Throws `std::runtime_error`
/// where the driver refuses.
void keep_freed_memory(int device = 0);

}  // namespace tessera
