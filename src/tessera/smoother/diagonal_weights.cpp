// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/diagonal_weights.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera {
namespace detail {

template <class Scalar, class Space, class Offset>
struct L1JacobiWeight {
  kernels::CsrView<Scalar, Space, Offset> A;
  ArrayView<Scalar, Space> weights;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    double diagonal = 0;
    double sum = 0;
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const double value = A.values(e);
      sum += Kokkos::abs(value);
      if (A.columns(e) == i) {
        diagonal += value;
      }
    }
    const double weight = diagonal == 0 ? 0 : (diagonal > 0 ? 1 / sum : -1 / sum);
    weights(i) = static_cast<Scalar>(weight);
  }
};

template <class Scalar, class Space, class Offset>
struct Spai0Weight {
  kernels::CsrView<Scalar, Space, Offset> A;
  ArrayView<Scalar, Space> weights;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    double diagonal = 0;
    double sum = 0;
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const double value = A.values(e);
      sum += value * value;
      if (A.columns(e) == i) {
        diagonal += value;
      }
    }
    weights(i) = static_cast<Scalar>(sum > 0 ? diagonal / sum : 0);
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
Array<Scalar, Space> l1_jacobi_weights(const Space& exec,
                                       const kernels::CsrView<Scalar, Space, Offset>& A) {
  const auto weights = allocate<Scalar>(exec, "tessera::smoother::l1_jacobi_weights", A.num_rows);
  Kokkos::parallel_for("tessera::smoother::l1_jacobi_weights",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, A.num_rows),
                       detail::L1JacobiWeight<Scalar, Space, Offset>{A, weights});
  return weights;
}

template <class Scalar, class Space, class Offset>
Array<Scalar, Space> spai0_weights(const Space& exec,
                                   const kernels::CsrView<Scalar, Space, Offset>& A) {
  const auto weights = allocate<Scalar>(exec, "tessera::smoother::spai0_weights", A.num_rows);
  Kokkos::parallel_for("tessera::smoother::spai0_weights",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, A.num_rows),
                       detail::Spai0Weight<Scalar, Space, Offset>{A, weights});
  return weights;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, l1_jacobi_weights)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, spai0_weights)

}  // namespace tessera
