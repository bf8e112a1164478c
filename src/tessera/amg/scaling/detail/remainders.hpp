// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How far a matrix is from annihilating a vector.
#pragma once

#include "tessera/amg/scaling/detail/scaled_entries.hpp"

#include <cstdint>

namespace tessera::amg::detail {

/// How far A is from annihilating two vectors: for each, the sum over the rows of
/// |sum_j a_ij v_j| / sum_j |a_ij v_j|, in units of 2^-20, so that it is the same in any order.
struct Remainders {
  std::int64_t first = 0;
  std::int64_t second = 0;

  KOKKOS_FUNCTION Remainders& operator+=(const Remainders& other) {
    first += other.first;
    second += other.second;
    return *this;
  }
};

template <class Scalar, class Space, class Offset>
struct SumRemainders {
  kernels::CsrView<Scalar, Space, Offset> A;
  Array<double, Space> first;
  Array<double, Space> second;

  KOKKOS_FUNCTION void operator()(Ordinal i, Remainders& sum) const {
    (*this)(kernels::LaneGroup(1, 0), i, sum);
  }
  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i,
                                  Remainders& sum) const {
    const Remainders of_row{remainder(group, i, first), remainder(group, i, second)};
    if (group.lane() == 0) sum += of_row;
  }

 private:
  KOKKOS_FUNCTION std::int64_t remainder(const kernels::LaneGroup& group, Ordinal i,
                                         const Array<double, Space>& v) const {
    double sum = 0;
    double magnitudes = 0;
    for_each_entry(A, group, i, [&](Offset e) {
      const double term = static_cast<double>(A.values(e)) * v(A.columns(e));
      sum += term;
      magnitudes += Kokkos::abs(term);
    });
    sum = group.sum(sum);
    magnitudes = group.sum(magnitudes);
    if (!(magnitudes > 0)) return 0;
    constexpr double whole = 0x1p20;
    const double share = Kokkos::isfinite(magnitudes) ? Kokkos::abs(sum) / magnitudes : 1.0;
    return static_cast<std::int64_t>(whole * share);
  }
};

}  // namespace tessera::amg::detail

namespace Kokkos {
template <>
struct reduction_identity<tessera::amg::detail::Remainders> {
  KOKKOS_FORCEINLINE_FUNCTION static tessera::amg::detail::Remainders sum() { return {}; }
};
}  // namespace Kokkos

namespace tessera::amg::detail {

/// Of `first` and `second`, both of length n. A wait.
template <class Scalar, class Space, class Offset>
Remainders remainders(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                      const Array<double, Space>& first, const Array<double, Space>& second) {
  const char* const label = "tessera::amg::remainders";
  const SumRemainders<Scalar, Space, Offset> rows{A, first, second};
  const int lanes = kernels::lanes_per_row(A);
  Remainders left;
  const Kokkos::Sum<Remainders> sum(left);
  if (lanes > 0) {
    kernels::sum_of_rows<Remainders>(exec, label, A.num_rows, lanes, rows, sum);
  } else {
    Kokkos::parallel_reduce(
        label, Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, A.num_rows), rows,
        sum);
  }
  exec.fence(label);
  return left;
}

}  // namespace tessera::amg::detail
