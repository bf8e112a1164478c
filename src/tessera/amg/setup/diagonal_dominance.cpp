// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/diagonal_dominance.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::amg {

template <class Scalar, class Space, class Offset>
double off_diagonal_share(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  double share = 0;
  Kokkos::parallel_reduce(
      "tessera::amg::off_diagonal_share", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i, double& largest) {
        double diagonal = 0;
        double beside = 0;
        for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
          const auto value = static_cast<double>(A.values(e));
          if (A.columns(e) == i) {
            diagonal += value;
          } else {
            beside += Kokkos::fabs(value);
          }
        }
        const double ratio = beside == 0 ? 0 : beside / Kokkos::fabs(diagonal);
        // A NaN decides nothing, and fmax would pass it over.
        largest = ratio <= largest
                      ? largest
                      : (ratio >= 0 ? ratio : Kokkos::Experimental::infinity_v<double>);
      },
      Kokkos::Max<double>(share));
  exec.fence("tessera::amg::off_diagonal_share");
  return share;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, off_diagonal_share)

}  // namespace tessera::amg
