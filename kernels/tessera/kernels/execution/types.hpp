// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Index types and the aliases of Kokkos Views that every kernel speaks.
#pragma once

#include "tessera/kernels/execution/array_pool.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

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

/// Allocates without initialising, on the instance, with a label, from the `ArrayPool` that serves
/// the instance where there is one: the only way that Tessera allocates.
template <class T, class Space>
Array<T, Space> allocate(const Space& exec, const std::string& label, std::size_t length) {
  if (auto* const pool = ArrayPool<Space>::of(exec))
    return pool->template take<Array<T, Space>>(label, length);
  MemoryTracker::require_room(Space::memory_space::name(), label, length * sizeof(T));
  return Array<T, Space>(Kokkos::view_alloc(exec, label, Kokkos::WithoutInitializing), length);
}

/// Allocates `n` by `k` without initialising.
template <class Scalar, class Space>
MultiVector<Scalar, Space> allocate_multivector(const Space& exec, const std::string& label,
                                                std::size_t n, std::size_t k = 1) {
  MemoryTracker::require_room(Space::memory_space::name(), label, n * k * sizeof(Scalar));
  return MultiVector<Scalar, Space>(Kokkos::view_alloc(exec, label, Kokkos::WithoutInitializing), n,
                                    k);
}

/// A View of rank 1 or 2 seen as a MultiVector, without a copy: it must outlive what is returned.
/// Throws where the entries of a column do not lie side by side, as in a column of a `LayoutRight`
/// View.
template <class ViewType>
auto as_multivector(const ViewType& v) {
  using Scalar = typename ViewType::value_type;
  using Space = typename ViewType::execution_space;
  using Layout = typename ViewType::array_layout;
  static_assert(ViewType::rank == 1 || ViewType::rank == 2,
                "as_multivector takes a View of rank 1 or 2");
  static_assert(std::is_same_v<Layout, Kokkos::LayoutLeft> ||
                    std::is_same_v<Layout, Kokkos::LayoutStride> ||
                    (std::is_same_v<Layout, Kokkos::LayoutRight> && ViewType::rank == 1),
                "as_multivector takes vectors whose entries lie side by side; copy a View of "
                "another layout into one of LayoutLeft");
  const std::size_t n = v.extent(0);
  require(n <= 1 || v.stride(0) == 1, [&] {
    return "the View has a stride of " + std::to_string(v.stride(0)) +
           " from one entry to the next, expected 1; copy it into a contiguous View and pass that";
  });
  if constexpr (ViewType::rank == 1) {
    return MultiVectorView<Scalar, Space>(v.data(), n, 1);
  } else {
    const std::size_t k = v.extent(1);
    const std::size_t stride = k <= 1 ? n : v.stride(1);
    require(stride >= n, [&] {
      return "the View has a stride of " + std::to_string(stride) +
             " from one column to the next, expected at least its " + std::to_string(n) +
             " rows; copy it into a contiguous View and pass that";
    });
    const MultiVectorView<Scalar, Space> columns(v.data(), stride, k);
    return MultiVectorView<Scalar, Space>(
        Kokkos::subview(columns, std::pair<std::size_t, std::size_t>(0, n), Kokkos::ALL));
  }
}

}  // namespace tessera
