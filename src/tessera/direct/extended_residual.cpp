// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/extended_residual.hpp"

#include <cmath>

namespace tessera::direct {

double extended_residual(const HostSpace& exec, const HostMatrix& A, const double* b,
                         const double* x, const double* low, double* residual) {
  const int* const offsets = A.offsets.data();
  const int* const columns = A.columns.data();
  const double* const values = A.values.data();
  Kokkos::parallel_for("tessera::direct::extended_residual",
                       Kokkos::RangePolicy<HostSpace>(exec, 0, A.n), [=](const int i) {
                         long double r = b[i];
                         for (int e = offsets[i]; e < offsets[i + 1]; ++e) {
                           const long double value = values[e];
                           r -= value * x[columns[e]];
                           if (low != nullptr) r -= value * low[columns[e]];
                         }
                         residual[i] = static_cast<double>(r);
                       });
  exec.fence("tessera::direct::extended_residual");
  long double squares = 0;
  for (int i = 0; i < A.n; ++i)
    squares += static_cast<long double>(residual[i]) * residual[i];
  return static_cast<double>(std::sqrt(squares));
}

}  // namespace tessera::direct
