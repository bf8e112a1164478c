// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/norms.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

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

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, inf_norm)

}  // namespace tessera::kernels
