// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Distributed levels whose matrices float does not hold, times a power of two.
#pragma once

#include "tessera/tpetra/distributed_matrix_impl.hpp"

#include <cmath>

namespace tessera::tpetra::distributed_detail {

/// The largest magnitude of A's entries on all processes. Collective.
template <class Matrix>
double largest_entry(const Matrix& A) {
  using Space = typename Matrix::execution_space;
  const auto values = local_view(A).values;
  double own = 0;
  const Space exec;
  Kokkos::parallel_reduce(
      "tessera::tpetra::largest_entry", Kokkos::RangePolicy<Space>(exec, 0, values.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e, double& most) {
        const double magnitude = Kokkos::abs(values(e));
        if (magnitude > most) most = magnitude;
      },
      Kokkos::Max<double>(own));
  exec.fence("tessera::tpetra::largest_entry");
  own = std::max(own, 0.0);  // of no entries
  double largest = 0;
  Teuchos::reduceAll(*A.getRowMap()->getComm(), Teuchos::REDUCE_MAX, own, Teuchos::outArg(largest));
  return largest;
}

/// 2^exponent A, in A's pattern. Collective.
template <class Matrix>
Teuchos::RCP<const Matrix> times_power_of_two(const Matrix& A, int exponent) {
  using Space = typename Matrix::execution_space;
  using LocalMatrix = typename Matrix::local_matrix_device_type;
  const auto local = A.getLocalMatrixDevice();
  const typename LocalMatrix::values_type values("tessera::tpetra::values", local.values.extent(0));
  const auto given = local_view(A).values;
  const double first = std::ldexp(1.0, exponent / 2);
  const double second = std::ldexp(1.0, exponent - exponent / 2);
  const Space exec;
  Kokkos::parallel_for(
      "tessera::tpetra::times_power_of_two", Kokkos::RangePolicy<Space>(exec, 0, values.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e) { values(e) = given(e) * first * second; });
  exec.fence("tessera::tpetra::times_power_of_two");
  const LocalMatrix scaled("tessera::tpetra::matrix", local.numCols(), values, local.graph);
  return Teuchos::rcp(
      new Matrix(scaled, A.getRowMap(), A.getColMap(), A.getDomainMap(), A.getRangeMap()));
}

/// The even exponent e by which 2^-e A has entries of about 1; 0 where float has room for A's
/// anyway. Collective.
template <class Matrix>
int exponent_for_float(const Matrix& A) {
  constexpr int room = 40;
  const double largest = largest_entry(A);
  if (!(largest > 0) || !std::isfinite(largest)) return 0;
  const int exponent = std::ilogb(largest) / 2 * 2;
  return std::abs(exponent) > room ? exponent : 0;
}

}  // namespace tessera::tpetra::distributed_detail
