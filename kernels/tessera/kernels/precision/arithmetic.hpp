// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The three scalars of a kernel: storage (how a matrix value lies in memory), working (vectors),
/// and arithmetic (what sums are carried in).
#pragma once

#include "tessera/kernels/precision/minifloat.hpp"

#include <limits>

namespace tessera {

/// The wider of the two, at least float.
template <class Storage, class Working>
using Arithmetic =
    std::conditional_t<std::is_same_v<Storage, double> || std::is_same_v<Working, double>, double,
                       float>;

/// Relative error of rounding to `Scalar`: half the distance from one to the next number above it.
template <class Scalar>
inline constexpr double unit_roundoff = [] {
  if constexpr (std::is_same_v<Scalar, double>) return 0x1p-53;
  if constexpr (std::is_same_v<Scalar, float>) return 0x1p-24;
  if constexpr (std::is_same_v<Scalar, Half>) return 0x1p-11;
  if constexpr (std::is_same_v<Scalar, BFloat16>) return 0x1p-8;
  if constexpr (std::is_same_v<Scalar, Fp8E4M3>) return 0x1p-4;
  if constexpr (std::is_same_v<Scalar, Fp8E5M2>) return 0x1p-3;
}();

/// The largest finite number of `Scalar`.
template <class Scalar>
inline constexpr double largest_finite = [] {
  if constexpr (std::is_floating_point_v<Scalar>) {
    return static_cast<double>(std::numeric_limits<Scalar>::max());
  } else {
    return static_cast<double>(Scalar::from_bits(Scalar::first_special - 1));
  }
}();

/// The smallest positive number of `Scalar` that is rounded with all its bits; those below are
/// subnormal.
template <class Scalar>
inline constexpr double smallest_normal = [] {
  if constexpr (std::is_floating_point_v<Scalar>) {
    return static_cast<double>(std::numeric_limits<Scalar>::min());
  } else {
    return static_cast<double>(Scalar::from_bits(Scalar::min_normal));
  }
}();

/// Storage read as another scalar: `data[i]` rounded to `To` on the way, no converted copy made.
template <class To, class Storage>
struct StorageReader {
  const Storage* data;

  template <class Index>
  KOKKOS_FORCEINLINE_FUNCTION To operator[](Index i) const {
    return static_cast<To>(data[i]);
  }
};

/// Scalars that a host reads by a table: a processor without instructions for them takes longer to
/// put the bits right. (A bfloat16 is the upper half of a float already.)
template <class Storage>
inline constexpr bool is_read_by_table =
    std::is_same_v<Storage, Half> || std::is_same_v<Storage, Fp8E4M3> ||
    std::is_same_v<Storage, Fp8E5M2>;

/// The value of every pattern of `Storage`, which is_read_by_table; on the host.
template <class Storage>
const float* values_of_patterns();

/// The same by a table where it runs on a host. It is made there, and read there or on a device.
template <class To, class Storage>
  requires is_read_by_table<Storage>
struct StorageReader<To, Storage> {
  const Storage* data;
  const float* values = values_of_patterns<Storage>();

  template <class Index>
  KOKKOS_FORCEINLINE_FUNCTION To operator[](Index i) const {
    KOKKOS_IF_ON_HOST((return static_cast<To>(values[data[i].bits]);))
    KOKKOS_IF_ON_DEVICE((return static_cast<To>(data[i]);))
  }
};

}  // namespace tessera
