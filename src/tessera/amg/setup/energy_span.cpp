// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/energy_span.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::amg {

template <class Scalar, class Space>
double energy_span(const Space& exec, const Array<const Scalar, Space>& inverse_diagonal,
                   const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b) {
  const auto m = static_cast<int>(b.extent(1));
  Kokkos::MinMaxScalar<double> extremes;
  Kokkos::parallel_reduce(
      "tessera::amg::energy_span", Kokkos::RangePolicy<Space>(exec, 0, inverse_diagonal.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, Kokkos::MinMaxScalar<double>& found) {
        double square = 0;
        for (int j = 0; j < m; ++j) {
          const auto entry = static_cast<double>(b(i, j));
          square = Kokkos::max(square, entry * entry);
        }
        const double weight = square / Kokkos::abs(static_cast<double>(inverse_diagonal(i)));
        if (!(weight > 0) || !Kokkos::isfinite(weight)) return;
        found.min_val = Kokkos::min(found.min_val, weight);
        found.max_val = Kokkos::max(found.max_val, weight);
      },
      Kokkos::MinMax<double>(extremes));
  return extremes.max_val >= extremes.min_val ? extremes.max_val / extremes.min_val : 1;
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, energy_span)

}  // namespace tessera::amg
