// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Values that say by themselves whether they are there.
#pragma once

#include "tessera/kernels/execution/concurrent_access.hpp"

#include <limits>

namespace tessera::kernels::detail {

/// The scalars of a vector whose entries are the sentinel until they are known. Sentinel is one NaN
/// of the many, which `published` never gives: no flag beside the value is needed, and no order
/// between two words.
template <class Scalar>
struct Sentinel {
  using Word = std::conditional_t<sizeof(Scalar) == 8, std::uint64_t, std::uint32_t>;
  static constexpr Word word = ~Word(0);

  KOKKOS_FUNCTION static Scalar value() { return of(word); }
  KOKKOS_FUNCTION static Word read(const Scalar* from) {
    return load_relaxed(reinterpret_cast<const Word*>(from));
  }
  KOKKOS_FUNCTION static Scalar of(Word known) { return Kokkos::bit_cast<Scalar>(known); }
  KOKKOS_FUNCTION static void publish(Scalar* to, Scalar value) {
    const Word bits = Kokkos::bit_cast<Word>(value);
    store_relaxed(reinterpret_cast<Word*>(to),
                  bits == word ? Kokkos::bit_cast<Word>(missing()) : bits);
  }
  /// What a row takes for a value that never came.
  KOKKOS_FUNCTION static Scalar missing() { return Kokkos::Experimental::quiet_NaN_v<Scalar>; }
};

/// Levels, which are never below 0.
template <>
struct Sentinel<Ordinal> {
  using Word = Ordinal;
  static constexpr Word word = -1;

  KOKKOS_FUNCTION static Ordinal value() { return word; }
  KOKKOS_FUNCTION static Word read(const Ordinal* from) { return load_relaxed(from); }
  KOKKOS_FUNCTION static Ordinal of(Word known) { return known; }
  KOKKOS_FUNCTION static void publish(Ordinal* to, Ordinal value) { store_relaxed(to, value); }
  KOKKOS_FUNCTION static Ordinal missing() { return 0; }
};

}  // namespace tessera::kernels::detail
