// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A solver's instance behind the caller's stream.
#pragma once

#include "c/failure.hpp"

#include <string>
#include <type_traits>

#include <Kokkos_Core.hpp>

namespace tessera::c {

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)

namespace detail {

template <class Status>
void require_stream(Status status, Status success, const char* (*describe)(Status)) {
  if (status == success) return;
  throw Failure(TESSERA_ERROR_ARGUMENT,
                std::string("the stream of tessera_set_stream cannot be waited for (") +
                    describe(status) + "); it must be there in every call after that");
}

}  // namespace detail

#endif

/// Has what is queued on `exec` from now on start after the work that `stream` has by now, without
/// a wait of the host. Null, or an instance of the host: nothing.
/// @throws Failure where the runtime does not know the stream
template <class Space>
void queue_after([[maybe_unused]] const Space& exec, [[maybe_unused]] void* stream) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>) {
    if (stream == nullptr) return;
    const auto require = [](cudaError_t status) {
      detail::require_stream(status, cudaSuccess, &cudaGetErrorString);
    };
    cudaEvent_t reached = nullptr;
    require(cudaEventCreateWithFlags(&reached, cudaEventDisableTiming));
    cudaError_t status = cudaEventRecord(reached, static_cast<cudaStream_t>(stream));
    if (status == cudaSuccess) status = cudaStreamWaitEvent(exec.cuda_stream(), reached, 0);
    cudaEventDestroy(reached);
    require(status);
  }
#elif defined(KOKKOS_ENABLE_HIP)
  if constexpr (std::is_same_v<Space, Kokkos::HIP>) {
    if (stream == nullptr) return;
    const auto require = [](hipError_t status) {
      detail::require_stream(status, hipSuccess, &hipGetErrorString);
    };
    hipEvent_t reached = nullptr;
    require(hipEventCreateWithFlags(&reached, hipEventDisableTiming));
    hipError_t status = hipEventRecord(reached, static_cast<hipStream_t>(stream));
    if (status == hipSuccess) status = hipStreamWaitEvent(exec.hip_stream(), reached, 0);
    (void)hipEventDestroy(reached);
    require(status);
  }
#endif
}

}  // namespace tessera::c
