// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of `convert_values` and `convert_offsets`.
#pragma once

#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/offset_overflow.hpp"

namespace tessera::kernels {
namespace detail {

/// A copy of `source` with every item converted.
template <class To, class From, class Space>
Array<To, Space> convert_items(const Space& exec, const std::string& label,
                               const Array<From, Space>& source) {
  const auto target = allocate<To>(exec, label, source.extent(0));
  Kokkos::parallel_for(
      "tessera::convert", Kokkos::RangePolicy<Space>(exec, 0, source.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { target(i) = static_cast<To>(source(i)); });
  return target;
}

}  // namespace detail

template <class To, class From, class Space, class Offset>
Csr<To, Space, Offset> convert_values(const Space& exec, const Csr<From, Space, Offset>& A) {
  if constexpr (std::is_same_v<To, From>) {
    return A;
  } else {
    return {A.num_rows, A.num_cols, A.offsets, A.columns,
            detail::convert_items<To, From>(exec, "tessera::values", A.values)};
  }
}

template <class To, class Scalar, class Space, class From>
Csr<Scalar, Space, To> convert_offsets(const Space& exec, const Csr<Scalar, Space, From>& A) {
  if constexpr (std::is_same_v<To, From>) {
    return A;
  } else {
    require_countable<To>(static_cast<std::int64_t>(A.num_entries()), "A");
    return {A.num_rows, A.num_cols,
            detail::convert_items<To, const From>(exec, "tessera::offsets", A.offsets), A.columns,
            A.values};
  }
}

}  // namespace tessera::kernels
