// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of the norms.
#pragma once

#include "tessera/kernels/format/norms.hpp"
#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/vector/ordered_sum.hpp"

#include <cmath>

namespace tessera::kernels {
namespace detail {

/// The larger of values that are not negative; NaN if one is NaN.
struct LargestOrNan {
  double value = 0;
  KOKKOS_INLINE_FUNCTION LargestOrNan& operator+=(const LargestOrNan& other) {
    if (other.value > value || Kokkos::isnan(other.value)) value = other.value;
    return *this;
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
double frobenius_norm(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  const double sum = ordered_sum<double>(
      exec, "tessera::frobenius_norm", A.num_entries,
      KOKKOS_LAMBDA(const std::size_t entry, double& mine) {
        const double value = A.values(entry);
        mine += value * value;
      });
  return std::sqrt(sum);
}

template <class Scalar, class Space, class Offset>
double inf_norm(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  detail::LargestOrNan largest;
  Kokkos::parallel_reduce(
      "tessera::inf_norm", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal row, detail::LargestOrNan& mine) {
        double sum = 0;
        const Offset end = A.offsets(row + 1);
        for (Offset entry = A.offsets(row); entry < end; ++entry) {
          sum += Kokkos::abs(static_cast<double>(A.values(entry)));
        }
        mine += detail::LargestOrNan{sum};
      },
      largest);
  return largest.value;
}

template <class Scalar, class Space, class Offset>
double one_norm(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  const Csr<Scalar, Space, Offset> transposed = transpose(exec, A);
  return inf_norm(exec, transposed.view());
}

template <class Scalar, class Space, class Offset>
double max_abs(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  detail::LargestOrNan largest;
  Kokkos::parallel_reduce(
      "tessera::max_abs", Kokkos::RangePolicy<Space>(exec, 0, A.num_entries),
      KOKKOS_LAMBDA(const std::size_t entry, detail::LargestOrNan& mine) {
        mine += detail::LargestOrNan{Kokkos::abs(static_cast<double>(A.values(entry)))};
      },
      largest);
  return largest.value;
}

}  // namespace tessera::kernels
