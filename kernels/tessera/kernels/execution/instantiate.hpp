// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The list of types for which Tessera instantiates its templates in its own library.
///
/// `X.hpp` declares, `X.cpp` defines and instantiates: an embedder compiles declarations only. The
/// enabled spaces are Kokkos's default execution space and, where that is a device, its default
/// host space. A program that needs another space adds it to TESSERA_FOR_EACH_SPACE.
#pragma once

#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/precision/minifloat.hpp"

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
/// True where the default execution space is a device with memory of its own.
#define TESSERA_HAVE_DEVICE 1
#else
#define TESSERA_HAVE_DEVICE 0
#endif

namespace tessera {
/// The host space that Tessera is instantiated for.
using HostSpace = Kokkos::DefaultHostExecutionSpace;
/// The device space that Tessera is instantiated for; the host space where there is no device.
using DeviceSpace = Kokkos::DefaultExecutionSpace;
}  // namespace tessera

/// Instantiates a class template, or a function template that is not overloaded, for its arguments:
/// `TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, warm_up)`. A function has the signature
/// that its declaration gave it, which need not be written again.
#define TESSERA_INSTANTIATE_CLASS(name, ...) template class name<__VA_ARGS__>;
#define TESSERA_INSTANTIATE_STRUCT(name, ...) template struct name<__VA_ARGS__>;
#define TESSERA_INSTANTIATE_FUNCTION(name, ...) \
  template decltype(name<__VA_ARGS__>) name<__VA_ARGS__>;

#define TESSERA_DETAIL_OFFSETS(M, ...) M(__VA_ARGS__, std::int32_t) M(__VA_ARGS__, std::int64_t)
#define TESSERA_DETAIL_SCALARS(M, Space, ...) \
  M(__VA_ARGS__ __VA_OPT__(, ) double, Space) M(__VA_ARGS__ __VA_OPT__(, ) float, Space)
#define TESSERA_DETAIL_MATRICES(M, Space, ...)                        \
  TESSERA_DETAIL_OFFSETS(M, __VA_ARGS__ __VA_OPT__(, ) double, Space) \
  TESSERA_DETAIL_OFFSETS(M, __VA_ARGS__ __VA_OPT__(, ) float, Space)
#define TESSERA_DETAIL_MATRICES_HOST(M, ...) \
  TESSERA_DETAIL_MATRICES(M, ::tessera::HostSpace __VA_OPT__(, ) __VA_ARGS__)

/// Calls `M(Space)` for every enabled execution space.
/// Calls `M(Space, Offset)` for every enabled pair.
/// Calls `M(Scalar, Space)` for every enabled pair.
/// Calls `M(Scalar, Space, Offset)` for every enabled triple.
/// What is given beside `M` comes before these arguments.
#if TESSERA_HAVE_DEVICE
#define TESSERA_FOR_EACH_SPACE(M, ...)              \
  M(__VA_ARGS__ __VA_OPT__(, )::tessera::HostSpace) \
  M(__VA_ARGS__ __VA_OPT__(, )::tessera::DeviceSpace)
#define TESSERA_FOR_EACH_GRAPH(M, ...)                                      \
  TESSERA_DETAIL_OFFSETS(M, __VA_ARGS__ __VA_OPT__(, )::tessera::HostSpace) \
  TESSERA_DETAIL_OFFSETS(M, __VA_ARGS__ __VA_OPT__(, )::tessera::DeviceSpace)
#define TESSERA_FOR_EACH_SCALAR(M, ...)                                      \
  TESSERA_DETAIL_SCALARS(M, ::tessera::HostSpace __VA_OPT__(, ) __VA_ARGS__) \
  TESSERA_DETAIL_SCALARS(M, ::tessera::DeviceSpace __VA_OPT__(, ) __VA_ARGS__)
#define TESSERA_FOR_EACH_MATRIX(M, ...)                      \
  TESSERA_DETAIL_MATRICES_HOST(M __VA_OPT__(, ) __VA_ARGS__) \
  TESSERA_DETAIL_MATRICES(M, ::tessera::DeviceSpace __VA_OPT__(, ) __VA_ARGS__)
#else
#define TESSERA_FOR_EACH_SPACE(M, ...) M(__VA_ARGS__ __VA_OPT__(, )::tessera::HostSpace)
#define TESSERA_FOR_EACH_GRAPH(M, ...) \
  TESSERA_DETAIL_OFFSETS(M, __VA_ARGS__ __VA_OPT__(, )::tessera::HostSpace)
#define TESSERA_FOR_EACH_SCALAR(M, ...) \
  TESSERA_DETAIL_SCALARS(M, ::tessera::HostSpace __VA_OPT__(, ) __VA_ARGS__)
#define TESSERA_FOR_EACH_MATRIX(M, ...) TESSERA_DETAIL_MATRICES_HOST(M __VA_OPT__(, ) __VA_ARGS__)
#endif

/// 0 where the library was built for matrices in double, float and Half alone (the CMake option of
/// the same name).
#ifndef TESSERA_ALL_STORAGE_SCALARS
#define TESSERA_ALL_STORAGE_SCALARS 1
#endif

/// Its arguments where bfloat16 and fp8 are among the storage scalars, nothing elsewhere.
#if TESSERA_ALL_STORAGE_SCALARS
#define TESSERA_IF_ALL_STORAGE_SCALARS(...) __VA_ARGS__
#else
#define TESSERA_IF_ALL_STORAGE_SCALARS(...)
#endif

/// Calls `M(Storage, ...)` for every storage scalar that vectors never have.
#if TESSERA_ALL_STORAGE_SCALARS
#define TESSERA_FOR_EACH_SMALL_STORAGE(M, ...) \
  M(::tessera::Half, __VA_ARGS__)              \
  M(::tessera::BFloat16, __VA_ARGS__)          \
  M(::tessera::Fp8E4M3, __VA_ARGS__) M(::tessera::Fp8E5M2, __VA_ARGS__)
#else
#define TESSERA_FOR_EACH_SMALL_STORAGE(M, ...) M(::tessera::Half, __VA_ARGS__)
#endif
/// Calls `M(Storage, ...)` for every scalar that a matrix may be stored in.
#define TESSERA_FOR_EACH_STORAGE(M, ...) \
  M(double, __VA_ARGS__) M(float, __VA_ARGS__) TESSERA_FOR_EACH_SMALL_STORAGE(M, __VA_ARGS__)

/// Instantiates the function template for every such scalar before the other arguments:
/// `TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_STORED, csr_to_coo)`.
#define TESSERA_DETAIL_STORED(Storage, name, ...) \
  TESSERA_INSTANTIATE_FUNCTION(name, Storage, __VA_ARGS__)
#define TESSERA_INSTANTIATE_STORED(...) TESSERA_FOR_EACH_STORAGE(TESSERA_DETAIL_STORED, __VA_ARGS__)
/// The same for every pair of them: `TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_PAIRS,
/// convert_mbsr)`. A macro is not expanded within itself: the second of each pair is listed here.
#define TESSERA_DETAIL_PAIR(First, Second, name, ...) \
  TESSERA_INSTANTIATE_FUNCTION(name, First, Second, __VA_ARGS__)
#define TESSERA_INSTANTIATE_PAIRS(...)                                                   \
  TESSERA_FOR_EACH_STORAGE(TESSERA_DETAIL_PAIR, double, __VA_ARGS__)                     \
  TESSERA_FOR_EACH_STORAGE(TESSERA_DETAIL_PAIR, float, __VA_ARGS__)                      \
  TESSERA_FOR_EACH_STORAGE(TESSERA_DETAIL_PAIR, ::tessera::Half, __VA_ARGS__)            \
  TESSERA_IF_ALL_STORAGE_SCALARS(                                                        \
      TESSERA_FOR_EACH_STORAGE(TESSERA_DETAIL_PAIR, ::tessera::BFloat16, __VA_ARGS__)    \
          TESSERA_FOR_EACH_STORAGE(TESSERA_DETAIL_PAIR, ::tessera::Fp8E4M3, __VA_ARGS__) \
              TESSERA_FOR_EACH_STORAGE(TESSERA_DETAIL_PAIR, ::tessera::Fp8E5M2, __VA_ARGS__))

/// Calls `M(Storage, Space)` for every scalar that a matrix may be stored in.
/// Calls `M(Storage, Working, Space)` for every such scalar beside vectors of double and of float.
#if TESSERA_HAVE_DEVICE
#define TESSERA_FOR_EACH_STORED(M)                  \
  TESSERA_FOR_EACH_STORAGE(M, ::tessera::HostSpace) \
  TESSERA_FOR_EACH_STORAGE(M, ::tessera::DeviceSpace)
#define TESSERA_FOR_EACH_MIXED(M)                             \
  TESSERA_FOR_EACH_STORAGE(M, double, ::tessera::HostSpace)   \
  TESSERA_FOR_EACH_STORAGE(M, float, ::tessera::HostSpace)    \
  TESSERA_FOR_EACH_STORAGE(M, double, ::tessera::DeviceSpace) \
  TESSERA_FOR_EACH_STORAGE(M, float, ::tessera::DeviceSpace)
#else
#define TESSERA_FOR_EACH_STORED(M) TESSERA_FOR_EACH_STORAGE(M, ::tessera::HostSpace)
#define TESSERA_FOR_EACH_MIXED(M)                           \
  TESSERA_FOR_EACH_STORAGE(M, double, ::tessera::HostSpace) \
  TESSERA_FOR_EACH_STORAGE(M, float, ::tessera::HostSpace)
#endif
