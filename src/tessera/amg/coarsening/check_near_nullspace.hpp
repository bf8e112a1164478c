// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What near-nullspace vectors must be.
#pragma once

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <string>

namespace tessera::amg {

/// The most near-nullspace vectors that multigrid takes.
inline constexpr int max_near_nullspace_vectors = 10;

namespace detail {

/// A bit for each column.
struct ColumnBits {
  std::uint32_t not_zero = 0;  ///< the column holds anything but zeros
  std::uint32_t not_finite = 0;  ///< it holds a NaN or an infinity

  KOKKOS_FUNCTION ColumnBits& operator+=(const ColumnBits& other) {
    not_zero |= other.not_zero;
    not_finite |= other.not_finite;
    return *this;
  }
};

/// Sets the bits that a row's numbers ask for.
template <class Scalar, class Space>
struct FindColumnBits {
  ConstMultiVectorView<Scalar, Space> v;
  int m;

  KOKKOS_FUNCTION void operator()(std::size_t i, ColumnBits& found) const {
    for (int j = 0; j < m; ++j) {
      const std::uint32_t bit = std::uint32_t(1) << j;
      if (v(i, j) != Scalar(0)) found.not_zero |= bit;
      if (!Kokkos::isfinite(v(i, j))) found.not_finite |= bit;
    }
  }
};

/// Sets a bit where a row of the only column differs from its first.
template <class Scalar, class Space>
struct DiffersFromFirst {
  ConstMultiVectorView<Scalar, Space> v;

  KOKKOS_FUNCTION void operator()(std::size_t i, std::uint32_t& found) const {
    if (v(i, 0) != v(0, 0)) found |= 1u;
  }
};

/// One pass over at most 32 columns, and a wait.
template <class Scalar, class Space>
ColumnBits column_bits(const Space& exec, const ConstMultiVectorView<Scalar, Space>& v) {
  static_assert(max_near_nullspace_vectors <= 32);
  const auto m = static_cast<int>(v.extent(1));
  ColumnBits bits;
  Kokkos::parallel_reduce("tessera::amg::check_near_nullspace",
                          Kokkos::RangePolicy<Space>(exec, 0, v.extent(0)),
                          FindColumnBits<Scalar, Space>{v, m}, bits);
  exec.fence("tessera::amg::check_near_nullspace");
  return bits;
}

}  // namespace detail

/// True where no column of at most `max_near_nullspace_vectors` is all zeros or holds a NaN or an
/// infinity, as after a conversion to a precision of too small a range. One pass, and a wait.
template <class Scalar, class Space>
bool usable_near_nullspace(const Space& exec,
                           const ConstMultiVectorView<Scalar, Space>& near_nullspace) {
  if (near_nullspace.size() == 0) return true;
  const detail::ColumnBits bits = detail::column_bits<Scalar, Space>(exec, near_nullspace);
  return bits.not_finite == 0 &&
         bits.not_zero == (std::uint32_t(1) << near_nullspace.extent(1)) - 1;
}

/// Whether vectors are more than one multiple of the constant, which is taken where none are given.
/// At most a pass, and a wait.
template <class Scalar, class Space>
bool is_more_than_constant(const Space& exec, const ConstMultiVectorView<Scalar, Space>& v) {
  if (v.size() == 0 || v.extent(1) > 1) return v.size() > 0;
  std::uint32_t differ = 0;
  Kokkos::parallel_reduce(
      "tessera::amg::is_more_than_constant", Kokkos::RangePolicy<Space>(exec, 1, v.extent(0)),
      detail::DiffersFromFirst<Scalar, Space>{v}, Kokkos::BOr<std::uint32_t>(differ));
  return differ != 0;
}

/// Throws unless `near_nullspace` is empty, or up to `max_near_nullspace_vectors` columns of
/// `num_rows` finite numbers, none of them all zeros: of kind `precondition` for the shape,
/// `bad_input` for the numbers.
template <class Scalar, class Space>
void check_near_nullspace(const Space& exec, Ordinal num_rows,
                          const ConstMultiVectorView<Scalar, Space>& near_nullspace) {
  const auto m = static_cast<int>(near_nullspace.extent(1));
  if (m == 0) return;
  require(near_nullspace.extent(0) == static_cast<std::size_t>(num_rows), [&] {
    return "near-nullspace vectors must have as many rows as the matrix, " +
           std::to_string(num_rows) + ", they have " + std::to_string(near_nullspace.extent(0));
  });
  require(m <= max_near_nullspace_vectors, [&] {
    return "there must be at most " + std::to_string(max_near_nullspace_vectors) +
           " near-nullspace vectors, they are " + std::to_string(m);
  });
  if (num_rows == 0) return;
  const detail::ColumnBits bits = detail::column_bits<Scalar, Space>(exec, near_nullspace);
  for (int j = 0; j < m; ++j) {
    const bool finite = (bits.not_finite >> j & 1) == 0;
    if (finite && (bits.not_zero >> j & 1) != 0) continue;
    throw Error(ErrorKind::bad_input, "column " + std::to_string(j) + " of " + std::to_string(m) +
                                          " of the near-nullspace vectors " +
                                          (finite ? "is all zeros; expected a vector that the "
                                                    "matrix nearly annihilates"
                                                  : "holds a NaN or an infinity"));
  }
}

}  // namespace tessera::amg
