// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/inverse_diagonal.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/diagonal.hpp"

namespace tessera::kernels {

template <class Scalar, class Space, class Offset>
Array<Scalar, Space> inverse_diagonal(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  const auto d = allocate<Scalar>(exec, "tessera::inverse_diagonal", A.num_rows);
  extract_diagonal(exec, A, d);
  Kokkos::parallel_for(
      "tessera::inverse_diagonal", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) { d(i) = d(i) == Scalar(0) ? Scalar(0) : Scalar(1) / d(i); });
  return d;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, inverse_diagonal)

}  // namespace tessera::kernels
