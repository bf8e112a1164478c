// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Views that are no vectors of a solver, told apart when a program is compiled.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <type_traits>

namespace tessera::detail {

/// Whether a type is a View that cannot be `n` by `k` vectors of a solver in `Scalar` on `Space`:
/// read-only ones, or ones that are written where `Writable`. Views whose layout only their strides
/// tell are not, and types that are no Views.
template <class ViewType, class Scalar, class Space, bool Writable>
constexpr bool are_no_vectors() {
  if constexpr (!Kokkos::is_view_v<ViewType>) {
    return false;
  } else {
    return ViewType::rank != 2 ||
           !std::is_same_v<typename ViewType::non_const_value_type, Scalar> ||
           (Writable && std::is_const_v<typename ViewType::value_type>) ||
           std::is_same_v<typename ViewType::array_layout, Kokkos::LayoutRight> ||
           !Kokkos::SpaceAccessibility<Space, typename ViewType::memory_space>::accessible;
  }
}

/// Ends a compilation where `are_no_vectors`, and says why.
template <class ViewType, class Scalar, class Space, bool Writable>
constexpr void refuse_no_vectors() {
  if constexpr (Kokkos::is_view_v<ViewType>) {
    static_assert(ViewType::rank == 2,
                  "Tessera: b, x and near-nullspace vectors are Views of rank 2, n rows by k "
                  "right-hand sides; pass "
                  "tessera::as_multivector(v) for a vector");
    static_assert(std::is_same_v<typename ViewType::non_const_value_type, Scalar>,
                  "Tessera: b, x and near-nullspace vectors have the value type of the Solver: "
                  "tessera::Solver<float, Space> for float");
    static_assert(!Writable || !std::is_const_v<typename ViewType::value_type>,
                  "Tessera: x is written to; it cannot be a View of const values");
    static_assert(ViewType::rank != 2 ||
                      !std::is_same_v<typename ViewType::array_layout, Kokkos::LayoutRight>,
                  "Tessera: b, x and near-nullspace vectors are stored column after column, "
                  "Kokkos::LayoutLeft; copy a View "
                  "of LayoutRight into a tessera::MultiVector");
    static_assert(Kokkos::SpaceAccessibility<Space, typename ViewType::memory_space>::accessible,
                  "Tessera: b, x and near-nullspace vectors lie in memory that the Solver's "
                  "execution space reads");
  }
}

}  // namespace tessera::detail
