// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The filter of a row by a thread of a host, and which of the row's entries it keeps.
#pragma once

#include "tessera/amg/coarsening/detail/smoothing_input.hpp"

#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace tessera::amg::detail {

/// `value` where `kept`, else 0, without a branch: which entries are strong is hard to foretell.
template <class Scalar>
Scalar kept_or_zero(Scalar value, bool kept) {
  using Bits = std::conditional_t<sizeof(Scalar) == 4, std::uint32_t, std::uint64_t>;
  static_assert(sizeof(Bits) == sizeof(Scalar));
  return std::bit_cast<Scalar>(std::bit_cast<Bits>(value) & (Bits(0) - Bits(kept)));
}

/// As `SmoothingInput::filter`, where `in` has the near-nullspace vector by row; notes which
/// entries are strong, where it matters.
template <class Scalar, class Space, class Offset>
RowFilter<Scalar> noted_filter(const SmoothingInput<Scalar, Space, Offset>& in, Ordinal i,
                               std::vector<char>& strong) {
  if (!in.may_filter(i)) return {};
  const Ordinal length = in.length(i);
  if (strong.size() < static_cast<std::size_t>(length)) strong.resize(length);
  // Where these lie is read once: what is noted, a char, may be any part of `in` to a compiler.
  char* const noted = strong.data();
  const Ordinal* const columns = in.A.columns.data() + in.A.offsets(i);
  const Scalar* const values = in.A.values.data() + in.A.offsets(i);
  const double* const scale = in.scale.data();
  const Scalar* const near_nullspace = in.near_nullspace.data();
  const double threshold = in.filter_squared;
  const double scale_i = scale[i];
  const Scalar vector_i = near_nullspace[i];
  RowSums<Scalar> sums;
  for (Ordinal l = 0; l < length; ++l) {
    const Ordinal j = columns[l];
    const Scalar a_ij = values[l];
    const bool is_diagonal = j == i;
    const bool is_strong =
        kernels::is_strong(static_cast<double>(a_ij), scale_i, scale[j], threshold) || is_diagonal;
    noted[l] = is_strong ? 1 : 0;
    sums.weak += kept_or_zero(Scalar(a_ij * near_nullspace[j] / vector_i), !is_strong);
    sums.left_out += kept_or_zero(Kokkos::abs(a_ij), !is_strong);
    sums.couplings += kept_or_zero(Kokkos::abs(a_ij), is_strong && !is_diagonal);
  }
  return in.filter_by(i, sums);
}

}  // namespace tessera::amg::detail
