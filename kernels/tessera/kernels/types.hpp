// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Index types and the aliases of Kokkos Views that every kernel speaks.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace tessera {

/// Row and column numbers of one device: 32 bits.
using Ordinal = std::int32_t;

/// A managed one-dimensional View in the memory of execution space `Space`.
template <class T, class Space>
using Array = Kokkos::View<T*, typename Space::memory_space>;

/// An unmanaged one-dimensional View: what a kernel receives.
template <class T, class Space>
using ArrayView =
    Kokkos::View<T*, typename Space::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// `n` rows by `k` right-hand sides, column after column; a single vector has k = 1.
template <class Scalar, class Space>
using MultiVector = Kokkos::View<Scalar**, Kokkos::LayoutLeft, typename Space::memory_space>;

/// An unmanaged MultiVector: what an operator or a solver receives.
template <class Scalar, class Space>
using MultiVectorView = Kokkos::View<Scalar**, Kokkos::LayoutLeft, typename Space::memory_space,
                                     Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// The same, read-only.
template <class Scalar, class Space>
using ConstMultiVectorView = MultiVectorView<const Scalar, Space>;

/// Makes a parameter a non-deduced context, so that a View of another constness or memory trait
/// converts to it.
template <class T>
using NonDeduced = std::type_identity_t<T>;

/// Allocates without initialising, on the instance, with a label: the only way that Tessera
/// allocates.
template <class T, class Space>
Array<T, Space> allocate(const Space& exec, const std::string& label, std::size_t length) {
  return Array<T, Space>(Kokkos::view_alloc(exec, label, Kokkos::WithoutInitializing), length);
}

/// Allocates `n` by `k` without initialising.
template <class Scalar, class Space>
MultiVector<Scalar, Space> allocate_multivector(const Space& exec, const std::string& label,
                                                std::size_t n, std::size_t k = 1) {
  return MultiVector<Scalar, Space>(Kokkos::view_alloc(exec, label, Kokkos::WithoutInitializing), n,
                                    k);
}

/// A rank-1 View seen as a MultiVector of one column.
template <class ViewType>
auto as_multivector(const ViewType& v) {
  static_assert(ViewType::rank == 1, "as_multivector takes a rank-1 View");
  using Scalar = typename ViewType::value_type;
  using Space = typename ViewType::execution_space;
  return MultiVectorView<Scalar, Space>(v.data(), v.extent(0), 1);
}

}  // namespace tessera
