// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What near-nullspace vectors must be.
#pragma once

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace tessera::amg {

/// The most near-nullspace vectors that multigrid takes.
inline constexpr int max_near_nullspace_vectors = 10;

namespace detail {

/// The columns of which one pass looks at.
inline constexpr int columns_of_a_pass = 32;

/// A bit for each column of a pass.
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
  int first, count;

  KOKKOS_FUNCTION void operator()(std::size_t i, ColumnBits& found) const {
    for (int j = 0; j < count; ++j) {
      const std::uint32_t bit = std::uint32_t(1) << j;
      if (v(i, first + j) != Scalar(0)) found.not_zero |= bit;
      if (!Kokkos::isfinite(v(i, first + j))) found.not_finite |= bit;
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

/// One pass over the `count` columns from `first` on, at most `columns_of_a_pass`, and a wait.
template <class Scalar, class Space>
ColumnBits column_bits(const Space& exec, const ConstMultiVectorView<Scalar, Space>& v, int first,
                       int count) {
  ColumnBits bits;
  Kokkos::parallel_reduce("tessera::amg::check_near_nullspace",
                          Kokkos::RangePolicy<Space>(exec, 0, v.extent(0)),
                          FindColumnBits<Scalar, Space>{v, first, count}, bits);
  exec.fence("tessera::amg::check_near_nullspace");
  return bits;
}

}  // namespace detail

/// True where no column is all zeros or holds a NaN or an infinity, as after a conversion to a
/// precision of too small a range. Of any number of columns, since nodes of many unknowns have a
/// constant vector for each. One pass for 32 of them, and a wait.
template <class Scalar, class Space>
bool usable_near_nullspace(const Space& exec,
                           const ConstMultiVectorView<Scalar, Space>& near_nullspace) {
  if (near_nullspace.size() == 0) return true;
  const auto m = static_cast<int>(near_nullspace.extent(1));
  for (int first = 0; first < m; first += detail::columns_of_a_pass) {
    const int count = std::min(m - first, detail::columns_of_a_pass);
    const detail::ColumnBits bits =
        detail::column_bits<Scalar, Space>(exec, near_nullspace, first, count);
    const std::uint32_t all = ~std::uint32_t(0) >> (detail::columns_of_a_pass - count);
    if (bits.not_finite != 0 || bits.not_zero != all) return false;
  }
  return true;
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
  static_assert(max_near_nullspace_vectors <= detail::columns_of_a_pass);
  const detail::ColumnBits bits = detail::column_bits<Scalar, Space>(exec, near_nullspace, 0, m);
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
