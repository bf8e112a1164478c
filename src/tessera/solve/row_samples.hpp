// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What some hundred or thousand rows tell of a matrix: a look at them takes less than a pass over
/// all.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/graph/hash.hpp"

#include <algorithm>
#include <cstdint>

namespace tessera {
namespace detail {

/// Longer rows are not looked through.
inline constexpr int max_length_of_sample = 500;

/// One row of each of `least` to 2 `least` parts of the matrix, or all where it has fewer.
struct SampledRows {
  std::uint32_t stride, count;

  explicit SampledRows(std::int64_t num_rows, std::int64_t least = 2000)
      : stride(static_cast<std::uint32_t>(std::max<std::int64_t>(1, num_rows / least))),
        count(static_cast<std::uint32_t>(num_rows / stride)) {}
  /// No column of a grid by itself.
  KOKKOS_FUNCTION std::int64_t row(std::uint32_t k) const {
    return static_cast<std::int64_t>(k) * stride + kernels::hash32(k) % stride;
  }
  /// The first k whose row is `first` or later.
  std::uint32_t first_from(std::int64_t first) const {
    const auto k = static_cast<std::uint32_t>(std::min<std::int64_t>(first / stride, count));
    return k < count && row(k) < first ? k + 1 : k;
  }
  KOKKOS_FUNCTION bool has(std::int64_t number) const {
    const std::int64_t k = number / stride;
    return k < count && row(static_cast<std::uint32_t>(k)) == number;
  }
};

/// The rows that `sampled_skew_share` looks at.
inline SampledRows sample_of_skew(std::int64_t num_rows) { return SampledRows(num_rows, 500); }

struct SkewSums {
  double differences = 0;  ///< |a_ij - a_ji| over the diagonal
  double magnitudes = 0;  ///< |a_ij| + |a_ji| over the diagonal

  KOKKOS_FUNCTION SkewSums& operator+=(const SkewSums& o) {
    differences += o.differences;
    magnitudes += o.magnitudes;
    return *this;
  }
  KOKKOS_FUNCTION void add(double value, double transposed) {
    differences += Kokkos::fabs(value - transposed);
    magnitudes += Kokkos::fabs(value) + Kokkos::fabs(transposed);
  }
  /// A row's sums over its diagonal entry, if it has one.
  KOKKOS_FUNCTION void add_over(double diagonal, const SkewSums& row) {
    if (diagonal == 0) return;
    differences += row.differences / Kokkos::fabs(diagonal);
    magnitudes += row.magnitudes / Kokkos::fabs(diagonal);
  }
};

}  // namespace detail

/// `MatrixFacts::skew_share`, from some 500 rows that are not too long to be looked through: each
/// entry of one is looked for in the row of its column.
template <class Scalar, class Space, class Offset>
double sampled_skew_share(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);

/// `MatrixFacts::jumping_rows`, from rows that are not too long to be looked through; a pass for
/// the diagonal.
template <class Scalar, class Space, class Offset>
double sampled_jumping_rows(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);

/// `MatrixFacts::has_hubs`.
template <class Scalar, class Space, class Offset>
bool has_hubs(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);

/// `MatrixFacts::long_rows`, of all rows.
template <class Scalar, class Space, class Offset>
double share_of_long_rows(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);

/// `MatrixFacts::repeated_rows`.
template <class Scalar, class Space, class Offset>
double sampled_repeated_rows(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);

}  // namespace tessera
