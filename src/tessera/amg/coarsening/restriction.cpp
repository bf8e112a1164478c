// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/restriction.hpp"

#include <string>

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/find_entry.hpp"
#include "tessera/kernels/format/transpose.hpp"

namespace tessera::amg {

template <class Scalar, class Space, class Offset>
struct RowSkewness {
  kernels::CsrView<Scalar, Space, Offset> A;
  kernels::CsrView<Scalar, Space, Offset> At;
  Array<Scalar, Space> skewness;
  Ordinal first;  ///< the column of row 0's diagonal

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    double difference = 0;
    double size = 0;
    double matched = 0;
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      const Ordinal j = A.columns(k);
      if (j == i + first) continue;
      const auto there = static_cast<double>(A.values(k));
      const auto back = static_cast<double>(kernels::value_at(At, i, j));
      difference += Kokkos::fabs(there - back);
      size += Kokkos::fabs(there);
      matched += Kokkos::fabs(back);
    }
    double all_back = 0;
    for (Offset k = At.offsets(i); k < At.offsets(i + 1); ++k) {
      if (At.columns(k) != i + first) all_back += Kokkos::fabs(static_cast<double>(At.values(k)));
    }
    // What is in the column alone.
    difference += Kokkos::fmax(0.0, all_back - matched);
    const double share = difference / (size + all_back);
    // Also for 0 over 0 and for sums that overflow.
    skewness(i) = static_cast<Scalar>(share > 0 ? Kokkos::fmin(share, 1.0) : 0.0);
  }
};

template <class Scalar, class Space, class Offset>
Array<Scalar, Space> skewness(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                              const kernels::CsrView<Scalar, Space, Offset>& At, Ordinal first) {
  const bool fit = At.num_rows == A.num_rows && At.num_cols == A.num_cols && first >= 0 &&
                   A.num_rows <= A.num_cols - first;
  require(fit, [&] {
    return "A is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
           ", its transpose " + std::to_string(At.num_rows) + " by " + std::to_string(At.num_cols) +
           "; expected two matrices of one size, with the diagonal from column " +
           std::to_string(first) + " on";
  });
  const auto result = allocate<Scalar>(exec, "tessera::restriction::skewness", A.num_rows);
  Kokkos::parallel_for("tessera::restriction::skewness",
                       Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
                       RowSkewness<Scalar, Space, Offset>{A, At, result, first});
  return result;
}

template <class Scalar, class Space>
void discount_skew_rows(const Space& exec, const Array<Scalar, Space>& skewness,
                        const Array<double, Space>& scale) {
  require(skewness.extent(0) == scale.extent(0), [&] {
    return "there are " + std::to_string(scale.extent(0)) + " scales; expected one for each of " +
           std::to_string(skewness.extent(0)) + " rows";
  });
  Kokkos::parallel_for(
      "tessera::restriction::discount", Kokkos::RangePolicy<Space>(exec, 0, scale.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i) {
        const double even = Kokkos::fmax(1 - static_cast<double>(skewness(i)), 1e-30);
        scale(i) *= even * even;
      });
}

template <class Scalar, class Space>
Array<Scalar, Space> weights_of_skewness(
    const Space& exec, const NonDeduced<ArrayView<const Scalar, Space>>& skewness) {
  const auto weights = allocate<Scalar>(exec, "tessera::restriction::weights", skewness.extent(0));
  Kokkos::parallel_for(
      "tessera::restriction::weights", Kokkos::RangePolicy<Space>(exec, 0, skewness.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i) { weights(i) = 1 - skewness(i) / 2; });
  return weights;
}

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> smooth_restriction(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& At,
    const NonDeduced<ArrayView<const Scalar, Space>>& skewness,
    const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal, double omega_over_rho,
    const Tentative<Scalar, Space, Offset>& tentative, const WeakFilter<Space>& filter,
    std::size_t longest_row, kernels::Csr<Scalar, Space, Offset>* kept_Rt) {
  const Array<Scalar, Space> weights = weights_of_skewness<Scalar, Space>(exec, skewness);
  const auto Rt = smooth_prolongator(exec, At, inverse_diagonal, omega_over_rho, tentative, filter,
                                     longest_row, weights);
  if (kept_Rt != nullptr) *kept_Rt = Rt;
  return kernels::transpose(exec, Rt.view());
}

template <class Scalar, class Space, class Offset>
void smooth_restriction_numeric(const Space& exec,
                                const kernels::CsrView<Scalar, Space, Offset>& At,
                                const NonDeduced<ArrayView<const Scalar, Space>>& skewness,
                                const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                                double omega_over_rho,
                                const Tentative<Scalar, Space, Offset>& tentative,
                                const kernels::Csr<Scalar, Space, Offset>& Rt,
                                const kernels::Csr<Scalar, Space, Offset>& R,
                                const WeakFilter<Space>& filter, std::size_t longest_row) {
  const Array<Scalar, Space> weights = weights_of_skewness<Scalar, Space>(exec, skewness);
  smooth_prolongator_numeric(exec, At, inverse_diagonal, omega_over_rho, tentative, Rt, filter,
                             longest_row, weights);
  kernels::transpose_values(exec, Rt.view(), R);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, skewness)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, smooth_restriction)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, smooth_restriction_numeric)

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, discount_skew_rows)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, weights_of_skewness)

}  // namespace tessera::amg
